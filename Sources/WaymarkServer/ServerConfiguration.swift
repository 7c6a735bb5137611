package import WaymarkSockets

/// What a server is started with.
package struct ServerConfiguration: Sendable {
    /// An address to listen on.
    package struct Listener: Sendable {
        /// Where; port 0 lets the kernel choose.
        package var endpoint: ListeningEndpoint
        /// Whether each connection begins with a header of the PROXY protocol, version 1 or 2. Only trusted proxies may
        /// connect then. Default: false.
        package var expectsProxyHeader = false
        package var role: ListenerRole
        /// Makes what stands between the socket and the parser of a connection, such as TLS, on the connection's loop,
        /// whose number it is given; nil for plain HTTP.
        package var transport: (@Sendable (_ loop: Int) -> any Transport)?

        package init(
            _ endpoint: ListeningEndpoint, role: ListenerRole = .public,
            transport: (@Sendable (_ loop: Int) -> any Transport)? = nil
        ) {
            self.endpoint = endpoint
            self.role = role
            self.transport = transport
        }

        package init(
            _ address: HostAndPort, role: ListenerRole = .public,
            transport: (@Sendable (_ loop: Int) -> any Transport)? = nil
        ) {
            self.init(.network(address), role: role, transport: transport)
        }
    }

    package var listeners: [Listener]
    /// Event loops, each with its own sockets and its own handler. Default: 1.
    package var threads = 1
    package var eventLoop = EventLoopKind.standard
    package var limits = ServerLimits()
    /// Whose word about their clients counts. Default: nobody's.
    package var trustedProxies = TrustedProxies()
    /// Which of the fields by which proxies say so is believed. Default: `X-Forwarded-*`, else `Forwarded`.
    package var forwardedFields = ForwardedFields.either
    /// How the paths begin whose answers have an `X-Request-ID`, such as `/api/`. Default: none has.
    package var identifiedPaths = ""
    /// Called once, on whichever loop: a peer of this machine that is no trusted proxy forwards requests. Default:
    /// nothing.
    package var onUnknownProxy: (@Sendable () -> Void)?
    /// What listeners on `systemd` take; they are consumed by the start. Default: none.
    package var inheritedSockets = InheritedSockets(environment: [:])
    /// What the handlers' route numbers stand for; the first is for requests without a route. Default: only that.
    package var routes = [RequestRoute.none]
    /// How often the delay of each loop is measured. Default: 1 s.
    package var probeInterval = Duration.seconds(1)
    /// Said in every answer that goes through a listener's transport, and in no other: in clear anyone could have said it
    /// (RFC 6797 section 7.2).
    package var strictTransportSecurity: StrictTransportSecurity?
    /// Makes the access log of one loop, on that loop; nil for none.
    package var accessLog: (@Sendable (_ loop: Int) -> any AccessLog)?

    package init(listeners: [Listener]) {
        self.listeners = listeners
    }
}

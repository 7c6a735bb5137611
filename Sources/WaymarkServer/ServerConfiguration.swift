package import WaymarkSockets

/// The configuration of a server.
package struct ServerConfiguration: Sendable {
    /// An address to listen on.
    package struct Listener: Sendable {
        /// The address; port 0 lets the kernel choose.
        package var endpoint: ListeningEndpoint
        /// Whether each connection begins with a PROXY protocol header, version 1 or 2. Only trusted proxies may
        /// connect then. Default: false.
        package var expectsProxyHeader = false
        package var role: ListenerRole
        /// Whether the server starts without it if it can't be bound (`Server.unbound`). Default: false.
        package var isOptional = false
        /// Makes a connection's transport, such as TLS, on the connection's loop, whose number is passed; nil for
        /// plain HTTP.
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
    /// The proxies whose information about their clients is believed. Default: none.
    package var trustedProxies = TrustedProxies()
    /// The fields in which proxies name their clients. Default: `X-Forwarded-*`, else `Forwarded`.
    package var forwardedFields = ForwardedFields.either
    /// Prefix of the paths whose responses have an `X-Request-ID`, such as `/api/`. Default: none.
    package var identifiedPaths = ""
    /// Called once, on any loop, if an untrusted peer of this machine forwards requests. Default: nothing.
    package var onUnknownProxy: (@Sendable () -> Void)?
    /// The process's limit of open descriptors; the last 8 are reserved for operators. Default: nil, unknown.
    package var descriptors: Int?
    /// Sockets for listeners on `systemd`; starting the server consumes them. Default: none.
    package var inheritedSockets = InheritedSockets(environment: [:])
    /// The routes that the handlers' numbers refer to; the first is for requests without a route. Default: only that.
    package var routes = [RequestRoute.none]
    /// How often the delay of each loop is measured. Default: 1 s.
    package var probeInterval = Duration.seconds(1)
    /// Sent with every response through a listener's transport, and never in plain text, where anyone could have
    /// forged it (RFC 6797 section 7.2).
    package var strictTransportSecurity: StrictTransportSecurity?
    /// Makes the access log of one loop, on that loop; nil for none.
    package var accessLog: (@Sendable (_ loop: Int) -> any AccessLog)?

    package init(listeners: [Listener]) {
        self.listeners = listeners
    }
}

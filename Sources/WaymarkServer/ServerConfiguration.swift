package import WaymarkSockets

/// What a server is started with.
package struct ServerConfiguration: Sendable {
    /// An address to listen on.
    package struct Listener: Sendable {
        /// Where; port 0 lets the kernel choose.
        package var address: HostAndPort
        package var role: ListenerRole
        /// Makes what stands between the socket and the parser of a connection, such as TLS, on the connection's loop,
        /// whose number it is given; nil for plain HTTP.
        package var transport: (@Sendable (_ loop: Int) -> any Transport)?

        package init(
            _ address: HostAndPort, role: ListenerRole = .public,
            transport: (@Sendable (_ loop: Int) -> any Transport)? = nil
        ) {
            self.address = address
            self.role = role
            self.transport = transport
        }
    }

    package var listeners: [Listener]
    /// Event loops, each with its own sockets and its own handler. Default: 1.
    package var threads = 1
    package var eventLoop = EventLoopKind.standard
    package var limits = ServerLimits()
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

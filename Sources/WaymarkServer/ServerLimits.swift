package import WaymarkHTTP

/// What the server grants a client before it gives up on it. Deadlines are kept to within a tenth of a second.
package struct ServerLimits: Sendable {
    /// Sizes of request lines and header sections. Default: 16 KiB a line or field, 32 KiB and 100 fields in all.
    package var head = HeadLimits()

    /// From the accept to the first byte. Default: 10 s.
    package var firstByte: Duration = .seconds(10)
    /// From a request's first byte to the end of its head; bytes don't prolong it. Default: 10 s.
    package var header: Duration = .seconds(10)
    /// Between two pieces of a body. Default: 10 s.
    package var bodyIdle: Duration = .seconds(10)
    /// For a body as a whole, however big. Default: 60 s.
    package var bodyTotal: Duration = .seconds(60)
    /// Bytes per second that a body or the reading of an answer must reach on average once the first idle time is over.
    /// Default: 1,024 (1 KiB/s).
    package var minimumRate = 1_024
    /// Between two requests of a connection. Default: 30 s.
    package var keepAliveIdle: Duration = .seconds(30)
    /// The same while more than three quarters of `connections` are in use. Default: 5 s.
    package var keepAliveIdleWhenCrowded: Duration = .seconds(5)
    /// Without a client taking any byte of an answer. Default: 10 s.
    package var writeStall: Duration = .seconds(10)

    /// Requests that one connection may bring. Default: 10,000.
    package var requestsPerConnection = 10_000
    /// Age at which a connection is closed after its next answer. Default: 1 h.
    package var connectionAge: Duration = .seconds(3_600)
    /// Connections at the same time, on all loops together; one more is closed as soon as it is accepted.
    /// Default: 10,000.
    package var connections = 10_000

    /// Bytes of a request body that nobody wants which are read and dropped to keep the connection; with more it is
    /// closed. Default: 65,536 (64 KiB).
    package var unwantedBody = 65_536
    /// Bytes that are read ahead of the request in hand. Default: 65,536 (64 KiB).
    package var readAhead = 65_536
    /// Pipelined requests of one connection that are answered before other connections get their turn. Default: 64.
    package var requestsPerTurn = 64

    /// In a lingering close (RFC 9112 section 9.6): between two pieces that are dropped. Default: 2 s.
    package var lingerIdle: Duration = .seconds(2)
    /// For a lingering close as a whole. Default: 5 s.
    package var lingerTotal: Duration = .seconds(5)
    /// Bytes dropped in a lingering close. Default: 262,144 (256 KiB).
    package var lingerBytes = 262_144

    /// For requests in flight when the server drains; what is open then is cut off. Default: 15 s.
    package var shutdownGrace: Duration = .seconds(15)

    package init() {}
}

package import WaymarkHTTP

/// The limits for clients. Deadlines are accurate to a tenth of a second.
package struct ServerLimits: Sendable, Equatable {
    /// Sizes of request lines and header sections. Default: 16 KiB a line or field, 32 KiB and 100 fields in all.
    package var head = HeadLimits()

    /// From the accept to the first byte. Default: 10 s.
    package var firstByte: Duration = .seconds(10)
    /// From a request's first byte to the end of its head; further bytes don't extend it. Default: 10 s.
    package var header: Duration = .seconds(10)
    /// Between two pieces of a body. Default: 10 s.
    package var bodyIdle: Duration = .seconds(10)
    /// For a body as a whole, whatever its size. Default: 60 s.
    package var bodyTotal: Duration = .seconds(60)
    /// Bytes per second that a body must reach on average once `bodyIdle` is over. Default: 1,024 (1 KiB/s); 0 for none.
    package var bodyRate = 1_024
    /// Bytes of a body, even if a route accepts more; larger ones get 413. Default: 8,388,608 (8 MiB).
    package var body = 8 << 20
    /// Bytes of overhead that chunked framing may add to one body: extensions, leading zeros of sizes, trailers.
    /// Default: 16,384 (16 KiB).
    package var chunkOverhead = 16_384
    /// Between two requests of a connection. Default: 30 s.
    package var keepAliveIdle: Duration = .seconds(30)
    /// The same while more than three quarters of `connections` are in use. Default: 5 s.
    package var keepAliveIdleWhenCrowded: Duration = .seconds(5)
    /// Time in which a client takes no byte of a response. Default: 10 s.
    package var writeStall: Duration = .seconds(10)
    /// Bytes per second that a client must take of a response on average once `writeStall` is over.
    /// Default: 1,024 (1 KiB/s); 0 for none.
    package var writeRate = 1_024

    /// Requests per connection. Default: 10,000.
    package var requestsPerConnection = 10_000
    /// Age after which a connection is closed with its next response. Default: 1 h.
    package var connectionAge: Duration = .seconds(3_600)
    /// Concurrent connections, on all loops together; further ones get 503 and are closed, unless an idle one can be
    /// evicted. Listeners for operators have 64 more. Default: 10,000.
    package var connections = 10_000
    /// Concurrent connections from one socket address (IPv6: from one /64); further ones get 503 and are closed.
    /// Listeners for operators don't count. Default: 1,000.
    package var connectionsPerAddress = 1_000
    /// Whether 127.0.0.0/8 and ::1, the addresses of proxies on the same machine, may have any number of
    /// `connections`. Default: true.
    package var exemptsLoopback = true

    /// Requests that tasks are answering concurrently, on all loops together; further ones get 503, while requests
    /// that are answered at once continue. Default: 4,096.
    package var waitingRequests = 4_096
    /// Bytes of request bodies held concurrently, on all loops together; requests beyond it get 503. Default:
    /// 134,217,728 (128 MiB).
    package var bodyMemory = 128 << 20

    /// Bytes of an unused request body that are read and dropped to keep the connection; with a longer body it is
    /// closed. Default: 65,536 (64 KiB).
    package var unwantedBody = 65_536
    /// Bytes read ahead of the current request. Default: 65,536 (64 KiB).
    package var readAhead = 65_536
    /// Pipelined requests of one connection that are answered before other connections get their turn. Default: 64.
    package var requestsPerTurn = 64

    /// In a lingering close (RFC 9112 section 9.6): the time between two dropped pieces. Default: 5 s.
    package var lingerIdle: Duration = .seconds(5)
    /// For a lingering close as a whole. Default: 30 s. From `lingerIdle` on the client must send at `bodyRate`.
    package var lingerTotal: Duration = .seconds(30)
    /// Bytes dropped in a lingering close. Default: 67,108,864 (64 MiB), eight times the largest body: many clients
    /// read the response only after they have sent everything, and closing earlier destroys it.
    package var lingerBytes = 64 << 20
    /// Concurrent lingering closes, on all loops together; further connections are closed at once. Default: 1,024.
    package var lingeringConnections = 1_024

    /// For requests in flight when the server drains; connections open after it are cut off. Default: 15 s.
    package var shutdownGrace: Duration = .seconds(15)

    package init() {}
}

/// Where lines about answered requests go. Isolation: the loop it was made on; must not block.
package protocol AccessLog: AnyObject {
    var scope: AccessLogScope { get }
    /// Takes one line, the line feed at its end included; it must be copied.
    func write(_ line: Span<UInt8>)
}

/// Which requests an access log hears of. Quiet are the routes that their handler calls so.
package enum AccessLogScope: Sendable, Equatable {
    /// All of them.
    case all
    /// Of those to quiet routes one in so many, and all others.
    case sampled(oneIn: Int)
    /// Of those to quiet routes only what the server failed to answer (5xx), and all others.
    case withoutQuiet

    /// Of the requests to quiet routes one in so many; 0 where none.
    var quietInterval: Int {
        switch self {
        case .all: 1
        case .sampled(let interval): max(1, interval)
        case .withoutQuiet: 0
        }
    }
}

/// What is told of a request that is answered later, kept until then.
struct AccessLogEntry: Sendable {
    let method: String
    /// Without the query.
    let path: [UInt8]
    let host: [UInt8]
    let userAgent: [UInt8]
    /// Whether it is one of the sample of a quiet route's, or none of a quiet route.
    let isWanted: Bool

    /// Of what is no request, or none that could be read.
    static let unreadable = AccessLogEntry(method: "", path: [], host: [], userAgent: [], isWanted: true)
}

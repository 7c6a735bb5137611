/// Where finished requests are told to. Isolation: the loop it was made on; must not block.
package protocol AccessLog: AnyObject {
    /// Which requests are worth their copy of the request line.
    var scope: AccessLogScope { get }
    /// One request has been answered (its answer may still be on the way to the client).
    func record(_ entry: AccessLogEntry)
}

/// Which requests an access log hears of.
package enum AccessLogScope: Sendable {
    /// All of them.
    case all
    /// Those that went to `Reply.later` or `Reply.body`: everything but the fast lane.
    case waiting
}

/// One answered request.
package struct AccessLogEntry: Sendable {
    package let peer: Peer
    /// `GET` and the like; empty for a request that could not be read.
    package let method: String
    /// The request target as received: may hold any byte but white space and control characters.
    package let target: [UInt8]
    /// The host the request named, as received.
    package let host: [UInt8]
    /// As received; empty where it was not given.
    package let userAgent: [UInt8]
    package var status: Int
    /// Bytes of the response's body.
    package var bodyBytes: Int
    /// From the complete head to the answer.
    package var duration: Duration
}

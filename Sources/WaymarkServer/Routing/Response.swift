package import WaymarkHTTP

/// A response. The server adds Date, Content-Length and Connection.
///
/// A response that is built once can be sent any number of times: copies share its fields and its body.
package struct Response: Sendable {
    package var status: Status
    package var fields: HeaderFields
    package var body: ResponseBody

    package init(_ status: Status, fields: HeaderFields = HeaderFields(), body: ResponseBody = .none) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// The body of a response. Not sent for a HEAD request, or with a status that forbids a body.
package enum ResponseBody: Sendable {
    case none
    case bytes([UInt8])
    /// Sent in pieces as the client takes them.
    case file(OpenFile)
    /// Parts of a file, sent the same way.
    case parts(FileParts)
    /// Sent as it comes. Its length is unknown, so the connection closes after it (RFC 9112 section 6.3). Only in responses of
    /// tasks.
    case stream(ResponseStream)

    /// In bytes; 0 for a stream.
    package var count: Int {
        switch self {
        case .none, .stream: 0
        case .bytes(let bytes): bytes.count
        case .file(let file): file.count
        case .parts(let parts): parts.count
        }
    }
}

/// One reference, so that bodies stay small: a redirect copies an empty one.
package final class ResponseStream: Sendable {
    let source: any BodySource

    package init(_ source: any BodySource) { self.source = source }

    /// For a response that is not sent.
    package func cancel() { source.cancel() }
}

/// Produces the body of one response piece by piece. The calls of `next` never overlap; a piece is requested only after the
/// client has taken the previous one.
package protocol BodySource: AnyObject, Sendable {
    /// The next piece, not empty; nil at the end. May wait.
    func next() async -> [UInt8]?
    /// No further piece is needed: the response has ended, or the client or the server has gone. `next` returns soon. Called
    /// once or more, on the connection's loop; must not block.
    func cancel()
}

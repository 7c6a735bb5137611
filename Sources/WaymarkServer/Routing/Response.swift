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

    /// In bytes.
    package var count: Int {
        switch self {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .file(let file): file.count
        case .parts(let parts): parts.count
        }
    }
}

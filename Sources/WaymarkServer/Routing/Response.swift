package import WaymarkHTTP

/// What a request is answered with. The server adds Date, Content-Length and Connection.
///
/// A response that is built once can be sent any number of times: its fields and its body share their bytes.
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

/// The body of a response. For a HEAD request, and with a status that forbids a body, it is not sent.
package enum ResponseBody: Sendable {
    case none
    case bytes([UInt8])
    /// Sent piece by piece as the client takes it.
    case file(OpenFile)
    /// Parts of a file, sent likewise.
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

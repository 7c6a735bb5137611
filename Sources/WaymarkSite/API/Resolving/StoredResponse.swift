import WaymarkAPI
import WaymarkHTTP
import WaymarkServer

/// The response to a creation as stored in an idempotency record: one byte for the status, then the body.
struct StoredResponse: Sendable, Equatable {
    enum Status: UInt8, Sendable {
        case ok = 1
        case created = 2
    }

    /// The values of a link's headers.
    private struct Position: Sendable, Equatable {
        let version: Int
        let domain: String
        let slug: String

        init(_ link: LinkResponse) { (version, domain, slug) = (link.version, link.domain, link.slug) }
    }

    let status: Status
    let body: [UInt8]
    /// Set if the response was just created; otherwise it is parsed from the body.
    private let index: Position?

    init(_ status: Status, _ link: LinkResponse) {
        self.status = status
        body = link.json
        index = Position(link)
    }

    init(_ status: Status, body: [UInt8]) {
        self.status = status
        self.body = body
        index = nil
    }

    /// Nil for bytes not written by `encoded`.
    init?(encoded: [UInt8]) {
        guard let first = encoded.first, let status = Status(rawValue: first) else { return nil }
        self.init(status, body: Array(encoded.dropFirst()))
    }

    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(body.count + 1)
        bytes.append(status.rawValue)
        bytes.append(contentsOf: body)
        return bytes
    }

    /// The response; a link's headers are derived from its body.
    var response: Response { response(HeaderFields()) }

    /// The same as a repeated response.
    var replay: Response { response(.replayed) }

    private func response(_ further: HeaderFields) -> Response {
        var fields = further
        if let index = index ?? LinkResponse(json: body).map(Position.init) {
            fields.append(.eTag(index.version).adding(location: Endpoint.link(domain: index.domain, slug: index.slug)))
        }
        return .json(status == .created ? .created : .ok, body, fields: fields)
    }
}

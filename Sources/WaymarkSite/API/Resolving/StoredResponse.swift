import WaymarkAPI
import WaymarkHTTP
import WaymarkServer

/// The answer to a creation as an idempotency record holds it: one byte for the status, then the body.
struct StoredResponse: Sendable, Equatable {
    enum Status: UInt8, Sendable {
        case ok = 1
        case created = 2
    }

    /// What a link's headers say.
    private struct Position: Sendable, Equatable {
        let version: Int
        let domain: String
        let slug: String

        init(_ link: LinkResponse) { (version, domain, slug) = (link.version, link.domain, link.slug) }
    }

    let status: Status
    let body: [UInt8]
    /// Known where the answer was just made; else it has to be read from the body.
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

    /// Nil for what `encoded` never gave.
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

    /// The answer: a link's headers follow from its body.
    var response: Response { response(HeaderFields()) }

    /// The same, to a call that repeats one that was answered before.
    var replay: Response { response(.replayed) }

    private func response(_ further: HeaderFields) -> Response {
        var fields = further
        if let index = index ?? LinkResponse(json: body).map(Position.init) {
            fields.append(.eTag(index.version).adding(location: Endpoint.link(domain: index.domain, slug: index.slug)))
        }
        return .json(status == .created ? .created : .ok, body, fields: fields)
    }
}

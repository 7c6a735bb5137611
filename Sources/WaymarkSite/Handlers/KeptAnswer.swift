import WaymarkAPI
import WaymarkHTTP
import WaymarkServer

/// The answer to a creation as an idempotency record holds it: one byte for the status, then the body.
struct KeptAnswer: Sendable, Equatable {
    enum Status: UInt8, Sendable {
        case ok = 1
        case created = 2
    }

    let status: Status
    let body: [UInt8]

    init(_ status: Status, _ body: [UInt8]) {
        self.status = status
        self.body = body
    }

    /// Nil for what `encoded` never gave.
    init?(encoded: [UInt8]) {
        guard let first = encoded.first, let status = Status(rawValue: first) else { return nil }
        self.init(status, Array(encoded.dropFirst()))
    }

    var encoded: [UInt8] { [status.rawValue] + body }

    /// The answer, now or again: a link's headers follow from its body.
    var response: Response {
        var fields = HeaderBlock()
        if let link = LinkAnswer(json: body) {
            fields = .eTag(link.version).adding(location: Endpoint.link(domain: link.domain, slug: link.slug))
        }
        return .json(status == .created ? .created : .ok, body, fields: fields)
    }
}

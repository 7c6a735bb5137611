import WaymarkAPI
import WaymarkHTTP
import WaymarkServer

/// The answer to a creation as an idempotency record holds it: one byte for the status, then the body.
struct KeptAnswer: Sendable, Equatable {
    enum Status: UInt8, Sendable {
        case ok = 1
        case created = 2
    }

    /// What a link's headers say.
    private struct Place: Sendable, Equatable {
        let version: Int
        let domain: String
        let slug: String

        init(_ link: LinkAnswer) { (version, domain, slug) = (link.version, link.domain, link.slug) }
    }

    let status: Status
    let body: [UInt8]
    /// Known where the answer was just made; else it has to be read from the body.
    private let place: Place?

    init(_ status: Status, _ link: LinkAnswer) {
        self.status = status
        body = link.json
        place = Place(link)
    }

    init(_ status: Status, body: [UInt8]) {
        self.status = status
        self.body = body
        place = nil
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
    var response: Response { response(HeaderBlock()) }

    /// The same, to a call that repeats one that was answered before.
    var replay: Response { response(.replayed) }

    private func response(_ further: HeaderBlock) -> Response {
        var fields = further
        if let place = place ?? LinkAnswer(json: body).map(Place.init) {
            fields.append(.eTag(place.version).adding(location: Endpoint.link(domain: place.domain, slug: place.slug)))
        }
        return .json(status == .created ? .created : .ok, body, fields: fields)
    }
}

import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `POST /api/v1/explain:difference`: explains one visit at two moments, and says what differs. Both explanations are those of
/// `POST /api/v1/explain`.
enum ExplainDifferenceHandler {
    /// The members of an explanation that say how a visit ends.
    private static let compared = ["outcome", "leadsTo", "rule", "link", "association", "click"]
    /// How many changes a response lists, the newest first.
    private static let changesLimit = 100

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let request = try ExplainDifferenceRequest(json: call.body)
        let now = try await explanation(request.visit, at: nil, call, site)
        let link = try await link(of: now, call, site)
        let start = try await time(request.from, "from", link, site)
        var end: Timestamp?
        if let to = request.to { end = try await time(to, "to", link, site) }
        let from = try await explanation(request.visit, at: start, call, site)
        let to = if let end { try await explanation(request.visit, at: end, call, site) } else { now }
        let limits = [start, end ?? site.now].sorted()
        var changes: [LinkHistoryEntry] = []
        if let link {
            changes = try await site.service.changes(
                of: link, after: limits[0], until: limits[1], limit: changesLimit)
        }
        return .json(
            .ok,
            JSONWriter.text { writer in
                writer.beginObject()
                let names = compared.filter { from[$0] != to[$0] }
                writer.member("same", names.isEmpty)
                writer.array("differences", names) { name, writer in
                    writer.beginObject()
                    writer.member("field", name)
                    writer.member("from", from[name] ?? .null)
                    writer.member("to", to[name] ?? .null)
                    writer.endObject()
                }
                writer.name("decided")
                decision(from, to, &writer)
                writer.array("changes", changes) { change, writer in
                    writer.beginObject()
                    writer.member("version", change.version)
                    writer.member("at", change.at.rfc3339)
                    writer.strings("fields", change.fields)
                    writer.endObject()
                }
                writer.member("from", from)
                writer.member("to", to)
                writer.endObject()
            })
    }

    /// The first candidate that was taken at one moment only, or for another reason: the rule or field that made the difference.
    private static func decision(_ from: JSONValue, _ to: JSONValue, _ writer: inout JSONWriter) {
        let (old, new) = (from["candidates"]?.array ?? [], to["candidates"]?.array ?? [])
        guard let place = (0..<max(old.count, new.count)).first(where: { old.element($0) != new.element($0) }) else {
            writer.null()
            return
        }
        writer.beginObject()
        writer.member("from", old.element(place) ?? .null)
        writer.member("to", new.element(place) ?? .null)
        writer.endObject()
    }

    private static func explanation(
        _ visit: ExplainRequest, at time: Timestamp?, _ call: Call, _ site: Site
    ) async throws -> JSONValue {
        var (visit, call) = (visit, call)
        visit.at = time?.rfc3339
        call.body = visit.json
        guard case .bytes(let bytes) = try await ExplainHandler.answer(call, site).body,
            let value = try? JSONValue(parsing: bytes)
        else { throw Problem(.internalError, "The visit could not be explained.") }
        return value
    }

    /// The link at the URL.
    private static func link(of explanation: JSONValue, _ call: Call, _ site: Site) async throws -> Link? {
        guard let domain = explanation["link"]?["domain"]?.string,
            let slug = explanation["link"]?["slug"]?.string.flatMap({ Slug($0) })
        else { return nil }
        return try await LinkLookup.find(domain: domain, slug: slug, call, site)
    }

    private static func time(
        _ moment: ExplainDifferenceRequest.Moment, _ field: String, _ link: Link?, _ site: Site
    ) async throws -> Timestamp {
        switch moment {
        case .time(let text):
            guard let time = Timestamp(rfc3339: text) else { throw Problem(invalid: [.noTime(field)]) }
            return time
        case .version(let version):
            if let link, let time = try await site.service.time(of: version, of: link) { return time }
            throw Problem(invalid: [FieldProblem(field: field, problem: "must be a version that the link has had")])
        }
    }
}

extension Array {
    fileprivate func element(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

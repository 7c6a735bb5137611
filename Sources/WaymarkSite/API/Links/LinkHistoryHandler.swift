import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `GET /api/v1/links/{domain}/{slug}/history`: who changed which fields when, with their values.
enum LinkHistoryHandler {
    static let parameters = ["limit", "cursor"]
    private static let limit = 50
    private static let maximum = 100
    /// Bytes of values after which a page ends.
    private static let budget = 256 << 10

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        var problems: [FieldProblem] = []
        func one(_ name: String, _ range: ClosedRange<Int>, _ problem: String) -> Int? {
            let values = call.query.all(name)
            if values.count > 1 { problems.append(FieldProblem(field: name, problem: "is given more than once")) }
            guard let text = values.first, !text.isEmpty else { return nil }
            let value = Int(text).flatMap { range.contains($0) ? $0 : nil }
            if value == nil { problems.append(FieldProblem(field: name, problem: problem)) }
            return value
        }
        let limit = one("limit", 1...maximum, "must be a whole number from 1 to \(maximum)")
        let cursor = one("cursor", 1...Int(Int32.max), "must be a cursor that a page was answered with")
        guard problems.isEmpty else { throw Problem(invalid: problems) }
        let (link, _) = try await LinkLookup.link(call, site)
        let page = try await site.service.history(of: link, through: cursor, limit: limit ?? Self.limit)
        var changes: [LinkHistoryResponse.Change] = []
        var next = page.next
        var bytes = 0
        for version in page.versions {
            let entry = version.entry
            guard bytes < budget else {
                next = entry.version
                break
            }
            let author = entry.author.map { site.service.keys.author($0, for: call.key) }
            let names = entry.version == 1 ? nil : Set(entry.fields)
            let change = LinkHistoryResponse.Change(
                version: entry.version, at: entry.at.rfc3339, by: author.map { .init(id: $0.id, name: $0.name) },
                fields: entry.fields, before: version.before?.members(names), after: version.after?.members(names))
            bytes += [change.before, change.after].reduce(0) { $0 + ($1.map { JSONValue($0).bytes().count } ?? 0) }
            changes.append(change)
        }
        return .json(.ok, LinkHistoryResponse(changes: changes, cursor: next.map { "\($0)" }).json)
    }
}

extension LinkHistoryEntry.Former {
    /// Members in the form of a body that creates the link.
    ///
    /// - Parameter names: those of the members; nil for all.
    fileprivate func members(_ names: Set<String>?) -> JSONObject {
        var request = LinkRequest(content, metadata: nil)
        request.slug = slug.text
        var members = JSONObject()
        for member in (try? JSONValue(parsing: request.json))?.object?.members ?? []
        where names?.contains(member.name) ?? true { members[member.name] = member.value }
        return members
    }
}

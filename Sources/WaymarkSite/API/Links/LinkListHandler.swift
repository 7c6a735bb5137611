import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `GET /api/v1/links`: a page, newest first.
enum LinkListHandler {
    static let parameters = ["app", "tag", "query", "limit", "cursor"]

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let page = try await site.service.list(try listing(call.query), for: call.key.application)
        let directory = site.service.applications.directory.current
        let now = site.now
        let links = page.links.compactMap { link in
            directory.application(link.application).map { LinkResponse(link, $0.application, at: now) }
        }
        return .json(.ok, LinkListResponse(links: links, cursor: page.next.map(Cursor.text)).json)
    }

    /// - Throws: `Problem` with everything that is wrong with the query.
    private static func listing(_ query: QueryString) throws(Problem) -> LinkListing {
        var problems: [FieldProblem] = []
        func one(_ name: String) -> String? {
            let values = query.all(name)
            if values.count > 1 { problems.append(FieldProblem(field: name, problem: "is given more than once")) }
            return values.first
        }
        func text(_ name: String) -> String? {
            guard let value = one(name), !value.isEmpty else { return nil }
            return value
        }
        var listing = LinkListing(tag: text("tag"), query: one("query"))
        if let query = listing.query, !(1...200).contains(query.utf8.count) {
            problems.append(FieldProblem(field: "query", problem: "must be 1 to 200 bytes"))
        }
        if let id = text("app") {
            listing.application = ApplicationID(id)
            if listing.application == nil {
                problems.append(FieldProblem(field: "app", problem: ApplicationID.rule))
            }
        }
        if let limit = one("limit") {
            if let number = Int(limit), (1...200).contains(number), limit.utf8.first != UInt8(ascii: "+") {
                listing.limit = number
            } else {
                problems.append(FieldProblem(field: "limit", problem: "must be a whole number from 1 to 200"))
            }
        }
        if let cursor = text("cursor") {
            listing.before = Cursor.link(cursor)
            if listing.before == nil {
                problems.append(
                    FieldProblem(field: "cursor", problem: "must be a cursor that a page was answered with"))
            }
        }
        guard problems.isEmpty else { throw Problem(invalid: problems) }
        return listing
    }
}

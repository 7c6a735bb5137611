import WaymarkAPI
import WaymarkBytes
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

    /// - Throws: `Problem` with all problems of the query.
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

/// The end of a page of links as an opaque text.
enum Cursor {
    // Odd, so that the multiplication is reversible; the sum of the halves distinguishes a mistyped cursor from a valid
    // one.
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let inverse: UInt64 = 0xF1DE_83E1_9937_733D

    static func text(_ id: LinkID) -> String {
        let number = UInt64(bitPattern: id.rawValue) &* factor
        return Hexadecimal.text(number, width: 16) + Hexadecimal.text(UInt64(check(number)), width: 4)
    }

    /// Nil for texts not created by `text`.
    static func link(_ text: String) -> LinkID? {
        guard text.utf8.count == 20, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
            let number = UInt64(text.prefix(16), radix: 16), let sum = UInt16(text.suffix(4), radix: 16),
            sum == check(number)
        else { return nil }
        let id = Int64(bitPattern: number &* inverse)
        return id > 0 ? LinkID(rawValue: id) : nil
    }

    private static func check(_ number: UInt64) -> UInt16 {
        UInt16(truncatingIfNeeded: number ^ number >> 16 ^ number >> 32 ^ number >> 48 ^ 0x5741)
    }
}

import WaymarkAPI
import WaymarkBytes
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `GET /api/v1/links`: a page of the links that match.
enum LinkListHandler {
    static let parameters = LinkFilter.names + ["sort", "count", "include", "limit", "cursor"]

    /// Tokens for a page that no index gives, or a count: the first one is taken on admission.
    static let examinationTokens = 10

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let request = try Self.listing(call.query)
        if request.includesClicks, let seconds = site.callers.take(.statistics, call.peer, key: call.key) {
            return .rateLimited(retryAfter: seconds)
        }
        var listing = request.listing
        listing.filter = listing.filter.limited(to: call.reach)
        let page: LinkPage
        if let addressed = try await LinkLookup.addressed(listing, call, site) {
            page = addressed
        } else {
            if !listing.isIndexed { site.callers.charge(examinationTokens - 1, .list, call.peer, key: call.key) }
            page = try await site.service.list(listing, for: call.reach, key: call.key.id)
        }
        let directory = site.service.applications.directory.current
        let now = site.now
        let verified = try await site.verified(page.links)
        let shown: [(id: LinkID, response: LinkResponse)] = page.links.compactMap { link in
            directory.application(link.application).map {
                var response = LinkResponse(link, $0.application, at: now)
                response.verified = verified[link.id]
                return (id: link.id, response: response)
            }
        }
        var recentClicks: RecentClicksResponse?
        if request.includesClicks {
            let ids = shown.map { $0.id }
            recentClicks = RecentClicksResponse(try await site.service.recentClicks(of: ids), of: ids)
        }
        let total = page.count.map { LinkListResponse.Total(links: $0.links, isLowerBound: $0.isLowerBound) }
        return .json(
            .ok,
            LinkListResponse(
                links: shown.map { $0.response },
                cursor: page.next.map { ListingCursor.text($0, of: listing.sort) }, total: total,
                recentClicks: recentClicks
            ).json)
    }

    /// - Throws: `Problem` with all problems of the query.
    private static func listing(
        _ query: QueryString
    ) throws(Problem) -> (listing: LinkListing, includesClicks: Bool) {
        var problems: [FieldProblem] = []
        func one(_ name: String) -> String? {
            let values = query.all(name)
            if values.count > 1 { problems.append(FieldProblem(field: name, problem: "is given more than once")) }
            return values.first
        }
        func reject(_ name: String, _ problem: String) {
            problems.append(FieldProblem(field: name, problem: problem))
        }
        var listing = LinkListing(LinkFilter(query, problems: &problems))
        if let name = one("sort"), !name.isEmpty {
            if let sort = LinkSort(rawValue: name) {
                listing.sort = sort
            } else {
                reject("sort", "must be one of \(LinkSort.allCases.map(\.rawValue).joined(separator: ", "))")
            }
        }
        if listing.filter.verified != nil, !listing.sort.isByCreation {
            reject("sort", "must be createdAt or -createdAt with verified")
        }
        if let count = one("count"), !count.isEmpty {
            listing.counts = count == "true"
            if count != "true", count != "false" { reject("count", "must be true or false") }
        }
        let include = one("include") ?? ""
        if !include.isEmpty, include != "recentClicks" { reject("include", "must be recentClicks") }
        if let limit = one("limit") {
            if let number = Int(limit), (1...200).contains(number), limit.utf8.first != UInt8(ascii: "+") {
                listing.limit = number
            } else {
                reject("limit", "must be a whole number from 1 to 200")
            }
        }
        if let cursor = one("cursor"), !cursor.isEmpty {
            listing.after = ListingCursor.position(cursor, of: listing.sort)
            if listing.after == nil {
                reject("cursor", "must be a cursor that a page with the same sort was answered with")
            }
        }
        guard problems.isEmpty else { throw Problem(invalid: problems) }
        return (listing, !include.isEmpty)
    }
}

extension RecentClicksResponse {
    fileprivate init(_ clicks: RecentClicks, of links: [LinkID]) {
        func date(_ day: Int) -> String {
            String(Timestamp(seconds: Int64(day) * Timestamp.secondsOfDay).rfc3339.prefix(10))
        }
        self.init(
            from: date(clicks.days.lowerBound), to: date(clicks.days.upperBound - 1), isComplete: clicks.isComplete,
            links: links.map { link in
                let people = clicks.people[link] ?? [Int](repeating: 0, count: clicks.days.count)
                let last = people.lastIndex { $0 > 0 }
                return Link(people: people, lastClicked: last.map { date(clicks.days.lowerBound + $0) })
            })
    }
}

/// The position of a page as an opaque text.
enum ListingCursor {
    // Odd, so that the multiplication is reversible; the sum of the parts distinguishes a mistyped cursor from a valid
    // one.
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let inverse: UInt64 = 0xF1DE_83E1_9937_733D

    static func text(_ position: LinkPosition, of sort: LinkSort) -> String {
        var numbers = [UInt64(bitPattern: position.id.rawValue) &* factor]
        if !sort.isByCreation { numbers.append(UInt64(bitPattern: position.key) &* factor) }
        return numbers.map { Hexadecimal.text($0, width: 16) }.joined()
            + Hexadecimal.text(UInt64(check(numbers, sort)), width: 4)
    }

    /// Nil for texts that `text` did not create for the same order.
    static func position(_ text: String, of sort: LinkSort) -> LinkPosition? {
        let count = sort.isByCreation ? 1 : 2
        guard text.utf8.count == 16 * count + 4,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
            let sum = UInt16(text.suffix(4), radix: 16)
        else { return nil }
        let numbers = (0..<count).compactMap { UInt64(text.dropFirst(16 * $0).prefix(16), radix: 16) }
        guard numbers.count == count, sum == check(numbers, sort) else { return nil }
        let values = numbers.map { Int64(bitPattern: $0 &* inverse) }
        // Not negative: a page may also start at an ID that no link has.
        guard values[0] >= 0 else { return nil }
        return LinkPosition(LinkID(rawValue: values[0]), key: count == 2 ? values[1] : 0)
    }

    private static func check(_ numbers: [UInt64], _ sort: LinkSort) -> UInt16 {
        let mark: UInt64 =
            switch sort {
            case .newest: 0x5741
            case .oldest: 0x5742
            case .clicks: 0x5743
            case .expiry: 0x5744
            }
        return numbers.reduce(UInt16(mark)) { sum, number in
            sum &* 31 ^ UInt16(truncatingIfNeeded: number ^ number >> 16 ^ number >> 32 ^ number >> 48)
        }
    }
}

import WaymarkBytes
package import WaymarkClient
package import WaymarkLinks

/// Which visits show whether the links of a source lead on a server where the source's own service led.
package struct LinkVerification: Sendable {
    private let service: ForeignService
    /// Lower case.
    private let host: String
    private let takesOthers: Bool
    private let own: Set<String>
    private let time: ForeignTime

    /// - Parameters:
    ///   - host: the server's.
    /// - domain: where links on other domains were imported to; they are visited if it is `host`. Nil:
    ///   nowhere.
    ///   - own: further domains of the application, whose links stay there.
    package init(
        _ service: ForeignService, on host: String, domain: String? = nil, own: [String] = [],
        time: ForeignTime
    ) {
        self.service = service
        self.host = host.lowercased()
        takesOthers = domain?.lowercased() == self.host
        self.own = Set(own.map { $0.lowercased() })
        self.time = time
    }

    /// The visits of a row.
    package struct Plan: Sendable {
        package var visits: [PlannedVisit] = []
        /// Addresses on other domains, which are not visited.
        package var elsewhere = 0
        /// The report's line for a row that has no address.
        package var problem: VisitDifference?
        /// Nil where chance does not decide.
        package var draw: VisitorDraw?
    }

    package func plan(_ row: SourceRow, now: Timestamp) -> Plan {
        var plan = Plan()
        var link = row.link.values.map { service.link($0, time) } ?? SourceLink()
        // A list of URLs has them beside the answers.
        if link.addresses.isEmpty, !row.link.address.slug.isEmpty { link.addresses = [row.link.address] }
        guard !link.addresses.isEmpty else {
            plan.problem = VisitDifference(
                row: row.number, device: nil, smartlink: "", expected: "", answered: "",
                reason: row.link.refusal ?? "the row has no slug")
            return plan
        }
        var slugs: Set<String> = []
        for address in link.addresses {
            guard isVisited(address) else {
                plan.elsewhere += 1
                continue
            }
            guard slugs.insert(address.slug).inserted else { continue }
            let visits =
                slugs.count == 1 ? link.visits(at: now) : VisitDevice.allCases.map { SourceVisit(device: $0) }
            let planned = visits.map {
                PlannedVisit(row: row.number, $0, of: link, slug: address.slug, refusal: row.link.refusal)
            }
            plan.visits += planned
            if slugs.count == 1, link.inactivity(at: now) == nil {
                plan.draw = planned.first.flatMap { VisitorDraw($0, shares: link.shares(now)) }
            }
        }
        return plan
    }

    private func isVisited(_ address: SourceLink.Address) -> Bool {
        guard let domain = address.domain?.lowercased(), domain != host else { return true }
        return takesOthers && !own.contains(domain)
    }
}

extension ForeignService {
    fileprivate func link(_ row: SourceValues, _ time: ForeignTime) -> SourceLink {
        switch self {
        case .fdl: .firebase(row, time)
        case .branch: .branch(row, time)
        case .bitly: .bitly(row, time)
        case .rebrandly: .rebrandly(row, time)
        case .shortio: .shortIO(row, time)
        case .dub: .dub(row, time)
        case .shlink: .shlink(row, time)
        case .kutt: .kutt(row, time)
        case .yourls: .yourls(row, time)
        case .polr: .polr(row, time)
        case .csv, .waymark: .table(row, time)
        }
    }
}

/// One request to the server: a link by one visitor.
package struct PlannedVisit: Sendable {
    package let row: Int
    package var device: VisitDevice { visit.device }
    /// The request's path and query, encoded.
    package let path: String
    /// Header fields that the decision depends on.
    package var fields: [(name: String, value: String)] { visit.fields }
    private let visit: SourceVisit
    private let link: SourceLink
    private let slug: String
    private let refusal: String?

    init(row: Int, _ visit: SourceVisit, of link: SourceLink, slug: String, refusal: String?) {
        self.row = row
        self.visit = visit
        self.link = link
        self.slug = slug
        self.refusal = refusal
        path = visit.path(slug)
    }

    /// The report's line if the answer differs from the source; nil if it does not.
    package func difference(
        _ answer: Result<HTTPResponse, HTTPFailure>, base: String, now: Timestamp
    ) -> VisitDifference? {
        let comparison = AnswerComparison(link.additions, slug: slug)
        var expected = link.answers(to: visit, at: now)
        let found: String?
        switch link.inactivity(at: now) {
        case nil: found = comparison.difference(answer, from: expected)
        case _? where link.closed == nil && link.expiredURL != nil && link.end.map { $0 <= now } == true:
            expected = link.expiredURL.map { [.web($0)] } ?? []
            found = comparison.difference(answer, from: expected).map { "\($0), and the link has expired" }
        case let reason?:
            found = comparison.difference(answer, ofInactive: expected, because: reason)
            expected = []
        }
        guard let reason = found else { return nil }
        let answered =
            switch answer {
            case .success(let response):
                response.isRedirect ? response.location ?? "" : String(response.status)
            case .failure(let failure): failure.sentence
            }
        return VisitDifference(
            row: row, device: device, smartlink: base + path, expected: expected.first?.text ?? "",
            answered: answered, reason: reason + visit.note + (refusal.map { ": \($0)" } ?? ""))
    }
}

extension PlannedVisit {
    /// Where chance has sent this visitor; nil if it does not decide, or if the answer differs from the
    /// source.
    package func destination(_ answer: Result<HTTPResponse, HTTPFailure>, now: Timestamp) -> String? {
        guard visit.visitor > 0, device == .desktop else { return nil }
        let comparison = AnswerComparison(link.additions, slug: slug)
        let urls = link.shares(now).keys
        return urls.first { comparison.difference(answer, from: [ExpectedAnswer($0)]) == nil }
    }
}

/// A line of the report of `waymark links verify`.
package struct VisitDifference: Sendable, Equatable {
    package var row: Int
    /// Nil for a row that can't be visited.
    package var device: VisitDevice?
    package var smartlink: String
    package var expected: String
    package var answered: String
    package var reason: String

    package static let header = "row,platform,smartlink,expected,answered,reason\n"

    package func append(to bytes: inout [UInt8]) {
        CSVText.append(
            [
                String(row), device?.rawValue ?? "", SpreadsheetText.guarded(smartlink),
                SpreadsheetText.guarded(expected),
                SpreadsheetText.guarded(answered), SpreadsheetText.guarded(reason),
            ], to: &bytes)
    }
}

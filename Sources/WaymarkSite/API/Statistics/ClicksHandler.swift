import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `GET /api/v1/links/{domain}/{slug}/clicks`: a link's clicks by hour or day.
enum ClicksHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let (link, _) = try await LinkLookup.link(call, site)
        let question = try ClicksParameters(call, now: site.now)
        let found = try await ReportTurn.run(call, site) { try await site.service.clicks(of: link.id, question.query) }
        guard let found else {
            throw Problem(invalid: [FieldProblem(field: "from", problem: tooMany)])
        }
        let answer = ClicksResponse(found)
        return question.isTable ? .table(answer.csv) : .json(.ok, answer.json)
    }

    private static let tooMany =
        "the link has more than \(LinkService.clickRecordLimit) clicks in that time; ask for a shorter one"
}

extension ClicksResponse {
    fileprivate init(_ answer: ClickSeries.Answer) {
        let query = answer.query
        self.init(
            from: Timestamp(seconds: query.seconds.lowerBound).rfc3339,
            to: Timestamp(seconds: query.seconds.upperBound).rfc3339, interval: query.interval.rawValue,
            by: query.field?.name, total: Count(answer.count), visitors: answer.visitors,
            series: answer.points.map { point in
                Interval(
                    start: point.start.rfc3339, count: Count(point.count), visitors: point.visitors,
                    values: point.values.map { Value(value: $0.value, count: Count($0.count)) },
                    rest: point.rest.map { Count($0) })
            }, isComplete: answer.isComplete)
    }
}

extension ClicksResponse.Count {
    init(_ count: ClickCount) { self.init(people: count.people, bots: count.bots) }
}

/// `GET /api/v1/links/{domain}/{slug}/events`: apps' activity for a link by day.
enum ActivityHandler {
    static let parameters = ["from", "to", "interval"]

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        // Activity is kept by day.
        guard call.query.all("interval").allSatisfy({ $0 == "day" }) else {
            throw Problem(invalid: [FieldProblem(field: "interval", problem: "must be day")])
        }
        let (link, _) = try await LinkLookup.link(call, site)
        let seconds = try ClicksParameters(call, now: site.now).query.seconds
        let day = Timestamp.secondsOfDay
        let days = Int(seconds.lowerBound / day)..<Int(seconds.upperBound / day)
        let found = Dictionary(
            try await site.service.activity(of: link.id, days: days).map { ($0.day, $0.counts) },
            uniquingKeysWith: { first, _ in first })
        var conversions: [Int: Int] = [:]
        let query = ConversionQuery(applications: [link.application], days: days, link: link.id, by: .day)
        for group in try await site.service.conversions(query) {
            guard let day = group.value.flatMap({ Int($0) }) else { continue }
            conversions[day, default: 0] += group.total.count
        }
        var total = LinkActivity()
        for counts in found.values { total += counts }
        return .json(
            .ok,
            ActivityResponse(
                from: Timestamp(seconds: seconds.lowerBound).rfc3339,
                to: Timestamp(seconds: seconds.upperBound).rfc3339,
                total: .init(total, conversions: conversions.values.reduce(0, +)),
                series: days.map {
                    .init(
                        start: Timestamp(seconds: Int64($0) * day).rfc3339,
                        counts: .init(found[$0] ?? LinkActivity(), conversions: conversions[$0] ?? 0))
                }
            ).json)
    }
}

extension ActivityResponse.Counts {
    fileprivate init(_ counts: LinkActivity, conversions: Int) {
        self.init(
            opens: counts.opens, installs: counts.installs, resolves: counts.resolves, redeems: counts.redeems,
            claims: counts.claims, conversions: conversions)
    }
}

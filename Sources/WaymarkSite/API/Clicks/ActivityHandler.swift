import WaymarkAPI
import WaymarkClicks
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `GET /api/v1/links/{domain}/{slug}/events`: what apps did with a link, day by day.
enum ActivityHandler {
    static let parameters = ["from", "to"]

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let (link, _) = try await LinkLookup.link(call, site)
        let seconds = try ClicksParameters(call, now: site.now).query.seconds
        let day = Timestamp.secondsOfDay
        let days = Int(seconds.lowerBound / day)..<Int(seconds.upperBound / day)
        let found = Dictionary(
            try await site.service.activity(of: link.id, days: days).map { ($0.day, $0.counts) },
            uniquingKeysWith: { first, _ in first })
        var total = LinkActivity()
        for counts in found.values { total += counts }
        return .json(
            .ok,
            ActivityResponse(
                from: Timestamp(seconds: seconds.lowerBound).rfc3339,
                to: Timestamp(seconds: seconds.upperBound).rfc3339, total: .init(total),
                series: days.map {
                    .init(
                        start: Timestamp(seconds: Int64($0) * day).rfc3339, counts: .init(found[$0] ?? LinkActivity()))
                }
            ).json)
    }
}

extension ActivityResponse.Counts {
    fileprivate init(_ counts: LinkActivity) {
        self.init(
            opens: counts.opens, installs: counts.installs, resolves: counts.resolves, redeems: counts.redeems,
            claims: counts.claims)
    }
}

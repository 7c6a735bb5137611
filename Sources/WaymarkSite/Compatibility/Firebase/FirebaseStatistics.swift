import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `GET /v1/{link}/linkStats?durationDays=N`: what became of a link in the last days.
struct FirebaseStatistics {
    private let call: FirebaseCall

    init(_ call: FirebaseCall) { self.call = call }

    func answer() async throws -> Response {
        let now = call.site.now
        guard let days = Int(call.query.all("durationDays").first ?? call.query.all("duration_days").first ?? ""),
            days >= 1
        else { throw FirebaseError(.invalidArgument, "durationDays must be a number of days, 1 or more.") }
        guard let url = WebURL(call.pathLink), let host = url.host, let (domain, served) = try call.domain(at: host)
        else {
            throw FirebaseError(
                .invalidArgument, "The link in the path is not a URL on a Dynamic Links domain of your project.")
        }
        guard let slug = SmartlinkAddress(url)?.slug,
            let link = try await call.site.service.find(domain, slug, for: .one(served.id))
        else { return .json(.ok, Array("{}".utf8)) }
        let span = Int64(min(days, Int(ClickSelection.Interval.day.dayLimit) - 1)) * Timestamp.secondsOfDay
        let start = Timestamp(seconds: now.seconds - span)
        guard let key = call.caller.key else {
            throw FirebaseError(.permissionDenied, "The key may not read statistics.")
        }
        let rows = try await ReportTurn.run(key, of: call.caller.application, call.peer, call.site) {
            try await clicks(link, from: start, to: now) + events(link, from: start, to: now)
        }
        var answer = JSONObject()
        if !rows.isEmpty { answer["linkEventStats"] = JSONValue(rows) }
        return .json(.ok, JSONValue(answer).bytes())
    }

    private static func row(_ platform: String, _ event: String, _ count: Int) -> JSONValue? {
        guard count > 0 else { return nil }
        var row = JSONObject()
        row["platform"] = JSONValue(platform)
        // As Google writes 64-bit integers.
        row["count"] = JSONValue(String(count))
        row["event"] = JSONValue(event)
        return JSONValue(row)
    }

    private static let platforms = ["ANDROID", "IOS", "DESKTOP", "OTHER"]

    private static func name(of platform: String?) -> String {
        switch platform {
        case "android": "ANDROID"
        case "iphone", "ipad", "ios": "IOS"
        case "macos", "windows", "linux": "DESKTOP"
        default: "OTHER"
        }
    }

    /// CLICK: people's clicks. REDIRECT: those from phones that led to a store or a web page.
    private func clicks(_ link: Link, from start: Timestamp, to end: Timestamp) async throws -> [JSONValue] {
        let reportsEnd = call.site.service.reportsEnd
        let all = try await counts(link, from: start, to: end, destination: nil, until: reportsEnd)
        var redirects: [String: Int] = [:]
        for destination in ["store", "web"] {
            let found = try await counts(link, from: start, to: end, destination: destination, until: reportsEnd)
            for (platform, count) in found
            where platform == "ANDROID" || platform == "IOS" {
                redirects[platform, default: 0] += count
            }
        }
        return Self.platforms.compactMap { Self.row($0, "CLICK", all[$0] ?? 0) }
            + Self.platforms.compactMap { Self.row($0, "REDIRECT", redirects[$0] ?? 0) }
    }

    private func counts(
        _ link: Link, from start: Timestamp, to end: Timestamp, destination: String?,
        until reportsEnd: ContinuousClock.Instant?
    ) async throws -> [String: Int] {
        let filter: [ClickField: String?] = destination.map { [.destination: $0] } ?? [:]
        guard
            let query = ClickSelection(
                from: start, to: end.advanced(byMilliseconds: 1000), interval: .day, field: .platform, filter: filter),
            let found = try await call.site.service.clicks(of: link.id, query, until: reportsEnd)
        else { throw FirebaseError(.invalidArgument, "The link has too many clicks in that time; ask for fewer days.") }
        var counts: [String: Int] = [:]
        for value in found.points.flatMap(\.values) {
            counts[Self.name(of: value.value), default: 0] += value.count.people
        }
        return counts
    }

    /// What apps did. Which platform they ran on is only recorded of installations on Android.
    private func events(_ link: Link, from start: Timestamp, to end: Timestamp) async throws -> [JSONValue] {
        var total = LinkActivity()
        for day in try await call.site.service.activity(of: link.id, days: start.day..<end.day + 1) {
            total += day.counts
        }
        return [
            Self.row("ANDROID", "APP_INSTALL", total.androidInstalls),
            Self.row("OTHER", "APP_INSTALL", total.installs - total.androidInstallEvents),
            Self.row("OTHER", "APP_FIRST_OPEN", total.claims),
            Self.row("OTHER", "APP_RE_OPEN", total.opens + total.resolves),
        ].compactMap { $0 }
    }
}

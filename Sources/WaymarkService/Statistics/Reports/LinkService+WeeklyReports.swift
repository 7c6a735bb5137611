import Logging
package import WaymarkLinks
import WaymarkStores

/// `report.weekly`: the clicks of the last week, from Monday to Monday in UTC, of each application that an endpoint asks for.
extension LinkService {
    private static let weeklyDocument = "weekly-report"
    /// Values in each list.
    private static let weeklyTop = 10
    /// Clicks of a day are written in the hour after it at the latest, unless the store was unavailable.
    private static let weeklyDelay: Int64 = 3_600

    /// Publishes the reports of the week that is over, once a database: the week is stored with them. A week that passed while no
    /// server ran, or before the first start, has none.
    ///
    /// - Parameter now: Of a clock that is known to be right.
    package func reportWeek(at now: Timestamp) async throws {
        guard let documents, recordWriter != nil else { return }
        let monday = Self.monday(of: Timestamp(seconds: now.seconds - Self.weeklyDelay).day)
        let stored = try await documents.document(Self.weeklyDocument)
        let last = stored.flatMap { Int(String(decoding: $0.content, as: UTF8.self)) }
        guard last.map({ $0 < monday }) ?? true else { return }
        var events: [OutboxEvent] = []
        if last == monday - 7 {
            let endpoints = try await store.webhooks.endpoints().filter { $0.activeTypes.contains(.weeklyReport) }
            for application in applications.directory.current.applications.map(\.id)
            where endpoints.contains(where: { $0.application == nil || $0.application == application }) {
                if let event = try await weeklyReport(of: application, before: monday, at: now) {
                    events.append(event)
                } else {
                    logger.notice("no weekly report of \(application.text): it has too many clicks")
                }
            }
        }
        _ = try await documents.write(
            Self.weeklyDocument, Array(String(monday).utf8), replacing: stored?.version, reporting: events)
    }

    /// Nil if there are too many clicks for a report.
    private func weeklyReport(
        of application: ApplicationID, before monday: Int, at now: Timestamp
    ) async throws -> OutboxEvent? {
        func query(_ monday: Int, top: [ClickReportQuery.Top]) -> ClickReportQuery {
            let end = Int64(monday) * Timestamp.secondsOfDay
            return ClickReportQuery(
                boundaries: [end - 7 * Timestamp.secondsOfDay, end], interval: .total, applications: [application],
                top: top)
        }
        let asked = query(monday, top: [.links, .countries, .referrers, .campaigns])
        var found = try await report(asked)
        // The lists may take too much where the sums don't.
        if found == nil { found = try await report(query(monday, top: []), flushes: false) }
        guard let week = found,
            let before = try await report(query(monday - 7, top: []), flushes: false)
        else { return nil }
        var links: [OutboxEvent.Attribute.Counted] = []
        for (id, count) in week.links where links.count < Self.weeklyTop && count.people > 0 {
            guard let link = try await find(id) else { continue }
            links.append(.init(link.domain.text + "/" + link.slug.text, clicks: count.people))
        }
        func top(_ list: ClickReportQuery.Top) -> OutboxEvent.Attribute.Value {
            .counts(
                (week.top[list] ?? []).filter { $0.count.people > 0 }.prefix(Self.weeklyTop)
                    .map { .init($0.value, clicks: $0.count.people) })
        }
        func number(_ value: Int?) -> OutboxEvent.Attribute.Value { value.map { .number(Int64($0)) } ?? .null }
        return OutboxEvent(
            .weeklyReport, of: application, at: now,
            [
                .init("from", Timestamp(seconds: asked.seconds.lowerBound).rfc3339),
                .init("to", Timestamp(seconds: asked.seconds.upperBound).rfc3339),
                .init("clicks", number(week.count.people)), .init("visitors", number(week.visitors)),
                .init("bots", number(week.count.bots)), .init("clicksBefore", number(before.count.people)),
                .init("visitorsBefore", number(before.visitors)), .init("links", .counts(links)),
                .init("countries", top(.countries)), .init("referrers", top(.referrers)),
                .init("campaigns", top(.campaigns)),
            ])
    }

    /// The last Monday until a day; 1 January 1970 was a Thursday.
    private static func monday(of day: Int) -> Int { day - (day + 3) % 7 }
}

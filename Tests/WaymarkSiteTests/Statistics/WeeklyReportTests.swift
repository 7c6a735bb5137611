import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkStores

@testable import WaymarkSite

/// `report.weekly`.
@Suite struct WeeklyReportTests {
    private static let iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)"

    private func events(_ fixture: SiteFixture) async throws -> [OutboxEvent] {
        try await fixture.service.webhooks.outbox(limit: 100).map(\.event).filter { $0.type == .weeklyReport }
    }

    private func subscribe(_ fixture: SiteFixture, to events: [String], of application: String? = nil) async throws {
        let webhook = Webhook(
            id: "wh_" + events.joined().filter(\.isLetter), application: application.flatMap { ApplicationID($0) },
            url: "https://example.com", name: nil, events: events, secrets: [], createdAt: fixture.clock.now)
        #expect(try await fixture.service.webhooks.insert(webhook, limit: 10))
    }

    /// From a Saturday at 10:00 to an hour of the Monday after it.
    private func advance(_ fixture: SiteFixture, toMondayAt hour: Int) {
        fixture.clock.advance(seconds: Int64(14 + 24 + hour) * 3_600)
    }

    @Test func comesOnceAWeekWithTheClicks() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let service = fixture.service
            try await subscribe(fixture, to: ["report.*"])
            try await service.reportWeek(at: fixture.clock.now)
            _ = try await fixture.create(#"{"app": "shop", "slug": "sale", "urls": {"web": "https://example.com/"}}"#)
            for _ in 0..<3 { _ = try await fixture.visit("/sale", as: Self.iPhone) }
            advance(fixture, toMondayAt: 0)
            try await service.reportWeek(at: fixture.clock.now)
            #expect(try await events(fixture).isEmpty)
            fixture.clock.advance(seconds: 3_600)
            for _ in 0..<2 { try await service.reportWeek(at: fixture.clock.now) }
            let reports = try await events(fixture)
            #expect(reports.map(\.application?.text) == ["shop"])
            let event = try #require(reports.first)
            let message = try JSONValue(
                parsing: EventMessage.body(event, service.applications.directory.current))
            let report = try #require(message["data"]?["report"])
            #expect(message["type"] == "report.weekly")
            #expect(report["from"] == "2026-11-16T00:00:00Z" && report["to"] == "2026-11-23T00:00:00Z")
            #expect(report["clicks"]?.integer == 3 && report["clicksBefore"]?.integer == 0)
            #expect(report["links"]?.array?.map { $0["value"]?.string } == ["go.example.com/sale"])
            #expect(report["links"]?.array?.map { $0["clicks"]?.integer } == [3])
            #expect(try OutboxEvent(encoded: event.encoded) == event)
        }
    }

    @Test func needsASubscriberOfTheApplication() async throws {
        let other = #"{"id": "other", "name": "Other", "domains": ["other.example.com"], "web": {}}"#
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop, other]) { fixture in
            try await subscribe(fixture, to: ["link.*"])
            try await subscribe(fixture, to: ["report.weekly"], of: "other")
            try await fixture.service.reportWeek(at: fixture.clock.now)
            advance(fixture, toMondayAt: 2)
            try await fixture.service.reportWeek(at: fixture.clock.now)
            #expect(try await events(fixture).map(\.application?.text) == ["other"])
        }
    }

    @Test func skipsWeeksInWhichNoServerRan() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            try await subscribe(fixture, to: ["*"])
            try await fixture.service.reportWeek(at: fixture.clock.now)
            advance(fixture, toMondayAt: 2)
            fixture.clock.advance(seconds: 7 * 86_400)
            try await fixture.service.reportWeek(at: fixture.clock.now)
            #expect(try await events(fixture).isEmpty)
            fixture.clock.advance(seconds: 7 * 86_400)
            try await fixture.service.reportWeek(at: fixture.clock.now)
            #expect(try await events(fixture).count == 1)
        }
    }
}

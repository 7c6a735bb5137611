import Testing
import WaymarkLinks
import WaymarkService
import WaymarkStores

@Suite struct EventTests {
    private func event(
        _ id: String, _ kind: AppEvent.Kind = .open, clickID: String? = nil, slug text: String? = nil
    ) throws -> ReportedEvent {
        ReportedEvent(
            id: id, kind: kind, clickID: clickID,
            smartlink: try text.map { (try host("go.example.com"), OpenedPath.Target(try slug($0))) })
    }

    @Test func countsForTheLinkOfTheClickOrOfTheAddress() async throws {
        let fixture = try await ServiceFixture.withShop()
        let one = try await fixture.create("one")
        let two = try await fixture.create("two")
        let mint = fixture.service.makeClickIDMint()
        let click = mint.make(for: one.id, now: fixture.clock.now, counted: true).text
        let outcomes = try await fixture.service.record(
            [
                try event("1", clickID: click), try event("2", .install, slug: "two"),
                try event("3", clickID: click, slug: "two"), try event("4", clickID: "forged", slug: "two"),
                try event("5"), try event("6", clickID: "forged"), try event("7", slug: "nobody"),
            ], for: nil)
        #expect(outcomes == [.counted, .counted, .counted, .counted, .unattributed, .unattributed, .unattributed])
        #expect(try await fixture.store.eventCounts(of: one.id) == EventCounts(opens: 2))
        #expect(try await fixture.store.eventCounts(of: two.id) == EventCounts(opens: 1, installs: 1))
        #expect(fixture.service.eventFigures.count(.open, .counted) == 3)
        #expect(fixture.service.eventFigures.count(.install, .counted) == 1)
        #expect(fixture.service.eventFigures.count(.open, .unattributed) == 3)
    }

    /// A server that is killed after its response must not lose what it confirmed: the app sends its events once.
    @Test func storesTheDaysCountsBeforeTheResponse() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        _ = try await fixture.service.record([try event("1", slug: "one")], for: nil)
        let day = fixture.clock.now.day
        let stored = try await fixture.store.activity(of: link.id, days: day..<day + 1)
        #expect(stored.map(\.counts) == [LinkActivity(opens: 1)])
    }

    @Test func oneApplicationCannotUseUpAnothersIDs() async throws {
        let fixture = try await ServiceFixture.withShop()
        try await fixture.put(try application("other", domains: ["other.example"]))
        let link = try await fixture.create("one")
        let shop = try #require(ApplicationID("shop"))
        let other = try #require(ApplicationID("other"))
        #expect(try await fixture.service.record([try event("1", slug: "one")], for: other) == [.unattributed])
        #expect(try await fixture.service.record([try event("1", slug: "one")], for: shop) == [.counted])
        #expect(try await fixture.service.record([try event("1", slug: "one")], for: nil) == [.counted])
        #expect(try await fixture.service.record([try event("1", slug: "one")], for: shop) == [.duplicate])
        #expect(try await fixture.store.eventCounts(of: link.id) == EventCounts(opens: 2))
    }

    @Test func remembersIDsForSevenDays() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one")
        let events = [try event("1", slug: "one")]
        #expect(try await fixture.service.record(events, for: nil) == [.counted])
        fixture.clock.advance(milliseconds: 7 * 24 * 60 * 60 * 1_000 - 1)
        await fixture.service.purge()
        #expect(try await fixture.service.record(events, for: nil) == [.duplicate])
        fixture.clock.advance(milliseconds: 1)
        await fixture.service.purge()
        #expect(try await fixture.service.record(events, for: nil) == [.counted])
    }

    @Test func eventsWhoseAnswerWasLostAreCountedOnce() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        fixture.store.fail(.record, afterwards: true)
        await #expect(throws: StoreError.self) {
            try await fixture.service.record([try event("1", slug: "one")], for: nil)
        }
        fixture.store.fail(.record, false, afterwards: true)
        #expect(try await fixture.service.record([try event("1", slug: "one")], for: nil) == [.duplicate])
        #expect(try await fixture.store.eventCounts(of: link.id) == EventCounts(opens: 1))
    }
}

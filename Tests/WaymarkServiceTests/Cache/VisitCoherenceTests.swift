import Testing
import WaymarkLinks
import WaymarkService
import WaymarkStores

/// Once a change was answered, nobody serves what was before it, neither from the shared cache nor from the tables
/// that event loops keep.
@Suite struct VisitCoherenceTests {
    private let disabled = LinkChange(content: LinkContent(disabled: true))

    private func disable(_ text: String, in fixture: ServiceFixture) async throws {
        let change = disabled
        let outcome: PatchOutcome<Never> = try await fixture.service.patch(
            try host("go.example.com"), try slug(text), for: .all, expecting: nil
        ) { _, _, _ in .change(change) }
        guard case .updated = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test func aSecondVisitNeedsNoStore() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one")
        #expect(try fixture.cached("one") == nil)
        let loaded = try await fixture.load("one")
        #expect(try fixture.cached("one") === loaded)
        #expect(try await fixture.load("one") === loaded)
        #expect(fixture.store.calls(.link) == 1)
    }

    @Test func aPatchMakesEveryHolderOfTheOldLinkNotice() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one")
        let old = try #require(try await fixture.load("one"))
        try await disable("one", in: fixture)
        #expect(old.isStale)
        #expect(try fixture.cached("one") == nil)
        #expect(try await fixture.load("one")?.link.content.disabled == true)
    }

    @Test func aDeletionDoesToo() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one")
        let old = try #require(try await fixture.load("one"))
        #expect(try await fixture.service.delete(try host("go.example.com"), try slug("one"), for: .all) == .deleted)
        #expect(old.isStale)
        #expect(try await fixture.load("one") == nil)
    }

    @Test func anEventLoopThatKeepsNothingStaleSeesAnApplicationsChange() async throws {
        let fixture = try await ServiceFixture.withShop()
        try await fixture.put(try application("other", domains: ["other.example.com"]))
        _ = try await fixture.create("one")
        _ = try await fixture.create("two", in: "other", on: "other.example.com")
        let ours = try #require(try await fixture.load("one"))
        let theirs = try #require(try await fixture.load("two", at: "other.example.com"))
        try await fixture.put(try application("shop", domains: ["go.example.com"], redirectStatus: 301))
        #expect(ours.isStale)
        #expect(!theirs.isStale)
        #expect(try await fixture.load("one")?.application.application.redirectStatus == 301)
    }

    @Test func aChangeOfWhereHostsLeadMakesEverythingStale() async throws {
        let fixture = try ServiceFixture()
        try await fixture.service.load()
        try await fixture.put(try application("demo"))
        _ = try await fixture.create("one", in: "demo", on: "localhost")
        // A loop would keep this under the host as it came; the new application takes that host away.
        let cached = try #require(try await fixture.load("one", at: "new.example.com"))
        try await fixture.put(try application("new", domains: ["new.example.com"]))
        #expect(cached.isStale)
        #expect(try await fixture.load("one", at: "new.example.com") == nil)
    }

    @Test func aLinkReadBeforeAPatchAndKeptAfterItIsNotServed() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one")
        let read = Gate()
        fixture.store.after(.link) { () async throws(StoreError) in await read.pass() }
        async let visit = fixture.load("one")
        await read.waitForArrivals()
        fixture.store.after(.link, nil)
        // The visit holds version 1 in its hands; the patch commits, invalidates and is answered before it goes on.
        try await disable("one", in: fixture)
        read.open()
        let held = try #require(try await visit)
        #expect(!held.link.content.disabled)
        #expect(held.isStale)
        #expect(try fixture.cached("one") == nil)
        #expect(try await fixture.load("one")?.link.content.disabled == true)
    }

    @Test func aLinkReadUnderTheOldApplicationIsNotKept() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one")
        let read = Gate()
        fixture.store.after(.link) { () async throws(StoreError) in await read.pass() }
        async let visit = fixture.load("one")
        await read.waitForArrivals()
        fixture.store.after(.link, nil)
        try await fixture.put(try application("shop", domains: ["go.example.com"], redirectStatus: 307))
        read.open()
        #expect(try await visit?.isStale == true)
        #expect(try await fixture.load("one")?.application.application.redirectStatus == 307)
    }

    @Test func aPatchWhoseOutcomeIsUnknownInvalidatesAsWell() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one")
        let old = try #require(try await fixture.load("one"))
        fixture.store.fail(.update, afterwards: true)
        await #expect(throws: StoreError.unavailable("away")) { try await disable("one", in: fixture) }
        #expect(old.isStale)
        #expect(try await fixture.load("one")?.link.content.disabled == true)
    }

    @Test func aLinkThatAppearsOnAnEarlierDomainHidesTheOneBehindIt() async throws {
        let fixture = try ServiceFixture()
        try await fixture.service.load()
        try await fixture.put(
            try application(
                "shop", domains: ["a.example.com", "b.example.com"], openHost: "open.example.com"))
        _ = try await fixture.create("one", on: "b.example.com")
        let behind = try #require(try await fixture.load("one", at: "open.example.com"))
        #expect(behind.link.domain.text == "b.example.com")
        _ = try await fixture.create("one", on: "a.example.com")
        #expect(behind.isStale)
        #expect(try await fixture.load("one", at: "open.example.com")?.link.domain.text == "a.example.com")
    }

    @Test func `a visit older than a link on an earlier domain is dropped`() async throws {
        let fixture = try ServiceFixture()
        try await fixture.service.load()
        try await fixture.put(
            try application(
                "shop", domains: ["a.example.com", "b.example.com"], openHost: "open.example.com"))
        _ = try await fixture.create("one", on: "b.example.com")
        let read = Gate()
        fixture.store.after(.link) { () async throws(StoreError) in await read.pass() }
        async let visit = fixture.load("one", at: "open.example.com")
        await read.waitForArrivals()
        fixture.store.after(.link, nil)
        _ = try await fixture.create("one", on: "a.example.com")
        read.open()
        #expect(try await visit?.isStale == true)
        #expect(try await fixture.load("one", at: "open.example.com")?.link.domain.text == "a.example.com")
    }

    @Test func theStoreBeingAwayIsNoUnknownLink() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("cached")
        _ = try await fixture.create("other")
        let cached = try await fixture.load("cached")
        fixture.store.fail(.link)
        #expect(try await fixture.load("cached") === cached)
        await #expect(throws: StoreError.unavailable("away")) { try await fixture.load("other") }
    }

}

extension ServiceFixture {
    /// The link that a visit finds, from the store where it isn't cached.
    @discardableResult
    func load(_ text: String, at domain: String = "go.example.com") async throws -> CachedLink? {
        guard case .found(let cached, _) = try await service.load(at: try host(domain), slug: try slug(text)) else {
            return nil
        }
        return cached
    }

    func cached(_ text: String, at domain: String = "go.example.com") throws -> CachedLink? {
        let directory = service.applications.directory.current
        guard
            case .found(let cached, _) = service.cached(at: try host(domain), slug: try slug(text), in: directory)
        else { return nil }
        return cached
    }
}

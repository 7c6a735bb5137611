import Testing
import WaymarkLinks
import WaymarkService
import WaymarkStores

@Suite struct LinkServiceTests {
    @Test func theFirstStartGivesAnAdminKeyAndWritesClicksDownByItself() async throws {
        var configuration = ServiceConfiguration()
        configuration.clickFlushInterval = .milliseconds(1)
        let fixture = try ServiceFixture(configuration: configuration)
        let key = try #require(try await fixture.service.start())
        #expect(fixture.service.keys.authenticate(Array(key.text.utf8))?.may(.admin) == true)
        let written = Gate()
        fixture.store.after(.addClicks) { () async throws(StoreError) in await written.pass() }
        fixture.service.clicks.record(.person(LinkID(rawValue: 1)))
        await written.waitForArrivals()
        written.open()
        await fixture.service.stop()
        #expect(fixture.service.clicks.pendingLinks == 0)
    }

    @Test func seesByItselfWhatAnotherProcessChanged() async throws {
        var configuration = ServiceConfiguration()
        configuration.refreshInterval = .milliseconds(1)
        let fixture = try ServiceFixture(configuration: configuration)
        _ = try await fixture.service.start()
        let other = fixture.neighbour()
        try await other.load()
        let asked = Gate()
        let request = NewKey(name: "k", application: nil, scopes: [.resolve], expiresAt: nil)
        guard
            case .made(_, let text) = try await other.keys.make(
                request, by: KeyIdentity(id: "o", name: "o", Grant(application: nil, scopes: [.admin])))
        else {
            Issue.record("not made")
            return
        }
        fixture.store.before(.keys) { () async throws(StoreError) in await asked.pass() }
        // The second refresh after the key was made can't begin before the first has ended.
        asked.open()
        await asked.waitForArrivals(2)
        #expect(fixture.service.keys.authenticate(Array(text.text.utf8)) != nil)
        await fixture.service.stop()
    }

    @Test func aDamagedClickSecretStopsTheStart() async throws {
        let fixture = try ServiceFixture()
        _ = try await fixture.store.inner.secret("click-id", make: { [1, 2, 3] })
        await #expect(throws: StoreError.corrupt("the secret of click ids is damaged")) {
            try await fixture.service.load()
        }
    }

    @Test func stoppingLeavesNothingCached() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one")
        let cached = try #require(try await fixture.load("one"))
        await fixture.service.stop()
        #expect(cached.isStale)
        #expect(fixture.service.cache.metrics.links == 0)
        #expect(fixture.service.cache.metrics.bytes == 0)
    }
}

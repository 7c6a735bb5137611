import Testing
import WaymarkLinks
import WaymarkService

@Suite struct LinkServiceTests {
    @Test func theFirstStartGivesAnAdminKeyAndWritesClicksDownByItself() async throws {
        var configuration = ServiceConfiguration()
        configuration.clickFlushInterval = .milliseconds(1)
        let workshop = Workshop(configuration: configuration)
        let key = try #require(try await workshop.service.start())
        #expect(workshop.service.keys.authenticate(Array(key.text.utf8))?.may(.admin) == true)
        let written = Gate()
        workshop.store.after(.addClicks) { () async throws(StoreError) in await written.pass() }
        workshop.service.clicks.record(.person(LinkID(rawValue: 1)))
        await written.waitForArrivals()
        written.open()
        await workshop.service.stop()
        #expect(workshop.service.clicks.pendingLinks == 0)
    }

    @Test func seesByItselfWhatAnotherProcessChanged() async throws {
        var configuration = ServiceConfiguration()
        configuration.refreshInterval = .milliseconds(1)
        let workshop = Workshop(configuration: configuration)
        _ = try await workshop.service.start()
        let other = workshop.neighbour()
        try await other.load()
        let asked = Gate()
        let request = NewKey(name: "k", application: nil, scopes: [.resolve], expiresAt: nil)
        guard
            case .made(_, let text) = try await other.keys.make(
                request, by: KeyIdentity(id: "o", name: "o", application: nil, scopes: [.admin]))
        else {
            Issue.record("not made")
            return
        }
        workshop.store.before(.keys) { () async throws(StoreError) in await asked.pass() }
        // The second refresh after the key was made can't begin before the first has ended.
        asked.open()
        await asked.waitForArrivals(2)
        #expect(workshop.service.keys.authenticate(Array(text.text.utf8)) != nil)
        await workshop.service.stop()
    }

    @Test func aDamagedClickSecretStopsTheStart() async throws {
        let workshop = Workshop()
        _ = try await workshop.store.inner.secret("click-id", make: { [1, 2, 3] })
        await #expect(throws: StoreError.corrupt("the secret of click ids is damaged")) {
            try await workshop.service.load()
        }
    }

    @Test func stoppingLeavesNothingCached() async throws {
        let workshop = try await Workshop.withShop()
        _ = try await workshop.create("one")
        let cached = try #require(try await workshop.load("one"))
        await workshop.service.stop()
        #expect(cached.isStale)
        #expect(workshop.service.cache.figures.links == 0)
        #expect(workshop.service.cache.figures.bytes == 0)
    }
}

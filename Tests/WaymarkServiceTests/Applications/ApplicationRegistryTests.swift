import Testing
import WaymarkLinks
import WaymarkStores

@testable import WaymarkService

@Suite struct ApplicationRegistryTests {
    @Test func aPutApplicationServesItsHostAtOnce() async throws {
        let fixture = try await ServiceFixture.withShop()
        let lookup = try await fixture.service.load(at: try host("new.example.com"), slug: try slug("x"))
        guard case .unknownHost = lookup else {
            Issue.record("\(lookup)")
            return
        }
        try await fixture.put(try application("new", domains: ["new.example.com"]))
        guard
            case .unknownSlug(let owners) = try await fixture.service.load(
                at: try host("new.example.com"), slug: try slug("x"))
        else {
            Issue.record("the host is still unknown")
            return
        }
        #expect(owners.map(\.id.text) == ["new"])
    }

    @Test func aStaleVersionIsRefused() async throws {
        let fixture = try await ServiceFixture.withShop()
        let changed = try application("shop", domains: ["go.example.com", "b.example.com"])
        guard case .replaced(let second) = try await fixture.put(changed, expecting: 1) else {
            Issue.record("not replaced")
            return
        }
        #expect(second.version == 2)
        guard case .versionMismatch(current: 2) = try await fixture.put(changed, expecting: 1) else {
            Issue.record("a stale version was taken")
            return
        }
    }

    @Test func droppingAUsedDomainOrRouteIsRefusedAndTheirLinksAreNumbered() async throws {
        let fixture = try ServiceFixture()
        try await fixture.service.load()
        try await fixture.put(
            try application("shop", domains: ["a.example.com", "b.example.com"], routes: ["products/:id"]))
        let content = LinkContent(
            route: Route("products/:id"), routeParameters: ["id": "1"])
        _ = try await fixture.create("one", on: "b.example.com", content)
        _ = try await fixture.create("two", on: "b.example.com", content)
        let outcome = try await fixture.put(try application("shop", domains: ["a.example.com"]))
        guard case .inUse(let sentences) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(
            sentences == ["domain b.example.com is used by 2 links", "route products/:id is used by 2 links"])
        #expect(fixture.service.applications.directory.current.application(try id("shop"))?.version == 1)
    }

    @Test func theDomainOfAnotherApplicationIsTaken() async throws {
        let fixture = try await ServiceFixture.withShop()
        guard
            case .hostTaken(let domain, let owner) = try await fixture.put(
                try application("thief", domains: ["go.example.com"]))
        else {
            Issue.record("the domain was given twice")
            return
        }
        #expect(domain.text == "go.example.com")
        #expect(owner.text == "shop")
    }

    @Test(
        arguments: [
            (["open.example.com"], nil, nil, "open.example.com"),
            (["free.example.com"], nil, "open.example.com", "open.example.com"),
            (["free.example.com"], nil, "go.example.com", "go.example.com"),
            ([], "https://go.example.com", nil, "go.example.com"),
            ([], "https://open.example.com:8443", nil, "open.example.com"),
            (["base.example.com"], nil, nil, "base.example.com"),
            ([], "https://base.example.com", nil, "base.example.com"),
            (["free.example.com"], "https://go.example.com", nil, nil), ([], "http://127.0.0.1:8080", nil, nil),
            ([], "http://localhost:8080", "free.example.com", nil),
        ] as [([String], String?, String?, String?)])
    func aHostBelongsToOneApplication(domains: [String], baseURL: String?, openHost: String?, taken: String?)
        async throws
    {
        let fixture = try ServiceFixture()
        try await fixture.service.load()
        try await fixture.put(
            try application(
                "shop", domains: ["go.example.com"], baseURL: "https://go.example.com", openHost: "open.example.com"))
        try await fixture.put(
            try application("any", baseURL: "https://base.example.com", openHost: "base.example.com"))
        try await fixture.put(try application("local", baseURL: "http://localhost:8080"))
        let outcome = try await fixture.put(
            try application("thief", domains: domains, baseURL: baseURL, openHost: openHost))
        var refused: String?
        if case .hostTaken(let host, _) = outcome { refused = host.text }
        #expect(refused == taken)
    }

    @Test func `an application of an earlier version claims its hosts`() async throws {
        let fixture = try ServiceFixture()
        let old = ["a", "b"].map { ($0, "open.example.com") } + [("c", "other.example.com")]
        for (name, open) in old {
            let application = try application(name, domains: ["\(name).example.com"], openHost: open)
            var stored = ApplicationRegistry.stored(ApplicationFixtures.shared.definition(application), from: .api)
            stored.otherHosts = []
            _ = try await fixture.store.inner.put(stored, expecting: nil, check: { _ in true })
        }
        try await fixture.service.load()
        let directory = fixture.service.applications.directory.current
        #expect(directory.conflicts == ["host open.example.com is claimed by the applications a and b"])
        #expect(directory.lookup(at: try host("open.example.com"))?.applications.map(\.text) == ["a"])
        let outcome = try await fixture.put(try application("thief", domains: ["other.example.com"]))
        guard case .hostTaken(_, let owner) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(owner.text == "c")
    }

    @Test func anApplicationWithLinksIsNotDeleted() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one")
        #expect(try await fixture.service.applications.delete(try id("shop"), expecting: nil) == .inUse(links: 1))
        #expect(try await fixture.service.delete(try host("go.example.com"), try slug("one"), for: .all) == .deleted)
        #expect(try await fixture.service.applications.delete(try id("shop"), expecting: 1) == .deleted)
        #expect(fixture.service.applications.directory.current.applications.isEmpty)
    }

    @Test func `a change of another process is seen after a refresh`() async throws {
        let fixture = try await ServiceFixture.withShop()
        let neighbour = fixture.neighbour()
        try await neighbour.load()
        try await fixture.put(try application("shop", domains: ["go.example.com", "b.example.com"]))
        #expect(neighbour.applications.directory.current.lookup(at: try host("b.example.com")) == nil)
        try await neighbour.applications.refresh()
        #expect(neighbour.applications.directory.current.lookup(at: try host("b.example.com")) != nil)
    }

    @Test func aRefreshThatFindsNothingNewKeepsWhatIsCached() async throws {
        let fixture = try await ServiceFixture.withShop()
        let generation = fixture.service.applications.directory.generation
        let before = fixture.service.applications.directory.current.applications.first
        try await fixture.service.applications.refresh()
        #expect(fixture.service.applications.directory.generation == generation)
        #expect(before?.isReplaced == false)
    }

    @Test func `the observer is called after changes only`() async throws {
        let fixture = try await ServiceFixture.withShop()
        let neighbour = fixture.neighbour()
        try await neighbour.load()
        let (changes, seen) = (Counter(), Counter())
        fixture.service.applications.onChange { _ = changes.next() }
        neighbour.applications.onChange { _ = seen.next() }
        try await fixture.service.applications.refresh()
        #expect(changes.value == 0)
        try await fixture.put(try application("new", domains: ["new.example.com"]))
        #expect(changes.value == 1)
        try await neighbour.applications.refresh()
        try await neighbour.applications.refresh()
        #expect(seen.value == 1)
        _ = try await fixture.service.applications.delete(try id("new"), expecting: nil)
        #expect(changes.value == 2)
    }

    @Test func aDocumentThatCannotBeReadStopsNoOtherApplication() async throws {
        let fixture = try await ServiceFixture.withShop()
        let (odd, x) = (try host("odd.example.com"), try slug("x"))
        let unreadable = StoredApplication(id: try id("odd"), domains: [odd], document: Array("?".utf8))
        _ = try await fixture.store.inner.put(unreadable, expecting: nil, check: { _ in true })
        try await fixture.put(try application("new", domains: ["new.example.com"]))
        let directory = fixture.service.applications.directory
        #expect(directory.current.applications.map(\.id.text) == ["new", "shop"])
        #expect(directory.current.unreadable.map(\.id.text) == ["odd"])
        // Reports count its clicks.
        #expect(directory.current.stored.map(\.text) == ["new", "odd", "shop"])
        // Its hosts are unavailable, and not unknown.
        #expect(fixture.service.cached(at: odd, slug: x, in: directory.current) == nil)
        await #expect(throws: StoreError.corrupt("the application of a host can't be read")) {
            try await fixture.service.load(at: odd, slug: x)
        }
        // Later refreshes find no change.
        let generation = directory.generation
        try await fixture.service.applications.refresh()
        #expect(directory.generation == generation)
    }

    @Test func anApplicationThatCanNoLongerBeReadIsServedAsBefore() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("a")
        let stored = StoredApplication(
            id: try id("shop"), domains: [link.domain], document: Array("?".utf8))
        _ = try await fixture.store.inner.put(stored, expecting: nil, check: { _ in true })
        try await fixture.service.applications.refresh()
        guard case .found = try await fixture.service.load(at: link.domain, slug: link.slug) else {
            Issue.record("the link is not served")
            return
        }
    }

    private static func longLinkShop() throws -> Application {
        Application(
            id: try id("shop"), name: "shop", domains: [try host("go.example.com")],
            firebase: FirebaseSettings(isEnabled: true, servesLongLinks: true))
    }

    @Test func anApplicationMadeAgainGetsAnotherNumberForItsLongLinks() async throws {
        let fixture = try ServiceFixture()
        try await fixture.service.load()
        let shop = try Self.longLinkShop()
        func number() -> LinkID? {
            fixture.service.applications.directory.current.application(shop.id)?.longLinks[shop.domains[0]]
        }
        try await fixture.put(shop)
        let first = try #require(number())
        // By another server: its version and document are the same.
        let store = fixture.store.inner
        let stored = try #require(try await store.applications().first)
        _ = try await store.deleteApplication(shop.id, expecting: nil)
        _ = try await store.put(stored, expecting: nil, check: { _ in true })
        try await fixture.service.applications.refresh()
        let second = try #require(number())
        #expect(second != first)
        try await fixture.put(shop)
        #expect(number() == second)
    }

    @Test func longLinksAreServedWithoutANumberUntilTheStoreGivesOne() async throws {
        let fixture = try ServiceFixture()
        let shop = try Self.longLinkShop()
        try await fixture.put(shop)
        let next = fixture.neighbour()
        _ = try await fixture.store.inner.deleteApplication(shop.id, expecting: nil)
        let definition = ApplicationFixtures.shared.definition(shop)
        let stored = StoredApplication(id: shop.id, domains: shop.domains, document: definition.document)
        _ = try await fixture.store.inner.put(stored, expecting: nil, check: { _ in true })
        fixture.store.before(.put) { () async throws(StoreError) in throw .unavailable("away") }
        try await next.load()
        let directory = next.applications.directory
        #expect(directory.current.application(shop.id)?.longLinks == [:])
        fixture.store.before(.put, nil)
        try await next.applications.refresh()
        #expect(directory.current.application(shop.id)?.longLinks.count == 1)
    }
}

func id(_ text: String) throws -> ApplicationID { try #require(ApplicationID(text)) }

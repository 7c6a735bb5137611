import Testing
import WaymarkLinks
import WaymarkService
import WaymarkStores

@Suite struct ApplicationFileTests {
    private func apply(_ applications: Application..., to fixture: ServiceFixture) async throws
        -> ApplicationFileOutcome
    {
        try await fixture.service.applications.apply(
            file: applications.map { ApplicationFixtures.shared.definition($0) })
    }

    private func names(_ fixture: ServiceFixture) -> [String] {
        fixture.service.applications.directory.current.applications.map(\.id.text)
    }

    @Test func applicationsOfTheFileAreReadOnly() async throws {
        let fixture = try ServiceFixture()
        try await fixture.service.load()
        let shop = try application("shop", domains: ["go.example.com"])
        #expect(try await apply(shop, to: fixture) == .applied(changes: 1))
        let served = fixture.service.applications.directory.current.application(try id("shop"))
        #expect(served?.isReadOnly == true)
        #expect(served?.document == ApplicationFixtures.shared.definition(shop).document)
        guard case .readOnly = try await fixture.put(shop) else {
            Issue.record("the interface changed an application of the file")
            return
        }
        #expect(try await fixture.service.applications.delete(try id("shop"), expecting: nil) == .readOnly)
    }

    @Test func theSameFileAgainChangesNothing() async throws {
        let fixture = try ServiceFixture()
        try await fixture.service.load()
        let shop = try application("shop", domains: ["go.example.com"])
        _ = try await apply(shop, to: fixture)
        #expect(try await apply(shop, to: fixture) == .applied(changes: 0))
        #expect(fixture.service.applications.directory.current.application(try id("shop"))?.version == 1)
    }

    @Test func anUnusedApplicationThatTheFileLosesIsRemovedAlsoAcrossAStart() async throws {
        let fixture = try ServiceFixture()
        try await fixture.service.load()
        _ = try await apply(
            try application("shop", domains: ["go.example.com"]), try application("other"), to: fixture)
        let next = fixture.neighbour()
        try await next.load()
        let outcome = try await next.applications.apply(
            file: [ApplicationFixtures.shared.definition(try application("shop", domains: ["go.example.com"]))])
        #expect(outcome == .applied(changes: 1))
        #expect(next.applications.directory.current.applications.map(\.id.text) == ["shop"])
    }

    @Test func aFileThatLosesAUsedApplicationIsRefusedWhole() async throws {
        let fixture = try ServiceFixture()
        try await fixture.service.load()
        _ = try await apply(try application("shop", domains: ["go.example.com"]), to: fixture)
        _ = try await fixture.create("one")
        let outcome = try await apply(try application("new", domains: ["new.example.com"]), to: fixture)
        #expect(outcome == .refused(["application shop is missing and has 1 link"]))
        #expect(names(fixture) == ["shop"])
    }

    @Test func aFileThatLosesAUsedDomainIsRefused() async throws {
        let fixture = try ServiceFixture()
        try await fixture.service.load()
        _ = try await apply(try application("shop", domains: ["go.example.com"]), to: fixture)
        _ = try await fixture.create("one")
        let outcome = try await apply(try application("shop", domains: ["b.example.com"]), to: fixture)
        #expect(outcome == .refused(["application shop: domain go.example.com is used by 1 link"]))
    }

    @Test func aFileThatLosesADomainWithAnAliasIsRefused() async throws {
        let fixture = try ServiceFixture()
        try await fixture.service.load()
        let shop = try application("shop", domains: ["go.example.com", "b.example.com"])
        _ = try await apply(shop, to: fixture)
        var content = LinkContent()
        content.aliases = [LinkAlias(try slug("one"), on: try host("b.example.com"))]
        let draft = NewLink(
            application: shop.id, domain: try host("go.example.com"), slug: try slug("one"), content: content,
            createdAt: fixture.clock.now)
        _ = try await fixture.store.inner.create([draft], idempotency: nil)
        let outcome = try await apply(try application("shop", domains: ["go.example.com"]), to: fixture)
        #expect(outcome == .refused(["application shop: domain b.example.com has 1 alias of links"]))
    }

    @Test func `a domain moves between applications in either order`() async throws {
        let fixture = try ServiceFixture()
        try await fixture.service.load()
        _ = try await apply(
            try application("a", domains: ["x.example.com"]), try application("b", domains: ["y.example.com"]),
            to: fixture)
        // `a` can only have y.example.com after `b` has given it up.
        let outcome = try await apply(
            try application("a", domains: ["x.example.com", "y.example.com"]),
            try application("b", domains: ["z.example.com"]), to: fixture)
        #expect(outcome == .applied(changes: 2))
        let directory = fixture.service.applications.directory.current
        #expect(directory.lookup(at: try host("y.example.com"))?.applications.map(\.text) == ["a"])
    }

    @Test func namesEachImpossibility() async throws {
        let fixture = try await ServiceFixture.withShop()
        let outcome = try await apply(
            try application("a", domains: ["x.example.com"]), try application("a"),
            try application("b", domains: ["x.example.com"]), try application("c", domains: ["go.example.com"]),
            to: fixture)
        #expect(
            outcome
                == .refused([
                    "application a is there twice",
                    "application b: host x.example.com belongs to application a",
                    "application c: host go.example.com belongs to application shop",
                ]))
        #expect(names(fixture) == ["shop"])
    }

    @Test func aFileThatClaimsAnotherApplicationsHostIsRefused() async throws {
        let fixture = try ServiceFixture()
        try await fixture.service.load()
        try await fixture.put(try application("shop", domains: ["go.example.com"], openHost: "open.example.com"))
        let outcome = try await apply(
            try application("a", domains: ["open.example.com"]), try application("b", domains: ["b.example.com"]),
            try application("c", baseURL: "https://b.example.com"), to: fixture)
        #expect(
            outcome
                == .refused([
                    "application c: host b.example.com belongs to application b",
                    "application a: host open.example.com belongs to application shop",
                ]))
    }

    @Test func `a file is undone where the store fails halfway`() async throws {
        let fixture = try ServiceFixture()
        try await fixture.service.load()
        _ = try await apply(try application("shop", domains: ["go.example.com"]), to: fixture)
        let store = fixture.store
        let count = Counter()
        store.before(.put) { () async throws(StoreError) in
            if count.next() == 2 { throw .unavailable("away") }
        }
        await #expect(throws: StoreError.unavailable("away")) {
            try await apply(
                try application("shop", domains: ["go.example.com", "b.example.com"]), try application("new"),
                to: fixture)
        }
        store.before(.put, nil)
        try await fixture.service.applications.refresh()
        #expect(names(fixture) == ["shop"])
        #expect(
            fixture.service.applications.directory.current.application(try id("shop"))?.application.domains
                == [try host("go.example.com")])
    }

    @Test func aUseThatAppearsWhileTheFileIsAppliedUndoesIt() async throws {
        let fixture = try ServiceFixture()
        try await fixture.service.load()
        _ = try await apply(
            try application("old", domains: ["old.example.com"]), try application("gone", domains: ["g.example.com"]),
            to: fixture)
        let store = fixture.store
        let draft = NewLink(
            application: try id("gone"), domain: try host("g.example.com"), slug: try slug("late"),
            content: LinkContent(), createdAt: fixture.clock.now)
        store.before(.deleteApplication) { () async throws(StoreError) in
            _ = try await store.inner.create([draft], idempotency: nil)
        }
        let outcome = try await apply(try application("old", domains: ["other.example.com"]), to: fixture)
        #expect(outcome == .refused(["application gone is missing and has 1 link"]))
        #expect(names(fixture) == ["gone", "old"])
    }
}

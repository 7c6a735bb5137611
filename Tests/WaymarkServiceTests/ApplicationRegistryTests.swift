import Testing
import WaymarkLinks
import WaymarkService

@Suite struct ApplicationRegistryTests {
    @Test func aPutApplicationServesItsHostAtOnce() async throws {
        let workshop = try await Workshop.withShop()
        let lookup = try await workshop.service.load(at: try host("new.example.com"), slug: try slug("x"))
        guard case .unknownHost = lookup else {
            Issue.record("\(lookup)")
            return
        }
        try await workshop.put(try application("new", domains: ["new.example.com"]))
        guard
            case .unknownSlug(let owners) = try await workshop.service.load(
                at: try host("new.example.com"), slug: try slug("x"))
        else {
            Issue.record("the host is still unknown")
            return
        }
        #expect(owners.map(\.id.text) == ["new"])
    }

    @Test func aStaleVersionIsRefused() async throws {
        let workshop = try await Workshop.withShop()
        let changed = try application("shop", domains: ["go.example.com", "b.example.com"])
        guard case .replaced(let second) = try await workshop.put(changed, expecting: 1) else {
            Issue.record("not replaced")
            return
        }
        #expect(second.version == 2)
        guard case .versionMismatch(current: 2) = try await workshop.put(changed, expecting: 1) else {
            Issue.record("a stale version was taken")
            return
        }
    }

    @Test func droppingAUsedDomainOrRouteIsRefusedAndTheirLinksAreNumbered() async throws {
        let workshop = Workshop()
        try await workshop.service.load()
        try await workshop.put(
            try application("shop", domains: ["a.example.com", "b.example.com"], routes: ["products/:id"]))
        let content = LinkContent(
            route: Route("products/:id"), routeParameters: ["id": "1"])
        _ = try await workshop.create("one", on: "b.example.com", content)
        _ = try await workshop.create("two", on: "b.example.com", content)
        let outcome = try await workshop.put(try application("shop", domains: ["a.example.com"]))
        guard case .inUse(let sentences) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(
            sentences == ["domain b.example.com is used by 2 links", "route products/:id is used by 2 links"])
        #expect(workshop.service.applications.directory.current.application(try id("shop"))?.version == 1)
    }

    @Test func theDomainOfAnotherApplicationIsTaken() async throws {
        let workshop = try await Workshop.withShop()
        guard
            case .domainTaken(let domain, let owner) = try await workshop.put(
                try application("thief", domains: ["go.example.com"]))
        else {
            Issue.record("the domain was given twice")
            return
        }
        #expect(domain.text == "go.example.com")
        #expect(owner.text == "shop")
    }

    @Test func anApplicationWithLinksIsNotDeleted() async throws {
        let workshop = try await Workshop.withShop()
        _ = try await workshop.create("one")
        #expect(try await workshop.service.applications.delete(try id("shop"), expecting: nil) == .inUse(links: 1))
        #expect(try await workshop.service.delete(try host("go.example.com"), try slug("one"), for: nil) == .deleted)
        #expect(try await workshop.service.applications.delete(try id("shop"), expecting: 1) == .deleted)
        #expect(workshop.service.applications.directory.current.applications.isEmpty)
    }

    @Test func whatAnotherProcessChangedIsSeenAfterARefresh() async throws {
        let workshop = try await Workshop.withShop()
        let neighbour = workshop.neighbour()
        try await neighbour.load()
        try await workshop.put(try application("shop", domains: ["go.example.com", "b.example.com"]))
        #expect(neighbour.applications.directory.current.places(at: try host("b.example.com")) == nil)
        try await neighbour.applications.refresh()
        #expect(neighbour.applications.directory.current.places(at: try host("b.example.com")) != nil)
    }

    @Test func aRefreshThatFindsNothingNewKeepsWhatIsCached() async throws {
        let workshop = try await Workshop.withShop()
        let generation = workshop.service.applications.directory.generation
        let before = workshop.service.applications.directory.current.applications.first
        try await workshop.service.applications.refresh()
        #expect(workshop.service.applications.directory.generation == generation)
        #expect(before?.isReplaced == false)
    }

    @Test func aDocumentThatCannotBeReadLeavesTheSnapshotAsItIs() async throws {
        let workshop = try await Workshop.withShop()
        _ = try await workshop.store.inner.put(
            StoredApplication(id: try id("odd"), domains: [], document: Array("?".utf8)), expecting: nil,
            check: { _ in true })
        await #expect(throws: StoreError.corrupt("the document of application odd can't be read")) {
            try await workshop.service.applications.refresh()
        }
        #expect(workshop.service.applications.directory.current.applications.map(\.id.text) == ["shop"])
    }
}

func id(_ text: String) throws -> ApplicationID { try #require(ApplicationID(text)) }

import Testing
import WaymarkLinks
import WaymarkService
import WaymarkStores

@Suite struct LinkChangeTests {
    @Test func `a change is decided again after another in between`() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        let store = fixture.store
        let count = Counter()
        store.before(.update) { () async throws(StoreError) in
            guard count.next() == 1 else { return }
            _ = try await store.inner.update(
                link.id, expecting: 1, to: LinkChange(content: LinkContent(tags: ["rival"])), at: link.createdAt)
        }
        let outcome: PatchOutcome<Never> = try await fixture.service.patch(
            link.domain, link.slug, for: .all, expecting: nil
        ) { link, _, _ in
            var content = link.content
            content.tags.append("ours")
            return .change(LinkChange(content: content))
        }
        guard case .updated(let updated) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(updated.content.tags == ["rival", "ours"])
        #expect(updated.version == 3)
    }

    @Test func anExpectedVersionIsNotRetried() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        for expecting in [2, 1, 1] {
            let outcome: PatchOutcome<Never> = try await fixture.service.patch(
                link.domain, link.slug, for: .all, expecting: expecting
            ) { link, _, _ in .change(LinkChange(content: link.content)) }
            switch outcome {
            case .updated(let link): #expect(link.version == 2)
            case .versionMismatch(let current): #expect(current != expecting)
            default: Issue.record("\(outcome)")
            }
        }
        #expect(fixture.store.calls(.update) == 1)
    }

    @Test func aRefusalChangesNothing() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one", metadata: "{}")
        let outcome: PatchOutcome<String> = try await fixture.service.patch(
            link.domain, link.slug, for: .all, expecting: nil
        ) { _, application, metadata in .refuse("\(application.id.text) \(metadata?.count ?? 0)") }
        guard case .refused("shop 2") = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try await fixture.service.find(link.domain, link.slug, for: .all)?.version == 1)
    }

    @Test func `a caller of one application finds no link of another`() async throws {
        let fixture = try await ServiceFixture.withShop()
        try await fixture.put(try application("other", domains: ["other.example.com"]))
        let link = try await fixture.create("one", metadata: "{}")
        let stranger = ApplicationReach.one(try id("other"))
        let service = fixture.service
        #expect(try await service.find(link.domain, link.slug, for: stranger) == nil)
        #expect(try await service.find(link.slug, for: stranger) == .unknown)
        #expect(try await service.metadata(link.domain, link.slug, for: stranger) == nil)
        #expect(try await service.delete(link.domain, link.slug, for: stranger) == .unknown)
        #expect(try await service.list(LinkListing(), for: stranger).links.isEmpty)
        #expect(try await service.list(LinkListing(application: link.application), for: stranger).links.isEmpty)
        let outcome: PatchOutcome<Never> = try await service.patch(
            link.domain, link.slug, for: stranger, expecting: nil
        ) { link, _, _ in .change(LinkChange(content: link.content)) }
        guard case .unknown = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(
            try await service.metadata(link.domain, link.slug, for: .one(link.application))?.metadata == [0x7B, 0x7D])
    }

    @Test func aSlugOnSeveralDomainsIsOneForWhoReachesOnlyOneOfThem() async throws {
        let fixture = try await ServiceFixture.withShop()
        try await fixture.put(try application("other", domains: ["other.example.com"]))
        let ours = try await fixture.create("one")
        let theirs = try await fixture.create("one", in: "other", on: "other.example.com")
        guard case .several(let domains) = try await fixture.service.find(ours.slug, for: .all) else {
            Issue.record("not several")
            return
        }
        #expect(Set(domains) == [ours.domain, theirs.domain])
        #expect(try await fixture.service.find(ours.slug, for: .one(theirs.application)) == .one(theirs))
    }
}

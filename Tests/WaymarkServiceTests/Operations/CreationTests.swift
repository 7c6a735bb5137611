import Synchronization
import Testing
import WaymarkLinks
import WaymarkService
import WaymarkStores

@Suite struct CreationTests {
    @Test func makesASlugOfSevenCharactersWhereNoneIsGiven() async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create()
        #expect(link.slug.text.utf8.count == 7)
        #expect(try await fixture.service.find(link.domain, link.slug, for: .all) == link)
    }

    @Test func aTakenSlugIsTakenWhenTheCreatorChoseIt() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one")
        guard case .done(let outcomes) = try await fixture.service.create([try fixture.creation("one")]) else {
            Issue.record("no outcome")
            return
        }
        #expect(outcomes == [.slugTaken])
    }

    @Test(arguments: [false, true])
    func aMadeSlugThatIsTakenIsReplacedByALongerOne(idempotent: Bool) async throws {
        let fixture = try await ServiceFixture.withShop()
        let bytes = [UInt8](repeating: 7, count: 64)
        fixture.random.script([bytes])
        let first = try await fixture.create()
        fixture.random.script([bytes])
        let outcome = try await fixture.service.create(
            [try fixture.creation()], idempotency: idempotent ? fixture.key("a") : nil, answer: { _ in [1] })
        guard case .done(let outcomes) = outcome, case .created(let second) = outcomes.first else {
            Issue.record("\(outcome)")
            return
        }
        #expect(second.slug != first.slug)
        #expect(second.slug.text.utf8.count == 8)
    }

    @Test func aSlugThatIsTakenBetweenLookAndInsertStillGivesOneWholeAnswer() async throws {
        let fixture = try await ServiceFixture.withShop()
        let store = fixture.store
        let taken = Mutex<[NewLink]>([])
        let rival = try fixture.creation("rival")
        // Another creator takes the very slug in the moment before the insert, and only then.
        let count = Counter()
        store.before(.create) { () async throws(StoreError) in
            guard count.next() == 1, let draft = taken.withLock({ $0.first }) else { return }
            _ = try await store.inner.create([draft], idempotency: nil)
        }
        let bytes = [UInt8](repeating: 7, count: 64)
        fixture.random.script([bytes])
        var bits = ScriptedBits(bytes: bytes)
        let slug = Slug.generate(using: &bits)
        taken.withLock {
            $0 = [
                NewLink(
                    application: rival.application, domain: rival.domain, slug: slug, content: rival.content,
                    createdAt: fixture.clock.now)
            ]
        }
        let creations = [try fixture.creation("chosen"), try fixture.creation()]
        let render = { @Sendable (outcomes: [CreationOutcome]) -> [UInt8]? in
            outcomes.contains(.slugTaken) ? nil : Array("\(outcomes.count)".utf8)
        }
        let first = try await fixture.service.create(creations, idempotency: fixture.key("a"), answer: render)
        guard case .done(let outcomes) = first, case .created = outcomes[0], case .created(let made) = outcomes[1]
        else {
            Issue.record("\(first)")
            return
        }
        #expect(made.slug != slug)
        let again = try await fixture.service.create(creations, idempotency: fixture.key("a"), answer: render)
        #expect(again == .replay(Array("2".utf8)))
    }

    @Test func theSameKeyAndBodyGiveTheSameAnswerAndCreateNothing() async throws {
        let fixture = try await ServiceFixture.withShop()
        let creations = [try fixture.creation()]
        let answer = { @Sendable (outcomes: [CreationOutcome]) -> [UInt8]? in
            guard case .created(let link) = outcomes.first else { return nil }
            return Array(link.slug.text.utf8)
        }
        let first = try await fixture.service.create(creations, idempotency: fixture.key("a"), answer: answer)
        guard case .done(let outcomes) = first, case .created(let link) = outcomes.first else {
            Issue.record("\(first)")
            return
        }
        let again = try await fixture.service.create(creations, idempotency: fixture.key("a"), answer: answer)
        #expect(again == .replay(Array(link.slug.text.utf8)))
        let other = try await fixture.service.create(
            creations, idempotency: fixture.key("a", body: "{\"a\":1}"), answer: answer)
        #expect(other == .mismatch)
        #expect(try await fixture.service.list(LinkListing(), for: .all).links.count == 1)
    }

    @Test func anIdempotencyKeyRunsOutAfterItsLifetime() async throws {
        let fixture = try await ServiceFixture.withShop()
        let creations = [try fixture.creation()]
        _ = try await fixture.service.create(creations, idempotency: fixture.key("a"), answer: { _ in [1] })
        fixture.clock.advance(milliseconds: 24 * 60 * 60 * 1000 - 1)
        let late = try await fixture.service.create(creations, idempotency: fixture.key("a"), answer: { _ in [1] })
        #expect(late == .replay([1]))
        fixture.clock.advance(milliseconds: 1)
        guard
            case .done = try await fixture.service.create(
                creations, idempotency: fixture.key("a"), answer: { _ in [1] })
        else {
            Issue.record("still kept")
            return
        }
    }

    @Test func anAnswerThatIsNoSuccessIsNotKept() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("one")
        let creations = [try fixture.creation("one")]
        for _ in 0..<2 {
            let outcome = try await fixture.service.create(
                creations, idempotency: fixture.key("a"), answer: { _ in nil })
            #expect(outcome == .done([.slugTaken]))
        }
    }

    @Test func concurrentCreationsUnderOneKeyCreateOnce() async throws {
        let fixture = try await ServiceFixture.withShop()
        let creations = [try fixture.creation()]
        let done = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let outcome = try? await fixture.service.create(
                        creations, idempotency: fixture.key("a"), answer: { _ in [1] })
                    if case .done = outcome { return true }
                    return false
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(done == 1)
        #expect(try await fixture.service.list(LinkListing(limit: 200), for: .all).links.count == 1)
    }

    @Test func aBatchHasOneOutcomeForEachItemInOrder() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.create("taken")
        let outcome = try await fixture.service.create([
            try fixture.creation("first"), try fixture.creation("taken"), try fixture.creation("second"),
            try fixture.creation("first"), try fixture.creation("lost", in: "nobody"),
        ])
        guard case .done(let outcomes) = outcome, outcomes.count == 5, case .created(let first) = outcomes[0],
            case .created(let second) = outcomes[2]
        else {
            Issue.record("\(outcome)")
            return
        }
        #expect([first.slug.text, second.slug.text] == ["first", "second"])
        #expect(outcomes[1] == .slugTaken)
        #expect(outcomes[3] == .slugTaken)
        #expect(outcomes[4] == .applicationUnknown)
        #expect(fixture.store.calls(.create) == 2, "the whole batch is one transaction")
    }

    @Test func theSameIdentityGivesTheSameLinkUntilItIsPatched() async throws {
        let fixture = try await ServiceFixture.withShop()
        let creation = try fixture.creation(identity: [1, 2, 3])
        guard case .done(let outcomes) = try await fixture.service.create([creation, creation]),
            case .created(let link) = outcomes[0]
        else {
            Issue.record("not created")
            return
        }
        #expect(outcomes[1] == .existing(link))
        let patched: PatchOutcome<Never> = try await fixture.service.patch(
            link.domain, link.slug, for: .all, expecting: nil
        ) { link, _, _ in .change(LinkChange(content: link.content)) }
        guard case .updated = patched, case .done(let later) = try await fixture.service.create([creation]),
            case .created(let other) = later[0]
        else {
            Issue.record("a patched link was given again")
            return
        }
        #expect(other.slug != link.slug)
    }
}

/// The bits that the service's generator takes from scripted bytes.
private struct ScriptedBits: RandomNumberGenerator {
    let bytes: [UInt8]
    mutating func next() -> UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

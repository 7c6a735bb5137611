import Testing
import WaymarkLinks
import WaymarkService
import WaymarkStores

@Suite struct KeyRingTests {
    private let operatorKey = KeyIdentity(id: "o", name: "o", Grant(application: nil, scopes: [.admin]))

    private func make(
        _ scopes: Set<KeyScope>, application: String? = nil, expiresAt: Timestamp? = nil, by maker: KeyIdentity? = nil,
        in fixture: ServiceFixture
    ) async throws -> (StoredKey, KeyText)? {
        let request = NewKey(
            name: "a key", application: try application.map(id), scopes: scopes, expiresAt: expiresAt)
        guard case .made(let stored, let text) = try await fixture.service.makeKey(request, by: maker ?? operatorKey)
        else { return nil }
        return (stored, text)
    }

    @Test func aMadeKeyIsAcceptedAndOnlyItsDigestIsStored() async throws {
        let fixture = try await ServiceFixture.withShop()
        let (stored, text) = try #require(try await make([.links], application: "shop", in: fixture))
        #expect(text.text.hasPrefix("wm_"))
        #expect(text.text.utf8.count >= 35)
        #expect("\(text)" == "wm_…")
        let identity = fixture.service.keys.authenticate(Array(text.text.utf8))
        let grant = Grant(application: try id("shop"), scopes: [.links])
        #expect(identity == KeyIdentity(id: stored.id, name: "a key", grant))
        #expect(try await fixture.store.inner.keys().map(\.digest) == [ServiceFixture.digest(Array(text.text.utf8))])
    }

    @Test(arguments: ["", "wm_", "wm_short", "xx_0123456789abcdefghijABCDEFGHIJ0123456789"])
    func `a text that is not a key is refused`(text: String) async throws {
        let fixture = try await ServiceFixture.withShop()
        #expect(fixture.service.keys.authenticate(Array(text.utf8)) == nil)
        #expect(fixture.service.keys.authenticate(Array("wm_0123456789abcdefghijABCDEFGHIJ01".utf8)) == nil)
    }

    @Test(arguments: [
        ("wm_" + String(repeating: "a", count: 31), false), ("wm_" + String(repeating: "a", count: 32), true),
        ("wm_" + String(repeating: "a", count: 252), true), ("wm_" + String(repeating: "a", count: 253), false),
        ("wm_" + String(repeating: "a", count: 31) + "-", false), ("WM_" + String(repeating: "a", count: 32), false),
        ("wm_" + String(repeating: "é", count: 32), false), (" wm_" + String(repeating: "a", count: 32), false),
    ])
    func aKeyIsAPrefixAndThirtyTwoOrMoreBase62Characters(text: String, isKey: Bool) {
        #expect((KeyText(text) != nil) == isKey)
    }

    @Test(arguments: [
        (19, "a", false), (20, "a", true), (255, "!", true), (256, "a", false), (20, " ", false), (20, "\u{7F}", false),
        (20, "é", false),
    ])
    func aGivenKeyIsVisibleASCII(count: Int, character: String, isKey: Bool) {
        #expect((KeyText(given: String(repeating: character, count: count)) != nil) == isKey)
    }

    @Test func aGivenKeyIsAcceptedAndTakenOnlyOnce() async throws {
        let fixture = try await ServiceFixture.withShop()
        let text = try #require(KeyText(given: "AIzaSy-an_old/key=of+a:caller~"))
        let request = NewKey(name: "old", application: nil, scopes: [.read], expiresAt: nil, text: text)
        guard case .made = try await fixture.service.makeKey(request, by: operatorKey) else {
            Issue.record("it was not made")
            return
        }
        #expect(fixture.service.keys.authenticate(Array(text.text.utf8))?.scopes == [.read])
        guard case .taken = try await fixture.service.makeKey(request, by: operatorKey) else {
            Issue.record("it was made twice")
            return
        }
        #expect(try await fixture.store.inner.keys().count == 1)
    }

    @Test func aKeyMadeOnAnotherServerIsLookedUpInTheStore() async throws {
        let fixture = try await ServiceFixture.withShop()
        let neighbour = fixture.neighbour()
        try await neighbour.load()
        let (_, text) = try #require(try await make([.resolve], in: fixture))
        let key = Array(text.text.utf8)
        #expect(neighbour.keys.authenticate(key) == nil)
        #expect(neighbour.keys.mayBeNew(key))
        #expect(try await neighbour.keys.lookUp(key) != nil)
        #expect(neighbour.keys.authenticate(key) != nil)
    }

    @Test func aRefreshMayFindAKeyThatWasJustRefused() async throws {
        let fixture = try await ServiceFixture.withShop()
        let neighbour = fixture.neighbour()
        try await neighbour.load()
        let expiry = Timestamp(rawValue: fixture.clock.now.rawValue + 60_000)
        let (_, text) = try #require(try await make([.resolve], expiresAt: expiry, in: fixture))
        let key = Array(text.text.utf8)
        #expect(neighbour.keys.authenticate(key) == nil)
        try await neighbour.keys.refresh()
        #expect(neighbour.keys.mayBeNew(key))
        #expect(try await neighbour.keys.lookUp(key) != nil)
        fixture.clock.advance(milliseconds: 60_000)
        #expect(!neighbour.keys.mayBeNew(key))
    }

    @Test func unknownKeysAskTheStoreOnceEachAndForFewInAll() async throws {
        let fixture = try await ServiceFixture.withShop()
        let keys = fixture.service.keys
        func key(_ number: Int) -> [UInt8] { Array("wm_a-key-that-nobody-made-\(number)".utf8) }
        for round in 1...2 {
            let admitted = (0..<150).count { keys.mayBeNew(key($0)) }
            #expect(admitted == 100, "round \(round)")
            #expect(!keys.mayBeNew(key(0)))
            try await keys.refresh()
        }
        #expect(!keys.mayBeNew(Array("short".utf8)))
        let before = fixture.store.calls(.key)
        #expect(try await keys.lookUp(key(0)) == nil)
        #expect(fixture.store.calls(.key) == before + 1)
    }

    @Test func aUseIsWrittenAtOnceAndThenOnceInHalfAnHour() async throws {
        let fixture = try await ServiceFixture.withShop()
        let keys = fixture.service.keys
        let (_, text) = try #require(try await make([.resolve], in: fixture))
        func use() async throws {
            _ = keys.authenticate(Array(text.text.utf8))
            try await keys.writeUses()
            try await keys.refresh()
        }
        func stored() async throws -> Timestamp? { try await fixture.store.inner.keys()[0].lastUsedAt }
        #expect(try await stored() == nil)
        let first = fixture.clock.now
        for _ in 0..<30 {
            try await use()
            #expect(try await stored() == first)
            #expect(try await keys.list(for: operatorKey)[0].lastUsedAt == fixture.clock.now)
            fixture.clock.advance(milliseconds: 60_000)
        }
        #expect(fixture.store.calls(.noteKeyUses) == 1)
        try await use()
        #expect(try await stored() == fixture.clock.now)
        fixture.clock.advance(milliseconds: 60_000)
        _ = keys.authenticate(Array(text.text.utf8))
        await fixture.service.stop()
        #expect(try await stored() == fixture.clock.now)
    }

    @Test func aRevokedKeyIsRefusedAtOnceAndElsewhereAfterARefresh() async throws {
        let fixture = try await ServiceFixture.withShop()
        let (stored, text) = try #require(try await make([.resolve], in: fixture))
        let neighbour = fixture.neighbour()
        try await neighbour.load()
        #expect(neighbour.keys.authenticate(Array(text.text.utf8)) != nil)
        #expect(try await fixture.service.keys.delete(stored.id, by: operatorKey))
        #expect(fixture.service.keys.authenticate(Array(text.text.utf8)) == nil)
        try await neighbour.keys.refresh()
        #expect(neighbour.keys.authenticate(Array(text.text.utf8)) == nil)
        #expect(try await !fixture.service.keys.delete(stored.id, by: operatorKey))
    }

    @Test func aRefreshThatBeganBeforeARevocationDoesNotBringTheKeyBack() async throws {
        let fixture = try await ServiceFixture.withShop()
        let (stored, text) = try #require(try await make([.resolve], in: fixture))
        let gate = Gate()
        fixture.store.after(.keys) { () async throws(StoreError) in await gate.pass() }
        async let refresh: Void = fixture.service.keys.refresh()
        await gate.waitForArrivals()
        fixture.store.after(.keys, nil)
        #expect(try await fixture.service.keys.delete(stored.id, by: operatorKey))
        gate.open()
        try await refresh
        #expect(fixture.service.keys.authenticate(Array(text.text.utf8)) == nil)
    }

    @Test func anExpiredKeyIsRefused() async throws {
        let fixture = try await ServiceFixture.withShop()
        let end = Timestamp(rawValue: fixture.clock.now.rawValue + 1_000)
        let (_, text) = try #require(try await make([.resolve], expiresAt: end, in: fixture))
        fixture.clock.advance(milliseconds: 999)
        #expect(fixture.service.keys.authenticate(Array(text.text.utf8)) != nil)
        fixture.clock.advance(milliseconds: 1)
        #expect(fixture.service.keys.authenticate(Array(text.text.utf8)) == nil)
    }

    @Test func theEnvironmentsKeyIsAnAdminsAndNeverStored() async throws {
        let text = "wm_" + String(repeating: "E", count: 32)
        var configuration = ServiceConfiguration()
        configuration.adminKey = KeyText(text)
        let fixture = try await ServiceFixture.withShop(configuration: configuration)
        let identity = try #require(fixture.service.keys.authenticate(Array(text.utf8)))
        #expect(identity.id == KeyIdentity.environmentID)
        #expect(KeyScope.allCases.allSatisfy { identity.may($0) })
        #expect(try await fixture.service.keys.makeFirstAdminKey() == nil)
        #expect(try await fixture.store.inner.keys().isEmpty)
    }

    @Test func theFirstStartMakesAnAdminKeyAndTheNextOneDoesNot() async throws {
        let fixture = try await ServiceFixture.withShop()
        let text = try #require(try await fixture.service.keys.makeFirstAdminKey())
        #expect(fixture.service.keys.authenticate(Array(text.text.utf8))?.may(.admin) == true)
        #expect(try await fixture.service.keys.makeFirstAdminKey() == nil)
        let next = fixture.neighbour()
        try await next.load()
        #expect(try await next.keys.makeFirstAdminKey() == nil)
    }

    @Test func anAdminKeyThatHasExpiredOrIsOfOneApplicationIsNotEnough() async throws {
        let fixture = try await ServiceFixture.withShop()
        let end = Timestamp(rawValue: fixture.clock.now.rawValue + 1)
        _ = try await make([.admin], expiresAt: end, in: fixture)
        _ = try await make([.admin], application: "shop", in: fixture)
        fixture.clock.advance(milliseconds: 1)
        #expect(try await fixture.service.keys.makeFirstAdminKey() != nil)
    }

    @Test(
        arguments: [
            ([KeyScope.resolve], [KeyScope.resolve]), ([.create], [.create]),
            ([.links], [.resolve, .create, .read, .links]),
            ([.read], [.read]), ([.admin], [.resolve, .create, .read, .links, .admin]),
            ([.resolve, .create], [.resolve, .create]),
        ] as [(Set<KeyScope>, Set<KeyScope>)])
    func aScopeIncludesTheLesserOnes(scopes: Set<KeyScope>, allowed: Set<KeyScope>) {
        let identity = KeyIdentity(id: "k", name: "k", Grant(application: nil, scopes: scopes))
        #expect(Set(KeyScope.allCases.filter { identity.may($0) }) == allowed)
    }

    @Test func aKeyMakesOnlyKeysOfItsApplicationWithinItsScopes() async throws {
        let fixture = try await ServiceFixture.withShop()
        try await fixture.put(try application("other"))
        let shopAdmin = KeyIdentity(id: "s", name: "s", Grant(application: try id("shop"), scopes: [.admin]))
        #expect(try await make([.admin], application: "shop", by: shopAdmin, in: fixture) != nil)
        #expect(try await make([.resolve], application: "other", by: shopAdmin, in: fixture) == nil)
        #expect(try await make([.resolve], by: shopAdmin, in: fixture) == nil)
        let links = KeyIdentity(id: "l", name: "l", Grant(application: nil, scopes: [.links]))
        #expect(try await make([.admin], by: links, in: fixture) == nil)
        #expect(try await make([.create], by: links, in: fixture) != nil)
    }

    @Test func aKeyForAnUnknownApplicationIsNotMade() async throws {
        let fixture = try await ServiceFixture.withShop()
        let request = NewKey(name: "k", application: try id("nobody"), scopes: [.resolve], expiresAt: nil)
        guard case .unknownApplication = try await fixture.service.makeKey(request, by: operatorKey) else {
            Issue.record("made")
            return
        }
    }

    @Test func aKeyOfOneApplicationSeesAndRevokesOnlyItsOwn() async throws {
        let fixture = try await ServiceFixture.withShop()
        let shopAdmin = KeyIdentity(id: "s", name: "s", Grant(application: try id("shop"), scopes: [.admin]))
        let (all, _) = try #require(try await make([.links], in: fixture))
        let (own, _) = try #require(try await make([.links], application: "shop", in: fixture))
        let keys = fixture.service.keys
        #expect(try await keys.list(for: shopAdmin).map(\.id) == [own.id])
        #expect(try await Set(keys.list(for: operatorKey).map(\.id)) == [all.id, own.id])
        #expect(try await !keys.delete(all.id, by: shopAdmin))
        #expect(try await keys.delete(own.id, by: shopAdmin))
    }
}

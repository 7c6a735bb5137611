import Foundation
import Testing
import WaymarkAPI
import WaymarkJSON
import WaymarkTestSupport

@testable import WaymarkKit

/// What was received and not shown when the process ended.
@MainActor
@Suite struct KeptLinkTests {
    private let referrer = "waymark=c1"
    private let smartlink = "https://go.example.com/Ab3dE9x"

    /// One process of the app: it shows products to signed-in people only.
    @MainActor
    private final class Process {
        let client: WaymarkClient
        let deeplinking: Deeplinking
        var coupons: [String?] = []
        var isSignedIn = false

        init(
            _ transport: any HTTPTransport, _ storage: any ClientStorage, clock: StandInClock = StandInClock()
        ) throws {
            client = try WaymarkClient.standIn(
                transport, storage: storage, clock: clock,
                options: ClientOptions(app: "shop", sendsEvents: false))
            deeplinking = Deeplinking(client: client, urlSchemes: ["shop"], openingTimeLimit: .seconds(3_600))
            try deeplinking.map("products/:product_id") { [weak self] in
                self?.coupons.append($0.metadata?["coupon"]?.string)
            }
            deeplinking.addFilter { [weak self] _ in self?.isSignedIn ?? false }
        }
    }

    @Test func couponSurvivesAKillBeforeTheSignIn() async throws {
        let folder = try TemporaryFolder()
        let transport = StandInTransport(waitingClick: "c1")
        let first = try Process(transport, FileStorage(folder: folder.url))
        guard
            case .notOpened = await first.client.openDeferredDeeplink(
                in: first.deeplinking, referrer: referrer)
        else {
            Issue.record("the filter did not hold the link back")
            return
        }

        let second = try Process(transport, FileStorage(folder: folder.url))
        #expect(second.client.installationDeeplink?.metadata?["coupon"] == "20")
        await second.client.openDeferredDeeplink(in: second.deeplinking)
        #expect(second.coupons.isEmpty)
        second.isSignedIn = true
        #expect(await second.deeplinking.openCurrentDeeplink()?.deeplink?.isDeferred == true)
        #expect(second.coupons == ["20"])

        let third = try Process(transport, FileStorage(folder: folder.url))
        third.isSignedIn = true
        #expect(await third.client.openDeferredDeeplink(in: third.deeplinking, referrer: referrer) == nil)
        #expect(await third.deeplinking.openCurrentDeeplink() == nil)
        #expect(third.client.installationDeeplink?.answer.routeParameters == ["product_id": "42"])
        #expect(third.client.installationDeeplink?.metadata == nil)
        // One claim, one opening.
        #expect(transport.claims == 1)
        #expect(third.client.eventCounts.waiting == 2)
    }

    /// The process ends at any write of the claim: the coupon is there afterwards, redeemed once.
    @Test(arguments: 0..<12) func couponSurvivesAKillAtAnyWrite(writes: Int) async throws {
        let inner = MemoryStorage()
        let transport = StandInTransport(waitingClick: "c1")
        let storage = EndingStorage(inner, writes: writes)
        let dying = try Process(EndingTransport(transport, storage), storage)
        await dying.client.openDeferredDeeplink(in: dying.deeplinking, referrer: referrer)

        let next = try Process(transport, inner)
        next.isSignedIn = true
        await next.client.openDeferredDeeplink(in: next.deeplinking, referrer: referrer)
        #expect(next.coupons == ["20"])
        #expect(transport.claims == 1)
    }

    @Test func universalLinkSurvivesAKillBeforeTheSignIn() async throws {
        let storage = MemoryStorage()
        let transport = StandInTransport()
        let first = try Process(transport, storage)
        _ = await first.deeplinking.open(resolving: smartlink)
        let second = try Process(transport, storage)
        second.isSignedIn = true
        #expect(await second.deeplinking.openCurrentDeeplink()?.deeplink?.smartlink == smartlink)
        #expect(second.coupons == ["20"])
        #expect(transport.redeemed == 1)
        #expect(second.client.eventCounts.waiting == 1)
    }

    @Test func linkThatWaitsForAnAsynchronousFilterSurvivesAKill() async throws {
        let storage = MemoryStorage()
        let first = try Process(StandInTransport(), storage)
        first.isSignedIn = true
        first.deeplinking.addFilter { _ in await Task { true }.value }
        let waits: Bool = first.deeplinking.open("shop://products/1")
        #expect(waits)
        // The process ends here: the filter has not returned.
        let second = try Process(StandInTransport(), MemoryStorage(["links": storage.read("links") ?? []]))
        second.isSignedIn = true
        #expect(
            await second.deeplinking.openCurrentDeeplink()?.deeplink?.routeParameters == ["product_id": "1"])
        #expect(second.coupons == [nil])
    }

    @Test(arguments: [ProblemType.linkExpired, .linkDisabled])
    func refusedLinkIsNotStoredWhileAFilterWaits(refusal: ProblemType) async throws {
        let (storage, signIn) = (MemoryStorage(), Gate())
        let problem = Problem(refusal, "It leads nowhere.")
        let process = try Process(
            StandInTransport(faults: [.answers(StandInTransport.refusal(problem))]), storage)
        process.isSignedIn = true
        var errors: [WaymarkClientError?] = []
        try process.deeplinking.mapDefault { errors.append($0.error as? WaymarkClientError) }
        process.deeplinking.addFilter { _ async -> Bool in
            await signIn.wait()
            return true
        }
        let (deeplinking, smartlink) = (process.deeplinking, smartlink)
        let run = Task { await deeplinking.open(resolving: smartlink) }
        while deeplinking.currentDeeplink == nil { await Task.yield() }
        #expect(KeptLinkStore(storage: storage, clock: StandInClock()).waitingLink() == nil)
        signIn.open()
        _ = await run.value
        #expect(errors.count == 1)
        #expect(KeptLinkStore(storage: storage, clock: StandInClock()).waitingLink() == nil)
    }

    /// The link that starts the app is newer than one that was kept.
    @Test func keptLinkDoesNotOvertakeALinkThatIsResolved() async throws {
        let storage = MemoryStorage()
        let first = try Process(StandInTransport(), storage)
        _ = await first.deeplinking.open(resolving: "shop://products/1")
        let second = try Process(StandInTransport(), storage)
        second.isSignedIn = true
        let started = second.deeplinking.open(smartlink)
        #expect(started)
        let again: Bool = second.deeplinking.openCurrentDeeplink()
        #expect(!again)
        while second.coupons.isEmpty { await Task.yield() }
        #expect(second.coupons == ["20"])
    }

    @Test func aSecondTapKeepsTheCouponOfTheFirst() async throws {
        let transport = StandInTransport()
        let process = try Process(transport, MemoryStorage())
        _ = await process.deeplinking.open(resolving: smartlink)
        process.isSignedIn = true
        // The service gives the metadata once.
        _ = await process.deeplinking.open(resolving: smartlink)
        #expect(process.coupons == ["20"])
        _ = await process.deeplinking.open(resolving: smartlink)
        #expect(process.coupons == ["20", nil])
    }

    @Test func aSecondTapWithoutNetworkHasTheCouponOfTheFirst() async throws {
        let transport = StandInTransport(faults: [.none, .notSent(.offline)])
        let storage = MemoryStorage()
        let first = try Process(transport, storage)
        _ = await first.deeplinking.open(resolving: smartlink)
        _ = await first.deeplinking.open(resolving: smartlink)
        #expect(first.deeplinking.currentDeeplink?.error == nil)
        let second = try Process(transport, storage)
        second.isSignedIn = true
        _ = await second.deeplinking.openCurrentDeeplink()
        #expect(second.coupons == ["20"])
    }

    @Test func olderAnswerDoesNotReplaceAKeptLink() throws {
        let store = KeptLinkStore(storage: MemoryStorage(), clock: StandInClock())
        let (old, new) = (store.begin(), store.begin())
        let answer = try #require(
            ResolveResponse(json: Array(#"{"deeplink":"shop://a","redeem":{"limit":null,"used":0}}"#.utf8)))
        _ = store.keep(answer, of: "new", as: new)
        _ = store.keep(answer, of: "old", as: old)
        #expect(!store.keep("old", error: nil, isRecorded: false, as: old))
        #expect(store.waitingLink()?.link.url == "new")
    }

    @Test func clockThatWasAheadKeepsNoLinkForLonger() {
        let (storage, clock) = (MemoryStorage(), StandInClock())
        clock.advance(by: .seconds(400 * 86_400))
        let ahead = KeptLinkStore(storage: storage, clock: clock)
        _ = ahead.keep("shop://a", error: nil, isRecorded: false, as: ahead.begin())
        clock.advance(by: .seconds(-400 * 86_400))
        #expect(KeptLinkStore(storage: storage, clock: clock).waitingLink() != nil)
        clock.advance(by: .seconds(31 * 86_400))
        #expect(KeptLinkStore(storage: storage, clock: clock).waitingLink() == nil)
    }

    /// A target that ends the process is not started at every start.
    @Test func linkWhoseTargetNeverEndsIsGivenThreeTimes() throws {
        let storage = MemoryStorage()
        var starts = 0
        for _ in 0..<5 {
            let store = KeptLinkStore(storage: storage, clock: StandInClock())
            if starts == 0 { _ = store.keep("shop://a", error: nil, isRecorded: false, as: store.begin()) }
            guard let (_, kept) = store.waitingLink() else { continue }
            store.noteStart(kept)
            starts += 1
        }
        #expect(starts == 3)
    }

    /// The limit of starts is for targets that end the process.
    @Test func endedRunsWithoutMetadataAreNoStarts() throws {
        let store = KeptLinkStore(storage: MemoryStorage(), clock: StandInClock())
        let text = #"{"deeplink":"shop://a","metadata":{"coupon":"20"},"redeem":{"limit":1,"used":1}}"#
        let kept = store.begin()
        _ = store.keep(try #require(ResolveResponse(json: Array(text.utf8))), of: "shop://a", as: kept)
        for _ in 0..<4 {
            store.noteStart(kept)
            store.discard(kept, hadMetadata: false)
        }
        #expect(store.waitingLink()?.link.starts == 0)
    }

    @Test(arguments: [
        "[]", #"{"current":{}}"#, #"{"current":{"at":1}}"#, #"{"current":{"url":"x","answer":1,"at":1}}"#,
        "x",
    ])
    func brokenStateIsSetAside(text: String) throws {
        let storage = MemoryStorage(["links": Array(text.utf8)])
        let store = KeptLinkStore(storage: storage, clock: StandInClock())
        #expect(store.waitingLink() == nil)
        #expect(storage.read("links.broken") == Array(text.utf8))
    }

    @Test func storedLinkReadsBackWhole() throws {
        var links = KeptLinks()
        var link = KeptLink(url: "shop://a?b=\u{1F600}", error: "offline", at: 7)
        link.answer = ResolveResponse(
            deeplink: "shop://a%2Fb", route: "a/:b", routeParameters: ["b": "a/b"],
            queryParameters: ["q": ""],
            metadata: RawJSON(Array(#"{"n":12345678901234567890}"#.utf8)),
            redeem: RedeemCount(limit: 1, used: 1, status: "redeemed"),
            update: AppUpdate(minimumVersion: "4.2", url: nil))
        (link.match, link.clickID, link.starts, link.isRecorded, link.isOpened) = (
            "referrer", "c1", 2, true, true
        )
        links.installation = link
        #expect(KeptLinks(links.json) == links)
        #expect(KeptLinks(try JSONValue(parsing: links.json.bytes())) == links)
    }

    #if !os(Windows)
        @Test func filesAreReadableByTheirUserOnly() throws {
            let folder = try TemporaryFolder()
            let storage = FileStorage(folder: folder.url.appendingPathComponent("Waymark"))
            for _ in 0..<2 { try storage.write([0x7B, 0x7D], to: "links") }
            func mode(_ path: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: storage.folder.path + path)[
                    .posixPermissions] as? Int
            }
            #expect(try mode("") == 0o700)
            #expect(try mode("/links.json") == 0o600)
        }
    #endif
}

/// A storage whose process ends after some writes: later ones are lost.
private final class EndingStorage: ClientStorage {
    private let inner: MemoryStorage
    private let left: LockedValue<Int>

    init(_ inner: MemoryStorage, writes: Int) {
        self.inner = inner
        left = LockedValue(writes)
    }

    var isOver: Bool { left.withLock { $0 <= 0 } }

    func read(_ name: String) -> [UInt8]? { inner.read(name) }

    func write(_ bytes: [UInt8], to name: String) {
        let isAlive = left.withLock { left in
            left -= 1
            return left >= 0
        }
        if isAlive { inner.write(bytes, to: name) }
    }

    func setAside(_ name: String) { inner.setAside(name) }
}

/// Sends nothing once the process has ended.
private struct EndingTransport: HTTPTransport {
    let transport: any HTTPTransport
    let storage: EndingStorage

    init(_ transport: any HTTPTransport, _ storage: EndingStorage) {
        self.transport = transport
        self.storage = storage
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard !storage.isOver else { throw .offline }
        return try await transport.send(request)
    }
}

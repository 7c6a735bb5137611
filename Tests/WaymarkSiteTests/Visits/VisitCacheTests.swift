import Testing
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer

@testable import WaymarkService
@testable import WaymarkSite

@Suite struct VisitCacheTests {
    private static func bytes(_ host: String, _ path: String) -> (bytes: [UInt8], host: ByteRange, path: ByteRange) {
        let bytes = Array((host + path).utf8)
        return (bytes, ByteRange(0, host.utf8.count), ByteRange(host.utf8.count, bytes.count))
    }

    @Test func findsOnlyTheSameBytes() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let cached = try await Self.link(fixture)
            let cache = VisitCache(byteLimit: 1 << 20)
            let (bytes, host, path) = Self.bytes("go.example.com", "/x")
            #expect(Self.found(cache, bytes, host, path) == nil)
            Self.insert(into: cache, cached, bytes, host, path)
            #expect(Self.found(cache, bytes, host, path) != nil)
            for (otherHost, otherPath) in [
                ("go.example.com", "/X"), ("go.example.co", "m/x"), ("Go.example.com", "/x"),
            ] {
                let (bytes, host, path) = Self.bytes(otherHost, otherPath)
                #expect(Self.found(cache, bytes, host, path) == nil)
            }
        }
    }

    /// What may happen to a link in memory.
    enum Loss: CaseIterable {
        case changed, allForgotten, applicationReplaced, doubted
    }

    @Test(arguments: Loss.allCases)
    func dropsALinkThatIsNotGoodAnyMore(loss: Loss) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let cached = try await Self.link(fixture)
            let cache = VisitCache(byteLimit: 1 << 20)
            let (bytes, host, path) = Self.bytes("go.example.com", "/x")
            Self.insert(into: cache, cached, bytes, host, path)
            _ = try await fixture.create(#"{"slug": "other", "urls": {"web": "https://a.example/"}}"#)
            #expect(Self.found(cache, bytes, host, path) != nil, "another link's change is none of its own")
            switch loss {
            case .changed: fixture.service.forget(cached.link.domain, cached.link.slug)
            case .allForgotten: fixture.service.cache.removeAll()
            case .applicationReplaced: cached.application.markReplaced()
            case .doubted: fixture.service.cache.doubtAll(since: 1)
            }
            #expect(Self.found(cache, bytes, host, path) == nil)
            #expect(cache.byteCount == 0)
        }
    }

    @Test func aLinkThatIsVisitedHereStaysInTheSharedCache() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let cached = try await Self.link(fixture)
            let shared = LinkCache(byteLimit: 64 << 10)
            let key = LinkKey(cached.link.domain, cached.link.slug)
            let hot = CachedLink(cached.link, application: cached.application, quota: nil)
            shared.insert(hot, at: key, fill: shared.beginFill(key))
            let cache = VisitCache(byteLimit: 1 << 20)
            let (bytes, host, path) = Self.bytes("go.example.com", "/x")
            Self.insert(into: cache, hot, bytes, host, path)
            for number in 0..<300 {
                _ = Self.found(cache, bytes, host, path)
                let slug = try #require(Slug("other-\(number)"))
                let other = LinkKey(key.domain, slug)
                shared.insert(
                    CachedLink(cached.link, application: cached.application, quota: nil), at: other,
                    fill: shared.beginFill(other))
            }
            #expect(shared.metrics.evictions > 100)
            #expect(!hot.isStale)
        }
    }

    @Test func staysWithinItsBytes() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let cached = try await Self.link(fixture)
            let cache = VisitCache(byteLimit: 100_000)
            for number in 0..<1_000 {
                let (bytes, host, path) = Self.bytes("go.example.com", "/x\(number)")
                Self.insert(into: cache, cached, bytes, host, path)
                #expect(cache.byteCount <= 100_000)
            }
            #expect(cache.byteCount > 10_000)
        }
    }

    @Test func `ten thousand links have a slot each`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let cached = try await Self.link(fixture)
            let cache = VisitCache(byteLimit: SiteOptions().visitCacheBytes)
            let keys = (0..<10_000).map { Self.bytes("go.example.com", "/s\($0)") }
            for (bytes, host, path) in keys { Self.insert(into: cache, cached, bytes, host, path) }
            let found = keys.count { Self.found(cache, $0.bytes, $0.host, $0.path) != nil }
            // Where two sets are full a key is turned away: seldom one of ten thousand.
            #expect(found > 9_990)
            #expect(cache.slotCount == 32_768, "no larger than it needs to be, to stay near the processor")
        }
    }

    /// Entries of one link crowd, and all links are visited by the same classes.
    @Test(arguments: [(3_000, 3), (1_500, 7), (700, 12)])
    func `each class of many links has a slot`(links: Int, classes: Int) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let cached = try await Self.link(fixture)
            let cache = VisitCache(byteLimit: SiteOptions().visitCacheBytes)
            let keys = (0..<links).map { Self.bytes("go.example.com", "/s\($0)") }
            // Once more, for those that lost their place when the table grew.
            for _ in 0..<2 {
                for (bytes, host, path) in keys {
                    for slot in 0..<classes where Self.found(cache, bytes, host, path, slot: slot) == nil {
                        Self.insert(into: cache, cached, bytes, host, path, slot: slot)
                    }
                }
            }
            let found = keys.map { key in
                (0..<classes).count { Self.found(cache, key.bytes, key.host, key.path, slot: $0) != nil }
            }
            #expect(Double(found.reduce(0, +)) > 0.999 * Double(links * classes))
            #expect(cache.slotCount <= 32 * links * classes)
        }
    }

    @Test func releasesWhatItDrops() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let cached = try await Self.link(fixture)
            let cache = VisitCache(byteLimit: SiteOptions().visitCacheBytes)
            let keys = (0..<500).map { Self.bytes("go.example.com", "/s\($0)") }
            for (bytes, host, path) in keys {
                for slot in 0..<9 { Self.insert(into: cache, cached, bytes, host, path, slot: slot) }
            }
            #expect(cache.byteCount > 0)
            cached.application.markReplaced()
            for (bytes, host, path) in keys {
                for slot in 0..<9 { #expect(Self.found(cache, bytes, host, path, slot: slot) == nil) }
            }
            #expect(cache.byteCount == 0)
        }
    }

    @Test func classesThatGetTheSameShareIt() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let cached = try await Self.link(fixture)
            let cache = VisitCache(byteLimit: 1 << 20)
            let (bytes, host, path) = Self.bytes("go.example.com", "/x")
            let tag = cache.tag(bytes.span, host, path)
            func share(_ fields: HeaderFields, _ destination: Click.Destination, slot: Int) -> Bool {
                cache.share(
                    .found, fields, to: destination, tag, slot: slot, bytes.span, host, path,
                    now: Timestamp(rawValue: 0))
            }
            #expect(!share(Self.fields, .web, slot: 4), "there is none yet")
            Self.insert(into: cache, cached, bytes, host, path)
            #expect(share(Self.fields, .web, slot: 4))
            #expect(!share(Self.fields, .app, slot: 5), "its clicks are recorded as something else")
            #expect(!share(HeaderFields((.location, "https://b.example/")), .web, slot: 5))
            Self.insert(into: cache, cached, bytes, host, path, slot: 5)
            let entries = [0, 4, 5].map {
                cache.entry(tag, slot: $0, bytes.span, host, path).map { ObjectIdentifier($0) }
            }
            #expect(entries[0] != nil && entries[0] == entries[1])
            #expect(entries[2] != nil && entries[2] != entries[0])
            #expect(cache.entry(tag, slot: 6, bytes.span, host, path) == nil)
        }
    }

    private static let fields = HeaderFields((.location, "https://shop.example.com/products/42?referrer=ana"))

    private static func link(_ fixture: SiteFixture) async throws -> CachedLink {
        _ = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/"}}"#)
        let host = try #require(HostName("go.example.com"))
        let slug = try #require(Slug("x"))
        guard case .found(let cached, _) = try await fixture.service.load(at: host, slug: slug) else {
            throw NotFound()
        }
        return cached
    }

    private struct NotFound: Error {}

    private static func insert(
        into cache: VisitCache, _ cached: CachedLink, _ bytes: [UInt8], _ host: ByteRange, _ path: ByteRange,
        slot: Int = 0
    ) {
        let entry = VisitEntry(
            .found, fields, to: .web, key: VisitCache.key(bytes.span, host, path), hostCount: host.count,
            cached: cached, link: cached.link.id, campaign: nil, valid: (nil, nil), heads: cache.heads)
        cache.insert(entry, cache.tag(bytes.span, host, path), slot: slot)
    }

    private static func found(
        _ cache: VisitCache, _ bytes: [UInt8], _ host: ByteRange, _ path: ByteRange, slot: Int = 0
    ) -> VisitEntry? {
        cache.entry(cache.tag(bytes.span, host, path), slot: slot, bytes.span, host, path)
    }
}

import Testing
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

@testable import WaymarkSite

@Suite struct RedirectCacheTests {
    private static func bytes(_ host: String, _ path: String) -> (bytes: [UInt8], host: ByteRange, path: ByteRange) {
        let bytes = Array((host + path).utf8)
        return (bytes, ByteRange(0, host.utf8.count), ByteRange(host.utf8.count, bytes.count))
    }

    @Test func findsOnlyTheSameBytes() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let cached = try await Self.link(fixture)
            let cache = RedirectCache(byteLimit: 1 << 20)
            let (bytes, host, path) = Self.bytes("go.example.com", "/x")
            #expect(cache.entry(bytes.span, host, path) == nil)
            cache.insert(Self.entry(cache, cached, bytes, host, path))
            #expect(cache.entry(bytes.span, host, path) != nil)
            for (otherHost, otherPath) in [
                ("go.example.com", "/X"), ("go.example.co", "m/x"), ("Go.example.com", "/x"),
            ] {
                let (bytes, host, path) = Self.bytes(otherHost, otherPath)
                #expect(cache.entry(bytes.span, host, path) == nil)
            }
        }
    }

    @Test func dropsALinkThatChanged() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let cached = try await Self.link(fixture)
            let cache = RedirectCache(byteLimit: 1 << 20)
            let (bytes, host, path) = Self.bytes("go.example.com", "/x")
            cache.insert(Self.entry(cache, cached, bytes, host, path))
            fixture.service.forget(cached.link.key)
            #expect(cache.entry(bytes.span, host, path) == nil)
            #expect(cache.byteCount == 0)
        }
    }

    @Test func staysWithinItsBytes() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let cached = try await Self.link(fixture)
            let cache = RedirectCache(byteLimit: 100_000)
            for number in 0..<1_000 {
                let (bytes, host, path) = Self.bytes("go.example.com", "/x\(number)")
                let entry = Self.entry(cache, cached, bytes, host, path)
                cache.insert(entry)
                cache.add(entry.set(.found, HeaderBlock(), .web, slot: 0))
                #expect(cache.byteCount <= 100_000)
            }
            #expect(cache.byteCount > 10_000)
        }
    }

    @Test func hasAPlaceForEachOfTenThousandLinks() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let cached = try await Self.link(fixture)
            let cache = RedirectCache(byteLimit: SiteOptions().redirectCacheBytes)
            let fields = HeaderBlock((.location, "https://shop.example.com/products/42?referrer=ana"))
            let keys = (0..<10_000).map { Self.bytes("go.example.com", "/s\($0)") }
            for (bytes, host, path) in keys {
                let entry = Self.entry(cache, cached, bytes, host, path)
                _ = entry.set(.found, fields, .web, slot: 0)
                cache.insert(entry)
            }
            let found = keys.count { cache.entry($0.bytes.span, $0.host, $0.path) != nil }
            // A set that is full turns one of its keys away: of ten thousand a few dozen at most.
            #expect(found > 9_950)
        }
    }

    @Test func classesThatGetTheSameShareIt() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let cached = try await Self.link(fixture)
            let cache = RedirectCache(byteLimit: 1 << 20)
            let (bytes, host, path) = Self.bytes("go.example.com", "/x")
            let entry = Self.entry(cache, cached, bytes, host, path)
            #expect(entry[0] == nil)
            #expect(entry.set(.found, HeaderBlock((.location, "https://a.example/")), .web, slot: 0) > 0)
            #expect(entry.set(.found, HeaderBlock((.location, "https://a.example/")), .web, slot: 4) == 0)
            #expect(entry.set(.found, HeaderBlock((.location, "https://b.example/")), .web, slot: 5) > 0)
            #expect(entry[0]?.toOpaque() == entry[4]?.toOpaque())
            #expect(entry[0]?.toOpaque() != entry[5]?.toOpaque())
        }
    }

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

    private static func entry(
        _ cache: RedirectCache, _ cached: CachedLink, _ bytes: [UInt8], _ host: ByteRange, _ path: ByteRange
    ) -> RedirectEntry {
        RedirectEntry.make(
            key: RedirectCache.key(bytes.span, host, path), hostCount: host.count,
            hash: cache.hash(bytes.span, host, path), cached: cached, validUntil: nil)
    }
}

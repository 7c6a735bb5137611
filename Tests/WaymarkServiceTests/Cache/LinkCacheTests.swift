import Testing
import WaymarkLinks
import WaymarkService

@Suite struct LinkCacheTests {
    @Test func staysWithinItsBytesAndMarksWhatItDrops() async throws {
        var configuration = ServiceConfiguration()
        configuration.cacheBytes = 64 << 10
        let fixture = try await ServiceFixture.withShop(configuration: configuration)
        var visited: [CachedLink] = []
        for number in 0..<300 {
            _ = try await fixture.create("link-\(number)")
            visited.append(try #require(try await fixture.load("link-\(number)")))
        }
        let metrics = fixture.service.cache.metrics
        let (links, bytes) = (metrics.links, metrics.bytes)
        #expect(bytes <= configuration.cacheBytes)
        #expect(links > 16 && links < 300)
        #expect(visited.count { !$0.isStale } == links)
        for (number, cached) in visited.enumerated() where !cached.isStale {
            #expect(try fixture.cached("link-\(number)") === cached)
        }
    }

    @Test func aLinkInUseOutlivesOneThatNobodyAsksFor() async throws {
        var configuration = ServiceConfiguration()
        configuration.cacheBytes = 64 << 10
        let fixture = try await ServiceFixture.withShop(configuration: configuration)
        _ = try await fixture.create("hot")
        _ = try await fixture.create("cold")
        let hot = try #require(try await fixture.load("hot"))
        let cold = try #require(try await fixture.load("cold"))
        for number in 0..<300 {
            hot.noteUse()
            _ = try await fixture.create("link-\(number)")
            try await fixture.load("link-\(number)")
        }
        #expect(!hot.isStale)
        #expect(cold.isStale)
    }

    @Test func countsLongTextAsWhatItTakes() async throws {
        var configuration = ServiceConfiguration()
        configuration.cacheBytes = 64 << 10
        let fixture = try await ServiceFixture.withShop(configuration: configuration)
        let huge = LinkContent(tags: [String(repeating: "x", count: 5_000)])
        _ = try await fixture.create("huge", huge)
        let cached = try #require(try await fixture.load("huge"))
        #expect(cached.isStale, "a link that alone is larger than a shard is served and not kept")
        #expect(fixture.service.cache.metrics.links == 0)
        #expect(fixture.service.cache.metrics.bytes == 0)
    }

    @Test func keepsNothingWithoutMemory() async throws {
        var configuration = ServiceConfiguration()
        configuration.cacheBytes = 0
        let fixture = try await ServiceFixture.withShop(configuration: configuration)
        _ = try await fixture.create("one")
        #expect(try await fixture.load("one")?.link.slug.text == "one")
        #expect(fixture.service.cache.metrics.links == 0)
        #expect(fixture.service.cache.metrics.bytes == 0)
    }
}

import Testing
import WaymarkLinks
import WaymarkService

@Suite struct LinkCacheTests {
    @Test func staysWithinItsBytesAndMarksWhatItDrops() async throws {
        var configuration = ServiceConfiguration()
        configuration.cacheBytes = 64 << 10
        let workshop = try await Workshop.withShop(configuration: configuration)
        var visited: [CachedLink] = []
        for number in 0..<300 {
            _ = try await workshop.create("link-\(number)")
            visited.append(try #require(try await workshop.load("link-\(number)")))
        }
        let figures = workshop.service.cache.figures
        let (links, bytes) = (figures.links, figures.bytes)
        #expect(bytes <= configuration.cacheBytes)
        #expect(links > 16 && links < 300)
        #expect(visited.count { !$0.isStale } == links)
        for (number, cached) in visited.enumerated() where !cached.isStale {
            #expect(try workshop.cached("link-\(number)") === cached)
        }
    }

    @Test func aLinkInUseOutlivesOneThatNobodyAsksFor() async throws {
        var configuration = ServiceConfiguration()
        configuration.cacheBytes = 64 << 10
        let workshop = try await Workshop.withShop(configuration: configuration)
        _ = try await workshop.create("hot")
        _ = try await workshop.create("cold")
        let hot = try #require(try await workshop.load("hot"))
        let cold = try #require(try await workshop.load("cold"))
        for number in 0..<300 {
            hot.noteUse()
            _ = try await workshop.create("link-\(number)")
            try await workshop.load("link-\(number)")
        }
        #expect(!hot.isStale)
        #expect(cold.isStale)
    }

    @Test func countsLongTextAsWhatItTakes() async throws {
        var configuration = ServiceConfiguration()
        configuration.cacheBytes = 64 << 10
        let workshop = try await Workshop.withShop(configuration: configuration)
        let huge = LinkContent(tags: [String(repeating: "x", count: 5_000)])
        _ = try await workshop.create("huge", huge)
        let cached = try #require(try await workshop.load("huge"))
        #expect(cached.isStale, "a link that alone is larger than a shard is served and not kept")
        #expect(workshop.service.cache.figures.links == 0)
        #expect(workshop.service.cache.figures.bytes == 0)
    }

    @Test func keepsNothingWithoutMemory() async throws {
        var configuration = ServiceConfiguration()
        configuration.cacheBytes = 0
        let workshop = try await Workshop.withShop(configuration: configuration)
        _ = try await workshop.create("one")
        #expect(try await workshop.load("one")?.link.slug.text == "one")
        #expect(workshop.service.cache.figures.links == 0)
        #expect(workshop.service.cache.figures.bytes == 0)
    }
}

import Logging
import Synchronization
import Testing
import WaymarkLinks
import WaymarkSQLite
import WaymarkService
import WaymarkStores

@testable import WaymarkSite

/// How the verification goes through all links: with slow hosts, restarts and several servers.
@Suite struct VerificationRoundTests {
    /// Between two requests to a host: as long as a walk waits for one.
    private static let minute: Int64 = 60_000

    @Test func `looks that a slow host has no time for wait`() async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        let destinations = ScriptedDestinations()
        try await SiteFixture.verifying(destinations, hostInterval: Self.minute, store: store) { fixture in
            for number in 0..<130 {
                let host = number < 120 ? "slow" : "h\(number)"
                let url = "https://\(host).example.com/loop/\(number)"
                _ = try await fixture.create(#"{"slug": "s\#(number)", "urls": {"web": "\#(url)"}}"#)
            }
            let now = fixture.clock.now
            let verification = store.verification
            try await verification.store(VerificationRound(startedAt: now, endedAt: now))
            let links = try await store.list(LinkListing(sort: .oldest, limit: 200)).links
            for link in links {
                let finding = VerificationFinding(.redirectLoop, as: .all, "it redirects in a circle")
                let walk = LinkWalk(link.id, version: link.version, at: now, findings: [finding])
                _ = try await verification.add(walk, of: link, at: now, secondLook: Self.minute)
            }
            fixture.clock.advance(seconds: 3_600)
            var turns = 1
            while await fixture.site.background.verifier.turn(), turns < 10 { turns += 1 }
            // The first page of looks was full, and held up nothing.
            #expect(turns == 2)
            #expect(try await verification.dueLooks(at: fixture.clock.now, limit: 200) == [])
            let asked = destinations.asked.withLock { $0.filter { $0.hasPrefix("HEAD https://h") } }
            #expect(asked.count == 10)
            // They are due again later, and two of them have their turn.
            fixture.clock.advance(seconds: 3_600)
            _ = await fixture.site.background.verifier.turn()
            #expect(destinations.asked.withLock { $0.count { $0.hasPrefix("HEAD https://slow") } } == 3)
        }
    }

    @Test func `links that were late are walked after a restart`() async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        let destinations = ScriptedDestinations()
        try await SiteFixture.verifying(destinations, hostInterval: Self.minute, store: store) { fixture in
            let slugs = ["a", "b", "c", "d"]
            for slug in slugs {
                _ = try await fixture.create(
                    #"{"slug": "\#(slug)", "urls": {"web": "https://slow.example.com/ok/\#(slug)"}}"#)
            }
            // Each server has time for the robots.txt and one link.
            for number in 1...slugs.count {
                let server = LinkVerifier(
                    fixture.service, .impatient(destinations, hostInterval: Self.minute),
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
                server.use { LinkInspection($0, on: fixture.site, at: $1) }
                while await server.turn() {}
                #expect(try await fixture.verified("good").count == number)
                let round = try await store.verification.verificationRound()
                #expect((round?.endedAt != nil) == (number == slugs.count))
                fixture.clock.advance(seconds: 600)
            }
            let asked = destinations.asked.withLock { $0.filter { $0.hasPrefix("HEAD") }.sorted() }
            #expect(asked == slugs.map { "HEAD https://slow.example.com/ok/\($0)" })
        }
    }

    @Test func `a walk asks each slow destination three times`() async throws {
        let destinations = ScriptedDestinations()
        try await SiteFixture.verifying(destinations) { fixture in
            let one = "https://a.example.com/slow/1"
            let other = "https://b.example.com/slow/2"
            _ = try await fixture.create(
                #"{"slug": "x", "urls": {"ios": "\#(one)", "android": "\#(other)", "web": "\#(one)"}}"#)
            var settings = VerificationSettings.impatient(destinations, hostInterval: 0)
            // Shorter than the pauses between tries.
            settings.secondLook = 2_000
            settings.pause = { fixture.clock.advance(seconds: $0 / 1_000) }
            let server = LinkVerifier(
                fixture.service, settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            server.use { LinkInspection($0, on: fixture.site, at: $1) }
            _ = await server.turn()
            let asked = destinations.asked.withLock { $0.filter { $0.hasPrefix("HEAD") }.sorted() }
            #expect(asked == [one, one, one, other, other, other].map { "HEAD " + $0 })
        }
    }

    @Test func `a round passes over pages without active links`() async throws {
        let store = try FaultyStore(seed: 1)
        try await SiteFixture.verifying(ScriptedDestinations(), store: store) { fixture in
            for number in 0..<6 {
                let urls = #""urls": {"web": "https://a.example.com/ok/\#(number)"}"#
                _ = try await fixture.create(
                    #"{"slug": "s\#(number)", \#(urls), "disabled": \#(number % 3 != 2)}"#)
            }
            store.examining.withLock { $0 = 1 }
            var turns = 1
            while await fixture.site.background.verifier.turn(), turns < 10 { turns += 1 }
            store.examining.withLock { $0 = LinkListing.examinationLimit }
            #expect(try await fixture.verified("good") == ["s2", "s5"])
        }
    }

    @Test func `a server that lost the lock shows no states`() async throws {
        let store = try FaultyStore(seed: 1)
        try await SiteFixture.verifying(ScriptedDestinations(), hostInterval: Self.minute, store: store) { fixture in
            for slug in ["a", "b"] {
                _ = try await fixture.create(
                    #"{"slug": "\#(slug)", "urls": {"web": "https://slow.example.com/ok/\#(slug)"}}"#)
            }
            func figures() async -> (links: [VerificationState: Int], lag: Int) {
                _ = await fixture.site.background.verifier.turn()
                let metrics = fixture.site.background.verifier.metrics
                return (metrics.counts.withLock(\.links), metrics.lag.load(ordering: .relaxed))
            }
            #expect(await figures() == ([.good: 1], 0))
            // The other link waits for its host: the round goes on.
            fixture.clock.advance(seconds: 2 * 86_400)
            #expect(await figures() == ([.good: 2], 86_400))
            store.holdsVerification.withLock { $0 = false }
            #expect(await figures() == ([:], 0))
            store.holdsVerification.withLock { $0 = true }
            #expect(await figures() == ([.good: 2], 0))
        }
    }
}

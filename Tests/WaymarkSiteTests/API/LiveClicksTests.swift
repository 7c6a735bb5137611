import Testing
import WaymarkJSON
import WaymarkService
import WaymarkStores

@testable import WaymarkSite

/// `GET /api/v1/clicks/live`.
@Suite struct LiveClicksTests {
    private static let iPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1"

    private func source(_ fixture: SiteFixture, for key: KeyIdentity) throws -> LiveClicksSource {
        let watch = try #require(fixture.service.liveClicks.watch())
        return LiveClicksSource(watch, for: key, fixture.service.keys)
    }

    private func text(_ source: LiveClicksSource) async -> String? {
        await source.next().map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func sendsTheClicksOfEachSecondByLink() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let live = fixture.service.liveClicks
            let all = try source(
                fixture, for: KeyIdentity(id: KeyIdentity.environmentID, name: "", application: nil, scopes: [.admin]))
            #expect(await text(all) == "retry: 3000\n\n")
            _ = try await fixture.create(
                #"{"app": "shop", "slug": "sale", "urls": {"web": "https://shop.example.com/"}}"#)
            for agent in [Self.iPhone, Self.iPhone, "Googlebot/2.1 (+http://www.google.com/bot.html)"] {
                _ = try await fixture.visit("/sale", as: agent)
            }
            await live.endSecond()
            #expect(
                await text(all)
                    == "data: {\"at\":\"2026-11-21T10:00:00Z\",\"links\":[{\"domain\":\"go.example.com\",\"slug\":\"sale\",\"people\":2,\"bots\":1}]}\n\n"
            )
            // Seconds without clicks are silent, up to a comment.
            for _ in 0..<15 { await live.endSecond() }
            #expect(await text(all) == ":\n\n")
            all.cancel()
            #expect(await text(all) == nil)
        }
    }

    @Test func showsAKeyItsApplicationUntilItIsRevoked() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop]) { fixture in
            let made = try await fixture.call(
                "POST", "/api/v1/keys", #"{"name": "Ana", "scopes": ["read"], "app": "shop"}"#)
            let key = try #require(
                made.json["key"]?.string.flatMap { fixture.service.keys.authenticate(Array($0.utf8)) })
            let source = try source(fixture, for: key)
            _ = await source.next()
            _ = try await fixture.call("DELETE", "/api/v1/keys/\(key.id)")
            await fixture.service.liveClicks.endSecond()
            #expect(await source.next() == nil)
        }
    }

    @Test func limitsWatchers() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            var watches = (0..<LiveClicks.watcherLimit).compactMap { _ in fixture.service.liveClicks.watch() }
            #expect(watches.count == LiveClicks.watcherLimit)
            let refused = try await fixture.call("GET", "/api/v1/clicks/live")
            #expect(refused.status == 429)
            watches.removeLast().cancel()
            let accepted = try await fixture.call("GET", "/api/v1/clicks/live")
            #expect(accepted.status == 200)
        }
    }

    @Test func needsTheScopeRead() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let made = try await fixture.call("POST", "/api/v1/keys", #"{"name": "Ana", "scopes": ["resolve"]}"#)
            let key = try #require(made.json["key"]?.string)
            #expect(try await fixture.call("GET", "/api/v1/clicks/live", key: key).status == 403)
        }
    }
}

import Synchronization
import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkSQLite
import WaymarkService
import WaymarkStores

@testable import WaymarkSite

/// `GET /api/v1/clicks/live`.
@Suite struct LiveClicksTests {
    private static let iPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1"

    private static let admin = KeyIdentity(
        id: KeyIdentity.environmentID, name: "", Grant(application: nil, scopes: [.admin]))

    private func source(_ fixture: SiteFixture, for key: KeyIdentity = admin) throws -> LiveClicksSource {
        let watch = try #require(fixture.service.liveClicks.watch(key.reach(ofOneOf: [.read]) ?? .nothing, for: key))
        return LiveClicksSource(watch, for: key, fixture.service.keys)
    }

    private func text(_ source: LiveClicksSource) async -> String? {
        await source.next().map { String(decoding: $0, as: UTF8.self) }
    }

    /// The next event, for which so many seconds end as it takes.
    private func text(_ source: LiveClicksSource, ending live: LiveClicks) async -> String? {
        let isThere = Atomic<Bool>(false)
        async let text = {
            defer { isThere.store(true, ordering: .relaxed) }
            return await self.text(source)
        }()
        while !isThere.load(ordering: .relaxed) {
            await live.endSecond()
            await Task.yield()
        }
        return await text
    }

    @Test(arguments: ["full", "countOnly"])
    func sendsTheClicksOfEachSecondByLink(detail: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let live = fixture.service.liveClicks
            let all = try source(fixture)
            #expect(await text(all) == "retry: 3000\n\n")
            _ = try await fixture.create(
                #"{"app": "shop", "slug": "sale", "urls": {"web": "https://shop.example.com/"}, "clickDetail": "\#(detail)"}"#
            )
            for agent in [Self.iPhone, Self.iPhone, "Googlebot/2.1 (+http://www.google.com/bot.html)"] {
                _ = try await fixture.visit("/sale", as: agent)
            }
            await live.endSecond()
            #expect(
                await text(all)
                    == "data: {\"at\":\"2026-11-21T10:00:00Z\",\"links\":[{\"domain\":\"go.example.com\",\"slug\":\"sale\",\"people\":2,\"bots\":1}]}\n\n"
            )
            // Seconds without clicks are silent, up to a comment.
            #expect(await text(all, ending: live) == ":\n\n")
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
            let live = fixture.service.liveClicks
            var own = (0..<LiveClicks.keyLimit).compactMap { _ in live.watch(.all, for: Self.admin) }
            #expect(own.count == LiveClicks.keyLimit)
            func status(_ key: String = SiteFixture.adminKey) async throws -> Int {
                try await fixture.call("GET", "/api/v1/clicks/live", key: key).status
            }
            #expect(try await status() == 429)
            let other = try await fixture.key(["read"])
            own.removeLast().cancel()
            #expect(try await status() == 200)
            own.append(try #require(live.watch(.all, for: Self.admin)))
            let others = (LiveClicks.keyLimit..<LiveClicks.watcherLimit).compactMap { number in
                live.watch(.all, for: KeyIdentity(id: "\(number)", name: "", Grant(application: nil, scopes: [.read])))
            }
            #expect(try await status(other) == 429)
            for watch in others { watch.cancel() }
            #expect(try await status(other) == 200)
        }
    }

    @Test func endsWithItsSession() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let keys = fixture.service.keys
            let admin = try #require(try await keys.identity(Array(SiteFixture.adminKey.utf8)))
            let (secret, _) = try await keys.signIn(admin)
            let text = Array(secret.text.utf8)
            let source = try source(fixture, for: try #require(keys.session(text)).key)
            _ = await source.next()
            try await keys.signOut(text)
            await fixture.service.liveClicks.endSecond()
            #expect(await source.next() == nil)
        }
    }

    @Test func aLoudApplicationHidesNoOther() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            let application = try #require(ApplicationID("news"))
            let made = try await fixture.call(
                "POST", "/api/v1/keys", #"{"name": "Ana", "scopes": ["read"], "app": "news"}"#)
            let key = try #require(
                made.json["key"]?.string.flatMap { fixture.service.keys.authenticate(Array($0.utf8)) })
            let quiet = try source(fixture, for: key)
            _ = await quiet.next()
            _ = try await fixture.create(
                #"{"app": "news", "slug": "quiet", "urls": {"web": "https://news.example.com/"}}"#)
            // Each may create 300 at once.
            let keys = [try await fixture.key(["links"]), try await fixture.key(["links"])]
            for number in 0...LiveClicks.linkLimit {
                _ = try await fixture.create(
                    #"{"app": "shop", "slug": "s\#(number)", "urls": {"web": "https://shop.example.com/"}}"#,
                    key: keys[number % 2])
                for _ in 0..<2 { _ = try await fixture.visit("/s\(number)", as: Self.iPhone) }
            }
            let host = try #require(fixture.service.applications.directory.current.application(application))
                .linkDomains[0].text
            _ = try await fixture.visit("/quiet", as: Self.iPhone, host: host)
            await fixture.service.liveClicks.endSecond()
            let event = try #require(await text(quiet))
            #expect(event.contains(#""slug":"quiet""#) && !event.contains(#""slug":"s"#), "\(event)")
        }
    }

    @Test func showsTheClicksOfOtherServers() async throws {
        let shared = try SQLiteLinkStore(path: ":memory:")
        let (one, other) = (try FaultyStore(seed: 1, shared), try FaultyStore(seed: 2, shared))
        try await SiteFixture.run(.inProcess, store: one) { first in
            try await SiteFixture.run(.inProcess, applications: [], store: other) { second in
                func messages(of store: FaultyStore) async -> [String] {
                    while true {
                        let messages = store.takeMessages()
                        if !messages.isEmpty { return messages }
                        await Task.yield()
                    }
                }
                let (here, there) = (first.service.liveClicks, second.service.liveClicks)
                for slug in ["own", "sale", "late"] {
                    _ = try await first.create(
                        #"{"app": "shop", "slug": "\#(slug)", "urls": {"web": "https://shop.example.com/"}}"#)
                }
                // While nobody watches, nothing is sent.
                _ = try await second.visit("/sale", as: Self.iPhone)
                await there.endSecond()
                #expect(other.takeMessages() == [])
                let all = try source(first)
                _ = await all.next()
                for message in await messages(of: one) { there.receive(message) }
                // A server leaves messages out while its last ones are on their way.
                var seen: Set<String> = []
                for _ in 0..<1_000 where seen.count < 2 {
                    _ = try await second.visit("/sale", as: Self.iPhone)
                    _ = try await first.visit("/own", as: Self.iPhone)
                    await there.endSecond()
                    for message in other.takeMessages() { here.receive(message) }
                    for message in one.takeMessages() { there.receive(message) }
                    guard let event = await text(all, ending: here), event.hasPrefix("data: ") else { continue }
                    let data = try JSONValue(parsing: Array(event.dropFirst("data: ".count).utf8))
                    for link in data["links"]?.array ?? [] where link["people"]?.integer ?? 0 > 0 {
                        seen.insert(link["slug"]?.string ?? "")
                    }
                }
                #expect(seen == ["own", "sale"])
                all.cancel()
                // What was watched elsewhere is forgotten. The last messages may still be on their way.
                for _ in 0..<12 { await there.endSecond() }
                _ = try await second.visit("/late", as: Self.iPhone)
                await there.endSecond()
                #expect(!other.takeMessages().contains { $0.contains("\n3 ") })
            }
        }
    }

    @Test(arguments: ["", "clicks-watch", "clicks-watch * *  a/b", "clicks-counted\n1 2\nx y z\n1 -1 0\n\n9", "other"])
    func ignoresMessagesThatItCanNotRead(message: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let all = try source(fixture)
            _ = await all.next()
            fixture.service.liveClicks.receive(message)
            #expect(await text(all, ending: fixture.service.liveClicks) == ":\n\n")
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

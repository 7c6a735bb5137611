import FoundationEssentials
import Synchronization
import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkSQLite
import WaymarkService
import WaymarkStores
import WaymarkTestSupport

@testable import WaymarkSite

/// Who fetched association files, and until when devices may have an earlier version.
@Suite struct AssociationObserverTests {
    static let apple = "/.well-known/apple-app-site-association"
    static let android = "/.well-known/assetlinks.json"
    static let appleBot = "AASA-Bot/1.0.0"
    static let googleBot = "GoogleAssociationService"
    /// 2026-11-21T10:00:00Z, when the clock of a fixture starts.
    static let start = "2026-11-21T10:00:00Z"

    static func file(
        _ name: String, _ fixture: SiteFixture, domain: String = "go.example.com"
    ) async throws -> JSONValue {
        let list = try await fixture.call("GET", "/api/v1/domains")
        try #require(list.status == 200, "\(list.text)")
        let entry = list.json["domains"]?.array?.first { $0["domain"]?.string == domain }
        return try #require(entry?["association"]?[name])
    }

    private static func rename(_ fixture: SiteFixture, to name: String) async throws {
        let renamed = SiteFixture.shop.replacing("ABCDE12345.com.example.shop", with: "ABCDE12345.com.example.\(name)")
        #expect(try await fixture.call("PUT", "/api/v1/apps/shop", renamed).status == 200)
    }

    @Test(arguments: TestDatabase.installed) func `fetches by Apple and Google are listed`(
        database: TestDatabase
    ) async throws {
        try await database.withStore { store in
            try await SiteFixture.run(.socket, store: store) { fixture in
                let before = try await Self.file("apple-app-site-association", fixture)
                #expect(before["fetches"] == ["apple": .null, "google": .null])
                #expect(before["since"] == .null && before["devicesMayHoldOldUntil"] == .null)
                #expect(before["pending"] == false)
                let answer = try await fixture.visit(Self.apple, as: Self.appleBot)
                #expect(before["etag"]?.string == answer[header: "ETag"])
                fixture.clock.advance(seconds: 60)
                let compressed = try await fixture.visit(
                    Self.android, as: Self.googleBot, headers: [("Accept-Encoding", "gzip")])
                #expect(compressed.status == 200)
                // The second one comes from no cache either.
                fixture.clock.advance(seconds: 60)
                #expect(try await fixture.visit(Self.apple, as: Self.appleBot).status == 200)
                let apple = try await Self.file("apple-app-site-association", fixture)
                #expect(
                    apple["fetches"]?["apple"]
                        == ["last": "2026-11-21T10:02:00Z", "status": 200, "etag": apple["etag"] ?? ""])
                #expect(apple["fetches"]?["google"] == .null)
                let google = try await Self.file("assetlinks.json", fixture)
                #expect(
                    google["fetches"]?["google"]
                        == ["last": "2026-11-21T10:01:00Z", "status": 200, "etag": google["etag"] ?? ""])
            }
        }
    }

    @Test(arguments: [
        ("AASA-Bot/1.0.0", AssociationFetcher.apple), ("aasa-bot", .apple), ("x AASA-Bot", .apple),
        ("GoogleAssociationService", .google), ("Mozilla/5.0 (compatible; GoogleAssociationService)", .google),
        ("AASA-Bots/1.0", nil), ("XAASA-Bot", nil), ("AASA-Bot-2", nil), ("AASA", nil), ("", nil),
        ("Googlebot/2.1", nil),
        ("GoogleAssociationService2", nil), (String(repeating: "AASA-Bo ", count: 500), nil),
    ]) func `a whole token names the fetcher`(userAgent: String, fetcher: AssociationFetcher?) {
        #expect(AssociationFetcher(userAgent: Array(userAgent.utf8).span) == fetcher)
    }

    @Test func `a fetch by a browser is not recorded`() async throws {
        try await SiteFixture.run(.inProcess) { (fixture: SiteFixture) async throws in
            for _ in 0..<3 { #expect(try await fixture.visit(Self.apple).status == 200) }
            #expect(try await fixture.visit(Self.apple, as: Self.appleBot, method: "HEAD").status == 200)
            #expect(
                try await Self.file("apple-app-site-association", fixture)["fetches"]
                    == ["apple": .null, "google": .null])
        }
    }

    @Test func `only hosts of applications are recorded`() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop, #"{"id": "all", "domains": []}"#]) {
            fixture in
            for number in 0..<50 {
                _ = try await fixture.visit(Self.apple, as: Self.appleBot, host: "h\(number).example.net")
            }
            await fixture.site.observer.settle()
            #expect(try await fixture.service.associationFiles.associationFetches().isEmpty)
            #expect(fixture.site.observer.counts.isEmpty)
        }
    }

    @Test func `a missing file is recorded as such`() async throws {
        let bare = #"{"id": "shop", "domains": ["go.example.com"]}"#
        try await SiteFixture.run(.inProcess, applications: [bare]) { fixture in
            #expect(try await fixture.visit(Self.apple, as: Self.appleBot).status == 404)
            let file = try await Self.file("apple-app-site-association", fixture)
            #expect(file["etag"] == .null)
            #expect(file["fetches"]?["apple"] == ["last": JSONValue(Self.start), "status": 404, "etag": .null])
            #expect(try await fixture.call("PUT", "/api/v1/apps/shop", SiteFixture.shop).status == 200)
            let added = try await Self.file("apple-app-site-association", fixture)
            #expect(added["etag"] != .null && added["since"]?.string == Self.start && added["pending"] == true)
        }
    }

    @Test(arguments: TestDatabase.installed) func `a change says when devices will have it`(
        database: TestDatabase
    ) async throws {
        try await database.withStore { store in
            try await SiteFixture.run(.inProcess, store: store) { fixture in
                func seen() async throws -> [JSONValue?] {
                    let file = try await Self.file("apple-app-site-association", fixture)
                    return [file["since"], file["pending"], file["devicesMayHoldOldUntil"]]
                }
                #expect(try await seen() == [.null, false, .null])
                _ = try await fixture.visit(Self.apple, as: Self.appleBot)
                try await Self.rename(fixture, to: "new")
                let since = JSONValue(Self.start)
                #expect(try await seen() == [since, true, "2026-11-29T10:00:00Z"])
                // Apple has not fetched it after a day: the time moves on.
                fixture.clock.advance(seconds: 36 * 3_600)
                #expect(try await seen() == [since, true, "2026-11-29T22:00:00Z"])
                _ = try await fixture.visit(Self.apple, as: Self.appleBot)
                #expect(try await seen() == [since, false, "2026-11-29T22:00:00Z"])
                fixture.clock.advance(seconds: 6 * 86_400)
                _ = try await fixture.visit(Self.apple, as: Self.appleBot)
                #expect(try await seen() == [since, false, "2026-11-29T22:00:00Z"])
                fixture.clock.advance(seconds: 86_400)
                #expect(try await seen() == [since, false, .null])
            }
        }
    }

    @Test(arguments: TestDatabase.installed) func `observations outlast a restart`(
        database: TestDatabase
    ) async throws {
        try await database.withStore { store in
            try await SiteFixture.run(.inProcess, store: store) { fixture in
                await fixture.site.observer.settle()
                try await Self.rename(fixture, to: "new")
                await fixture.site.observer.settle()
                _ = try await fixture.visit(Self.apple, as: Self.appleBot)
                await fixture.site.endObserving()
            }
            try await SiteFixture.run(.inProcess, applications: [], store: store) { fixture in
                let file = try await Self.file("apple-app-site-association", fixture)
                #expect(file["since"]?.string == Self.start)
                #expect(
                    file["fetches"]?["apple"]
                        == ["last": JSONValue(Self.start), "status": 200, "etag": file["etag"] ?? ""])
                #expect(file["devicesMayHoldOldUntil"] == "2026-11-28T10:00:00Z")
            }
        }
    }

    @Test func `a file changed between starts is noticed`() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteLinkStore(path: ":memory:")
        var options = SiteFixture.options()
        options.publicFolder = folder.url.path
        try await SiteFixture.run(.inProcess, options: options, store: store) { fixture in
            await fixture.site.observer.settle()
        }
        let content = #"{"applinks": {"details": []}}"#
        try Data(content.utf8).write(to: folder.url.appendingPathComponent("apple-app-site-association"))
        try await SiteFixture.run(.inProcess, applications: [], options: options, store: store) { fixture in
            let file = try await Self.file("apple-app-site-association", fixture)
            #expect(file["since"]?.string == Self.start && file["pending"] == true)
            let answer = try await fixture.visit(Self.apple)
            #expect(file["etag"]?.string == answer[header: "ETag"])
            #expect(try await Self.file("assetlinks.json", fixture)["since"] == .null)
        }
    }

    @Test(arguments: TestDatabase.installed) func `two servers agree on the last fetch`(
        database: TestDatabase
    ) async throws {
        try await database.withStore { store in
            try await SiteFixture.run(.socket, store: store) { one in
                try await SiteFixture.run(.socket, applications: [], store: store) { other in
                    _ = try await Self.file("apple-app-site-association", one)
                    _ = try await one.visit(Self.apple, as: Self.appleBot)
                    other.clock.advance(seconds: 5)
                    _ = try await other.visit(Self.apple, as: Self.appleBot)
                    // The later one is written first.
                    for fixture in [other, one, other] { await fixture.site.observer.settle() }
                    for fixture in [one, other] {
                        let fetch = try await Self.file("apple-app-site-association", fixture)["fetches"]?["apple"]
                        #expect(fetch?["last"] == "2026-11-21T10:00:05Z")
                    }
                }
            }
        }
    }

    @Test func `fetches wait for a store that is away`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let store = AwayStore(fixture.service.associationFiles)
            let site = fixture.site
            let observer = AssociationObserver(
                store, fixture.service.applications.directory, site.overrides, fixture.service.dependencies,
                logger: site.logger)
            let host = try #require(HostName("go.example.com"))
            observer.note(.apple, of: host, by: .apple, status: 200, tag: "a")
            let seen = try #require(await observer.observations(of: [host])[AssociationFileKey(host, .apple)])
            #expect(seen.fetches[.apple]?.tag == "a" && seen.tag != nil)
            fixture.clock.advance(seconds: 9)
            observer.note(.apple, of: host, by: .apple, status: 200, tag: "a")
            store.isAway.store(false, ordering: .sequentiallyConsistent)
            await observer.settle()
            let fetches = try await fixture.service.associationFiles.associationFetches()
            #expect(fetches.count == 1)
            #expect(fetches.first?.at == fixture.clock.now)
            #expect(fetches.first?.firstAt == fixture.clock.now.advanced(byMilliseconds: -9_000))
        }
    }

    @Test func `metrics count fetches and overdue files`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            await fixture.site.observer.settle()
            _ = try await fixture.visit(Self.apple, as: Self.appleBot)
            try await Self.rename(fixture, to: "new")
            await fixture.site.observer.settle()
            #expect(fixture.site.observer.overdue == 0)
            fixture.clock.advance(seconds: 90_000)
            let text = try await fixture.visit("/metrics").text
            for line in [
                #"waymark_association_fetches_total{fetcher="apple",status="200"} 1"#,
                #"waymark_association_last_fetch_age_seconds{fetcher="apple"} 90000"#,
                "waymark_association_overdue_files 1",
            ] {
                #expect(text.contains("\n\(line)\n"), "\(line)")
            }
            _ = try await fixture.visit(Self.apple, as: Self.appleBot)
            #expect(fixture.site.observer.overdue == 0)
        }
    }
}

private final class AwayStore: AssociationFileStore {
    let isAway = Atomic(true)
    private let inner: any AssociationFileStore

    init(_ inner: any AssociationFileStore) { self.inner = inner }

    private func tryIt() throws(StoreError) {
        if isAway.load(ordering: .sequentiallyConsistent) { throw .unavailable("it is away") }
    }

    func associationVersions() async throws(StoreError) -> [AssociationVersion] {
        try tryIt()
        return try await inner.associationVersions()
    }

    func associationFetches() async throws(StoreError) -> [AssociationFetch] {
        try tryIt()
        return try await inner.associationFetches()
    }

    func record(_ versions: [AssociationVersion], _ fetches: [AssociationFetch]) async throws(StoreError) {
        try tryIt()
        try await inner.record(versions, fetches)
    }
}

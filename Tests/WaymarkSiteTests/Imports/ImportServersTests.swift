import Testing
import WaymarkAPI
import WaymarkJSON
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

@testable import WaymarkService
@testable import WaymarkSite

/// Imports as the servers of one database see them, and their end with what they were started with. Serialized, because each
/// waiting client blocks a thread that the site's tasks need.
@Suite(.serialized) struct ImportServersTests {
    private static let csv = [
        ("source", "csv"), ("app", "shop"), ("file;links.csv", "slug,urls.web\na,https://www.example.com/a\n"),
    ]
    private static let shlink =
        #"{"source": "shlink", "app": "shop", "credentials": {"apiKey": "k", "apiURL": "https://s.example.com"}}"#

    private func twoServers(_ test: (ImportFixture, ImportFixture) async throws -> Void) async throws {
        let store = try FaultyStore(seed: 1)
        try await ImportFixture.run(store: store) { one in
            try await ImportFixture.run(applications: [], store: store) { other in try await test(one, other) }
        }
    }

    @Test func everyServerAnswersForAnImport() async throws {
        try await twoServers { one, other in
            let path = try await one.start(Self.csv)
            let ended = try await one.end(path)
            #expect(ended["state"] == "finished", "\(ended)")
            #expect(try await other.fixture.call("GET", path).json == ended)
            #expect(try await other.fixture.call("GET", "/api/v1/imports").json["imports"] == [ended])
            let reports = [
                try await one.fixture.call("GET", path + "?format=csv").text,
                try await other.fixture.call("GET", path + "?format=csv").text,
            ]
            #expect(reports[0] == reports[1] && reports[0].contains("1,created,a,"))
        }
    }

    @Test func everyServerStopsAnImport() async throws {
        try await twoServers { one, other in
            let answer = try await one.fixture.call("POST", "/api/v1/imports", Self.shlink)
            let path = try #require(answer[header: "Location"])
            #expect(try await other.fixture.call("GET", path).json["state"] == "running")
            #expect(try await other.fixture.call("DELETE", path).status == 204)
            let ended = try await other.end(path)
            #expect(ended["state"] == "stopped" && ended["error"] == .null, "\(ended)")
        }
    }

    @Test func aServerThatStopsEndsItsImportsForAll() async throws {
        try await twoServers { one, other in
            let answer = try await one.fixture.call("POST", "/api/v1/imports", Self.shlink)
            await one.fixture.site.imports.stop()
            let ended = try await other.fixture.call("GET", try #require(answer[header: "Location"])).json
            #expect(ended["state"] == "failed", "\(ended)")
            #expect(ended["error"]?.string?.contains("send the same import again") == true, "\(ended)")
        }
    }

    /// An import whose server was killed.
    private func abandoned(_ fixture: SiteFixture) -> StoredImportRun {
        let response = ImportResponse(
            id: "imp_1", source: "csv", app: "shop", domain: nil, dryRun: false, state: .running, error: nil,
            createdAt: fixture.clock.now.rfc3339, endedAt: nil, counts: .init(rows: 7, created: 7), fileBytes: 9,
            fileBytesRead: 8, isReportComplete: true)
        return StoredImportRun(
            id: "imp_1", key: "environment", application: "shop", server: "killed", createdAt: fixture.clock.now,
            state: response.json)
    }

    @Test(arguments: [false, true]) func anImportOfAKilledServerFails(isShared: Bool) async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        try await ImportFixture.run(store: isShared ? FaultyStore(seed: 1, store) : store) { imports in
            let fixture = imports.fixture
            try await store.insert(abandoned(fixture))
            func read() async throws -> JSONValue { try await fixture.call("GET", "/api/v1/imports/imp_1").json }
            if isShared {
                // Its server may be another one that lives.
                #expect(try await read()["state"] == "running")
                fixture.clock.advance(seconds: Imports.lease / 1_000 + 1)
            }
            let ended = try await read()
            #expect(ended["state"] == "failed" && ended["counts"]?["created"] == 7, "\(ended)")
            #expect(ended["error"]?.string?.contains("after about 7 rows; send the same import again") == true)
            #expect(ended["endedAt"]?.string != nil)
            #expect(try await fixture.call("DELETE", "/api/v1/imports/imp_1").status == 204)
            #expect(try await read() == ended)
        }
    }

    @Test func endsAbandonedImportsWhenAServerStarts() async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        try await ImportFixture.run(store: store) { imports in
            try await store.insert(abandoned(imports.fixture))
            try await imports.fixture.site.imports.settle()
            #expect(try await store.importRun("imp_1")?.endedAt != nil)
        }
    }

    enum Permission: CaseIterable { case key, expiry, session, application }

    @Test(arguments: Permission.allCases) func endsWithWhatItWasStartedWith(permission: Permission) async throws {
        try await ImportFixture.run { imports in
            let fixture = imports.fixture
            let made = try await fixture.call(
                "POST", "/api/v1/keys",
                #"{"name": "a", "scopes": ["links"], "expiresAt": "2026-11-21T11:00:00Z"}"#)
            let key = try #require(made.json["key"]?.string)
            var headers: [(String, String)] = []
            if permission == .session {
                let session = try await fixture.call("POST", "/_/session", #"{"key": "\#(key)"}"#, key: nil)
                let cookie = try #require(session[header: "Set-Cookie"]).prefix { $0 != ";" }
                headers = [
                    ("Cookie", String(cookie)), ("X-Waymark-Dashboard", "1"), ("Sec-Fetch-Site", "same-origin"),
                ]
            }
            let body = String(Self.shlink.dropLast()) + #", "dryRun": true}"#
            let started = try await fixture.call(
                "POST", "/api/v1/imports", body, key: headers.isEmpty ? key : nil, headers: headers)
            try #require(started.status == 202, "\(started.text)")
            let word: String
            switch permission {
            case .key:
                word = "was revoked"
                let id = try #require(made.json["id"]?.string)
                #expect(try await fixture.call("DELETE", "/api/v1/keys/\(id)").status == 204)
            case .expiry:
                word = "has expired"
                fixture.clock.advance(seconds: 3_601)
            case .session:
                word = "session"
                #expect(
                    try await fixture.call("DELETE", "/_/session", key: nil, headers: headers).status == 204)
            case .application:
                word = "application was deleted"
                #expect(try await fixture.call("DELETE", "/api/v1/apps/shop").status == 204)
            }
            let ended = try await imports.end(try #require(started[header: "Location"]))
            #expect(ended["state"] == "failed" && ended["error"]?.string?.contains(word) == true, "\(ended)")
        }
    }

    @Test func administratorsSeeAndStopWhatTheyAdminister() async throws {
        try await ImportFixture.run { imports in
            let fixture = imports.fixture
            let own = try await fixture.key(["links"], app: "shop")
            let started = try await fixture.call("POST", "/api/v1/imports", Self.shlink, key: own)
            let path = try #require(started[header: "Location"])
            let readers = [
                SiteFixture.adminKey, own, try await fixture.key(["admin"]),
                try await fixture.key(["admin"], app: "shop"),
            ]
            for key in readers {
                #expect(try await fixture.call("GET", path, key: key).status == 200)
                let list = try await fixture.call("GET", "/api/v1/imports", key: key).json["imports"]?.array
                #expect(list?.count == 1)
            }
            let others = [
                try await fixture.key(["links"], app: "shop"), try await fixture.key(["links"]),
                try await fixture.key(["admin"], app: "news"),
            ]
            for key in others {
                for method in ["GET", "DELETE"] {
                    let answer = try await fixture.call(method, path, key: key)
                    #expect(answer.status == 404 && answer.problem == "resource-unknown")
                }
                #expect(try await fixture.call("GET", "/api/v1/imports", key: key).json["imports"] == [])
            }
            #expect(try await fixture.call("DELETE", path, key: readers[3]).status == 204)
            #expect(try await imports.end(path)["state"] == "stopped")
        }
    }

    @Test func anImportThatHangsDelaysNoOther() async throws {
        try await ImportFixture.run { imports in
            imports.service.hangs = true
            let path = try await imports.start([("source", "kutt"), ("app", "shop"), ("file;a", "[]")])
            let ended = try await imports.end(try await imports.start(Self.csv))
            #expect(ended["state"] == "finished", "\(ended)")
            #expect(try await imports.fixture.call("GET", path).json["state"] == "running")
        }
    }

    @Test func anApplicationLeavesPlacesForOthers() async throws {
        try await ImportFixture.run { imports in
            let fixture = imports.fixture
            let news = Self.shlink.replacing("shop", with: "news")
            func fill(_ body: String, _ app: String) async throws -> Int {
                for count in 0... {
                    // Each with a key of its own, which makes no difference.
                    let key = try await fixture.key(["links"], app: app)
                    let answer = try await fixture.call("POST", "/api/v1/imports", body, key: key)
                    if answer.status == 429 { return count }
                    try #require(answer.status == 202, "\(answer.text)")
                }
                return 0
            }
            #expect(try await fill(Self.shlink, "shop") == 4)
            #expect(try await fill(news, "news") == 2)
            let third = try await fixture.call("POST", "/api/v1/imports", Self.shlink)
            #expect(third.status == 202)
        }
    }

    @Test func limitsRowsAndTimeOfAService() async throws {
        for (rows, seconds, word) in [(1, 60, "more than 1 links"), (10, -1, "come to an end in time")] {
            try await ImportFixture.run { settings in
                (settings.rows, settings.serviceSeconds) = (rows, seconds)
            } test: { imports in
                imports.service.open()
                let answer = try await imports.fixture.call("POST", "/api/v1/imports", Self.shlink)
                let ended = try await imports.end(try #require(answer[header: "Location"]))
                #expect(ended["state"] == "failed", "\(ended)")
                #expect(ended["error"]?.string?.contains(word) == true, "\(ended)")
            }
        }
    }

    @Test func sendsAReportOfSeveralPieces() async throws {
        try await ImportFixture.run { imports in
            let slug = String(repeating: "x", count: 60)
            let rows = (1...12_000).map { "\(slug) \($0),u\n" }.joined()
            let path = try await imports.start([
                ("source", "csv"), ("app", "shop"), ("dryRun", "true"), ("file;a", "slug,urls.web\n" + rows),
            ])
            _ = try await imports.end(path)
            let report = try await imports.fixture.call("GET", path + "?format=csv").text
            #expect(report.utf8.count > ImportReportQueue.pieceLimit)
            let lines = report.split(separator: "\n")
            #expect(lines.count == 12_001 && lines[12_000].hasPrefix("12000,refused,\(slug) 12000,"))
            #expect(imports.files.isEmpty)
        }
    }
}

/// How long imports stay readable.
@Suite struct ImportRetentionTests {
    private func run(_ number: Int, _ app: String = "shop", bytes: Int = 0, endedAt: Int64? = 0) -> StoredImportRun {
        var run = StoredImportRun(
            id: "\(number)", key: "k", application: app, server: "s", createdAt: Timestamp(rawValue: 0), state: [])
        run.reportBytes = bytes
        run.endedAt = endedAt.map { Timestamp(rawValue: $0) }
        return run
    }

    private func surplus(_ runs: [StoredImportRun], at now: Int64 = 0) -> [String] {
        ImportRetention.surplus(runs, at: Timestamp(rawValue: now))
    }

    @Test func keepsTheLastOnesOfEachApplication() {
        let loud = (0..<60).map { run($0) }
        #expect(surplus(loud + [run(100, "news")]) == (50..<60).map { "\($0)" })
        #expect(surplus([run(1, bytes: 100 << 20), run(2, bytes: 30 << 20), run(3, bytes: 1)]) == ["2"])
        let many = (0..<25).flatMap { app in (0..<45).map { run(app * 100 + $0, "app\(app)") } }
        #expect(surplus(many).count == 125)
    }

    @Test func forgetsOldOnesButNoneThatRuns() {
        let later = ImportRetention.days * 24 * 60 * 60 * 1_000 + 1
        #expect(surplus([run(1, endedAt: nil), run(2), run(3, endedAt: 1)], at: later) == ["2"])
    }
}

import Testing
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkSockets
import WaymarkStores

@testable import WaymarkService
@testable import WaymarkSite

/// `GET /api/v1/audit`, and what sign-ins and imports leave there.
@Suite struct AuditTests {
    private static let marks = [("X-Waymark-Dashboard", "1"), ("Sec-Fetch-Site", "same-origin")]

    private func entries(_ fixture: SiteFixture, _ query: String = "", key: String? = SiteFixture.adminKey) async throws
        -> [JSONValue]
    {
        let answer = try await fixture.call("GET", "/api/v1/audit?limit=200&\(query)", key: key)
        try #require(answer.status == 200, "\(answer.text)")
        return try #require(answer.json["entries"]?.array)
    }

    @Test func `pages and lines have the same entries`() async throws {
        try await SiteFixture.run(.socket) { fixture in
            for number in 0..<25 {
                _ = try await fixture.create(#"{"slug": "s\#(number)", "urls": {"web": "https://a.example/"}}"#)
                if number % 10 == 0 { fixture.clock.advance(seconds: 1) }
            }
            var paged: [JSONValue] = []
            var cursor = ""
            repeat {
                let page = try await fixture.call("GET", "/api/v1/audit?limit=10&cursor=\(cursor)")
                paged += page.json["entries"]?.array ?? []
                cursor = page.json["cursor"]?.string ?? ""
                // A newer entry moves no page.
                if paged.count == 10 { _ = try await fixture.key(["read"]) }
            } while !cursor.isEmpty
            let slugs = (0..<25).reversed().map { "go.example.com/s\($0)" }
            #expect(paged.compactMap { $0["object"]?["id"]?.string } == slugs)
            let lines = try await fixture.call("GET", "/api/v1/audit?action=link.*&format=jsonl")
            #expect(lines[header: "Content-Type"] == "application/jsonl")
            let texts = lines.text.split(separator: "\n").map(String.init)
            #expect(try texts.map { try JSONValue(parsing: $0) } == paged)
        }
    }

    @Test(arguments: [
        ("limit=0", ["limit"]), ("cursor=a", ["cursor"]), ("action=link", ["action"]), ("action=x.*", ["action"]),
        ("from=soon&to=2026-11-32", ["from", "to"]), ("from=2026-11-21T10:00:00Z&to=2026-11-20", ["from"]),
        ("format=csv", ["format"]), ("key=%00&person=../a", ["key", "person"]), ("key=a&key=b", ["key"]),
        ("app=shop", ["app"]),
    ])
    func `a query that says nothing is refused`(query: String, fields: [String]) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("GET", "/api/v1/audit?\(query)")
            #expect(answer.status == 422 && answer.fields == fields, "\(answer.text)")
        }
    }

    @Test func `filters find what they name`() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            _ = try await fixture.create(#"{"app": "shop", "slug": "a", "urls": {"web": "https://a.example/"}}"#)
            let key = try await fixture.call("POST", "/api/v1/keys", #"{"name": "CI", "scopes": ["links"]}"#)
            let (id, text) = (try #require(key.json["id"]?.string), try #require(key.json["key"]?.string))
            fixture.clock.advance(seconds: 86_400)
            _ = try await fixture.create(
                #"{"app": "news", "slug": "b", "urls": {"web": "https://a.example/"}}"#, key: text)
            #expect(try await entries(fixture, "key=\(id)").map { $0["object"]?["id"] } == ["news.example.com/b"])
            #expect(try await entries(fixture, "key=environment").count == 2)
            #expect(try await entries(fixture, "action=key.created").count == 1)
            #expect(try await entries(fixture, "action=link.*").count == 2)
            #expect(try await entries(fixture, "from=2026-11-22").count == 1)
            #expect(try await entries(fixture, "to=2026-11-21").count == 2)
            #expect(try await entries(fixture, "to=2026-11-21&key=\(id)").isEmpty)
        }
    }

    @Test func `an application's administrator reads its entries only`() async throws {
        try await SiteFixture.run(.socket, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            let shop = try await fixture.key(["admin"], app: "shop")
            for app in ["shop", "news"] {
                _ = try await fixture.create(#"{"app": "\#(app)", "urls": {"web": "https://a.example/"}}"#)
            }
            _ = try await fixture.key(["read"])
            let seen = try await entries(fixture, key: shop)
            #expect(seen.map { $0["action"] } == ["link.created", "key.created"])
            #expect(seen.allSatisfy { $0["app"] == "shop" })
            let lines = try await fixture.call("GET", "/api/v1/audit?format=jsonl", key: shop)
            #expect(lines.text.split(separator: "\n").count == 2)
            let reader = try await fixture.key(["links"])
            #expect(try await fixture.call("GET", "/api/v1/audit", key: reader).status == 403)
        }
    }

    @Test func `a person's session says who acts`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let made = try await fixture.call(
                "POST", "/api/v1/people", #"{"name": "Ana", "memberships": [{"app": null, "role": "admin"}]}"#)
            let id = try #require(made.json["id"]?.string)
            guard case .started(let secret, _) = try await fixture.service.keys.signIn(id) else {
                Issue.record("the person can't sign in")
                return
            }
            let session = [("Cookie", "waymark=\(secret.text)")] + Self.marks
            let key = try await fixture.call(
                "POST", "/api/v1/keys", #"{"name": "Ana's", "scopes": ["links"]}"#, key: nil, headers: session)
            let own = try #require(key.json["key"]?.string)
            _ = try await fixture.create(SiteFixture.plain, key: own)
            let found = try await entries(fixture, "person=\(id)")
            #expect(found.map { $0["action"] } == ["link.created", "key.created"])
            #expect(found.allSatisfy { $0["by"]?["person"] == JSONValue(["id": JSONValue(id), "name": "Ana"]) })
            #expect(found[0]["by"]?["via"] == "key" && found[0]["by"]?["key"]?["name"] == "Ana's")
            #expect(found[1]["by"]?["via"] == "session" && found[1]["by"]?["key"]?.isNull == true)
        }
    }

    @Test func `refused sign-ins have entries up to a limit`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let wrong = "wm_0000000000000000000000000000000000000000000"
            for _ in 0..<20 {
                let answer = try await fixture.call("POST", "/_/session", #"{"key": "\#(wrong)"}"#, key: nil)
                #expect(answer.status == 401)
            }
            #expect(try await fixture.call("POST", "/_/session", #"{"proxy": true}"#, key: nil).status == 403)
            let first = try await entries(fixture, "action=session.refused")
            #expect(first.count == RefusedSignIns.subscriberLimit)
            #expect(first.allSatisfy { $0["after"]?["reason"] != nil && $0["address"] == "loopback" })
            #expect(first.allSatisfy { $0["by"]?["key"]?.isNull == true && $0["app"]?.isNull == true })
            fixture.clock.advance(seconds: 60)
            await fixture.service.refusedSignIns.settle()
            let all = try await entries(fixture, "action=session.refused")
            #expect(all.count == RefusedSignIns.subscriberLimit + 1)
            #expect(all.first?["after"] == ["further": 16])
            #expect(!all.map { $0.text() }.joined().contains(wrong))
        }
    }

    @Test func `an import has an entry for its start and its end`() async throws {
        try await ImportFixture.run { imports in
            let answer = try await imports.upload([
                ("source", "csv"), ("app", "shop"),
                ("file;links.csv", "slug,urls.web\na,https://www.example.com/a\nb,https://www.example.com/b\n"),
            ])
            try #require(answer.status == 202, "\(answer.text)")
            _ = try await imports.end(try #require(answer[header: "Location"]))
            let found = try await entries(imports.fixture)
            #expect(found.map { $0["action"] } == ["import.ended", "import.started"])
            #expect(found.allSatisfy { $0["object"]?["id"] == answer.json["id"] && $0["app"] == "shop" })
            #expect(found.allSatisfy { $0["by"]?["key"]?["id"] == "environment" })
            #expect(found.first?["after"]?["counts"]?["created"] == 2, "\(found)")
        }
    }

    @Test func `old entries are deleted`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(SiteFixture.plain)
            await fixture.service.purge()
            #expect(try await entries(fixture).count == 1)
            let now = fixture.clock.now
            #expect(try await fixture.service.audit.purgeAudit(before: now, limit: 9) == 0)
            #expect(try await fixture.service.audit.purgeAudit(before: now.advanced(byMilliseconds: 1), limit: 9) == 1)
        }
    }
}

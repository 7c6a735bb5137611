import Testing
import WaymarkHTTP
import WaymarkJSON

@testable import WaymarkSite

/// `managedBy` of links and applications, and the lock of those who apply files of links.
@Suite struct ManagedLinkTests {
    private static let lock = "/api/v1/links:lock"

    @Test(arguments: TestDatabase.installed)
    func `managedBy is stored, listed and cleared`(database: TestDatabase) async throws {
        try await database.withStore { store in
            try await SiteFixture.run(.inProcess, store: store) { fixture in
                for (slug, owner) in [("a", "\"one\""), ("b", "\"two\""), ("c", "null")] {
                    let link = try await fixture.create(
                        #"{"slug": "\#(slug)", "managedBy": \#(owner), "urls": {"web": "https://a.example"}}"#)
                    #expect(link["managedBy"] == (try JSONValue(parsing: owner)))
                }
                for (query, slugs) in [("one", ["a"]), ("two", ["b"]), ("on", []), ("", ["a", "b", "c"])] {
                    #expect(try await fixture.slugs("sort=createdAt&managedBy=\(query)") == slugs, "\(query)")
                }
                let cleared = try await fixture.call(
                    "PATCH", "/api/v1/links:batch", #"{"select": {"managedBy": "two"}, "patch": {"managedBy": null}}"#)
                #expect(cleared.json["changed"]?.integer == 1, "\(cleared.text)")
                let history = try await fixture.call("GET", "/api/v1/links/go.example.com/b/history")
                #expect(history.json["changes"]?.array?.first?["fields"] == ["managedBy"])
            }
        }
    }

    @Test func `managedBy of an application is shown to readers`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let reader = try await fixture.key(["read"])
            for manager in ["\"links\"", "null"] {
                let body = "{\"domains\": [\"news.example.com\"], \"managedBy\": \(manager)}"
                #expect(try await fixture.call("PUT", "/api/v1/apps/news", body).status < 300)
                for key in [SiteFixture.adminKey, reader] {
                    let read = try await fixture.call("GET", "/api/v1/apps/news", key: key)
                    let shown = read.json["managedBy"] ?? .null
                    #expect(shown == (try JSONValue(parsing: manager)), "\(read.text)")
                }
            }
            for wrong in [String(repeating: "a", count: 101), "a\u{7}"] {
                let body = JSONValue(["managedBy": JSONValue(wrong)] as JSONObject).text()
                let refused = try await fixture.call("PUT", "/api/v1/apps/news", body)
                #expect(refused.status == 422 && refused.fields == ["managedBy"], "\(refused.text)")
            }
        }
    }

    @Test func `one holder at a time has the lock`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            func call(_ body: String) async throws -> JSONValue {
                let answer = try await fixture.call("POST", Self.lock, body)
                #expect(answer.status == 200, "\(answer.text)")
                return answer.json
            }
            let first = try await call(#"{"owner": "one"}"#)
            let token = try #require(first["token"]?.string)
            #expect(first["held"]?.bool == true && first["owner"] == "one")
            let second = try await call(#"{"owner": "two"}"#)
            #expect(second["held"]?.bool == false && second["token"]?.isNull == true && second["owner"] == "one")
            #expect(try await call(#"{"owner": "one", "token": "\#(token)"}"#)["held"]?.bool == true)
            #expect(try await call(#"{"owner": "two", "token": "x", "release": true}"#)["released"]?.bool == false)
            let versions = #""app": "shop", "versions": {"go.example.com/a": 3, "go.example.com/b": 1}"#
            #expect(try await call(#"{"owner": "one", "token": "\#(token)", \#(versions)}"#)["held"]?.bool == true)
            let freed = try await call(#"{"owner": "one", "token": "\#(token)", "release": true}"#)
            #expect(freed["released"]?.bool == true)

            // Its holder dies, and somebody else takes it.
            let lost = try #require(try await call(#"{"owner": "one"}"#)["token"]?.string)
            fixture.clock.advance(seconds: 21)
            #expect(try await call(#"{"owner": "two"}"#)["held"]?.bool == true)
            #expect(try await call(#"{"owner": "one", "token": "\#(lost)"}"#)["held"]?.bool == false)

            for (owner, kept) in [("one", ["go.example.com/a": 3] as JSONValue), ("two", [:])] {
                let read = try await fixture.call("GET", "\(Self.lock)?owner=\(owner)&app=shop")
                #expect(read.json["versions"] == kept, "\(read.text)")
            }
        }
    }

    @Test func `a bound key has the versions of its application`() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            let admin = try await fixture.key(["admin"], app: "news")
            let reader = try await fixture.key(["read"], app: "news")
            func keep(_ app: String, key: String) async throws -> TestAnswer {
                let taken = try await fixture.call("POST", Self.lock, #"{"owner": "one"}"#, key: key)
                guard let token = taken.json["token"]?.string else { return taken }
                let answer = try await fixture.call(
                    "POST", Self.lock,
                    #"{"owner": "one", "token": "\#(token)", "app": "\#(app)", "versions": {"d/\#(app)": 2}}"#, key: key
                )
                _ = try await fixture.call(
                    "POST", Self.lock, #"{"owner": "one", "token": "\#(token)", "release": true}"#, key: key)
                return answer
            }
            #expect(try await keep("shop", key: SiteFixture.adminKey).status == 200)
            #expect(try await keep("news", key: admin).status == 200)
            let refused = try await keep("shop", key: admin)
            #expect(refused.status == 422 && refused.fields == ["app"], "\(refused.text)")
            #expect(try await keep("news", key: reader).status == 403)
            for key in [admin, reader] {
                for (app, kept) in [("news", ["d/news": 2] as JSONValue), ("shop", [:])] {
                    let read = try await fixture.call("GET", "\(Self.lock)?owner=one&app=\(app)", key: key)
                    #expect(read.json["versions"] == kept, "\(read.text)")
                }
            }
            // The holder's name is for those who may see its links.
            _ = try await fixture.call("POST", Self.lock, #"{"owner": "secret"}"#)
            let busy = try await fixture.call("POST", Self.lock, #"{"owner": "one"}"#, key: admin)
            #expect(busy.json["held"]?.bool == false && !busy.text.contains("secret"), "\(busy.text)")
        }
    }

    @Test func `bulk calls leave links of other versions alone`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            for slug in ["a", "b"] {
                _ = try await fixture.create(
                    #"{"slug": "\#(slug)", "managedBy": "one", "urls": {"web": "https://a.example"}}"#)
            }
            // Another owner adopts one after the listing.
            let adopted = try await fixture.call(
                "PATCH", "/api/v1/links/go.example.com/b", #"{"managedBy": "two"}"#)
            #expect(adopted.status == 200)
            let links = #""links": ["go.example.com/a", "go.example.com/b", "go.example.com/c"]"#
            let select = #""select": {\#(links), "versions": [1, 1, 1]}"#
            let changed = try await fixture.call(
                "PATCH", "/api/v1/links:batch", #"{\#(select), "patch": {"tags": ["t"]}}"#)
            func statuses(_ answer: TestAnswer) -> [Int?] {
                answer.json["results"]?.array?.map { $0["status"]?.integer } ?? []
            }
            #expect(statuses(changed) == [200, 412, 404], "\(changed.text)")
            let deleted = try await fixture.call(
                "POST", "/api/v1/links:delete", "{\(select.replacing("[1,", with: "[2,"))}")
            #expect(statuses(deleted) == [204, 412, 404], "\(deleted.text)")
            let kept = try await fixture.call("GET", "/api/v1/links/go.example.com/b")
            #expect(kept.json["managedBy"] == "two" && kept.json["tags"] == [])
            for versions in ["[1]", "[1, 1, \"1\"]", "1"] {
                let wrong = try await fixture.call(
                    "POST", "/api/v1/links:delete", #"{"select": {\#(links), "versions": \#(versions)}}"#)
                #expect(wrong.status == 422 && wrong.fields == ["select.versions"], "\(wrong.text)")
            }
        }
    }

    @Test(arguments: [
        (#"{}"#, "owner"), (#"{"owner": ""}"#, "owner"), (#"{"owner": "a", "release": true}"#, "token"),
        (#"{"owner": "a", "token": "t", "versions": {"x": "1"}}"#, "versions.x"), (#"{"owner": "a", "x": 1}"#, "x"),
    ])
    func `a lock names what is wrong with its request`(body: String, field: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("POST", Self.lock, body)
            #expect(answer.status == 422 && answer.fields.contains(field), "\(answer.text)")
        }
    }

    @Test func `explain takes a country and names the target`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(
                """
                {"slug": "a", "urls": {"web": "https://a.example/?x=1"}, "metadata": {"a": 1}, "rules": [{"when":
                {"country": "DE"}, "to": "https://de.example/"}]}
                """)
            for (country, target) in [
                ("\"DE\"", "https://de.example/"), ("\"fr\"", "https://a.example/?x=1"),
                ("null", "https://a.example/?x=1"),
            ] {
                let answer = try await fixture.call(
                    "POST", "/api/v1/explain", #"{"url": "https://go.example.com/a", "country": \#(country)}"#)
                #expect(answer.json["leadsTo"]?.string == target, "\(answer.text)")
            }
            let wrong = try await fixture.call(
                "POST", "/api/v1/explain", #"{"url": "https://go.example.com/a", "country": "DEU"}"#)
            #expect(wrong.status == 422 && wrong.fields == ["country"])
        }
    }
}

import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkStores

/// `PATCH /api/v1/links:batch` and `POST /api/v1/links:delete`.
struct LinkBulkTests {
    private static func fixtureLinks(_ fixture: SiteFixture, _ count: Int, _ members: String = "") async throws {
        for start in stride(from: 0, to: count, by: 1_000) {
            let bodies = (start..<min(count, start + 1_000)).map {
                #"{"slug": "s\#($0)", "urls": {"web": "https://a.example/"}, "tags": ["spring"]\#(members)}"#
            }
            let body = "[" + bodies.joined(separator: ",") + "]"
            #expect(try await fixture.call("POST", "/api/v1/links:batch", body).status == 200)
        }
    }

    private static func patch(
        _ fixture: SiteFixture, _ body: String, key: String = SiteFixture.adminKey, headers: [(String, String)] = []
    ) async throws -> TestAnswer {
        try await fixture.call("PATCH", "/api/v1/links:batch", body, key: key, headers: headers)
    }

    private static func select(_ slugs: [String]) -> String {
        #""select": {"links": [\#(slugs.map { "\"go.example.com/\($0)\"" }.joined(separator: ","))]}"#
    }

    @Test(arguments: TransportKind.allCases)
    func changesTheSelectedLinks(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            try await Self.fixtureLinks(fixture, 3)
            #expect(try await fixture.visit("/s0").status == 302)
            let body =
                "{" + Self.select(["s0", "s1"])
                + #", "patch": {"disabled": true, "title": "Over"}, "addTags": ["old"], "removeTags": ["spring"]"#
            let trial = try await Self.patch(fixture, body + #", "dryRun": true}"#)
            #expect(trial.status == 200)
            #expect(trial.json["matched"]?.integer == 2 && trial.json["changed"]?.integer == 2)
            #expect(try await fixture.visit("/s0").status == 302)
            let answer = try await Self.patch(fixture, body + "}")
            #expect(
                answer.text
                    == #"{"matched":2,"changed":2,"results":[{"domain":"go.example.com","slug":"s0","status":200},"#
                    + #"{"domain":"go.example.com","slug":"s1","status":200}]}"#)
            let link = try await fixture.call("GET", "/api/v1/links/go.example.com/s0").json
            #expect(link["title"]?.string == "Over" && link["version"]?.integer == 2)
            #expect(link["tags"]?.array?.map(\.string) == ["old"])
            #expect(try await fixture.visit("/s0").status == 410)
            #expect(try await fixture.visit("/s2").status == 302)
            let again = try await Self.patch(fixture, body + "}")
            #expect(again.json["matched"]?.integer == 2 && again.json["changed"]?.integer == 0)
            let same = try await fixture.call("GET", "/api/v1/links/go.example.com/s0").json
            #expect(same["version"]?.integer == 2)
            let history = try await fixture.call("GET", "/api/v1/links/go.example.com/s0/history").json
            let fields = history["changes"]?.array?.first?["fields"]?.array?.compactMap(\.string)
            #expect(fields == ["disabled", "tags", "title"])
        }
    }

    @Test func keepsMetadataThatIsTheSame() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            try await Self.fixtureLinks(fixture, 2, #", "metadata": {"a": 1}"#)
            let body = "{" + Self.select(["s0", "s1"]) + #", "patch": {"metadata": {"b": [2, 1.0]}}}"#
            #expect(try await Self.patch(fixture, body).json["changed"]?.integer == 2)
            #expect(try await Self.patch(fixture, body).json["changed"]?.integer == 0)
            let metadata = try await fixture.call("GET", "/api/v1/links/go.example.com/s1/metadata")
            #expect(metadata.json["a"]?.integer == 1)
        }
    }

    @Test func changesManyLinksByAFilter() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            try await Self.fixtureLinks(fixture, 1_203)
            let body = #"{"select": {"tag": "spring"}, "removeTags": ["spring"], "addTags": ["summer"]}"#
            let answer = try await Self.patch(fixture, body)
            #expect(answer.json["matched"]?.integer == 1_203 && answer.json["changed"]?.integer == 1_203)
            #expect(answer.json["results"]?.array?.count == 1_000)
            #expect(try await Self.patch(fixture, body).json["matched"]?.integer == 0)
            let trial = try await fixture.call(
                "POST", "/api/v1/links:delete", #"{"select": {"tag": "summer", "app": "shop"}, "dryRun": true}"#)
            #expect(trial.json["changed"]?.integer == 1_203)
            let gone = try await fixture.call(
                "POST", "/api/v1/links:delete", #"{"select": {"tag": "summer", "app": "shop"}}"#)
            #expect(gone.json["matched"]?.integer == 1_203 && gone.json["changed"]?.integer == 1_203)
            #expect(gone.json["results"]?.array?.first?["status"]?.integer == 204)
            #expect(try await fixture.call("GET", "/api/v1/links").json["links"]?.array?.isEmpty == true)
        }
    }

    @Test func answersEachLinkThatCantBeChanged() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            try await Self.fixtureLinks(fixture, 2)
            _ = try await fixture.call("POST", "/api/v1/links/go.example.com/s0:rename", #"{"slug": "new"}"#)
            let tags = (0..<16).map { "\"t\($0)\"" }.joined(separator: ",")
            _ = try await fixture.call("PATCH", "/api/v1/links/go.example.com/s1", #"{"tags": [\#(tags)]}"#)
            // The first two are one link.
            let answer = try await Self.patch(
                fixture, "{" + Self.select(["s0", "new", "s1", "none", "a b"]) + #", "addTags": ["more"]}"#)
            #expect(answer.json["matched"]?.integer == 2 && answer.json["changed"]?.integer == 1)
            let results = answer.json["results"]?.array ?? []
            #expect(results.map { $0["status"]?.integer } == [200, 200, 422, 404, 404])
            #expect(results.map { $0["slug"]?.string } == ["new", "new", "s1", "none", "a b"])
            #expect(results[2]["problem"]?["errors"]?.array?.first?["field"]?.string == "tags")
            let gone = try await fixture.call(
                "POST", "/api/v1/links:delete", "{" + Self.select(["new", "s0", "none"]) + "}")
            #expect(gone.json["results"]?.array?.map { $0["status"]?.integer } == [204, 204, 404])
            #expect(try await fixture.visit("/s0").status == 404)
        }
    }

    @Test(arguments: [
        ("{}", ["patch", "select"]), (#"{"select": {}, "patch": {"title": "a"}}"#, ["select"]),
        (#"{"select": {"tag": null}, "patch": {"title": "a"}}"#, ["select"]),
        (#"{"select": {"links": ["a"]}, "patch": {"title": "a"}}"#, ["select.links[0]"]),
        (#"{"select": {"links": [1]}, "patch": {"title": "a"}}"#, ["select.links[0]"]),
        (#"{"select": {"links": ["a/b"], "tag": "c"}, "patch": {"title": "a"}}"#, ["select.tag"]),
        (#"{"select": {"colour": "c"}, "patch": {"title": "a"}}"#, ["select.colour"]),
        (#"{"select": {"tag": 1}, "patch": {"title": "a"}}"#, ["select.tag"]),
        (#"{"select": {"app": "A b"}, "patch": {"title": "a"}}"#, ["select.app"]),
        (#"{"select": {"tag": "c"}}"#, ["patch"]), (#"{"select": {"tag": "c"}, "patch": []}"#, ["patch"]),
        (#"{"select": {"tag": "c"}, "patch": {"slug": "a"}}"#, ["patch.slug"]),
        (#"{"select": {"tag": "c"}, "patch": {"colour": null}}"#, ["patch.colour"]),
        (#"{"select": {"tag": "c"}, "addTags": "a"}"#, ["addTags", "patch"]),
        (#"{"select": {"tag": "c"}, "patch": {"title": "a"}, "dryRun": 1}"#, ["dryRun"]),
    ])
    func namesInvalidFields(body: String, fields: [String]) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await Self.patch(fixture, body)
            #expect(answer.status == 422)
            #expect(answer.fields.sorted() == fields)
        }
    }

    @Test func keepsKeysToTheirApplication() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            try await Self.fixtureLinks(fixture, 2, #", "app": "shop""#)
            let foreign = try await fixture.key(["links"], app: "news")
            for select in [Self.select(["s0"]), #""select": {"tag": "spring"}"#, #""select": {"app": "shop"}"#] {
                let answer = try await Self.patch(fixture, "{" + select + #", "patch": {"title": "a"}}"#, key: foreign)
                #expect(answer.status == 200 && answer.json["matched"]?.integer == 0)
                let gone = try await fixture.call("POST", "/api/v1/links:delete", "{" + select + "}", key: foreign)
                #expect(gone.status == 200 && gone.json["matched"]?.integer == 0)
            }
            for scope in ["read", "create", "resolve"] {
                let key = try await fixture.key([scope])
                #expect(try await Self.patch(fixture, "{}", key: key).status == 403)
                #expect(try await fixture.call("POST", "/api/v1/links:delete", "{}", key: key).status == 403)
            }
        }
    }

    @Test func repeatsAnAnswerForItsIdempotencyKey() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            try await Self.fixtureLinks(fixture, 2)
            let headers = [("Idempotency-Key", "k1")]
            let body = "{" + Self.select(["s0"]) + #", "patch": {"title": "a"}}"#
            let first = try await Self.patch(fixture, body, headers: headers)
            let again = try await Self.patch(fixture, body, headers: headers)
            #expect(again.body == first.body && again.json["changed"]?.integer == 1)
            #expect(again[header: "Idempotent-Replayed"] == "true")
            for other in [
                "{" + Self.select(["s0"]) + #", "patch": {"title": "b"}}"#,
                "{" + Self.select(["s1"]) + #", "patch": {"title": "a"}}"#,
            ] {
                let answer = try await Self.patch(fixture, other, headers: headers)
                #expect(answer.status == 422 && answer.problem == "idempotency-mismatch")
            }
        }
    }
}

import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkService

/// `GET /api/v1/links/{domain}/{slug}/history`.
struct LinkHistoryTests {
    private static let path = "/api/v1/links/go.example.com/"

    private static func changes(
        _ fixture: SiteFixture, _ slug: String, _ query: String = "", key: String = SiteFixture.adminKey
    ) async throws -> [JSONValue] {
        let answer = try await fixture.call("GET", path + slug + "/history" + query, key: key)
        #expect(answer.status == 200)
        return answer.json["changes"]?.array ?? []
    }

    @Test func `history has the values before and after each change`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let made = try await fixture.call("POST", "/api/v1/keys", #"{"name": "back end", "scopes": ["links"]}"#)
            let (key, id) = (made.json["key"]?.string, made.json["id"]?.string ?? "")
            _ = try await fixture.create(
                #"{"slug": "old", "urls": {"web": "https://a.example/"}, "tags": ["x"], "metadata": {"secret": 1}}"#,
                key: try #require(key))
            fixture.clock.advance(seconds: 60)
            _ = try await fixture.call(
                "PATCH", Self.path + "old", #"{"title": "A", "tags": [], "metadata": {"secret": 2}}"#, key: key)
            fixture.clock.advance(seconds: 60)
            _ = try await fixture.call("POST", Self.path + "old:rename", #"{"slug": "new"}"#)
            _ = try await fixture.call("DELETE", "/api/v1/keys/" + id)
            let answer = try await fixture.call("GET", Self.path + "new/history", key: try await fixture.key(["read"]))
            let by = #""by":{"id":"\#(id)","name":"back end"}"#
            #expect(
                answer.text == """
                    {"changes":[{"version":3,"at":"2026-11-21T10:02:00Z","by":{"id":"environment","name":"environment"},\
                    "fields":["slug"],"before":{"slug":"old"},"after":{"slug":"new"}},\
                    {"version":2,"at":"2026-11-21T10:01:00Z",\(by),"fields":["metadata","tags","title"],\
                    "before":{"tags":["x"]},"after":{"title":"A"}},\
                    {"version":1,"at":"2026-11-21T10:00:00Z",\(by),"fields":[],"before":null,\
                    "after":{"slug":"old","urls":{"web":"https://a.example/"},"redeemLimit":0,"disabled":false,\
                    "tags":["x"]}}],"cursor":null}
                    """)
        }
    }

    @Test func `history never has a password`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(
                #"{"slug": "a", "urls": {"web": "https://a.example/"}, "password": "open sesame"}"#)
            for password in [#""swordfish""#, "null"] {
                _ = try await fixture.call("PATCH", Self.path + "a", #"{"password": \#(password)}"#)
            }
            let answer = try await fixture.call("GET", Self.path + "a/history")
            #expect(
                answer.json["changes"]?.array?.map { $0["fields"]?.array?.compactMap(\.string) } == [
                    ["password"], ["password"], [],
                ])
            for word in ["sesame", "swordfish", "scrypt", "0000"] { #expect(!answer.text.contains(word)) }
        }
    }

    @Test(arguments: [1, 2, 3, 5, 100])
    func `pages have every version once`(limit: Int) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "a", "urls": {"web": "https://a.example/"}}"#)
            for number in 2...7 {
                _ = try await fixture.call("PATCH", Self.path + "a", #"{"title": "\#(number)"}"#)
                // A version that changes nothing has no entry.
                if number == 4 { _ = try await fixture.call("PATCH", Self.path + "a", #"{"title": "4"}"#) }
            }
            var (changes, cursor, pages) = ([JSONValue](), Optional("?limit=\(limit)"), 0)
            while let query = cursor {
                let page = try await fixture.call("GET", Self.path + "a/history" + query).json
                changes += page["changes"]?.array ?? []
                cursor = page["cursor"]?.string.map { "?limit=\(limit)&cursor=\($0)" }
                pages += 1
                try #require(pages < 20)
            }
            #expect(changes.map { $0["version"]?.integer } == [8, 7, 6, 4, 3, 2, 1])
            let titles = changes.map { $0["after"]?["title"]?.string }
            #expect(titles == ["7", "6", "5", "4", "3", "2", nil])
            #expect(changes.map { $0["before"]?["title"]?.string } == titles.dropFirst() + [nil])
        }
    }

    @Test(arguments: [
        ("limit=0", "limit"), ("limit=101", "limit"), ("limit=x", "limit"), ("limit=1&limit=2", "limit"),
        ("cursor=0", "cursor"), ("cursor=x", "cursor"), ("cursor=99999999999", "cursor"), ("page=1", "page"),
    ])
    func `history names what is wrong in a query`(query: String, field: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "a", "urls": {"web": "https://a.example/"}}"#)
            let answer = try await fixture.call("GET", Self.path + "a/history?" + query)
            #expect(answer.status == 422)
            #expect(answer.fields == [field])
            #expect(try await fixture.call("GET", Self.path + "none/history").status == 404)
        }
    }

    @Test func `history keeps each of 300 versions`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "a", "urls": {"web": "https://a.example/"}}"#)
            for number in 2...300 {
                _ = try await fixture.call("PATCH", Self.path + "a", #"{"title": "\#(number)"}"#)
            }
            let last = try await Self.changes(fixture, "a", "?limit=2&cursor=2")
            #expect(last.map { $0["version"]?.integer } == [2, 1])
            #expect(last.first?["after"] == ["title": "2"])
        }
    }

    @Test func `large values shorten a page`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "a", "urls": {"web": "https://a.example/"}}"#)
            for number in 2...80 {
                let url = "https://a.example/\(number)?" + String(repeating: "a", count: 4_000)
                _ = try await fixture.call("PATCH", Self.path + "a", #"{"urls": {"web": "\#(url)"}}"#)
            }
            let answer = try await fixture.call("GET", Self.path + "a/history?limit=100")
            #expect(answer.json["changes"]?.array.map { $0.count < 80 } == true)
            #expect(answer.json["cursor"]?.string != nil)
            #expect(answer.text.utf8.count < 400 << 10)
        }
    }
}

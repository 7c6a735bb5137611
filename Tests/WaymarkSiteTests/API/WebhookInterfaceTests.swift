import Testing
import WaymarkAPI
import WaymarkClient
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkSite

/// `/api/v1/webhooks`, with a client that knows a private host and sends nothing.
@Suite struct WebhookInterfaceTests {
    private static func run(_ test: (SiteFixture) async throws -> Void) async throws {
        var background = BackgroundWork.Settings()
        background.client = UnusedClient()
        try await SiteFixture.run(.inProcess, background: background, test: test)
    }

    private static let body = #"{"url": "https://receiver.example.com/hook", "events": ["link.*", "key.created"]}"#

    @Test func `a webhook is made, read, changed and deleted`() async throws {
        try await Self.run { fixture in
            let made = try await fixture.call("POST", "/api/v1/webhooks", Self.body)
            #expect(made.status == 201)
            let secret = try #require(made.json["secret"]?.string)
            #expect(WebhookSignature.key(secret)?.count == 32)
            let id = try #require(made.json["id"]?.string)
            let read = try await fixture.call("GET", "/api/v1/webhooks/\(id)")
            #expect(read.status == 200)
            #expect(read.json["secret"] == nil)
            #expect(read.json["events"] == ["link.*", "key.created"])
            #expect(read.json["disabled"] == false)
            let list = try await fixture.call("GET", "/api/v1/webhooks")
            #expect(list.json["webhooks"]?.array == [read.json])
            let changed = try await fixture.call(
                "PATCH", "/api/v1/webhooks/\(id)", #"{"name": "Billing", "disabled": true}"#)
            #expect(changed.json["name"]?.string == "Billing")
            #expect(changed.json["disabledReason"]?.string == "manual")
            let renamed = try await fixture.call("PATCH", "/api/v1/webhooks/\(id)", #"{"name": null}"#)
            #expect(renamed.json["name"]?.isNull == true)
            #expect(renamed.json["disabled"] == true)
            let rotated = try await fixture.call("POST", "/api/v1/webhooks/\(id):rotate")
            #expect(rotated.status == 200)
            #expect(rotated.json["secret"]?.string.flatMap(WebhookSignature.key)?.count == 32)
            #expect(rotated.json["secret"]?.string != secret)
            #expect(try await fixture.call("DELETE", "/api/v1/webhooks/\(id)").status == 204)
            #expect(try await fixture.call("GET", "/api/v1/webhooks/\(id)").status == 404)
        }
    }

    @Test func `an application has its share of the webhooks`() async throws {
        try await Self.run { fixture in
            let made = #"{"domains": ["news.example.com"]}"#
            #expect(try await fixture.call("PUT", "/api/v1/apps/news", made).status == 201)
            let (shop, news) = (
                try await fixture.key(["admin"], app: "shop"), try await fixture.key(["admin"], app: "news")
            )
            for _ in 0..<25 {
                #expect(try await fixture.call("POST", "/api/v1/webhooks", Self.body, key: shop).status == 201)
            }
            let refused = try await fixture.call("POST", "/api/v1/webhooks", Self.body, key: shop)
            #expect(refused.status == 422 && refused.fields == ["url"])
            #expect(try await fixture.call("POST", "/api/v1/webhooks", Self.body, key: news).status == 201)
            #expect(try await fixture.call("POST", "/api/v1/webhooks", Self.body).status == 201)
        }
    }

    @Test(arguments: [
        (#"{"events": ["*"]}"#, "url"), (#"{"url": "https://a.example", "events": []}"#, "events"),
        (#"{"url": "https://a.example", "events": ["link"]}"#, "events[0]"),
        (#"{"url": "https://a.example", "events": ["*", "webhook.test"]}"#, "events[1]"),
        (#"{"url": "ftp://a.example/", "events": ["*"]}"#, "url"),
        (#"{"url": "https://u:p@a.example/", "events": ["*"]}"#, "url"),
        (#"{"url": "https://a.example/#f", "events": ["*"]}"#, "url"),
        (#"{"url": "https://private.example/", "events": ["*"]}"#, "url"),
        (#"{"url": "https://a.example/", "events": ["*"], "app": "none"}"#, "app"),
        (#"{"url": "https://a.example/", "events": ["*"], "name": ""}"#, "name"),
        (#"{"url": "https://a.example/", "events": ["*"], "secret": "x"}"#, "secret"),
    ])
    func `a webhook that can't work is refused`(body: String, field: String) async throws {
        try await Self.run { fixture in
            let answer = try await fixture.call("POST", "/api/v1/webhooks", body)
            #expect(answer.status == 422)
            #expect(answer.json["errors"]?.array?.map { $0["field"]?.string } == [field], "\(answer.text)")
        }
    }

    @Test func `managedBy is stored, changed and removed`() async throws {
        try await Self.run { fixture in
            let body = Self.body.replacing("}", with: #", "managedBy": "links"}"#)
            let made = try await fixture.call("POST", "/api/v1/webhooks", body)
            #expect(made.status == 201 && made.json["managedBy"] == "links", "\(made.text)")
            let target = "/api/v1/webhooks/\(try #require(made.json["id"]?.string))"
            for (patch, manager) in [
                (#"{"name": "Billing"}"#, "links" as JSONValue), (#"{"managedBy": "others"}"#, "others"),
                (#"{"managedBy": null}"#, .null),
            ] {
                #expect(try await fixture.call("PATCH", target, patch).json["managedBy"] == manager)
                #expect(try await fixture.call("GET", target).json["managedBy"] == manager)
            }
            let long = String(repeating: "é", count: 101)
            for wrong in [long, "a\u{7}"] {
                let patch = JSONValue(["managedBy": JSONValue(wrong)] as JSONObject).text()
                let refused = try await fixture.call("PATCH", target, patch)
                #expect(refused.status == 422 && refused.fields == ["managedBy"], "\(refused.text)")
            }
        }
    }

    @Test func `a changed URL is checked again`() async throws {
        try await Self.run { fixture in
            let id = try #require(try await fixture.call("POST", "/api/v1/webhooks", Self.body).json["id"]?.string)
            for body in [#"{"url": "https://private.example/"}"#, #"{"url": null}"#, #"{"events": ["nothing"]}"#] {
                #expect(try await fixture.call("PATCH", "/api/v1/webhooks/\(id)", body).status == 422)
            }
            #expect(
                try await fixture.call("GET", "/api/v1/webhooks/\(id)").json["url"]?.string
                    == "https://receiver.example.com/hook")
        }
    }

    @Test func `a key of one application has its webhooks alone`() async throws {
        try await Self.run { fixture in
            let global = try #require(try await fixture.call("POST", "/api/v1/webhooks", Self.body).json["id"]?.string)
            let key = try await fixture.key(["admin"], app: "shop")
            let own = try await fixture.call("POST", "/api/v1/webhooks", Self.body, key: key)
            #expect(own.json["app"]?.string == "shop")
            let list = try await fixture.call("GET", "/api/v1/webhooks", key: key)
            #expect(list.json["webhooks"]?.array?.map { $0["id"] } == [own.json["id"]])
            for (method, path) in [
                ("GET", ""), ("DELETE", ""), ("POST", ":rotate"), ("POST", ":test"), ("GET", "/deliveries"),
            ] {
                #expect(try await fixture.call(method, "/api/v1/webhooks/\(global)\(path)", key: key).status == 404)
            }
            let links = try await fixture.key(["links"])
            #expect(try await fixture.call("GET", "/api/v1/webhooks", key: links).status == 403)
        }
    }

    @Test func `deliveries are listed by state and page`() async throws {
        try await Self.run { fixture in
            let id = try #require(try await fixture.call("POST", "/api/v1/webhooks", Self.body).json["id"]?.string)
            var sent: [String] = []
            for _ in 0..<3 {
                let answer = try await fixture.call("POST", "/api/v1/webhooks/\(id):test")
                #expect(answer.status == 202)
                sent.append(try #require(answer.json["id"]?.string))
            }
            let path = "/api/v1/webhooks/\(id)/deliveries"
            let page = try await fixture.call("GET", path + "?limit=2&state=waiting")
            #expect(page.json["deliveries"]?.array?.map { $0["id"]?.string } == [sent[2], sent[1]])
            #expect(page.json["deliveries"]?.array?.first?["type"]?.string == "webhook.test")
            let cursor = try #require(page.json["cursor"]?.string)
            let rest = try await fixture.call("GET", path + "?limit=2&cursor=\(cursor)")
            #expect(rest.json["deliveries"]?.array?.map { $0["id"]?.string } == [sent[0]])
            #expect(rest.json["cursor"]?.isNull == true)
            #expect(try await fixture.call("GET", path + "?state=failed").json["deliveries"] == [])
            for query in ["limit=0", "limit=201", "state=lost", "cursor=x", "cursor=-1", "limit=1&limit=2"] {
                #expect(try await fixture.call("GET", path + "?" + query).status == 422, "\(query)")
            }
            let replay = try await fixture.call("POST", path + ":replay", #"{"ids": ["\#(sent[0])", "none"]}"#)
            #expect(replay.status == 202)
            #expect(replay.json["replayed"]?.integer == 1)
            #expect(
                try await fixture.call("POST", path + ":replay", #"{"since": "2000-01-01T00:00:00Z"}"#)
                    .json["replayed"]?.integer == 3)
            for body in ["{}", #"{"since": "yesterday"}"#, #"{"since": "2026-01-01T00:00:00Z", "ids": []}"#] {
                #expect(try await fixture.call("POST", path + ":replay", body).status == 422, "\(body)")
            }
        }
    }
}

private struct UnusedClient: HTTPSending {
    func outcomes(
        of requests: [HTTPRequest], while goesOn: @escaping @Sendable (HTTPOutcome) -> Bool
    ) async -> [HTTPOutcome] { [] }

    func obstacle(to url: String) async -> HTTPFailure? {
        url.contains("private") ? .address(.notPublic, host: "private") : nil
    }
}

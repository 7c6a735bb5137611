import Testing
import WaymarkJSON
import WaymarkService

@testable import WaymarkSite

/// Links with a password: the form, its answers, and what they don't tell.
@Suite struct PasswordVisitTests {
    private static let link = #"""
        {"slug": "x", "urls": {"web": "https://secret.example/page"}, "password": "opén sesame+",
         "social": {"title": "Hello"}}
        """#
    private static let right = "password=op%C3%A9n+sesame%2B"

    private func send(
        _ fixture: SiteFixture, _ body: String, to target: String = "/x", host: String = "go.example.com",
        headers: [(String, String)] = [], type: String = "application/x-www-form-urlencoded"
    ) async throws -> TestAnswer {
        try await fixture.client.send(
            TestRequest(
                "POST", target, host: host,
                headers: [("User-Agent", Agent.windows), ("Content-Type", type)] + headers, body: Array(body.utf8)))
    }

    private func clicks(_ fixture: SiteFixture) async throws -> Int? {
        try await fixture.service.clicks.flush()
        return try await fixture.call("GET", "/api/v1/links/x").json["clicks"]?.integer
    }

    @Test(arguments: TransportKind.allCases)
    func `the right password leads on and counts`(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let created = try await fixture.create(Self.link)
            #expect(created["hasPassword"]?.bool == true && created["password"] == nil)
            for _ in 0..<3 {
                let page = try await fixture.visit("/x?a=b")
                #expect(page.status == 200 && page[header: "Cache-Control"] == "no-store")
                #expect(page.text.contains("<form method=\"post\">") && !page.text.contains("secret.example"))
                // Browsers hold redirects after a form to it.
                #expect(page[header: "Content-Security-Policy"]?.contains("form-action") == false)
            }
            #expect(try await clicks(fixture) == 0)
            let answer = try await send(
                fixture, Self.right, to: "/x?a=b", headers: [("Sec-Fetch-Site", "same-origin")])
            #expect(answer.status == 303)
            #expect(answer[header: "Location"] == "https://secret.example/page?a=b")
            #expect(try await clicks(fixture) == 1)
            #expect(try await fixture.visit("/x").status == 200)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `the sixth try in a minute is refused`(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            _ = try await fixture.create(Self.link)
            for _ in 0..<3 { #expect(try await send(fixture, Self.right).status == 303) }
            for body in ["password=x", "password=", "", "other=1", "password=" + String(repeating: "a", count: 200)] {
                let wrong = try await send(fixture, body)
                #expect(wrong.status == 401)
                #expect(wrong.text.contains("That password isn’t right") && !wrong.text.contains("secret.example"))
                #expect(wrong[header: "Cache-Control"] == "no-store")
            }
            let refused = try await send(fixture, Self.right)
            #expect(refused.status == 429)
            #expect(refused[header: "Retry-After"].flatMap { Int($0) }.map { (1...60).contains($0) } == true)
            _ = try await fixture.create(#"{"slug": "y", "urls": {"web": "https://a.example/"}, "password": "p"}"#)
            #expect(try await send(fixture, "password=p", to: "/y").status == 303)
            #expect(try await clicks(fixture) == 3)
        }
    }

    @Test(arguments: [
        ("Sec-Fetch-Site", "cross-site", 403), ("Sec-Fetch-Site", "same-site", 403),
        ("Origin", "https://evil.example", 403), ("Origin", "null", 403), ("Sec-Fetch-Site", "same-origin", 303),
        ("Origin", "https://go.example.com", 303), ("Origin", "http://go.example.com", 303),
    ])
    func `only the link's own page opens it`(name: String, value: String, status: Int) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(Self.link)
            let answer = try await send(fixture, Self.right, headers: [(name, value)])
            #expect(answer.status == status)
            if status == 403 { #expect(answer.text.contains("<form") && !answer.text.contains("secret.example")) }
        }
    }

    @Test func `nothing public tells where it leads`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(Self.link)
            for agent in [Agent.windows, Agent.iphone, Agent.mac, Agent.android, Agent.crawler, Agent.search] {
                for target in ["/x", "/x+", "/x?d=1"] {
                    let page = try await fixture.visit(target, as: agent)
                    #expect(page.status == 200 && !page.text.contains("secret.example"), "\(target)")
                    #expect(page[header: "Location"] == nil)
                }
            }
            #expect(try await fixture.visit("/x", as: Agent.crawler).text.contains("og:title"))
            #expect(try await fixture.visit("/x", method: "HEAD").status == 200)
            if QRCode.isAvailable { #expect(try await fixture.visit("/x/qr.svg").status == 200) }
            #expect(try await send(fixture, Self.right, to: "/x+").text.contains("https://secret.example/page"))
            #expect(try await clicks(fixture) == 0)
        }
    }

    @Test func `an operator sees where it leads`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(Self.link)
            let explained = try await fixture.call(
                "POST", "/api/v1/explain",
                #"{"url": "https://go.example.com/x", "headers": {"User-Agent": "\#(Agent.windows)"}}"#)
            #expect(explained.json["outcome"]?.string == "page")
            #expect(explained.json["click"]?["counted"]?.bool == false)
            #expect(
                explained.json["candidates"]?.array?.last?["url"]?.string == "https://secret.example/page",
                "\(explained.text)")
            let resolved = try await fixture.call(
                "POST", "/api/v1/resolve", #"{"smartlink": "https://go.example.com/x"}"#)
            #expect(resolved.json["deeplink"]?.string == "https://secret.example/page")
        }
    }

    @Test func `other links take no form`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "open", "urls": {"web": "https://a.example/"}}"#)
            _ = try await fixture.create(Self.link)
            for (target, type) in [
                ("/open", "application/x-www-form-urlencoded"), ("/none", "application/x-www-form-urlencoded"),
                ("/x", "application/json"),
            ] {
                let answer = try await send(fixture, Self.right, to: target, type: type)
                #expect(answer.status == 405 && answer[header: "Allow"] == "GET, HEAD", "\(target)")
            }
            _ = try await fixture.call("PATCH", "/api/v1/links/go.example.com/x", #"{"disabled": true}"#)
            #expect(try await send(fixture, Self.right).status == 410)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `a long form is refused`(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            _ = try await fixture.create(Self.link)
            let body = "password=" + String(repeating: "a", count: PasswordVisit.bodyLimit)
            #expect(try await send(fixture, body).status == 413)
        }
    }

    @Test func `a patch changes and removes it`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let path = "/api/v1/links/go.example.com/x"
            _ = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/"}}"#)
            #expect(try await fixture.visit("/x").status == 302)
            let set = try await fixture.call("PATCH", path, #"{"password": "one"}"#)
            #expect(set.json["hasPassword"]?.bool == true && !set.text.contains("one\""))
            #expect(try await fixture.visit("/x").status == 200)
            #expect(try await fixture.call("PATCH", path, #"{"title": "T"}"#).json["hasPassword"]?.bool == true)
            #expect(try await send(fixture, "password=one").status == 303)
            let bulk = #"{"select": {"links": ["go.example.com/x"]}, "patch": {"password": "two"}}"#
            #expect(try await fixture.call("PATCH", "/api/v1/links:batch", bulk).json["changed"]?.integer == 1)
            #expect(try await send(fixture, "password=one").status == 401)
            #expect(try await send(fixture, "password=two").status == 303)
            for body in [#"{"password": ""}"#, #"{"password": 5}"#] {
                #expect(try await fixture.call("PATCH", path, body).fields == ["password"])
            }
            #expect(try await fixture.call("PATCH", path, #"{"hasPassword": false}"#).fields == ["hasPassword"])
            #expect(try await fixture.call("PATCH", path, #"{"password": null}"#).json["hasPassword"]?.bool == false)
            #expect(try await fixture.visit("/x").status == 302)
            let history = try await fixture.call("GET", "\(path)/history")
            #expect(history.json["changes"]?.array?.first?["fields"]?.array?.map(\.string) == ["password"])
        }
    }

    @Test func `a batch has a bound`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let bodies = (0..<3).map {
                #"{"slug": "b\#($0)", "urls": {"web": "https://a.example/"}, "password": "p"}"#
            }
            let batch = try await fixture.call("POST", "/api/v1/links:batch", "[\(bodies.joined(separator: ","))]")
            let results = batch.json["results"]?.array ?? []
            #expect(results.map { $0["link"]?["hasPassword"]?.bool } == [true, true, true])
            #expect(try await send(fixture, "password=p", to: "/b2").status == 303)
        }
    }

    @Test func `limits hold, and the app's page comes after the form`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(
                #"{"slug": "x", "urls": {"web": "https://a.example/"}, "password": "p", "maxClicks": 1}"#)
            #expect(try await fixture.visit("/x").status == 200)
            #expect(try await send(fixture, "password=p").status == 303)
            #expect(try await send(fixture, "password=p").status == 410)
            _ = try await fixture.create(
                #"""
                {"slug": "app", "password": "p", "route": "products/:product_id",
                 "routeParameters": {"product_id": "42"}}
                """#)
            let page = try await fixture.client.send(
                TestRequest(
                    "POST", "/app", host: "go.example.com",
                    headers: [
                        ("User-Agent", Agent.iphone), ("Content-Type", "application/x-www-form-urlencoded"),
                    ], body: Array("password=p".utf8)))
            #expect(page.status == 200 && page.text.contains("shop://products/42"), "\(page.text)")
        }
    }
}

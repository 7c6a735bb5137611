import Testing
import WaymarkJSON

/// Attempts to make a link lead elsewhere, to put lines into an answer's header, and to put markup into its pages.
@Suite struct HostileVisitTests {
    /// A destination as JSON writes it. Each is refused when the link is made, so that no visit ever meets it.
    @Test(arguments: [
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\\tscript:alert(1)", " javascript:alert(1)",
        "data:text/html,x",
        "vbscript:x", "file:///etc/passwd", "about:blank", "blob:https://a.example/1", "ftp://a.example/",
        "mailto:a@a.example",
        "intent://a#Intent;scheme=https;end", "view-source:https://a.example/", "//evil.example/", "/\\\\evil.example/",
        "https:evil.example", "https:/evil.example", "https:///evil.example", "https://", "https:// evil.example/",
        "https://user@evil.example/", "https://a.example:b@evil.example/", "https://a.example\\\\@evil.example/",
        "https://a.example\\r\\nSet-Cookie: x=y", "https://a.example/\\u0000", "https://a b.example/",
        "https://a.example/\\u007f",
        "https://a%2eexample/", "https://a.example:99999/", "https://a.example:/x:y", "https://[::1/",
        "https://:host/x",
        "evil.example", "", "https://a..example/",
    ])
    func refusesADestinationThatIsNoPlaceToGo(url: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            for index in [#"{"web": "\#(url)"}"#, #"{"web": {"link": "https://a.example/", "fallback": "\#(url)"}}"#] {
                let answer = try await fixture.call("POST", "/api/v1/links", #"{"urls": \#(index)}"#)
                #expect(answer.status == 422, "\(answer.text)")
                #expect(answer.fields.allSatisfy { $0.hasPrefix("urls.web") } && !answer.fields.isEmpty)
            }
        }
    }

    /// What other redirectors have been led astray by: query, header field or form of the address.
    @Test(arguments: [
        "redir_url", "redirect_url", "redirect_uri", "url", "to", "next", "target", "dest", "destination", "continue",
        "link",
        "return", "returnTo", "u", "goto", "fallback", "fallback_url", "afl", "ifl", "ofl", "apn", "web", "ios",
        "android",
        "S.browser_fallback_url", "deeplink", "$fallback_url", "$desktop_url", "_dl", "_hk_cid", "_hk_md", "route",
        "domain",
    ])
    func noParameterOfAClickChangesWhereItGoes(name: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/p"}}"#)
            for value in [
                "https://evil.example/", "//evil.example", "https%3A%2F%2Fevil.example", "javascript:alert(1)",
            ] {
                for agent in [Agent.windows, Agent.android, Agent.iphone] {
                    let answer = try await fixture.visit("/x?\(name)=\(value)", as: agent)
                    #expect(answer.status == 302)
                    let location = try #require(answer[header: "Location"])
                    #expect(
                        location == "https://a.example/p" || location.hasPrefix("https://a.example/p?"), "\(location)")
                }
            }
        }
    }

    @Test(arguments: [
        ("X-Forwarded-Host", "evil.example"), ("X-Forwarded-Proto", "javascript"), ("Forwarded", "host=evil.example"),
        ("X-Original-URL", "/y"), ("X-Rewrite-URL", "/y"), ("Referer", "https://evil.example/"),
        ("Origin", "https://evil.example"),
        ("X-Host", "evil.example"), ("X-Forwarded-Server", "evil.example"), ("X-HTTP-Method-Override", "DELETE"),
    ])
    func noFieldOfAClickChangesWhereItGoes(name: String, value: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/p"}}"#)
            _ = try await fixture.create(#"{"slug": "y", "urls": {"web": "https://a.example/other"}}"#)
            let answer = try await fixture.visit("/x", headers: [(name, value)])
            #expect(answer[header: "Location"] == "https://a.example/p")
            #expect(try await fixture.call("GET", "/api/v1/links/x").status == 200)
        }
    }

    @Test(arguments: [
        "//evil.example/x", "/\\evil.example", "/%5cevil.example", "/%2f%2fevil.example", "/https://evil.example/",
        "/https:%2f%2fevil.example", "/.evil.example", "/x//evil.example", "/x;https://evil.example", "/x@evil.example",
        "/x%09//evil.example", "/x%E2%80%8By", "/;x", "/x%3fto=https://evil.example", "/x%23", "/%E3%80%82evil.example",
    ])
    func noAddressLeadsToAPlaceThatNoLinkNames(target: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/p"}}"#)
            for agent in [Agent.windows, Agent.android, Agent.iphone] {
                let answer = try await fixture.visit(target, as: agent)
                #expect(answer[header: "Location"] == nil)
                #expect((400..<500).contains(answer.status), "\(answer.status)")
            }
        }
    }

    /// Values of the click, as they stand in its address.
    @Test(arguments: [
        "%0d%0aSet-Cookie:%20a=b", "%0aX:%20y", "%0d", "%E5%98%8A%E5%98%8DSet-Cookie:a", "%00", "%C4%8D%C4%8A",
        "%u000aX:y",
        "%25%30%64%25%30%61X:y", "a%0d%0a%0d%0a<script>alert(1)</script>",
    ])
    func noQueryPutsALineIntoTheAnswer(value: String) async throws {
        for transportKind in TransportKind.allCases {
            try await SiteFixture.run(transportKind) { fixture in
                _ = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/p"}}"#)
                for agent in [Agent.windows, Agent.android, Agent.iphone] {
                    let answer = try await fixture.visit("/x?q=\(value)", as: agent)
                    #expect(answer.status == 302 || answer.status == 400)
                    #expect(answer[header: "Set-Cookie"] == nil && answer[header: "X"] == nil)
                    let location = answer[header: "Location"] ?? "https://a.example/p?"
                    #expect(location.hasPrefix("https://a.example/p?"))
                    #expect(location.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
                }
            }
        }
    }

    /// Values of a route, as JSON writes them: wherever they go, they are one segment or one value of a URL.
    @Test(arguments: [
        "a\\r\\nSet-Cookie: b", "\\u0000", "../../admin", "..%2f..%2fadmin", "@evil.example", "//evil.example", "?to=x",
        "#x",
        "a/b", "a;b&c=d", "\\\\evil.example", "%0d%0a", "javascript:alert(1)", "\\u2028",
        "\\\"><script>alert(1)</script>",
    ])
    func aParameterStaysOneSegment(value: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let body = """
                {"slug": "x", "route": "products/:product_id", "routeParameters": {"product_id": "\(value)"},
                 "queryParameters": {"referrer": "\(value)"}}
                """
            let made = try await fixture.call("POST", "/api/v1/links", body)
            guard made.status == 201 else {
                #expect(made.status == 422)
                return
            }
            let answer = try await fixture.visit("/x")
            let location = try #require(answer[header: "Location"])
            #expect(location.hasPrefix("https://shop.example.com/products/"))
            let rest = location.dropFirst("https://shop.example.com/products/".count)
            #expect(rest.split(separator: "?", omittingEmptySubsequences: false).count == 2, "\(location)")
            #expect(!rest.prefix { $0 != "?" }.contains("/"))
            #expect(rest.drop { $0 != "?" }.hasPrefix("?referrer="))
            #expect(
                !rest.contains("#") && !rest.contains("&") && !rest.contains(";") && !rest.contains("\\"), "\(location)"
            )
            #expect(answer[header: "Set-Cookie"] == nil)
            let app = try await fixture.visit("/x", as: Agent.android)
            #expect(app[header: "Location"]?.hasPrefix("intent://products/") == true)
            #expect(app[header: "Location"]?.split(separator: ";").contains { $0.hasPrefix("scheme=shop") } == true)
            #expect(app[header: "Location"]?.count { $0 == "#" } == 1)
        }
    }

    /// Texts of a link, as JSON writes them, that would be markup or script if a page took them as they are.
    @Test(arguments: [
        "<script>alert(1)</script>", "\\\"><img src=x onerror=alert(1)>", "'><svg/onload=alert(1)>",
        "</title><script>alert(1)</script>",
        "{{7*7}}${7*7}<%= 7*7 %>", "<!--", "]]><script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;",
        "\\u003cscript\\u003ealert(1)\\u003c/script\\u003e", "<a href=javascript:alert(1)>x</a>", "javascript:alert(1)",
        "`onload=alert(1)",
    ])
    func noTextBecomesMarkup(text: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let body = """
                {"slug": "x", "route": "products/:product_id", "routeParameters": {"product_id": "\(text)"},
                 "social": {"title": "\(text)", "description": "\(text)", "imageURL": "https://a.example/i.png"},
                 "campaign": {"source": "\(text)", "name": "\(text)"}, "tags": ["\(text)"]}
                """
            let made = try await fixture.call("POST", "/api/v1/links", body)
            try #require(made.status == 201, "\(made.text)")
            let mac = Agent.mac
            for (target, agent) in [
                ("/x", Agent.iphone), ("/x", Agent.ipad), ("/x", mac), ("/x", Agent.crawler), ("/x+", Agent.windows),
                ("/x/qr.svg", Agent.windows),
            ] {
                let page = try await fixture.visit(target, as: agent)
                guard page.status == 200 else { continue }
                let markup = page.text
                for harm in [
                    "<script>alert", "<img src=x", "<svg/onload", "<a href=javascript", "<!--", "href=\"javascript:",
                    "<%=",
                ] {
                    #expect(!markup.contains(harm), "\(target) holds \(harm)")
                }
                #expect(page[header: "Content-Security-Policy"]?.contains("default-src 'none'") == true)
                #expect(page[header: "X-Content-Type-Options"] == "nosniff")
            }
        }
    }
}

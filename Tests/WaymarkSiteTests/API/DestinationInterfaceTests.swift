import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkService

/// Where links may lead, over REST and in browsers.
@Suite struct DestinationInterfaceTests {
    /// An application of its own domain, with members besides.
    private static func application(_ members: String = "", web: String = "https://shop.example.com") -> String {
        #"""
        {"id": "shop", "domains": ["go.example.com"], "baseURL": "https://go.example.com",
         "ios": {"urlScheme": "shop"}, "web": {"baseURL": "\#(web)"},
         "templates": [{"route": "products/:id", "urls": {"web": "https://shop.example.com/products/:id"}}]\#(members)}
        """#
    }

    private static let allowed =
        #", "destinations": {"allowedHosts": ["shop.example.com", "*.partner.example"], "blockedHosts": ["x.partner.example"]}"#

    @Test(arguments: TransportKind.allCases)
    func keepsAnApplicationToItsHosts(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: []) { fixture in
            let path = "/api/v1/apps/shop"
            let put = try await fixture.call("PUT", path, Self.application(Self.allowed))
            try #require(put.status == 201, "\(put.text)")
            #expect(put.json["destinations"]?["allowedHosts"]?.array?.count == 2)
            #expect(try await fixture.call("GET", path).json["destinations"] == put.json["destinations"])
            let refused = try await fixture.call(
                "PUT", path,
                Self.application(
                    Self.allowed
                        + #", "onExpired": "https://late.example/", "rules": [{"when": {"language": "de"}, "to": "https://x.partner.example/"}]"#,
                    web: "https://web.example"))
            #expect(refused.status == 422)
            #expect(refused.fields == ["onExpired", "rules[0].to", "web.baseURL"])
            for (destinations, fields) in [
                (
                    #"{"allowedHosts": ["a b", 7], "allowed": []}"#,
                    ["destinations.allowedHosts[1]", "destinations.allowed"]
                ),
                (#"["shop.example.com"]"#, ["destinations"]), (#"{"allowedHosts": []}"#, ["destinations.allowedHosts"]),
            ] {
                let answer = try await fixture.call(
                    "PUT", path, Self.application(#", "destinations": \#(destinations)"#))
                #expect(answer.status == 422)
                #expect(Set(fields).isSubset(of: answer.fields), "\(answer.text)")
            }
            for (url, status) in [
                ("https://shop.example.com/a", 201), ("https://a.partner.example/", 201),
                ("https://x.partner.example/", 422), ("https://partner.example/", 422), ("https://evil.example/", 422),
            ] {
                let answer = try await fixture.call("POST", "/api/v1/links", #"{"urls": {"web": "\#(url)"}}"#)
                #expect(answer.status == status, "\(answer.text)")
                #expect(answer.fields == (status == 422 ? ["urls.web"] : []))
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func aTightenedPolicyHoldsForLinksThatExist(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: [Self.application()]) { fixture in
            _ = try await fixture.create(
                #"{"slug": "old", "urls": {"web": "https://old.example/", "windows": "https://win.example/"}}"#)
            for _ in 0..<2 {
                #expect(try await fixture.visit("/old")[header: "Location"] == "https://win.example/")
            }
            let put = try await fixture.call(
                "PUT", "/api/v1/apps/shop", Self.application(#", "destinations": {"blockedHosts": ["win.example"]}"#))
            #expect(put.status == 200)
            for _ in 0..<2 {
                #expect(try await fixture.visit("/old")[header: "Location"] == "https://old.example/")
            }
            let strict = try await fixture.call("PUT", "/api/v1/apps/shop", Self.application(Self.allowed))
            #expect(strict.status == 200)
            #expect(try await fixture.visit("/old")[header: "Location"] == "https://shop.example.com")
            let explained = try await fixture.call(
                "POST", "/api/v1/explain",
                #"{"url": "https://go.example.com/old", "headers": {"User-Agent": "\#(Agent.windows)"}}"#)
            let candidates = explained.json["candidates"]?.array ?? []
            #expect(candidates.first?["source"]?.string == "link.urls.windows")
            #expect(candidates.first?["url"]?.string == "https://win.example/")
            #expect(candidates.first?["taken"]?.bool == false)
            #expect(candidates.first?["why"]?.string == "not allowed by destinations")
            let resolved = try await fixture.call(
                "POST", "/api/v1/resolve", #"{"smartlink": "https://go.example.com/old"}"#)
            #expect(resolved.json["deeplink"]?.string == "https://shop.example.com")
            // It can be switched off and labelled, but not led on to what is forbidden.
            let link = "/api/v1/links/go.example.com/old"
            #expect(try await fixture.call("PATCH", link, #"{"tags": ["a"]}"#).status == 200)
            let patched = try await fixture.call("PATCH", link, #"{"urls": {"linux": "https://shop.example.com/"}}"#)
            #expect(patched.fields == ["urls.web", "urls.windows"])
        }
    }

    @Test(arguments: TransportKind.allCases)
    func theServicesListHoldsForAllApplicationsAndCanBeReadAgain(transportKind: TransportKind) async throws {
        try await SiteFixture.run(
            transportKind, applications: [Self.application(#", "onUnknown": "https://none.example/""#)]
        ) {
            fixture in
            _ = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://old.example/"}}"#)
            for _ in 0..<2 {
                #expect(try await fixture.visit("/x")[header: "Location"] == "https://old.example/")
            }
            #expect(try await fixture.visit("/y")[header: "Location"] == "https://none.example/")
            let list = try HostList.read(Array("old.example\n*.old.example\n0.0.0.0 none.example\n".utf8))
            try await fixture.service.applications.block(list)
            #expect(try await fixture.visit("/x")[header: "Location"] == "https://shop.example.com")
            #expect(try await fixture.visit("/y").status == 404)
            for url in ["https://old.example/", "https://OLD.example.:443/", "https://a.old.example/"] {
                let refused = try await fixture.call("POST", "/api/v1/links", #"{"urls": {"web": "\#(url)"}}"#)
                #expect(refused.fields == ["urls.web"], "\(refused.text)")
                let batch = try await fixture.call("POST", "/api/v1/links:batch", #"[{"urls": {"web": "\#(url)"}}]"#)
                #expect(batch.json["results"]?.array?.first?["status"]?.integer == 422)
                let put = try await fixture.call("PUT", "/api/v1/apps/shop", Self.application(web: "\(url)"))
                #expect(put.fields == ["web.baseURL"])
            }
            try await fixture.service.applications.block(HostSet())
            #expect(try await fixture.visit("/x")[header: "Location"] == "https://old.example/")
            #expect(try await fixture.visit("/y")[header: "Location"] == "https://none.example/")
        }
    }

    /// Spellings of a smart link's address as browsers would follow them.
    @Test(arguments: [
        "https://go.example.com/x", "http://go.example.com/x", "https://go.example.com:8443/x",
        "HTTPS://GO.EXAMPLE.com/x",
        "https://go.example.com./x", "https://go.example.com/%78", "https://go.example.com/x+",
        "https://go.example.com/x%2b", "https://go.example.com/%2e/x", "https://go.example.com/a/%2E%2e/x",
        "https://go.example.com/x?a#b", "https://go.example.com/other", "https://go.example.com/x/",
        "https://go.example.com/x.", "https://go.example.com/x%20+", "https://go.example.com/東",
        "https://open.example.com/x",
        "https://other.example/x",
    ])
    func noLinkLeadsBackToOne(url: String) async throws {
        let other = #"""
            {"id": "other", "domains": ["other.example"], "baseURL": "https://other.example", "openHost": "open.example.com",
             "web": {"baseURL": "https://b.example"}}
            """#
        try await SiteFixture.run(.inProcess, applications: [Self.application(), other]) { fixture in
            _ = try await fixture.create(#"{"app": "shop", "slug": "x", "urls": {"web": "https://a.example/"}}"#)
            for (members, field) in [
                (#""urls": {"web": "\#(url)"}"#, "urls.web"),
                (#""urls": {"web": {"link": "https://a.example/", "fallback": "\#(url)"}}"#, "urls.web.fallback"),
                (#""urls": {"web": "https://a.example/"}, "rules": [{"to": "\#(url)"}]"#, "rules[0].to"),
            ] {
                let made = try await fixture.call("POST", "/api/v1/links", #"{"app": "shop", \#(members)}"#)
                #expect(made.status == 422)
                #expect(made.fields == [field], "\(made.text)")
                #expect(made.text.contains("leads back to a smart link of this service"))
                let patched = try await fixture.call("PATCH", "/api/v1/links/go.example.com/x", "{\(members)}")
                #expect(patched.fields == [field])
            }
            let put = try await fixture.call(
                "PUT", "/api/v1/apps/shop",
                Self.application(#", "onExpired": "\#(url)", "onUnknown": "https://go.example.com/_/unknown""#))
            #expect(put.fields == ["onExpired"])
        }
    }

    /// What stands at these addresses of the service's own leads on to nothing.
    @Test(arguments: [
        "/", "/_/", "//x", "/a/b", "/robots.txt", "/x%2fy", "/.x", "/x/qr.png", "/healthz", "/x;y",
    ])
    func anAddressThatIsLeftAloneRedirectsNobody(path: String) async throws {
        try await SiteFixture.run(.inProcess, applications: [Self.application()]) { fixture in
            _ = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/"}}"#)
            _ = try await fixture.create(
                #"{"slug": "to", "urls": {"web": "https://go.example.com\#(path)"}}"#)
            let answer = try await fixture.visit(path)
            #expect(answer[header: "Location"] == nil, "\(answer.status)")
        }
    }
}

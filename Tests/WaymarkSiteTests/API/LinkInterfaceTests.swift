import Testing
import WaymarkBytes
import WaymarkJSON

/// Creating, reading, changing, listing and deleting links.
@Suite struct LinkInterfaceTests {
    @Test(arguments: TransportKind.allCases)
    func readsALinkByDomainAndBySlug(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let created = try await fixture.create(#"{"slug": "spring", "urls": {"web": "https://a.example/"}}"#)
            for path in ["/api/v1/links/go.example.com/spring", "/api/v1/links/spring"] {
                let answer = try await fixture.call("GET", path, headers: [("If-None-Match", "\"1\"")])
                #expect(answer.status == 200)
                #expect(answer.json == created)
                #expect(answer[header: "ETag"] == "\"1\"")
                #expect(answer[header: "Cache-Control"] == "no-store")
            }
            for path in [
                "/api/v1/links/go.example.com/autumn", "/api/v1/links/autumn", "/api/v1/links/other.example/spring",
            ] {
                let answer = try await fixture.call("GET", path)
                #expect(answer.status == 404)
                #expect(answer.problem == "link-unknown")
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func refusesATakenSlug(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let body = #"{"slug": "spring", "urls": {"web": "https://a.example/"}}"#
            _ = try await fixture.create(body)
            let answer = try await fixture.call("POST", "/api/v1/links", body)
            #expect(answer.status == 409)
            #expect(answer.problem == "slug-taken")
            #expect(answer[header: "Content-Type"] == "application/problem+json")
        }
    }

    @Test(arguments: TransportKind.allCases)
    func asksForTheDomainWhereASlugStandsOnSeveral(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            _ = try await fixture.create(#"{"app": "shop", "slug": "x", "urls": {"web": "https://a.example/"}}"#)
            _ = try await fixture.create(#"{"app": "news", "slug": "x", "urls": {"web": "https://b.example/"}}"#)
            for (method, body) in [("GET", nil), ("PATCH", "{}"), ("DELETE", nil)] {
                let answer = try await fixture.call(method, "/api/v1/links/x", body)
                #expect(answer.status == 409)
                #expect(answer.problem == "slug-ambiguous")
            }
            #expect(try await fixture.call("DELETE", "/api/v1/links/news.example.com/x").status == 204)
            #expect(try await fixture.call("GET", "/api/v1/links/x").status == 200)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func patchesWhatMayChange(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let path = "/api/v1/links/go.example.com/\(slug)"
            let answer = try await fixture.call(
                "PATCH", path,
                #"{"queryParameters": {"referrer": null, "from": "mail"}, "tags": ["a"], "maxClicks": 7, "redeemLimit": 3}"#,
                headers: [("Content-Type", "application/merge-patch+json"), ("If-Match", "\"1\"")])
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer[header: "ETag"] == "\"2\"")
            #expect(answer.json["version"]?.integer == 2)
            #expect(answer.json["queryParameters"] == (try JSONValue(parsing: #"{"from": "mail"}"#)))
            #expect(answer.json["tags"] == (try JSONValue(parsing: #"["a"]"#)))
            #expect(answer.json["hasMetadata"]?.bool == true)
            #expect(answer.json["redeem"]?["limit"]?.integer == 3)
            #expect(
                try await fixture.visit("/\(slug)")[header: "Location"]
                    == "https://shop.example.com/products/42?from=mail")
        }
    }

    @Test(arguments: TransportKind.allCases)
    func patchesMetadataMemberByMember(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let path = "/api/v1/links/go.example.com/\(slug)"
            #expect(try await fixture.call("PATCH", path, #"{"metadata": {"price": 1.50}}"#).status == 200)
            #expect(try await fixture.call("GET", path + "/metadata").text == #"{"coupon":"20","price":1.50}"#)
            #expect(try await fixture.call("PATCH", path, #"{"metadata": null}"#).json["hasMetadata"]?.bool == false)
            #expect(try await fixture.call("GET", path + "/metadata").text == "null")
        }
    }

    @Test(arguments: [
        (
            #"{"clicks": 5, "version": 9, "smartlink": "x", "createdAt": "x"}"#,
            ["clicks", "createdAt", "smartlink", "version"]
        ),
        (#"{"app": "x", "domain": "y", "slug": "z", "unique": true}"#, ["app", "domain", "slug", "unique"]),
        (#"{"colour": "red"}"#, ["colour"]),
        (#"{"urls": {"web": "javascript:alert(1)"}}"#, ["urls.web"]),
        (#"{"tags": "a"}"#, ["tags"]),
        (#"{"routeParameters": {"product_id": null}}"#, ["routeParameters.product_id"]),
        (#"{"routeParameters": {"other": "1"}}"#, ["routeParameters.other"]),
        (#"[]"#, ["body"]),
    ])
    func refusesToPatch(body: String, fields: [String]) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let answer = try await fixture.call("PATCH", "/api/v1/links/\(slug)", body)
            #expect(answer.status == 422)
            #expect(answer.problem == "invalid-fields")
            #expect(answer.fields == fields)
        }
    }

    @Test(arguments: [
        ("\"1\"", 200), ("*", 200), ("\"7\", \"1\"", 200), ("\"2\"", 412), ("W/\"1\"", 412), ("1", 412), ("", 412),
    ])
    func patchesOnlyTheVersionThatWasRead(tag: String, status: Int) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.plain)["slug"]?.string)
            let answer = try await fixture.call(
                "PATCH", "/api/v1/links/\(slug)", #"{"disabled": true}"#, headers: [("If-Match", tag)])
            #expect(answer.status == status)
            if status == 412 { #expect(answer.problem == "version-mismatch") }
        }
    }

    @Test func switchesOffALinkWhoseDestinationIsNoLongerAllowed() async throws {
        let old =
            #"{"id": "old", "domains": ["old.example"], "schemes": ["oldapp"], "web": {"baseURL": "https://old.example"}}"#
        try await SiteFixture.run(.inProcess, applications: [old]) { fixture in
            _ = try await fixture.create(#"{"slug": "x", "urls": {"ios": "oldapp://x"}}"#)
            let bare = #"{"domains": ["old.example"]}"#
            #expect(try await fixture.call("PUT", "/api/v1/apps/old", bare).status == 200)
            let path = "/api/v1/links/old.example/x"
            let answer = try await fixture.call("PATCH", path, #"{"disabled": true, "tags": ["off"]}"#)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.json["state"]?.string == "disabled")
            let refused = try await fixture.call("PATCH", path, #"{"urls": {"ios": "oldapp://y"}}"#)
            #expect(refused.fields == ["urls.ios"])
        }
    }

    @Test(arguments: [("\"1\"", 412), ("\"2\"", 204), ("*", 204), ("\"x\"", 412)])
    func deletesOnlyTheVersionThatWasRead(tag: String, status: Int) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.plain)["slug"]?.string)
            #expect(try await fixture.call("PATCH", "/api/v1/links/\(slug)", "{}").status == 200)
            for path in ["/api/v1/links/\(slug)", "/api/v1/links/go.example.com/\(slug)"] where status == 412 {
                let answer = try await fixture.call("DELETE", path, headers: [("If-Match", tag)])
                #expect(answer.status == 412)
                #expect(answer.problem == "version-mismatch")
            }
            let path = "/api/v1/links/go.example.com/\(slug)"
            #expect(try await fixture.call("DELETE", path, headers: [("If-Match", tag)]).status == status)
            #expect(try await fixture.call("GET", path).status == (status == 204 ? 404 : 200))
        }
    }

    @Test(arguments: TransportKind.allCases)
    func forgetsADeletedLinkAtOnce(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.plain)["slug"]?.string)
            for _ in 0..<3 { #expect(try await fixture.visit("/\(slug)").status == 302) }
            let answer = try await fixture.call("DELETE", "/api/v1/links/go.example.com/\(slug)")
            #expect(answer.status == 204)
            #expect(answer.body.isEmpty)
            #expect(try await fixture.visit("/\(slug)").status == 404)
            #expect(try await fixture.call("DELETE", "/api/v1/links/go.example.com/\(slug)").status == 404)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func showsAPatchToTheNextVisit(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.plain)["slug"]?.string)
            for _ in 0..<3 {
                #expect(try await fixture.visit("/\(slug)")[header: "Location"] == "https://www.example.com/page")
            }
            let patch = #"{"urls": {"web": "https://www.example.com/other"}}"#
            #expect(try await fixture.call("PATCH", "/api/v1/links/\(slug)", patch).status == 200)
            for _ in 0..<3 {
                #expect(try await fixture.visit("/\(slug)")[header: "Location"] == "https://www.example.com/other")
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func givesAUniqueLinkAgain(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let first = try await fixture.call(
                "POST", "/api/v1/links",
                #"{"unique": true, "route": "products/:product_id", "routeParameters": {"product_id": 7}, "tags": []}"#)
            #expect(first.status == 201)
            let again = try await fixture.call(
                "POST", "/api/v1/links",
                #"{"routeParameters": {"product_id": 7}, "app": "shop", "route": "products/:product_id", "unique": true}"#
            )
            #expect(again.status == 200)
            #expect(again.json["slug"] == first.json["slug"])
            #expect(again[header: "Location"] == first[header: "Location"])
            let other = try await fixture.call(
                "POST", "/api/v1/links",
                #"{"unique": true, "route": "products/:product_id", "routeParameters": {"product_id": 8}}"#)
            #expect(other.status == 201)
            // Parameters are what is filled into URLs, so the text 7 and the number 7 are one link.
            let text = try await fixture.call(
                "POST", "/api/v1/links",
                #"{"unique": true, "route": "products/:product_id", "routeParameters": {"product_id": "7"}}"#)
            #expect(text.status == 200)
            let slug = try #require(first.json["slug"]?.string)
            #expect(try await fixture.call("PATCH", "/api/v1/links/\(slug)", "{}").status == 200)
            let afterPatch = try await fixture.call(
                "POST", "/api/v1/links",
                #"{"unique": true, "route": "products/:product_id", "routeParameters": {"product_id": 7}}"#)
            #expect(afterPatch.status == 201)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func listsNewestFirstPageByPage(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            for number in 0..<5 {
                let tag = number.isMultiple(of: 2) ? "even" : "odd"
                _ = try await fixture.create(
                    #"{"slug": "s\#(number)", "urls": {"web": "https://a.example/\#(number)"}, "tags": ["\#(tag)"]}"#)
            }
            var slugs: [String] = []
            var target = "/api/v1/links?limit=2"
            for _ in 0..<5 {
                let page = try await fixture.call("GET", target)
                #expect(page.status == 200)
                slugs += (page.json["links"]?.array ?? []).compactMap { $0["slug"]?.string }
                guard let cursor = page.json["cursor"]?.string else { break }
                target = "/api/v1/links?limit=2&cursor=\(cursor)"
            }
            #expect(slugs == ["s4", "s3", "s2", "s1", "s0"])
            #expect(try await fixture.slugs("tag=odd&app=shop") == ["s3", "s1"])
            #expect(try await fixture.slugs("query=a.example%2F2") == ["s2"])
        }
    }

    @Test(arguments: [
        ("query=", "query"), ("query=" + String(repeating: "a", count: 201), "query"), ("limit=0", "limit"),
        ("limit=201", "limit"), ("limit=x", "limit"), ("limit=", "limit"),
        ("limit=%2B5", "limit"),
        ("limit=1.5", "limit"), ("limit=99999999999999999999", "limit"), ("cursor=x", "cursor"),
        ("cursor=00000000000000000000", "cursor"), ("cursor=%00", "cursor"), ("app=%0d%0a", "app"),
        ("limit=1&limit=2", "limit"), ("domain=a%20b", "domain"), ("state=Active", "state"), ("sort=clicks", "sort"),
        ("count=yes", "count"), ("createdFrom=yesterday", "createdFrom"), ("createdTo=2026-02-30", "createdTo"),
        ("createdFrom=2026-11-22&createdTo=2026-11-21", "createdFrom"), ("search=", "search"), ("search=...", "search"),
        ("search=" + String(repeating: "a+", count: 17), "search"),
        ("search=" + String(repeating: "a", count: 201), "search"), ("campaign=a&campaign=b", "campaign"),
    ])
    func refusesABadListing(query: String, field: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("GET", "/api/v1/links?\(query)")
            #expect(answer.status == 422)
            #expect(answer.fields == [field])
        }
    }

    @Test(arguments: [
        "https://go.example.com/summer-sale", "go.example.com/summer-sale", "HTTPS://GO.example.com:443/summer-sale",
        "go.example.com/summer-sale+", "https://go.example.com/summer-sale?utm_source=x&y=%20#top",
        "http://go.example.com/summer-sale/", " go.example.com/summer-sale ", "go.example.com/summer%2Dsale",
        "go.example.com/summer-sale?gclid=" + String(repeating: "a-", count: 200), "go.example.com/former",
    ])
    func findsALinkByItsAddress(address: String) async throws {
        let store = try FaultyStore(seed: 1)
        try await SiteFixture.run(.inProcess, store: store) { fixture in
            _ = try await fixture.create(
                #"{"slug": "former", "urls": {"web": "https://a.example/"}, "tags": ["sale"]}"#)
            _ = try await fixture.create(#"{"slug": "summer", "urls": {"web": "https://a.example/summer-sale"}}"#)
            let renamed = try await fixture.call(
                "POST", "/api/v1/links/go.example.com/former:rename", #"{"slug": "summer-sale"}"#)
            #expect(renamed.status == 200)
            let text = PercentEncoding.encode(address)
            for name in ["search", "query"] {
                let page = try await fixture.call("GET", "/api/v1/links?\(name)=\(text)&count=true&sort=-clicks")
                #expect(page.status == 200, "\(page.text)")
                #expect(page.json["links"]?.array?.map { $0["slug"]?.string } == ["summer-sale"])
                #expect(page.json["total"] == 1)
                #expect(page.json["cursor"] == .null)
                let other = try await fixture.call("GET", "/api/v1/links?\(name)=\(text)&tag=other&count=true")
                #expect(other.json["links"]?.array?.isEmpty == true)
                #expect(other.json["total"] == 0)
                let foreign = try await fixture.key(["read"], app: "shop")
                #expect(
                    try await fixture.call("GET", "/api/v1/links?\(name)=\(text)&app=news", key: foreign)
                        .json["links"]?.array?.isEmpty == true)
            }
            let deleted = try await fixture.call(
                "POST", "/api/v1/links:delete", #"{"select": {"search": "\#(address)"}, "dryRun": true}"#)
            #expect(deleted.status == 200, "\(deleted.text)")
            #expect(deleted.json["matched"] == 1, "\(deleted.text)")
            #expect(store.listings == 0)
        }
    }

    /// A deletion by address that is sent again.
    @Test func selectsNoOtherLinkByTheAddressOfOneThatIsGone() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "sale", "urls": {"web": "https://a.example/"}}"#)
            _ = try await fixture.create(
                #"{"slug": "note", "urls": {"web": "https://a.example/"}, "note": "like go.example.com/sale"}"#)
            for name in ["search", "query"] {
                for _ in 0..<2 {
                    let deleted = try await fixture.call(
                        "POST", "/api/v1/links:delete", #"{"select": {"\#(name)": "go.example.com/sale"}}"#)
                    #expect(deleted.status == 200, "\(deleted.text)")
                }
            }
            #expect(try await fixture.call("GET", "/api/v1/links/go.example.com/sale").status == 404)
            #expect(try await fixture.call("GET", "/api/v1/links/go.example.com/note").status == 200)
        }
    }

    @Test(arguments: [
        ("go.example.com/unknown", []), ("a.example/summer-sale", ["summer"]), ("other.example/summer", []),
        ("https://a.example/summer-sale", ["summer"]), ("summer/sale", ["summer"]),
        ("go.example.com/summer and more", []), ("go.example.com/", []),
    ])
    func searchesWordsOfAnAddressWithoutLink(text: String, slugs: [String]) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "summer", "urls": {"web": "https://a.example/summer-sale"}}"#)
            #expect(try await fixture.slugs("search=\(PercentEncoding.encode(text))") == slugs)
        }
    }

    /// Each finds the second of three links.
    @Test(arguments: [
        "app=shop&tag=two", "domain=two.example.com", "campaign=second", "state=disabled", "search=NUMB+tw",
        "query=b.example%2F2", "state=disabled&sort=-clicks&count=true", "search=number+two&sort=expiresAt",
        "tag=two&sort=createdAt",
        "createdFrom=2020-01-01&createdTo=9999-01-01T00:00:00Z&tag=two", "domain=TWO.example.com.",
    ])
    func listsLinksOfAFilter(query: String) async throws {
        let shop = #"{"id": "shop", "name": "Shop", "domains": ["one.example.com", "two.example.com"]}"#
        try await SiteFixture.run(.inProcess, applications: [shop]) { fixture in
            for (domain, body) in [
                ("one", #""title": "Number one""#),
                (
                    "two",
                    #""title": "Number two", "tags": ["two"], "campaign": {"name": "second"}, "disabled": true"#
                ),
                ("one", #""tags": ["twofold"]"#),
            ] {
                let created = try await fixture.call(
                    "POST", "/api/v1/links",
                    """
                    {"domain": "\(domain).example.com", "urls": {"web": "https://\(domain == "two" ? "b" : "a").example/2"}, \(body)}
                    """)
                #expect(created.status == 201, "\(created.text)")
            }
            let links = try await fixture.links(query) { page in
                #expect((page.json["total"] != nil) == query.contains("count"))
            }
            #expect(links.map { $0["domain"]?.string } == ["two.example.com"])
        }
    }

    @Test func aCursorIsOfOneOrder() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            for number in 0..<3 {
                _ = try await fixture.call(
                    "POST", "/api/v1/links", #"{"slug": "s\#(number)", "urls": {"web": "https://a.example/"}}"#)
            }
            for sort in ["-createdAt", "createdAt", "-clicks", "expiresAt"] {
                var slugs: [String] = []
                var target = "/api/v1/links?limit=1&sort=\(sort)"
                for _ in 0..<3 {
                    let page = try await fixture.call("GET", target)
                    slugs += (page.json["links"]?.array ?? []).compactMap { $0["slug"]?.string }
                    guard let cursor = page.json["cursor"]?.string else { break }
                    target = "/api/v1/links?limit=1&sort=\(sort)&cursor=\(cursor)"
                    let other = sort == "createdAt" ? "-createdAt" : "createdAt"
                    let refused = try await fixture.call("GET", "/api/v1/links?sort=\(other)&cursor=\(cursor)")
                    #expect(refused.fields == ["cursor"])
                }
                #expect(slugs == (sort == "createdAt" ? ["s0", "s1", "s2"] : ["s2", "s1", "s0"]))
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func createsABatchWithAnOutcomeForEach(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let body = """
                [{"slug": "one", "urls": {"web": "https://a.example/1"}}, {"slug": "one", "urls": {"web": "https://a.example/2"}},
                 {"urls": {"web": 5}, "x": 1}, 7, {"unique": true, "urls": {"web": "https://a.example/3"}},
                 {"unique": true, "urls": {"web": "https://a.example/3"}}]
                """
            let answer = try await fixture.call("POST", "/api/v1/links:batch", body)
            #expect(answer.status == 200, "\(answer.text)")
            let results = try #require(answer.json["results"]?.array)
            #expect(results.compactMap { $0["status"]?.integer } == [201, 409, 422, 422, 201, 200])
            #expect(results[0]["link"]?["slug"]?.string == "one")
            #expect(results[2]["problem"]?["errors"]?.array?.count == 2)
            #expect(results[4]["link"]?["slug"] == results[5]["link"]?["slug"])
        }
    }

    @Test func refusesABatchOfMoreThanAThousand() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let body = "[" + Array(repeating: SiteFixture.plain, count: 1_001).joined(separator: ",") + "]"
            let answer = try await fixture.call("POST", "/api/v1/links:batch", body)
            #expect(answer.status == 422)
            #expect(try await fixture.call("POST", "/api/v1/links:batch", "{}").status == 422)
            #expect(try await fixture.call("GET", "/api/v1/links").json["links"]?.array?.isEmpty == true)
        }
    }
}

import Testing
import WaymarkJSON

extension EndToEnd {
    /// One smart link from its creation to its deletion, on each event loop.
    @Suite struct LifeCycleTests {
        @Test(arguments: EventLoops.all)
        func aLinkIsCreatedReadChangedAndDeleted(eventLoop: String) throws {
            let server = try Installation().start(["--event-loop", eventLoop])
            let client = try server.connect()

            let created = try client.exchange(.create(Shop.gift()))
            #expect(created.status == 201, "\(created)")
            #expect(created["Location"]?.hasSuffix("/gift") == true)
            #expect(created["Content-Type"] == "application/json")
            #expect(created["Cache-Control"] == "no-store")
            let link = created.json
            #expect(link["smartlink"] == "https://go.example.com/gift")
            #expect(link["domain"] == "go.example.com")
            #expect(link["slug"] == "gift")
            #expect(link["app"] == "shop")
            #expect(link["route"] == "products/:product_id")
            #expect(link["routeParameters"] == ["product_id": "42"])
            #expect(link["queryParameters"] == ["referrer": "ana"])
            #expect(link["hasMetadata"] == true)
            #expect(link["metadata"] == nil)
            #expect(link["redeem"] == ["limit": 1, "used": 0, "remaining": 1])
            #expect(link["state"] == "active")
            #expect(link["clicks"] == 0)
            #expect(link["version"] == 1)

            let path = "/links/go.example.com/gift"
            let read = try client.exchange(.api("GET", path))
            #expect(read.status == 200)
            #expect(read.json == link)
            #expect(try client.exchange(.api("GET", "/links/gift")).json == link)
            #expect(try client.exchange(.api("GET", path + "/metadata")).json == ["coupon": "20"])

            var patch = Request.api("PATCH", path, #"{"tags": ["spring"]}"#)
            patch.fields.append(("If-Match", read["ETag"] ?? ""))
            let patched = try client.exchange(patch)
            #expect(patched.status == 200, "\(patched)")
            #expect(patched.json["tags"] == ["spring"])
            #expect(patched.json["version"] == 2)
            #expect(try client.exchange(patch).status == 412)

            let page = try client.exchange(.api("GET", "/links?tag=spring"))
            #expect(page.json["links"]?.array?.map { $0["slug"] } == ["gift"])
            #expect(page.json["cursor"]?.isNull == true)

            #expect(try client.exchange(.api("DELETE", path)).status == 204)
            #expect(try client.exchange(.api("GET", path)).problem == "link-unknown")
            #expect(try client.exchange(.get("/gift")).status == 404)
            #expect(try server.stop() == .exit(0))
        }

        @Test(arguments: EventLoops.all)
        func aBrowserIsLedByItsPlatform(eventLoop: String) throws {
            let server = try Installation().start(["--event-loop", eventLoop])
            let client = try server.connect()
            #expect(try client.exchange(.create(Shop.gift())).status == 201)

            let desktop = try client.exchange(.get("/gift", userAgent: Browser.desktop))
            #expect(desktop.status == 302)
            #expect(desktop["Location"] == "https://shop.example.com/products/42?referrer=ana")
            #expect(desktop["Cache-Control"] == "private, no-store")
            #expect(desktop["Referrer-Policy"] == "strict-origin-when-cross-origin")
            #expect(desktop["Vary"]?.contains("User-Agent") == true)
            #expect(desktop["Date"] != nil)

            let android = try client.exchange(.get("/gift", userAgent: Browser.android))
            #expect(android.status == 302)
            let intent = try #require(android["Location"])
            #expect(intent.hasPrefix("intent://products/42?referrer=ana&_hk_cid="), "\(intent)")
            #expect(intent.contains("&_hk_md=1#Intent;"))
            #expect(intent.contains(";scheme=shop;"))
            #expect(intent.contains(";package=com.example.shop;"))
            #expect(
                intent.contains(
                    ";S.browser_fallback_url=https%3A%2F%2Fplay.google.com%2Fstore%2Fapps%2Fdetails%3Fid%3Dcom.example.shop%26referrer%3Dwaymark%253D"
                ))
            #expect(intent.hasSuffix(";end"))

            for userAgent in [Browser.iPhone, Browser.iPad] {
                let page = try client.exchange(.get("/gift", userAgent: userAgent))
                #expect(page.status == 200)
                #expect(page["Content-Type"]?.hasPrefix("text/html") == true)
                #expect(page["Cache-Control"] == "private, no-store")
                #expect(page.text.contains("shop://products/42?referrer=ana&amp;_hk_cid="))
                #expect(page.text.contains("apps.apple.com") && page.text.contains("id123456789"))
                #expect(!page.text.lowercased().contains("http-equiv=\"refresh"))
            }
        }

        @Test(arguments: EventLoops.all)
        func anAppReceivesTheMetadataOnce(eventLoop: String) throws {
            let server = try Installation().start(["--event-loop", eventLoop])
            let client = try server.connect()
            #expect(try client.exchange(.create(Shop.gift())).status == 201)
            let body = #"{"smartlink": "https://go.example.com/gift", "platform": "ios"}"#

            let first = try client.exchange(.resolve(body))
            #expect(first.status == 200, "\(first)")
            #expect(
                first.json == [
                    "deeplink": "shop://products/42?referrer=ana", "route": "products/:product_id",
                    "routeParameters": ["product_id": "42"], "queryParameters": ["referrer": "ana"],
                    "metadata": ["coupon": "20"],
                    "redeem": ["limit": 1, "used": 1, "remaining": 0, "status": "redeemed"],
                ])

            let second = try client.exchange(.resolve(body))
            #expect(second.status == 200)
            #expect(second.json["metadata"]?.isNull == true)
            #expect(second.json["redeem"] == ["limit": 1, "used": 1, "remaining": 0, "status": "exhausted"])
            #expect(second.json["deeplink"] == "shop://products/42?referrer=ana")
            #expect(try client.exchange(.get("/gift", userAgent: Browser.android)).status == 302)
        }

        @Test(arguments: EventLoops.all)
        func theClickIDThatTheAppWasOpenedWithResolves(eventLoop: String) throws {
            let server = try Installation().start(["--event-loop", eventLoop])
            let client = try server.connect()
            #expect(try client.exchange(.create(Shop.gift())).status == 201)
            let intent = try #require(try client.exchange(.get("/gift", userAgent: Browser.android))["Location"])
            let start = try #require(intent.firstRange(of: "_hk_cid="))
            let clickID = intent[start.upperBound...].prefix { $0 != "&" && $0 != "#" }

            let resolved = try client.exchange(.resolve(#"{"clickID": "\#(clickID)", "platform": "android"}"#))
            #expect(resolved.status == 200, "\(resolved)")
            #expect(resolved.json["metadata"] == ["coupon": "20"])
            #expect(resolved.json["deeplink"] == "shop://products/42?referrer=ana")

            let last = try #require(clickID.last)
            let forged = clickID.dropLast() + (last == "A" ? "B" : "A")
            #expect(try client.exchange(.resolve(#"{"clickID": "\#(forged)"}"#)).status == 404)
        }

        @Test(arguments: EventLoops.all)
        func peoplesClicksAreCountedAndNothingElse(eventLoop: String) throws {
            let server = try Installation().start(["--event-loop", eventLoop])
            let client = try server.connect()
            #expect(try client.exchange(.create(Shop.gift())).status == 201)
            let people = [Browser.desktop, Browser.android, Browser.iPhone, Browser.iPad]
            for userAgent in people {
                var head = Request.get("/gift", userAgent: userAgent)
                head.method = "HEAD"
                let described = try client.exchange(head)
                let visited = try client.exchange(.get("/gift", userAgent: userAgent))
                #expect(described.status == visited.status)
                #expect(described["Content-Type"] == visited["Content-Type"])
            }
            try eventually("every click is counted") {
                let clicks = try client.exchange(.api("GET", "/links/go.example.com/gift")).json["clicks"]
                return clicks == JSONValue(people.count) ? () : nil
            }
        }

        @Test(arguments: EventLoops.all)
        func theDomainsAssociationFilesAreServed(eventLoop: String) throws {
            let server = try Installation().start(["--event-loop", eventLoop])
            let client = try server.connect()
            for path in ["/.well-known/apple-app-site-association", "/apple-app-site-association"] {
                let answer = try client.exchange(.get(path))
                #expect(answer.status == 200)
                #expect(answer["Content-Type"] == "application/json")
                #expect(
                    answer.json["applinks"]?["details"] == [
                        [
                            "appIDs": ["ABCDE12345.com.example.shop"],
                            "components": [["/": "/_/*", "exclude": true], ["/": "/*"]],
                        ]
                    ])
                #expect(try client.exchange(.get(path, host: "elsewhere.example")).status == 404)
            }
            let links = try client.exchange(.get("/.well-known/assetlinks.json"))
            #expect(links.status == 200)
            #expect(links["Content-Type"] == "application/json")
            let target = links.json.array?.first?["target"]
            #expect(target?["package_name"] == "com.example.shop")
            #expect(target?["sha256_cert_fingerprints"] == [JSONValue(Shop.fingerprint)])
            #expect(try client.exchange(.get("/.well-known/assetlinks.json", host: "elsewhere.example")).status == 404)
        }
    }
}

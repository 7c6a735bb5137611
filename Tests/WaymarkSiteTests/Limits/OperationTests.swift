import Testing
import WaymarkLinks
import WaymarkSQLite
import WaymarkServer
import WaymarkSite
import WaymarkStores

/// What operators look at, and who may.
@Suite struct OperationTests {
    @Test(arguments: TransportKind.allCases)
    func saysWhetherItIsAliveAndReady(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { (fixture: SiteFixture) async throws in
            #expect(try await fixture.visit("/healthz", host: "anything").status == 200)
            #expect(try await fixture.visit("/readyz", host: "anything").status == 200)
            fixture.site.beginDraining()
            #expect(try await fixture.visit("/readyz").status == 503)
            #expect(try await fixture.visit("/healthz").status == 200)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func countsForPrometheus(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let answer = try await fixture.visit("/metrics")
            #expect(answer.status == 200)
            #expect(answer[header: "Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
            for line in answer.text.split(separator: "\n") {
                #expect(
                    line.wholeMatch(
                        of:
                            /# (HELP|TYPE) (waymark|process)_[a-z_]+ .+|(waymark|process)_[a-z_]+(\{([a-z]+="[^"]*",?)+\})? [\d.]+/
                    ) != nil, "\(line)")
            }
            #expect(answer.text.contains("waymark_applications 1\n"))
        }
    }

    @Test(arguments: TransportKind.allCases)
    func servesItsPages(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            for (path, type) in [
                ("/_/", "text/html; charset=utf-8"), ("/_/index.html", "text/html; charset=utf-8"),
                ("/_/style.css", "text/css; charset=utf-8"), ("/_/association.js", "text/javascript; charset=utf-8"),
                ("/_/open.js", "text/javascript; charset=utf-8"), ("/_/ipad.js", "text/javascript; charset=utf-8"),
                ("/_/icon.svg", "image/svg+xml"), ("/_/openapi.json", "application/json"),
                ("/_/reference", "text/html; charset=utf-8"),
                ("/_/dashboard/main.js", "text/javascript; charset=utf-8"),
                ("/_/dashboard/links/list.js", "text/javascript; charset=utf-8"),
                ("/favicon.ico", "image/x-icon"), ("/robots.txt", "text/plain; charset=utf-8"),
            ] {
                let answer = try await fixture.visit(path, host: "anything")
                #expect(answer.status == 200, "\(path)")
                #expect(answer[header: "Content-Type"] == type)
                #expect(answer[header: "Content-Security-Policy"]?.contains("default-src 'none'") == true)
                let tag = try #require(answer[header: "ETag"])
                #expect(try await fixture.visit(path, headers: [("If-None-Match", tag)]).status == 304)
            }
            for path in [
                "/_/nothing.css", "/_/../Package.swift", "/_/%2e%2e/Package.swift", "/_/.well-known/x", "/_/hosts/x",
                "/_/dashboard/links/", "/_/dashboard/links/%2e%2e/%2e%2e/%2e%2e/Package.swift",
                "/.well-known", "/.well-known/", "/.well-known/security.txt", "/.well-known/../robots.txt",
            ] {
                #expect(try await fixture.visit(path).status == 404, "\(path)")
            }
        }
    }

    @Test(arguments: TransportKind.allCases, [ListenerRole.public, .admin])
    func keepsToolsToTheAdminListener(transportKind: TransportKind, role: ListenerRole) async throws {
        var options = SiteFixture.options()
        options.hasAdminListener = true
        try await SiteFixture.run(transportKind, options: options, role: role) { (fixture: SiteFixture) async throws in
            for path in [
                "/metrics", "/api/v1/apps", "/api/v1/apps/shop", "/api/v1/keys", "/_/", "/_/index.html",
                "/_/association.js", "/_/reference", "/_/dashboard/main.js", "/_/dashboard/links/list.js",
            ] {
                #expect(try await fixture.call("GET", path).status == (role == .admin ? 200 : 404), "\(path)")
            }
            // Whatever the method: a 405 would say that there is something.
            for (method, path) in [
                ("POST", "/metrics"), ("PATCH", "/api/v1/apps/shop"), ("DELETE", "/api/v1/keys"), ("PUT", "/_/"),
                ("OPTIONS", "/api/v1/apps"),
            ] {
                let answer = try await fixture.call(method, path)
                #expect(answer.status == (role == .admin ? 405 : 404), "\(method) \(path)")
                #expect((answer[header: "Allow"] != nil) == (role == .admin))
            }
            #expect(try await fixture.call("PUT", "/api/v1/links").status == 405)
            for path in ["/healthz", "/readyz", "/_/style.css", "/_/open.js", "/_/ipad.js", "/api/v1/links"] {
                #expect(try await fixture.call("GET", path).status == 200, "\(path)")
            }
        }
    }

    @Test func doesNotSayTheStoreIsAwayWithTheStoresWords() async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        try await SiteFixture.run(.inProcess, store: store) { fixture in
            _ = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/"}}"#)
            for _ in 0..<2 { #expect(try await fixture.visit("/x").status == 302) }
            await store.close()
            #expect(try await fixture.visit("/readyz").status == 503)
            #expect(try await fixture.visit("/x").status == 302)
            let unknown = try await fixture.visit("/y")
            #expect(unknown.status == 503)
            #expect(unknown[header: "Retry-After"] != nil)
            for (method, path, body) in [
                ("POST", "/api/v1/links", SiteFixture.plain), ("GET", "/api/v1/links", nil),
                ("GET", "/api/v1/links/x", nil),
                ("POST", "/api/v1/resolve", #"{"smartlink": "https://go.example.com/y"}"#),
                ("GET", "/api/v1/keys", nil),
                ("PUT", "/api/v1/apps/new", "{}"),
            ] {
                let answer = try await fixture.call(method, path, body)
                #expect(answer.status == 503, "\(method) \(path)")
                #expect(answer.problem == "store-unavailable")
            }
        }
    }
}

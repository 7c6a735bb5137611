import Synchronization
import Testing
import WaymarkClient
import WaymarkJSON
import WaymarkLinks
import WaymarkSQLite
import WaymarkService
import WaymarkStores

@testable import WaymarkSite

/// The verification of links, against destinations that answer by a script.
@Suite struct VerificationTests {
    private static let kinds: [(path: String, state: String, code: String?)] = [
        ("ok", "good", nil), ("404", "broken", "http-status"), ("500", "broken", "http-status"),
        ("loop", "broken", "redirect-loop"), ("nowhere", "broken", "redirect-target"),
        ("name", "unknown", "unreachable"), ("refused", "unknown", "unreachable"), ("slow", "unknown", "unreachable"),
        ("tls", "broken", "tls-certificate"), ("inside", "unknown", "forbidden-address"),
        ("busy", "unknown", "rate-limited"), ("get", "good", nil), ("silent", "good", nil),
        ("away", "broken", "http-status"), ("secret", "unknown", "robots"),
    ]

    @Test(arguments: TestDatabase.installed)
    func `two looks find each kind of fault`(database: TestDatabase) async throws {
        try await database.withStore { store in
            try await SiteFixture.verifying(ScriptedDestinations(), store: store) { fixture in
                for (index, kind) in Self.kinds.enumerated() {
                    // Hosts of their own: a busy one makes others wait.
                    _ = try await fixture.create(
                        #"{"slug": "\#(kind.path)", "urls": {"web": "https://h\#(index).example.com/\#(kind.path)/x"}}"#
                    )
                }
                await fixture.round()
                #expect(try await fixture.verified("broken") == [])
                await fixture.verify()
                for kind in Self.kinds {
                    let (state, codes) = try await fixture.verification(of: kind.path)
                    #expect(state == kind.state, "\(kind.path)")
                    #expect(codes == [kind.code].compactMap(\.self), "\(kind.path)")
                }
                for state in ["good", "broken", "unknown"] {
                    let expected = Self.kinds.filter { $0.state == state }.map(\.path)
                    #expect(try await fixture.verified(state) == expected)
                }
                let metrics = try await fixture.call("GET", "/metrics").text
                #expect(metrics.contains("waymark_verification_links{state=\"broken\"} 6\n"), "\(metrics)")
                #expect(metrics.contains("waymark_verification_findings{code=\"unreachable\"} 3\n"))
                #expect(metrics.contains("waymark_verification_findings{code=\"http-status\"} 3\n"))
            }
        }
    }

    @Test func `a link breaks and mends with one event each`() async throws {
        let destinations = ScriptedDestinations()
        try await SiteFixture.verifying(destinations) { fixture in
            for slug in ["a", "b"] {
                _ = try await fixture.create(
                    #"{"slug": "\#(slug)", "urls": {"web": "https://\#(slug).example.com/404/x"}}"#)
            }
            let webhook = try await fixture.call(
                "POST", "/api/v1/webhooks",
                #"{"url": "https://a.example/", "events": ["link.broken", "link.mended"]}"#)
            #expect(webhook.status == 201, "\(webhook.text)")
            await fixture.verify()
            #expect(try await fixture.verified("broken") == ["a", "b"])
            // A further round finds the same, and reports it no more.
            fixture.clock.advance(seconds: 86_400)
            await fixture.verify()
            _ = try await fixture.call("PATCH", "/api/v1/links/go.example.com/b", #"{"title": "B"}"#)
            #expect(try await fixture.verified("broken") == ["a"])
            let patched = try await fixture.call("GET", "/api/v1/links/go.example.com/b")
            #expect(patched.json["verified"] == nil)
            destinations.isFaulty.withLock { $0 = false }
            fixture.clock.advance(seconds: 7_200)
            for _ in 0..<2 {
                let walked = try await fixture.call("POST", "/api/v1/links/go.example.com/a:verify")
                #expect(walked.json["verified"]?["state"]?.string == "good", "\(walked.text)")
            }
            #expect(try await fixture.verified("good") == ["a"])
            let events = try await fixture.service.webhooks.outbox(limit: 100).map(\.event)
            #expect(events.map(\.type) == [.linkBroken, .linkBroken, .linkMended])
            // Links of one round are walked at the same time.
            #expect(events.prefix(2).compactMap { $0.link?.slug.text }.sorted() == ["a", "b"])
            #expect(events.last?.link?.slug.text == "a")
            #expect(events.first?.attributes.map(\.name) == ["state", "at", "findings"])
            // Found by its address, a link is held to the filter too.
            for (slug, state, count) in [("a", "good", 1), ("a", "broken", 0), ("b", "good", 0)] {
                let search = "query=https://go.example.com/\(slug)&verified=\(state)"
                #expect(try await fixture.links(search).count == count, "\(search)")
            }
        }
    }

    @Test func `failures now and then are no faults`() async throws {
        try await SiteFixture.verifying(ScriptedDestinations(failing: 20)) { fixture in
            for number in 0..<150 {
                let path = number % 10 == 0 ? "404" : "ok"
                _ = try await fixture.create(
                    #"{"slug": "s\#(number)", "urls": {"web": "https://h\#(number % 7).example.com/\#(path)/\#(number)"}}"#
                )
            }
            let broken = (0..<150).filter { $0 % 10 == 0 }.map { "s\($0)" }
            for _ in 0..<3 {
                await fixture.verify()
                #expect(try await fixture.verified("broken") == broken)
                fixture.clock.advance(seconds: 86_400)
            }
        }
    }

    @Test func `a destination is asked with HEAD, then with GET`() async throws {
        let destinations = ScriptedDestinations()
        try await SiteFixture.verifying(destinations) { fixture in
            for path in ["ok", "get", "secret"] {
                _ = try await fixture.create(
                    #"{"slug": "\#(path)", "urls": {"web": "https://\#(path).example.org/\#(path)/1"}}"#)
            }
            await fixture.round()
            // Equal destinations of all visitors are asked once; what robots.txt forbids is not asked.
            let asked = destinations.asked.withLock(\.self).sorted()
            #expect(
                asked == [
                    "GET https://get.example.org/get/1", "GET https://get.example.org/robots.txt",
                    "GET https://ok.example.org/robots.txt", "GET https://secret.example.org/robots.txt",
                    "HEAD https://get.example.org/get/1", "HEAD https://ok.example.org/ok/1",
                ])
        }
    }

    @Test func `a walk without answers forgets no fault`() async throws {
        let destinations = ScriptedDestinations()
        try await SiteFixture.verifying(destinations) { fixture in
            _ = try await fixture.create(#"{"slug": "a", "urls": {"web": "https://a.example.org/404/1"}}"#)
            func walk() async throws -> (String?, [String]) {
                let walked = try await fixture.call("POST", "/api/v1/links/go.example.com/a:verify")
                #expect(walked.status == 200, "\(walked.text)")
                return try await fixture.verification(of: "a")
            }
            #expect(try await walk() == ("unknown", ["http-status"]))
            destinations.isBusy.withLock { $0 = true }
            #expect(try await walk() == ("unknown", ["http-status", "rate-limited"]))
            destinations.isBusy.withLock { $0 = false }
            fixture.clock.advance(seconds: 3_600)
            #expect(try await walk() == ("broken", ["http-status"]))
            destinations.isBusy.withLock { $0 = true }
            #expect(try await walk() == ("broken", ["http-status", "rate-limited"]))
        }
    }

    @Test func `a walk on request reads association files again`() async throws {
        let destinations = ScriptedDestinations()
        let application = SiteFixture.shop.replacing("go.example.com", with: "go.shop.dev")
        let file = "https://go.shop.dev/.well-known/apple-app-site-association"
        try await SiteFixture.verifying(destinations, applications: [application]) { fixture in
            _ = try await fixture.create(SiteFixture.product.replacing("{ \"route\"", with: #"{"slug": "x", "route""#))
            let opening =
                #"{"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.shop"], "components": [{"/": "*"}]}]}}"#
            for (status, state) in [(404, "unknown"), (200, "good")] {
                destinations.files.withLock { $0[file] = HTTPResponse(status: status, body: Array(opening.utf8)) }
                let walked = try await fixture.call("POST", "/api/v1/links/go.shop.dev/x:verify")
                #expect(walked.json["verified"]?["state"]?.string == state, "\(walked.text)")
            }
        }
    }

    @Test func `a walk on request asks again where robots.txt forbade it`() async throws {
        let destinations = ScriptedDestinations()
        try await SiteFixture.verifying(destinations) { fixture in
            _ = try await fixture.create(#"{"slug": "a", "urls": {"web": "https://a.example.org/secret/1"}}"#)
            for (isLetIn, state) in [(false, "unknown"), (true, "good")] {
                destinations.isLetIn.withLock { $0 = isLetIn }
                let walked = try await fixture.call("POST", "/api/v1/links/go.example.com/a:verify")
                #expect(walked.json["verified"]?["state"]?.string == state, "\(walked.text)")
            }
        }
    }

    @Test func `a walk on request asks again, for active links only`() async throws {
        let destinations = ScriptedDestinations()
        try await SiteFixture.verifying(destinations) { fixture in
            _ = try await fixture.create(#"{"slug": "a", "urls": {"web": "https://a.example.org/404/1"}}"#)
            func walk() async throws -> TestAnswer {
                try await fixture.call("POST", "/api/v1/links/go.example.com/a:verify")
            }
            #expect(try await walk().json["verified"]?["state"] == "unknown")
            destinations.isFaulty.withLock { $0 = false }
            #expect(try await walk().json["verified"]?["state"] == "good")
            _ = try await fixture.call("PATCH", "/api/v1/links/go.example.com/a", #"{"disabled": true}"#)
            #expect(try await walk().status == 410)
            #expect(try await fixture.call("POST", "/api/v1/links/go.example.com/b:verify").status == 404)
        }
    }

    @Test(arguments: TestDatabase.installed)
    func `only what was found of active links is shown`(database: TestDatabase) async throws {
        try await database.withStore { store in
            try await SiteFixture.verifying(ScriptedDestinations(), store: store) { fixture in
                let members = [
                    ("stays", #""maxClicks": 9"#), ("ends", #""expiresAt": "2026-11-21T12:00:00Z""#),
                    ("spent", #""maxClicks": 1"#), ("off", #""tags": []"#),
                ]
                for (slug, member) in members {
                    let url = "https://\(slug).example.com/404/x"
                    _ = try await fixture.create(#"{"slug": "\#(slug)", "urls": {"web": "\#(url)"}, \#(member)}"#)
                }
                await fixture.verify()
                func expectBroken(_ slugs: [String]) async throws {
                    #expect(try await fixture.verified("broken") == slugs)
                    let counts = fixture.site.background.verifier.metrics.counts.withLock(\.self)
                    #expect(counts.links[.broken] == slugs.count && counts.links.count == 1)
                    #expect(counts.findings[.httpStatus] == slugs.count)
                    for (slug, _) in members {
                        let state = try await fixture.verification(of: slug).0
                        #expect(state == (slugs.contains(slug) ? "broken" : nil), "\(slug)")
                        let found = try await fixture.slugs(
                            "query=https://go.example.com/\(slug)&verified=broken")
                        #expect(found == (slugs.contains(slug) ? [slug] : []))
                    }
                }
                try await expectBroken(members.map(\.0))
                #expect(try await fixture.visit("/spent").status == 302)
                try await fixture.service.clicks.flush()
                while try await store.updateIndexes(all: true) {}
                _ = try await fixture.call("PATCH", "/api/v1/links/go.example.com/off", #"{"disabled": true}"#)
                fixture.clock.advance(seconds: 3_600)
                await fixture.round()
                try await expectBroken(["stays"])
            }
        }
    }

    @Test func `a damaged row is replaced by the next walk`() async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        try await SiteFixture.verifying(ScriptedDestinations(), store: store) { fixture in
            _ = try await fixture.create(#"{"slug": "a", "urls": {"web": "https://a.example.org/ok"}}"#)
            await fixture.round()
            _ = try await store.run(SQLStatement("UPDATE link_verification SET findings = x'FF'"))
            let damaged = try await fixture.call("GET", "/api/v1/links/go.example.com/a")
            #expect(damaged.status == 200 && damaged.json["verified"] == nil)
            fixture.clock.advance(seconds: 86_400)
            await fixture.round()
            #expect(try await fixture.verification(of: "a") == ("good", []))
        }
    }

    @Test func `the filter goes with orders by creation only`() async throws {
        try await SiteFixture.verifying(ScriptedDestinations()) { fixture in
            for query in ["verified=bad", "verified=good&sort=-clicks"] {
                let answer = try await fixture.call("GET", "/api/v1/links?\(query)")
                #expect(answer.status == 422)
            }
        }
    }
}

import Synchronization
import Testing
import WaymarkJSON
import WaymarkServer

@testable import WaymarkSite

/// What callers are held to, and what they are not.
@Suite struct CallerLimitTests {
    private final class ManualClock: Sendable {
        private let microseconds = Atomic<Int64>(0)
        var now: Int64 { microseconds.load(ordering: .relaxed) }
        func advance(seconds: Int64) { microseconds.wrappingAdd(seconds * 1_000_000, ordering: .relaxed) }
    }

    private let clock = ManualClock()

    /// Two of each at once, and one more every ten seconds; loopback, which tests come from, included.
    private func options(_ change: (inout CallerLimits) -> Void = { _ in }) -> SiteOptions {
        var options = SiteFixture.options()
        for kind in CallerLimits.Kind.allCases { options.callerLimits[kind] = RateLimit(perMinute: 6, burst: 2) }
        options.callerLimits.exemptsLoopback = false
        change(&options.callerLimits)
        options.rateLimiter = RateLimiter(clock: { [clock] in clock.now })
        return options
    }

    private func expectRefusal(_ answer: TestAnswer, after seconds: Int = 10) {
        #expect(answer.status == 429)
        #expect(answer[header: "Retry-After"] == "\(seconds)")
        if answer[header: "Content-Type"] == "application/problem+json" {
            #expect(answer.problem == "rate-limited")
        } else {
            #expect(answer[header: "Content-Type"] == "text/html; charset=utf-8")
        }
    }

    @Test(arguments: TransportKind.allCases)
    func limitsCreationsByKey(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, options: options { $0[.list] = nil }) { fixture in
            let other = try await fixture.key(["create"])
            for _ in 0..<2 { _ = try await fixture.create(SiteFixture.plain) }
            expectRefusal(try await fixture.call("POST", "/api/v1/links", SiteFixture.plain))
            // A request that would be refused for its body counts all the same.
            expectRefusal(try await fixture.call("POST", "/api/v1/links", "{"))
            expectRefusal(try await fixture.call("POST", "/api/v1/links:batch", "[\(SiteFixture.plain)]"))
            let route = #"{"route": "products/:product_id", "routeParameters": {"product_id": 1}}"#
            #expect(try await fixture.call("POST", "/api/v1/links", route, key: other).status == 201)
            // Reading is not limited.
            for _ in 0..<5 { #expect(try await fixture.call("GET", "/api/v1/links").status == 200) }
            clock.advance(seconds: 10)
            _ = try await fixture.create(SiteFixture.plain)
            expectRefusal(try await fixture.call("POST", "/api/v1/links", SiteFixture.plain))
        }
    }

    @Test(arguments: TransportKind.allCases)
    func limitsListsByTheirWork(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, options: options()) { fixture in
            let (reader, other) = (try await fixture.key(["read"]), try await fixture.key(["read"]))
            for _ in 0..<2 { #expect(try await fixture.call("GET", "/api/v1/links", key: reader).status == 200) }
            expectRefusal(try await fixture.call("GET", "/api/v1/links", key: reader))
            #expect(try await fixture.call("GET", "/api/v1/links?search=a", key: other).status == 200)
            // Ten tokens were taken where two were there.
            expectRefusal(try await fixture.call("GET", "/api/v1/links", key: other), after: 90)
        }
    }

    @Test func chargesASelectionThatChangesNothing() async throws {
        try await SiteFixture.run(.inProcess, options: options()) { fixture in
            let texts = (0..<501).map { "\"go.example.com/s\($0)\"" }.joined(separator: ",")
            let body = #"{"select": {"links": [\#(texts)]}, "dryRun": true}"#
            #expect(try await fixture.call("POST", "/api/v1/links:delete", body).status == 200)
            expectRefusal(try await fixture.call("POST", "/api/v1/links:delete", body), after: 20)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func countsABatchByTheHundred(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, options: options()) { fixture in
            let batch = "[\(Array(repeating: SiteFixture.plain, count: 301).joined(separator: ","))]"
            #expect(try await fixture.call("POST", "/api/v1/links:batch", batch).status == 200)
            // Four tokens were taken where two were there.
            expectRefusal(try await fixture.call("POST", "/api/v1/links", SiteFixture.plain), after: 30)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func limitsResolvesByKey(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, options: options()) { fixture in
            let link = try await fixture.create(SiteFixture.product)
            let body = #"{"smartlink": "\#(try #require(link["smartlink"]?.string))"}"#
            let other = try await fixture.key(["resolve"])
            for _ in 0..<2 { #expect(try await fixture.call("POST", "/api/v1/resolve", body).status == 200) }
            expectRefusal(try await fixture.call("POST", "/api/v1/resolve", body))
            #expect(try await fixture.call("POST", "/api/v1/resolve", body, key: other).status == 200)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func limitsThoseWhoFailButNoAcceptedKeyBesideThem(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, options: options { $0[.list] = nil }) { fixture in
            let wrong = "wm_" + String(repeating: "x", count: 40)
            #expect(try await fixture.call("GET", "/api/v1/links", key: wrong).status == 401)
            #expect(try await fixture.call("GET", "/api/v1/apps", key: nil).status == 401)
            expectRefusal(try await fixture.call("GET", "/api/v1/links", key: wrong))
            expectRefusal(try await fixture.call("POST", "/api/v1/links", SiteFixture.plain, key: nil))
            for _ in 0..<5 { #expect(try await fixture.call("GET", "/api/v1/links").status == 200) }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func limitsVisitsOfNothingButNotOfLinks(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, options: options()) { fixture in
            _ = try await fixture.create(#"{"slug": "there", "urls": {"web": "https://www.example.com/"}}"#)
            #expect(try await fixture.visit("/nothing").status == 404)
            #expect(try await fixture.visit("/not%20a%20slug").status == 404)
            expectRefusal(try await fixture.visit("/nothing", headers: [("Accept", "application/json")]))
            for _ in 0..<5 { #expect(try await fixture.visit("/there").status == 302) }
            #expect(try await fixture.visit("/there+").status == 200)
            clock.advance(seconds: 20)
            #expect(try await fixture.visit("/another+").status == 404)
            expectRefusal(try await fixture.visit("/nothing"))
        }
    }

    /// Then every link that is not in memory is refused: whether it is there can't be found out any more.
    @Test(arguments: TransportKind.allCases)
    func asksTheStoreNoMoreForThoseWhoGoOnRegardless(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, options: options()) { fixture in
            for slug in ["known", "fresh"] {
                _ = try await fixture.create(#"{"slug": "\#(slug)", "urls": {"web": "https://www.example.com/"}}"#)
            }
            #expect(try await fixture.visit("/known").status == 302)
            for status in [404, 404, 429, 429, 429, 429] {
                #expect(try await fixture.visit("/nothing").status == status)
            }
            expectRefusal(try await fixture.visit("/fresh"), after: 30)
            #expect(try await fixture.visit("/known").status == 302)
            clock.advance(seconds: 10)
            #expect(try await fixture.visit("/fresh").status == 302)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func limitsPictures(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, options: options()) { fixture in
            _ = try await fixture.create(#"{"slug": "there", "urls": {"web": "https://www.example.com/"}}"#)
            for name in ["png", "svg"] { #expect(try await fixture.visit("/there/qr.\(name)").status == 200) }
            expectRefusal(try await fixture.visit("/there/qr.png"))
            #expect(try await fixture.visit("/there").status == 302)
        }
    }

    @Test func countsPicturesOfNothingAsVisitsOfNothing() async throws {
        let options = options { $0[.qrCode] = nil }
        try await SiteFixture.run(.inProcess, options: options) { fixture in
            for _ in 0..<2 { #expect(try await fixture.visit("/nothing/qr.svg").status == 404) }
            expectRefusal(try await fixture.visit("/nothing/qr.svg"))
            expectRefusal(try await fixture.visit("/nothing"), after: 20)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func exemptsLoopback(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, options: options { $0.exemptsLoopback = true }) { fixture in
            for _ in 0..<5 {
                _ = try await fixture.create(SiteFixture.plain)
                #expect(try await fixture.visit("/nothing").status == 404)
                #expect(try await fixture.call("GET", "/api/v1/links", key: nil).status == 401)
            }
        }
    }

    @Test func limitsNothingThatIsSwitchedOffAndTakesNewLimits() async throws {
        try await SiteFixture.run(.inProcess, options: options { $0[.create] = nil }) { fixture in
            for _ in 0..<5 { _ = try await fixture.create(SiteFixture.plain) }
            var limits = CallerLimits()
            limits.exemptsLoopback = false
            limits[.create] = RateLimit(perMinute: 1, burst: 1)
            fixture.site.use(limits)
            _ = try await fixture.create(SiteFixture.plain)
            expectRefusal(try await fixture.call("POST", "/api/v1/links", SiteFixture.plain), after: 60)
            let metrics = try await fixture.call("GET", "/metrics").text
            #expect(metrics.contains("waymark_rate_limited_total{limit=\"create\"} 1\n"))
        }
    }

    @Test func `every kind of caller has a default limit`() {
        let limits = CallerLimits()
        for kind in CallerLimits.Kind.allCases { #expect(limits[kind] != nil) }
        #expect(limits.exemptsLoopback)
    }
}

import Testing
import WaymarkServer

@testable import WaymarkSite

/// Pages of other origins.
@Suite struct CrossOriginTests {
    private static let shop = SiteFixture.shop.dropLast(2) + #", "cors": {"origins": ["https://shop.example.com"]} }"#
    private static let news =
        SiteFixture.news.dropLast(2)
        + #", "cors": {"origins": ["https://news.example.org", "http://localhost:3000"]} }"#
    private static let applications = [String(shop), String(news)]

    private func preflight(
        _ fixture: SiteFixture, _ path: String, _ origin: String?, for method: String? = "POST"
    ) async throws -> TestAnswer {
        var headers: [(String, String)] = []
        if let origin { headers.append(("Origin", origin)) }
        if let method { headers.append(("Access-Control-Request-Method", method)) }
        headers.append(("Access-Control-Request-Headers", "authorization,content-type"))
        return try await fixture.call("OPTIONS", path, key: nil, headers: headers)
    }

    private func expectNoGrant(_ answer: TestAnswer) {
        let names = answer.headers.map { $0.name.lowercased() }
        #expect(!names.contains { $0.hasPrefix("access-control-") }, "\(answer.headers)")
    }

    @Test(arguments: TransportKind.allCases)
    func answersPreflightsForTheOriginsOfAllApplications(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: Self.applications) { fixture in
            for path in ["/api/v1/resolve", "/api/v1/links"] {
                for origin in ["https://shop.example.com", "https://news.example.org", "http://localhost:3000"] {
                    let answer = try await preflight(fixture, path, origin)
                    #expect(answer.status == 204)
                    #expect(answer[header: "Access-Control-Allow-Origin"] == origin)
                    #expect(answer[header: "Access-Control-Allow-Methods"] == "POST")
                    #expect(
                        answer[header: "Access-Control-Allow-Headers"]
                            == "Authorization, Content-Type, Idempotency-Key")
                    #expect(answer[header: "Vary"]?.hasPrefix("Origin") == true)
                    #expect(answer[header: "Access-Control-Allow-Credentials"] == nil)
                }
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func refusesOtherPreflights(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: Self.applications) { fixture in
            let others = [
                "https://evil.example", "https://SHOP.example.com", "https://shop.example.com:443",
                "https://shop.example.com/", "http://shop.example.com", "https://shop.example.com.evil.example",
                "https://sub.shop.example.com", "null", "*", "",
            ]
            for origin in others {
                let answer = try await preflight(fixture, "/api/v1/resolve", origin)
                #expect(answer.status == 403)
                #expect(answer.problem == "origin-forbidden")
                #expect(answer[header: "Vary"]?.contains("Origin") == true)
                expectNoGrant(answer)
            }
            for method in ["GET", "DELETE", "post", "*"] {
                let answer = try await preflight(fixture, "/api/v1/links", "https://shop.example.com", for: method)
                #expect(answer.status == 403)
                expectNoGrant(answer)
            }
            for path in ["/api/v1/links:batch", "/api/v1/apps", "/api/v1/keys", "/api/v1/links/slug", "/healthz"] {
                let answer = try await preflight(fixture, path, "https://shop.example.com")
                #expect(answer.status == 405)
                #expect(answer[header: "Allow"] != nil)
                expectNoGrant(answer)
            }
            for (origin, method) in [(nil, "POST"), ("https://shop.example.com", nil)] as [(String?, String?)] {
                let answer = try await preflight(fixture, "/api/v1/resolve", origin, for: method)
                #expect(answer.status == 405)
                expectNoGrant(answer)
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func grantsNothingWhereNoApplicationNamesAnOrigin(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let answer = try await preflight(fixture, "/api/v1/resolve", "https://shop.example.com")
            #expect(answer.status == 403)
            expectNoGrant(answer)
            let origin = [("Origin", "https://shop.example.com")]
            expectNoGrant(try await fixture.call("POST", "/api/v1/links", SiteFixture.plain, headers: origin))
        }
    }

    @Test(arguments: TransportKind.allCases)
    func grantsEveryAnswerToTheOriginsOfTheKeysApplication(transportKind: TransportKind) async throws {
        var options = SiteFixture.limitedOptions()
        options.callerLimits[.resolve] = RateLimit(perMinute: 1, burst: 4)
        options.callerLimits[.failedAuthentication] = RateLimit(perMinute: 1, burst: 1)
        try await SiteFixture.run(transportKind, applications: Self.applications, options: options) { fixture in
            let key = try await fixture.key(["resolve"], app: "shop")
            let json = [("Content-Type", "application/json")]
            let cases: [(status: Int, key: String?, body: String, headers: [(String, String)])] = [
                (404, key, #"{"smartlink": "https://go.example.com/nothing"}"#, json),
                (422, key, "{}", json), (400, key, "{", json), (415, key, "{}", [("Content-Type", "text/plain")]),
                (429, key, "{}", json), (401, nil, "{}", json), (429, nil, "{}", json),
            ]
            for (status, key, body, headers) in cases {
                let answer = try await fixture.call(
                    "POST", "/api/v1/resolve", body, key: key,
                    headers: headers + [("Origin", "https://shop.example.com")])
                #expect(answer.status == status)
                #expect(answer[header: "Access-Control-Allow-Origin"] == "https://shop.example.com", "\(status)")
                #expect(answer[header: "Vary"] == "Origin")
                #expect(
                    answer[header: "Access-Control-Expose-Headers"]
                        == "ETag, Idempotent-Replayed, Location, Retry-After, X-Request-ID")
                #expect(answer[header: "Access-Control-Allow-Credentials"] == nil)
            }
            let created = try await fixture.call(
                "POST", "/api/v1/links", #"{"app": "news", "urls": {"web": "https://www.example.com/"}}"#,
                headers: json + [("Origin", "http://localhost:3000")])
            #expect(created.status == 201)
            #expect(created[header: "Access-Control-Allow-Origin"] == "http://localhost:3000")
        }
    }

    @Test(arguments: TransportKind.allCases)
    func grantsNothingToOtherOriginsAndOnOtherRoutes(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: Self.applications) { fixture in
            let key = try await fixture.key(["resolve", "links"], app: "shop")
            for origin in ["https://news.example.org", "https://evil.example", "null"] {
                let answer = try await fixture.call(
                    "POST", "/api/v1/links", SiteFixture.plain, key: key, headers: [("Origin", origin)])
                #expect(answer.status == 201)
                #expect(answer[header: "Vary"] == "Origin")
                expectNoGrant(answer)
            }
            let twice = [("Origin", "https://shop.example.com"), ("Origin", "https://shop.example.com")]
            expectNoGrant(
                try await fixture.call("POST", "/api/v1/links", SiteFixture.plain, key: key, headers: twice))
            let listed = try await fixture.call(
                "GET", "/api/v1/links", key: key, headers: [("Origin", "https://shop.example.com")])
            #expect(listed.status == 200)
            expectNoGrant(listed)
            #expect(try await fixture.call("POST", "/api/v1/links", SiteFixture.plain)[header: "Vary"] == "Origin")
        }
    }
}

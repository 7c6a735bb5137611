import Testing
import WaymarkJSON

/// `Idempotency-Key` on everything that takes one.
@Suite struct IdempotencyTests {
    @Test(arguments: TransportKind.allCases)
    func answersTheSameCreationAgain(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let headers = [("Idempotency-Key", "order-1")]
            let first = try await fixture.call("POST", "/api/v1/links", SiteFixture.product, headers: headers)
            let again = try await fixture.call(
                "POST", "/api/v1/links",
                """
                { "redeemLimit": 1.0, "metadata": {"coupon": "20"}, "queryParameters": {"referrer": "ana"},
                  "routeParameters": {"product_id": "42"}, "route": "products/:product_id" }
                """, headers: headers)
            #expect(first.status == 201)
            #expect(again.status == 201)
            #expect(again.body == first.body)
            #expect(again[header: "Location"] == first[header: "Location"])
            #expect(again[header: "ETag"] == first[header: "ETag"])
            #expect(first[header: "Idempotent-Replayed"] == nil)
            #expect(again[header: "Idempotent-Replayed"] == "true")
            let other = try await fixture.call("POST", "/api/v1/links", SiteFixture.plain, headers: headers)
            #expect(other.status == 422)
            #expect(other.problem == "idempotency-mismatch")
            #expect(other.fields == ["Idempotency-Key"])
            #expect(try await fixture.call("GET", "/api/v1/links").json["links"]?.array?.count == 1)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func takesOneRedeemForARepeatedResolve(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let link = try await fixture.create(SiteFixture.product)
            let smartlink = try #require(link["smartlink"]?.string)
            let body = #"{"smartlink": "\#(smartlink)", "platform": "ios"}"#
            let headers = [("Idempotency-Key", "install-1")]
            let first = try await fixture.call("POST", "/api/v1/resolve", body, headers: headers)
            let again = try await fixture.call("POST", "/api/v1/resolve", body, headers: headers)
            #expect(first.json["redeem"]?["status"]?.string == "redeemed")
            #expect(again.body == first.body)
            #expect(first[header: "Idempotent-Replayed"] == nil)
            #expect(again[header: "Idempotent-Replayed"] == "true")
            #expect(
                try await fixture.call("POST", "/api/v1/resolve", body).json["redeem"]?["status"]?.string == "exhausted"
            )
            let slug = try #require(link["slug"]?.string)
            _ = try await fixture.call("DELETE", "/api/v1/links/\(slug)")
            let gone = try await fixture.call("POST", "/api/v1/resolve", body, headers: headers)
            #expect(gone.status == 404)
            #expect(gone[header: "Idempotent-Replayed"] == nil)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func saysThatAClaimsAnswerWasGivenBefore(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let body = #"{"app": "shop", "platform": "android", "installID": "phone"}"#
            let headers = [("Idempotency-Key", "first-start")]
            let first = try await fixture.call("POST", "/api/v1/deferred/claim", body, headers: headers)
            let again = try await fixture.call("POST", "/api/v1/deferred/claim", body, headers: headers)
            #expect(first.status == 200)
            #expect(first[header: "Idempotent-Replayed"] == nil)
            #expect(again.body == first.body)
            #expect(again[header: "Idempotent-Replayed"] == "true")
        }
    }

    @Test(arguments: TransportKind.allCases)
    func answersTheSameBatchAgain(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let body = "[\(SiteFixture.plain), {\"slug\": 1}, \(SiteFixture.plain)]"
            let headers = [("Idempotency-Key", "b")]
            let first = try await fixture.call("POST", "/api/v1/links:batch", body, headers: headers)
            let again = try await fixture.call("POST", "/api/v1/links:batch", body, headers: headers)
            #expect(first.status == 200)
            #expect(again.body == first.body)
            #expect(first[header: "Idempotent-Replayed"] == nil)
            #expect(again[header: "Idempotent-Replayed"] == "true")
            #expect(try await fixture.call("GET", "/api/v1/links").json["links"]?.array?.count == 2)
        }
    }

    @Test func forgetsAfterADay() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let headers = [("Idempotency-Key", "order-1")]
            let first = try await fixture.call("POST", "/api/v1/links", SiteFixture.plain, headers: headers)
            fixture.clock.advance(seconds: 24 * 60 * 60 + 1)
            let later = try await fixture.call("POST", "/api/v1/links", SiteFixture.plain, headers: headers)
            #expect(later.status == 201)
            #expect(later.json["slug"] != first.json["slug"])
        }
    }

    @Test(arguments: ["a b", "", "é", String(repeating: "k", count: 256), "a\tb"])
    func refusesABadKey(value: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call(
                "POST", "/api/v1/links", SiteFixture.plain, headers: [("Idempotency-Key", value)])
            #expect(answer.status == 422)
            #expect(answer.fields == ["Idempotency-Key"])
        }
    }

    @Test func keepsNoAnswerThatIsNoSuccess() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let headers = [("Idempotency-Key", "k")]
            let taken = #"{"slug": "x", "urls": {"web": "https://a.example/"}}"#
            _ = try await fixture.create(taken)
            #expect(try await fixture.call("POST", "/api/v1/links", taken, headers: headers).status == 409)
            _ = try await fixture.call("DELETE", "/api/v1/links/x")
            #expect(try await fixture.call("POST", "/api/v1/links", taken, headers: headers).status == 201)
        }
    }

    @Test func answersAgainThoughTheApplicationsHaveChanged() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let headers = [("Idempotency-Key", "k")]
            let first = try await fixture.call("POST", "/api/v1/links", SiteFixture.plain, headers: headers)
            #expect(first.status == 201)
            #expect(try await fixture.call("PUT", "/api/v1/apps/news", SiteFixture.news).status == 201)
            // Now that there are two applications the body has to name one.
            #expect(try await fixture.call("POST", "/api/v1/links", SiteFixture.plain).status == 422)
            let again = try await fixture.call("POST", "/api/v1/links", SiteFixture.plain, headers: headers)
            #expect(again.status == 201)
            #expect(again.body == first.body)
            let other = try await fixture.call("POST", "/api/v1/links", #"{"slug": "api"}"#, headers: headers)
            #expect(other.problem == "idempotency-mismatch")
        }
    }

    @Test(arguments: [
        ("GET", "/api/v1/links", nil, 200), ("DELETE", "/api/v1/links/x", nil, 404),
        ("PATCH", "/api/v1/links/x", "{}", 404), ("PUT", "/api/v1/apps/news", SiteFixture.news, 201),
    ])
    func passesOverTheFieldWhereItMeansNothing(method: String, path: String, body: String?, status: Int) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call(method, path, body, headers: [("Idempotency-Key", "a b")])
            #expect(answer.status == status)
        }
    }
}

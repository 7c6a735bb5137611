import Testing
import WaymarkJSON

/// Redeem limits when everyone asks at once.
@Suite struct RedeemTests {
    @Test(arguments: TransportKind.allCases)
    func givesTheMetadataToExactlyAsManyAsTheLimitSays(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let link = try await fixture.create(
                #"{"urls": {"web": "https://a.example/"}, "metadata": {"coupon": "20"}, "redeemLimit": 10}"#)
            let smartlink = try #require(link["smartlink"]?.string)
            let body = #"{"smartlink": "\#(smartlink)"}"#
            let answers = try await withThrowingTaskGroup(of: TestAnswer.self) { group in
                for _ in 0..<40 { group.addTask { try await fixture.call("POST", "/api/v1/resolve", body) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 200 })
            #expect(answers.filter { $0.json["metadata"]?["coupon"]?.string == "20" }.count == 10)
            #expect(answers.filter { $0.json["redeem"]?["status"]?.string == "exhausted" }.count == 30)
            let numbers = answers.filter { $0.json["redeem"]?["status"]?.string == "redeemed" }
                .compactMap { $0.json["redeem"]?["used"]?.integer }
            #expect(numbers.sorted() == Array(1...10))
        }
    }

    @Test(arguments: [
        (#""redeemLimit": 0, "metadata": {"a": 1}"#, "unlimited", true), (#""metadata": {"a": 1}"#, "unlimited", true),
        (#""redeemLimit": 5"#, "none", false), (#""tags": []"#, "none", false),
    ])
    func countsNothingWhereThereIsNothingToCount(members: String, status: String, hasMetadata: Bool) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let link = try await fixture.create(#"{"urls": {"web": "https://a.example/"}, \#(members)}"#)
            let smartlink = try #require(link["smartlink"]?.string)
            for _ in 0..<2 {
                let answer = try await fixture.call("POST", "/api/v1/resolve", #"{"smartlink": "\#(smartlink)"}"#)
                #expect(
                    answer.json["redeem"]
                        == (try JSONValue(
                            parsing: #"{"limit": null, "used": 0, "remaining": null, "status": "\#(status)"}"#)))
                #expect((answer.json["metadata"]?.object != nil) == hasMetadata)
            }
        }
    }

    @Test func takesNothingWhereItIsNotAskedTo() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let link = try await fixture.create(SiteFixture.product)
            let smartlink = try #require(link["smartlink"]?.string)
            let answer = try await fixture.call(
                "POST", "/api/v1/resolve", #"{"smartlink": "\#(smartlink)?color=red&referrer=eve", "redeem": false}"#)
            #expect(answer.json["metadata"]?.isNull == true)
            #expect(
                answer.json["redeem"]
                    == (try JSONValue(parsing: #"{"limit": 1, "used": 0, "remaining": 1, "status": "skipped"}"#)))
            #expect(
                answer.json["queryParameters"] == (try JSONValue(parsing: #"{"referrer": "ana", "color": "red"}"#)))
            #expect(answer.json["deeplink"]?.string == "https://shop.example.com/products/42?referrer=ana&color=red")
        }
    }

    @Test(arguments: TransportKind.allCases)
    func refusesALinkWhoseLastClickWasJustMade(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let link = try await fixture.create(#"{"urls": {"web": "https://a.example/"}, "maxClicks": 2}"#)
            let smartlink = try #require(link["smartlink"]?.string)
            let slug = try #require(link["slug"]?.string)
            let body = #"{"smartlink": "\#(smartlink)"}"#
            #expect(try await fixture.visit("/\(slug)").status == 302)
            #expect(try await fixture.call("POST", "/api/v1/resolve", body).status == 200)
            #expect(try await fixture.visit("/\(slug)").status == 302)
            let answer = try await fixture.call("POST", "/api/v1/resolve", body)
            #expect(answer.status == 410)
            #expect(answer.problem == "link-exhausted")
        }
    }
}

import Testing
import WaymarkJSON

/// `title` and `note`: for the owner of a link, not for its visitors.
@Suite struct TitleAndNoteTests {
    private static let path = "/api/v1/links/go.example.com/x"
    private static let link = #"""
        {"slug": "x", "route": "products/:product_id", "routeParameters": {"product_id": "42"}, "title": "Secret title",
         "note": "Secret\nnote", "metadata": {"coupon": "20"}, "social": {"title": "Shoes"}}
        """#

    @Test(arguments: TransportKind.allCases)
    func listsAndBatchesHaveBoth(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let batch = try await fixture.call("POST", "/api/v1/links:batch", "[\(Self.link)]")
            let link = batch.json["results"]?.array?.first?["link"]
            #expect(link?["title"]?.string == "Secret title", "\(batch.text)")
            _ = try await fixture.create(SiteFixture.plain)
            for query in ["Secret%20title", "Secret%0Anote"] {
                let links = try await fixture.links("query=\(query)")
                #expect(links.map { $0["slug"]?.string } == ["x"])
                #expect(links.first?["note"]?.string == "Secret\nnote")
            }
        }
    }

    @Test func neitherIsInAResponseToVisitors() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(Self.link)
            var answers: [TestAnswer] = []
            for agent in [Agent.windows, Agent.iphone, Agent.crawler] {
                for target in ["/x", "/x", "/x+", "/x/qr.svg"] {
                    answers.append(try await fixture.visit(target, as: agent))
                }
            }
            answers.append(
                try await fixture.call(
                    "POST", "/api/v1/resolve", #"{"smartlink": "https://go.example.com/x", "platform": "ios"}"#))
            answers.append(
                try await fixture.call("POST", "/api/v1/explain", #"{"url": "https://go.example.com/x"}"#))
            for answer in answers {
                #expect(answer.status < 400, "\(answer.status) \(answer.text)")
                let text = answer.headers.map(\.value).joined() + answer.text
                #expect(!text.contains("Secret"))
            }
        }
    }

    @Test func aUniqueLinkIsAnotherOneWithAnotherTitle() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            func slug(_ title: String) async throws -> String? {
                try await fixture.call(
                    "POST", "/api/v1/links",
                    #"{"unique": true, "urls": {"web": "https://a.example/"}, "title": \#(title)}"#
                ).json["slug"]?.string
            }
            let first = try await slug("null")
            #expect(try await slug("null") == first)
            #expect(try await slug(#""Spring""#) != first)
        }
    }
}

import Testing
import WaymarkJSON

/// Opens, installs, resolves and redeems of a link, day by day.
@Suite struct ActivityTests {
    private static let names = ["opens", "installs", "resolves", "redeems", "claims", "conversions"]

    private func counts(_ value: JSONValue?) -> [Int?] { Self.names.map { value?[$0]?.integer } }

    @Test func `events of apps are counted by day`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let link = try await fixture.create(
                #"{"slug": "gift", "urls": {"web": "https://shop.example.com/"}, "metadata": {"a": 1}, "redeemLimit": 1}"#
            )
            let smartlink = try #require(link["smartlink"]?.string)
            for _ in 0..<2 { _ = try await fixture.call("POST", "/api/v1/resolve", #"{"smartlink": "\#(smartlink)"}"#) }
            func event(_ id: String, _ type: String) -> String {
                #"{"id": "\#(id)", "type": "\#(type)", "smartlink": "\#(smartlink)", "platform": "ios", "#
                    + #""at": "2026-11-21T10:00:00Z"}"#
            }
            let events = [event("1", "open"), event("2", "open"), event("2", "open"), event("3", "install")]
            _ = try await fixture.call("POST", "/api/v1/events", "{\"events\": [\(events.joined(separator: ","))]}")
            let answer = try await fixture.call("GET", "/api/v1/links/go.example.com/gift/events")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(counts(answer.json["total"]) == [2, 1, 2, 1, 0, 0])
            let series = answer.json["series"]?.array ?? []
            #expect(series.count == 30)
            #expect(counts(series.last) == [2, 1, 2, 1, 0, 0])
            #expect(counts(series.first) == [0, 0, 0, 0, 0, 0])
        }
    }

    @Test func daysToComeHaveNoActivity() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let link = try await fixture.create(#"{"slug": "gift", "urls": {"web": "https://shop.example.com/"}}"#)
            let smartlink = try #require(link["smartlink"]?.string)
            _ = try await fixture.call("POST", "/api/v1/resolve", #"{"smartlink": "\#(smartlink)"}"#)
            let path = "/api/v1/links/go.example.com/gift/events"
            let answer = try await fixture.call("GET", path + "?from=2026-11-20&to=2026-11-23&interval=day")
            #expect(answer.json["to"]?.string == "2026-11-24T00:00:00Z", "\(answer.text)")
            let series = answer.json["series"]?.array ?? []
            #expect(series.map { $0["resolves"]?.integer } == [0, 1, 0, 0])
            #expect(try await fixture.call("GET", path + "?from=2026-11-21&to=2027-12-26").status == 422)
        }
    }

    @Test(arguments: ["from=yesterday", "to=x", "interval=hour", "from=2026-01-02&to=2026-01-01"])
    func `an invalid query is refused`(query: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "gift", "urls": {"web": "https://shop.example.com/"}}"#)
            let answer = try await fixture.call("GET", "/api/v1/links/go.example.com/gift/events?\(query)")
            #expect(answer.status == 422, "\(answer.text)")
            #expect(try await fixture.call("GET", "/api/v1/links/go.example.com/none/events").status == 404)
        }
    }
}

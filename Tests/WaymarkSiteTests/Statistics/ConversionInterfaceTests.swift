import Testing
import WaymarkAPI
import WaymarkJSON

/// `/api/v1/conversions`.
@Suite struct ConversionInterfaceTests {
    private static func conversion(_ id: String, _ more: String = "") -> String {
        #"{"id": "\#(id)", "name": "purchase", "smartlink": "https://go.example.com/sale", "at": "2026-11-21T10:00:00Z"\#(more)}"#
    }

    private static func body(_ conversions: String...) -> String {
        #"{"conversions": [\#(conversions.joined(separator: ", "))]}"#
    }

    private static let query = "/api/v1/conversions?from=2026-11-01&to=2026-11-30"

    @Test func `conversions are counted and summed exactly`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(
                #"{"slug": "sale", "urls": {"web": "https://shop.example.com/"}, "campaign": {"name": "autumn"}}"#)
            let euros = #", "value": {"amount": "0.10", "currency": "EUR"}"#
            let answer = try await fixture.call(
                "POST", "/api/v1/conversions",
                Self.body(
                    Self.conversion("1", euros),
                    Self.conversion("2", #", "value": {"amount": "0.2", "currency": "EUR"}"#),
                    Self.conversion("2", euros), Self.conversion("3")))
            #expect(answer.status == 202)
            #expect(answer.json == ["counted": 3, "unattributed": 0, "duplicates": 1])
            for (by, value) in [
                ("link", "go.example.com/sale"), ("campaign", "autumn"), ("day", "2026-11-21"), ("name", "purchase"),
            ] {
                let report = try await fixture.call("GET", Self.query + "&by=\(by)")
                #expect(report.json == ["groups": [["value": JSONValue(value), "count": 3, "sums": ["EUR": "0.30"]]]])
            }
            for filter in ["app=none", "campaign=spring", "link=go.example.com/none", "to=2026-11-20"] {
                let path = Self.query.replacing("&to=2026-11-30", with: "") + "&" + filter
                #expect(try await fixture.call("GET", path).json == ["groups": []], "\(filter)")
            }
        }
    }

    @Test func `an app's report leaves a back end's its own`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "sale", "urls": {"web": "https://shop.example.com/"}}"#)
            let (app, backEnd) = (try await fixture.key(["resolve"]), try await fixture.key(["links"]))
            for (key, amount) in [(app, "0.01"), (backEnd, "149.90"), (app, "0.01"), (backEnd, "149.90")] {
                let value = #", "value": {"amount": "\#(amount)", "currency": "EUR"}"#
                let body = Self.body(Self.conversion("order-1001", value))
                #expect(try await fixture.call("POST", "/api/v1/conversions", body, key: key).status == 202)
            }
            let report = try await fixture.call("GET", Self.query + "&by=name")
            #expect(
                report.json == [
                    "groups": [
                        [
                            "value": "purchase", "count": 2, "sums": ["EUR": "149.91"],
                            "fromApps": ["count": 1, "sums": ["EUR": "0.01"]],
                        ]
                    ]
                ], "\(report.text)")
        }
    }

    @Test func `an app takes no money away`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let body = Self.body(Self.conversion("1", #", "value": {"amount": "-0.01", "currency": "EUR"}"#))
            let refused = try await fixture.call(
                "POST", "/api/v1/conversions", body, key: try await fixture.key(["resolve"]))
            #expect(refused.status == 422 && refused.fields == ["conversions[0].value.amount"])
            #expect(try await fixture.call("POST", "/api/v1/conversions", body).status == 202)
        }
    }

    @Test func `apps report a hundred names a day`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "sale", "urls": {"web": "https://shop.example.com/"}}"#)
            let key = try await fixture.key(["resolve"])
            func report(_ numbers: Range<Int>, _ key: String) async throws -> JSONValue {
                let conversions = numbers.map { number in
                    Self.conversion("\(number)").replacing("purchase", with: "name \(number % 200)")
                }
                let body = #"{"conversions": [\#(conversions.joined(separator: ", "))]}"#
                return try await fixture.call("POST", "/api/v1/conversions", body, key: key).json
            }
            #expect(try await report(0..<100, key)["counted"] == 100)
            #expect(try await report(100..<110, key)["unattributed"] == 10)
            #expect(try await report(200..<210, key)["counted"] == 10)
            #expect(try await report(300..<310, SiteFixture.adminKey)["counted"] == 10)
            fixture.clock.advance(seconds: 86_400)
            #expect(try await report(500..<510, key)["counted"] == 10)
        }
    }

    @Test func `a forged click or another application's link does not count`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "sale", "urls": {"web": "https://shop.example.com/"}}"#)
            let forged = #"{"id": "1", "name": "purchase", "clickID": "forged", "at": "2026-11-21T10:00:00Z"}"#
            let unknown = Self.conversion("2").replacing("/sale", with: "/none")
            let installation = #"{"id": "3", "name": "purchase", "installID": "i", "at": "2026-11-21T10:00:00Z"}"#
            let answer = try await fixture.call(
                "POST", "/api/v1/conversions", Self.body(forged, unknown, installation))
            #expect(answer.status == 202)
            #expect(answer.json["unattributed"]?.integer == 3)
            #expect(try await fixture.call("GET", Self.query).json == ["groups": []])
        }
    }

    @Test(arguments: [
        (#"{"name": "a", "smartlink": "https://go.example.com/a", "at": "2026-11-21T10:00:00Z"}"#, "id"),
        (#"{"id": "1", "smartlink": "https://go.example.com/a", "at": "2026-11-21T10:00:00Z"}"#, "name"),
        (#"{"id": "1", "name": "a", "at": "2026-11-21T10:00:00Z"}"#, "clickID"),
        (conversion("1").replacing("2026-11-21T10:00:00Z", with: "today"), "at"),
        (conversion("1", #", "value": {"amount": "1,5", "currency": "EUR"}"#), "value.amount"),
        (conversion("1", #", "value": {"amount": 1.5, "currency": "EUR"}"#), "value.amount"),
        (conversion("1", #", "value": {"amount": "1.5", "currency": "eur"}"#), "value.currency"),
        (conversion("1", #", "value": {"amount": "1.5"}"#), "value.currency"),
        (conversion("1", #", "price": 1"#), "price"),
    ])
    func `a conversion that can't be read is refused`(conversion: String, field: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("POST", "/api/v1/conversions", Self.body(conversion))
            #expect(answer.status == 422)
            let fields = answer.json["errors"]?.array?.compactMap { $0["field"]?.string }
            #expect(fields == ["conversions[0].\(field)"], "\(answer.text)")
        }
    }

    @Test(arguments: ["by=color", "from=yesterday", "from=2026-11-30&to=2026-11-01", "link=sale", "app=-", "period=7d"])
    func `a report that can't be read is refused`(query: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("GET", "/api/v1/conversions?" + query)
            #expect(answer.status == 422)
        }
    }

    @Test func `keys for apps report, and keys for reading read`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            for (scope, post, get) in [
                ("resolve", 202, 403), ("read", 403, 200), ("links", 202, 200), ("create", 403, 403),
            ] {
                let key = try await fixture.key([scope])
                let report = try await fixture.call(
                    "POST", "/api/v1/conversions", Self.body(Self.conversion(scope)), key: key)
                #expect(report.status == post, "\(scope)")
                #expect(try await fixture.call("GET", Self.query, key: key).status == get, "\(scope)")
            }
        }
    }
}

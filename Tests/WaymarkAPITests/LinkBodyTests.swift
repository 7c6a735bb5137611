import Testing
import WaymarkAPI

@Suite struct LinkBodyTests {
    @Test func readsEveryMember() throws {
        let body = try LinkRequest(
            json: Array(
                """
                {"app": "shop", "domain": "go.example.com", "slug": "spring", "route": "products/:product_id",
                 "routeParameters": {"product_id": 42}, "queryParameters": {"referrer": "ana", "new": true},
                 "urls": {"web": "https://shop.example.com/", "ios": {"link": "shop://a", "fallback": "store"}},
                 "metadata": {"coupon" : "20", "price": 1.50}, "redeemLimit": 1,
                 "validFrom": "2026-01-01T00:00:00Z", "expiresAt": "2027-01-01T00:00:00Z", "maxClicks": 5,
                 "social": {"title": "Spring"}, "campaign": {"source": "mail"}, "tags": ["a", "b"],
                 "title": "Spring sale", "note": "For Ana", "folder": "sales/spring", "forwardQuery": false, "disabled": true, "unique": true}
                """.utf8))
        #expect(body.app == "shop")
        #expect(body.domain == "go.example.com")
        #expect(body.slug == "spring")
        #expect(body.route == "products/:product_id")
        #expect(body.routeParameters == ["product_id": "42"])
        #expect(body.queryParameters == ["referrer": "ana", "new": "true"])
        #expect(
            body.urls == [
                "web": URLEntryRequest("https://shop.example.com/"),
                "ios": URLEntryRequest("shop://a", fallback: "store"),
            ])
        #expect(body.metadata?.text == #"{"coupon" : "20", "price": 1.50}"#)
        #expect(body.redeemLimit == 1)
        #expect(body.validFrom == "2026-01-01T00:00:00Z")
        #expect(body.expiresAt == "2027-01-01T00:00:00Z")
        #expect(body.maxClicks == 5)
        #expect(body.social == SocialRequest(title: "Spring"))
        #expect(body.campaign == CampaignRequest(source: "mail"))
        #expect(body.tags == ["a", "b"])
        #expect(body.title == "Spring sale")
        #expect(body.note == "For Ana")
        #expect(body.folder == "sales/spring")
        #expect(body.forwardQuery == false)
        #expect(body.disabled == true)
        #expect(body.unique == true)
    }

    @Test func writesWhatItReads() throws {
        var body = LinkRequest()
        body.route = "a/:b"
        body.routeParameters = ["b": "7"]
        body.urls = ["web": URLEntryRequest("https://example.com/"), "ios": URLEntryRequest("x://y", fallback: "web")]
        body.metadata = RawJSON(Array(#"{"a": 1.0}"#.utf8))
        body.tags = ["one"]
        body.title = "A \"title\""
        body.note = "two\nlines"
        body.unique = false
        #expect(try LinkRequest(json: body.json) == body)
    }

    @Test func takesNullForAbsent() throws {
        let body = try LinkRequest(
            json: Array(#"{"slug": null, "maxClicks": null, "social": null, "urls": null}"#.utf8))
        #expect(body == LinkRequest())
    }

    @Test func namesEveryProblemAtOnce() {
        let error = #expect(throws: BodyError.self) {
            try LinkRequest(
                json: Array(
                    """
                    {"slug": 1, "urls": {"web": 5, "ios": {"fallback": "store", "other": 1}}, "tags": ["a", 2],
                     "routeParameters": {"id": []}, "social": {"title": 1}, "maxClicks": 1.5, "colour": "red"}
                    """.utf8))
        }
        guard case .invalid(let problems) = error else {
            Issue.record("expected invalid fields, not \(String(describing: error))")
            return
        }
        #expect(
            Set(problems.map(\.field)) == [
                "slug", "urls.web", "urls.ios.link", "urls.ios.other", "tags[1]", "routeParameters.id",
                "social.title", "maxClicks", "colour",
            ])
    }

    @Test(arguments: [
        ("slug", "1"), ("app", "{}"), ("route", "[]"), ("routeParameters", "\"x\""), ("queryParameters", "3"),
        ("urls", "[]"), ("metadata", "\"x\""), ("metadata", "[]"), ("redeemLimit", "\"1\""), ("redeemLimit", "1.5"),
        ("redeemLimit", "1e300"), ("validFrom", "5"), ("expiresAt", "false"), ("maxClicks", "\"3\""),
        ("social", "\"x\""), ("campaign", "[]"), ("tags", "\"x\""), ("tags", "{}"), ("forwardQuery", "1"),
        ("disabled", "\"true\""), ("unique", "0"),
    ])
    func refusesAnotherType(field: String, value: String) {
        let error = #expect(throws: BodyError.self) {
            try LinkRequest(json: Array("{\"\(field)\": \(value)}".utf8))
        }
        guard case .invalid(let problems) = error else {
            Issue.record("expected an invalid field, not \(String(describing: error))")
            return
        }
        #expect(problems.map(\.field) == [field])
    }

    @Test(arguments: ["", "{", "[1,]", "{\"a\":1,\"a\":2}", "nul", "{\"slug\":\"\u{1}\"}", "\u{FEFF}{}"])
    func tellsWhatIsNotJSON(text: String) {
        let error = #expect(throws: BodyError.self) { try LinkRequest(json: Array(text.utf8)) }
        guard case .malformed = error else {
            Issue.record("expected malformed JSON, not \(String(describing: error))")
            return
        }
        #expect(error?.problem.status == 400)
    }

    @Test(arguments: ["[]", "\"x\"", "5", "null", "true"])
    func refusesABodyThatIsNoObject(text: String) {
        let error = #expect(throws: BodyError.self) { try LinkRequest(json: Array(text.utf8)) }
        #expect(error?.problem.status == 422)
        #expect(error?.problem.errors.map(\.field) == ["body"])
    }

    @Test func answersALongBodyOfUnknownFieldsShortly() {
        let members = (0..<20_000).map { "\"x\($0)\": 1" }.joined(separator: ",")
        let error = #expect(throws: BodyError.self) { try LinkRequest(json: Array("{\(members)}".utf8)) }
        #expect(error?.problem.errors.count == 200)
        let name = String(repeating: "n", count: 100_000)
        let long = #expect(throws: BodyError.self) { try LinkRequest(json: Array("{\"\(name)\": 1}".utf8)) }
        #expect((long?.problem.json.count ?? .max) < 1_000)
    }
}

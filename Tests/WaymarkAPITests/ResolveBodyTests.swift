import Testing
import WaymarkAPI

@Suite struct ResolveBodyTests {
    @Test func readsASmartLink() throws {
        let body = try ResolveBody(json: Array(#"{"smartlink": "https://a/b?c"}"#.utf8))
        #expect(body == ResolveBody(.smartlink("https://a/b?c"), platform: "web", redeem: true))
    }

    @Test func readsAClickID() throws {
        let body = try ResolveBody(json: Array(#"{"clickID": "x", "platform": "ios", "redeem": false}"#.utf8))
        #expect(body == ResolveBody(.clickID("x"), platform: "ios", redeem: false))
    }

    @Test func writesWhatItReads() throws {
        let body = ResolveBody(.clickID("x"), platform: "android", redeem: false)
        #expect(try ResolveBody(json: body.json) == body)
        let versioned = ResolveBody(.clickID("x"), platform: "ios", appVersion: "4.1")
        #expect(try ResolveBody(json: versioned.json) == versioned)
        #expect(String(decoding: versioned.json, as: UTF8.self).hasSuffix(#""appVersion":"4.1"}"#))
    }

    @Test(arguments: [
        AppUpdate(minimumVersion: "4.2", url: "https://apps.apple.com/app/id1"), .init(minimumVersion: "5", url: nil),
    ])
    func saysWhichUpdateALinkWants(update: AppUpdate) {
        let answer = ResolveAnswer(
            deeplink: nil, route: nil, routeParameters: [:], queryParameters: [:], metadata: nil,
            redeem: RedeemCount(limit: nil, used: 0, status: "none"), update: update)
        #expect(ResolveAnswer(json: answer.json) == answer)
        let claim = ClaimAnswer(resolved: answer, method: "referrer")
        #expect(ClaimAnswer(json: claim.json) == claim)
    }

    @Test(arguments: [
        (#"{}"#, ["smartlink"]),
        (#"{"smartlink": "a", "clickID": "b"}"#, ["clickID"]),
        (#"{"smartlink": 1}"#, ["smartlink"]),
        (#"{"smartlink": "a", "platform": 1, "redeem": "no", "x": 1}"#, ["platform", "redeem", "x"]),
    ])
    func namesProblems(text: String, fields: [String]) {
        let error = #expect(throws: BodyError.self) { try ResolveBody(json: Array(text.utf8)) }
        #expect(error?.problem.errors.map(\.field) == fields)
    }

    @Test func keepsMetadataAsItWas() {
        let answer = ResolveAnswer(
            deeplink: "shop://a", route: nil, routeParameters: [:], queryParameters: ["a": "b"],
            metadata: RawJSON(Array(#"{ "z":1.00, "a":[] }"#.utf8)),
            redeem: RedeemCount(limit: 1, used: 1, status: "redeemed"))
        let text = String(decoding: answer.json, as: UTF8.self)
        #expect(
            text == #"{"deeplink":"shop://a","route":null,"routeParameters":{},"queryParameters":{"a":"b"},"#
                + #""metadata":{ "z":1.00, "a":[] },"#
                + #""redeem":{"limit":1,"used":1,"remaining":0,"status":"redeemed"}}"#)
        #expect(ResolveAnswer(json: answer.json) == answer)
    }
}

import Testing
import WaymarkAPI

@Suite struct ResolveBodyTests {
    @Test func readsASmartLink() throws {
        let body = try ResolveRequest(json: Array(#"{"smartlink": "https://a/b?c"}"#.utf8))
        #expect(body == ResolveRequest(.smartlink("https://a/b?c"), platform: "web", redeem: true))
    }

    @Test func readsAClickID() throws {
        let body = try ResolveRequest(json: Array(#"{"clickID": "x", "platform": "ios", "redeem": false}"#.utf8))
        #expect(body == ResolveRequest(.clickID("x"), platform: "ios", redeem: false))
    }

    @Test func writesWhatItReads() throws {
        let body = ResolveRequest(.clickID("x"), platform: "android", redeem: false)
        #expect(try ResolveRequest(json: body.json) == body)
        let versioned = ResolveRequest(.clickID("x"), platform: "ios", appVersion: "4.1")
        #expect(try ResolveRequest(json: versioned.json) == versioned)
        #expect(String(decoding: versioned.json, as: UTF8.self).hasSuffix(#""appVersion":"4.1"}"#))
    }

    @Test(arguments: [
        AppUpdate(minimumVersion: "4.2", url: "https://apps.apple.com/app/id1"), .init(minimumVersion: "5", url: nil),
    ])
    func saysWhichUpdateALinkWants(update: AppUpdate) {
        let answer = ResolveResponse(
            deeplink: nil, route: nil, routeParameters: [:], queryParameters: [:], metadata: nil,
            redeem: RedeemCount(limit: nil, used: 0, status: "none"), update: update)
        #expect(ResolveResponse(json: answer.json) == answer)
        let claim = ClaimResponse(resolved: answer, method: "referrer")
        #expect(ClaimResponse(json: claim.json) == claim)
    }

    @Test(arguments: [
        (#"{}"#, ["smartlink"]),
        (#"{"smartlink": "a", "clickID": "b"}"#, ["clickID"]),
        (#"{"smartlink": 1}"#, ["smartlink"]),
        (#"{"smartlink": "a", "platform": 1, "redeem": "no", "x": 1}"#, ["platform", "redeem", "x"]),
    ])
    func namesProblems(text: String, fields: [String]) {
        let error = #expect(throws: BodyError.self) { try ResolveRequest(json: Array(text.utf8)) }
        #expect(error?.problem.errors.map(\.field) == fields)
    }

    @Test func keepsMetadataAsItWas() {
        let answer = ResolveResponse(
            deeplink: "shop://a", route: nil, routeParameters: [:], queryParameters: ["a": "b"],
            metadata: RawJSON(Array(#"{ "z":1.00, "a":[] }"#.utf8)),
            redeem: RedeemCount(limit: 1, used: 1, status: "redeemed"))
        let text = String(decoding: answer.json, as: UTF8.self)
        #expect(
            text == #"{"deeplink":"shop://a","route":null,"routeParameters":{},"queryParameters":{"a":"b"},"#
                + #""metadata":{ "z":1.00, "a":[] },"#
                + #""redeem":{"limit":1,"used":1,"remaining":0,"status":"redeemed"}}"#)
        #expect(ResolveResponse(json: answer.json) == answer)
    }
}

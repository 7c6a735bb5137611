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

import Testing
import WaymarkAPI

/// What apps send of themselves: events and claims.
@Suite struct AppBodyTests {
    @Test func writesTheEventsThatItReads() throws {
        let body = EventsRequest(events: [
            EventRequest(id: "1", type: "open", clickID: "c", platform: "ios", at: "2026-11-21T10:00:00Z"),
            EventRequest(id: "2", type: "install", smartlink: "https://a/b", platform: "web", at: "x"),
        ])
        #expect(try EventsRequest(json: body.json) == body)
        #expect(try EventsRequest(json: Array(#"{"events": []}"#.utf8)).events.isEmpty)
    }

    @Test(arguments: [
        (#"{}"#, ["events"]),
        (#"{"events": 1}"#, ["events"]),
        (#"{"events": [], "x": 1}"#, ["x"]),
        (
            #"{"events": [1, {"id": 1, "type": "open", "platform": "ios", "at": "x", "y": 0}]}"#,
            ["events[0]", "events[1].id", "events[1].y"]
        ),
        (#"{"events": [{}]}"#, ["events[0].id", "events[0].type", "events[0].platform", "events[0].at"]),
        ("{\"events\": [\(Array(repeating: "{}", count: 101).joined(separator: ","))]}", ["events"]),
    ])
    func namesTheProblemsOfEvents(text: String, fields: [String]) {
        let error = #expect(throws: BodyError.self) { try EventsRequest(json: Array(text.utf8)) }
        #expect(error?.problem.errors.map(\.field) == fields)
    }

    @Test func writesTheClaimThatItReads() throws {
        let body = ClaimRequest(app: "shop", platform: "android", installID: "i", referrer: "waymark=x")
        #expect(try ClaimRequest(json: body.json) == body)
    }

    @Test(arguments: [
        (#"{}"#, ["app", "platform", "installID"]),
        (
            #"{"app": "a", "platform": "ios", "installID": 1, "clipboard": [], "x": 1}"#,
            ["installID", "clipboard", "x"]
        ),
    ])
    func namesTheProblemsOfAClaim(text: String, fields: [String]) {
        let error = #expect(throws: BodyError.self) { try ClaimRequest(json: Array(text.utf8)) }
        #expect(error?.problem.errors.map(\.field) == fields)
    }

    @Test func readsBothAnswers() {
        #expect(
            String(decoding: ClaimResponse.unmatched.json, as: UTF8.self)
                == #"{"deeplink":null,"route":null,"routeParameters":{},"queryParameters":{},"metadata":null,"#
                + #""redeem":{"limit":null,"used":0,"remaining":null,"status":"none"},"match":null}"#)
        #expect(ClaimResponse(json: ClaimResponse.unmatched.json) == .unmatched)
        let matched = ClaimResponse(
            resolved: ResolveResponse(
                deeplink: "shop://a", route: nil, routeParameters: [:], queryParameters: [:], metadata: nil,
                redeem: RedeemCount(limit: 1, used: 1, status: "redeemed")), method: "referrer")
        #expect(ClaimResponse(json: matched.json) == matched)
        let answer = EventsResponse(counted: 1, unattributed: 2, duplicates: 3)
        #expect(EventsResponse(json: answer.json) == answer)
    }
}

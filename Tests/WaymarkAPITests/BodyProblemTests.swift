import Testing
import WaymarkAPI
import WaymarkJSON

/// All problems of the shape of a body, in their order.
@Suite struct BodyProblemTests {
    private static func problems(
        _ text: String, _ shape: JSONShape, _ attempt: (JSONDocument) -> [FieldProblem]
    ) throws -> [String] {
        attempt(try ObjectReader.document(Array(text.utf8), shape: shape)).map { "\($0.field) \($0.problem)" }
    }

    @Test(arguments: [
        ("{}", ["name is missing", "scopes is missing"]),
        (
            #"{"app": 5, "scopes": [1], "x": 0, "platform": []}"#,
            [
                "name is missing", "app must be a string, not a number", "scopes[0] must be a string, not a number",
                "platform must be a string, not an array", "x is not a known field",
            ]
        ),
        (
            #"{"name": "a", "scopes": ["","","","","","","","","","","","","","","","",""]}"#,
            ["scopes must hold at most 16 elements, not 17"]
        ),
    ])
    func `bodies of keys report all problems`(text: String, expected: [String]) throws {
        #expect(try Self.problems(text, KeyRequest.shape) { KeyRequest.attempt($0).problems } == expected)
    }

    @Test(arguments: [
        (#"{"name": 1}"#, ["url is missing", "events is missing", "name must be a string, not a number"]),
        (
            #"{"url": null, "app": 1, "events": "*"}"#,
            ["url is missing", "app must be a string, not a number", "events must be an array, not a string"]
        ),
    ])
    func `bodies of webhooks report all problems`(text: String, expected: [String]) throws {
        #expect(try Self.problems(text, WebhookRequest.shape) { WebhookRequest.attempt($0).problems } == expected)
    }

    @Test(arguments: [
        (#"{"name": null}"#, []), (#"{"name": "a", "disabled": true, "url": "b", "events": []}"#, []),
        (
            #"{"disabled": null, "url": null, "name": 1, "app": "x", "events": [null]}"#,
            [
                "events[0] must be a string, not null", "name must be a string, not a number",
                "url can't be removed", "disabled can't be removed", "app is not a known field",
            ]
        ),
    ])
    func `patches of webhooks report all problems`(text: String, expected: [String]) throws {
        #expect(try Self.problems(text, WebhookPatch.shape) { WebhookPatch.attempt($0).problems } == expected)
    }

    @Test func patchesOfWebhooksRemoveANameByNull() throws {
        func name(_ text: String) throws -> String?? {
            WebhookPatch.attempt(try ObjectReader.document(Array(text.utf8), shape: WebhookPatch.shape)).body?.name
        }
        #expect(try name("{}") == nil)
        #expect(try name(#"{"name": null}"#) == .some(.some(nil)))
        #expect(try name(#"{"name": "a"}"#) == "a")
    }

    @Test(arguments: [
        ("{}", ["conversions is missing"]),
        (
            #"{"conversions": [{"value": {"amount": 1}, "x": 1}, 2], "y": 1}"#,
            [
                "conversions[0].id is missing", "conversions[0].name is missing", "conversions[0].at is missing",
                "conversions[0].value.amount must be a string, not a number",
                "conversions[0].value.currency is missing", "conversions[0].x is not a known field",
                "conversions[1] must be an object, not a number", "y is not a known field",
            ]
        ),
    ])
    func `bodies of conversions report all problems`(text: String, expected: [String]) throws {
        #expect(
            try Self.problems(text, ConversionsRequest.shape) { ConversionsRequest.attempt($0).problems } == expected)
    }

    @Test(arguments: [
        (
            #"{"rules": [{}, 1, {"to": 5, "when": []}, {"to": {"web": 1}, "then": 1}]}"#,
            [
                "rules[0].to is missing", "rules[1] must be an object, not a number",
                "rules[2].when must be an object, not an array",
                "rules[2].to must be a URL, or an object of platforms and URLs, not a number",
                "rules[3].to.web must be a URL, or an object with link and fallback, not a number",
                "rules[3].then is not a known field",
            ]
        ),
        (
            #"""
            {"rules": [{"when": {"percentage": "5", "country": [1], "inApp": 3, "platform": {}, "query": {"a": {}, "b": true},
             "os": "x"}, "to": "https://a.example/"}]}
            """#,
            [
                "rules[0].when.platform must be a string or an array of strings, not an object",
                "rules[0].when.inApp must be a string or an array of strings, not a number",
                "rules[0].when.country[0] must be a string, not a number",
                "rules[0].when.query.a must be a value, an array of values, or true for any, not an object",
                "rules[0].when.percentage must be an integer, not a string", "rules[0].when.os is not a known field",
            ]
        ),
    ])
    func `rules report all problems`(text: String, expected: [String]) throws {
        #expect(try Self.problems(text, LinkRequest.shape) { LinkRequest.attempt($0).problems } == expected)
    }

    @Test(arguments: [
        #"{"when":{},"to":"https://a.example/"}"#,
        #"{"when":{"inApp":true},"to":{"ios":{"link":"a://b","fallback":"store"},"web":"https://a.example/"}}"#,
        #"{"when":{"platform":["ios","web"],"inApp":"instagram","query":{"a":true,"b":"x","c":["y","z"]},"percentage":5},"to":{}}"#,
    ])
    func rulesAreWrittenAsTheyAreRead(text: String) throws {
        let rule = try #require(RuleRequest.attempt(try JSONValue(parsing: Array(text.utf8))).body)
        #expect(String(decoding: JSONWriter.text { rule.write(to: &$0) }, as: UTF8.self) == text)
    }

    @Test(arguments: [
        (
            #"""
            {"cors": {"origins": 1}, "branch": {"enabled": 1, "x": 1}, "hoko": [], "firebase": {"apiKeys": [1]},
             "ios": {"minimumVersion": 4, "appIDs": "x", "scheme": 1}, "android": {"minimumVersion": 4, "minimum": 1},
             "templates": [{"urls": 1}, {"name": 1, "route": 2}], "web": {"baseURL": 5}, "id": 1}
            """#,
            [
                "id must be a string, not a number", "ios.minimumVersion must be a string, not a number",
                "ios.scheme is not a known field", "android.minimum is not a known field",
                "web.baseURL must be a string, not a number", "templates[0].urls must be an object, not a number",
                "templates[0].route is missing", "templates[1].name must be a string, not a number",
                "templates[1].route must be a string, not a number",
                "firebase.apiKeys[0] must be a string, not a number", "hoko must be an object, not an array",
                "branch.enabled must be true or false, not a number", "branch.x is not a known field",
                "cors.origins must be an array, not a number",
            ]
        )
    ])
    func `applications report all problems`(text: String, expected: [String]) throws {
        #expect(
            try Self.problems(text, ApplicationRequest.shape) { ApplicationRequest.attempt($0).problems } == expected)
    }

    @Test func applicationsNameWhatIsTooLong() throws {
        let many = Array(repeating: #""x""#, count: 101).joined(separator: ",")
        let text = #"""
            {"domains": [\#(many)], "ios": {"appIDs": [\#(many)], "details": [{"appIDs": [\#(many)]}]},
             "android": {"apps": [{"sha256CertFingerprints": [\#(many)]}]}}
            """#
        #expect(
            try Self.problems(text, ApplicationRequest.shape) { ApplicationRequest.attempt($0).problems } == [
                "domains must hold at most 100 elements, not 101", "ios.appIDs must hold at most 100 elements, not 101",
                "ios.details[0].appIDs must hold at most 100 elements, not 101",
                "android.apps[0].sha256CertFingerprints must hold at most 50 elements, not 101",
            ])
    }
}

import Testing
import WaymarkBytes
import WaymarkJSON
import WaymarkTLS

@testable import SignInTestSupport
@testable import WaymarkSignIn

/// Claims that are signed and wrong.
@Suite struct IDTokenClaimTests {
    private static let now: Int64 = 1_800_000_000
    private static let settings = OpenIDSettings(
        issuer: FakeProvider.issuer, clientID: "way mark", clientSecret: nil)!

    private static func subject(
        _ claims: [String: JSONValue] = [:], header: [String: JSONValue] = [:], nonce: String = "n"
    ) throws(IDTokenProblem) -> String {
        var state = FakeProvider.State()
        state.claims = claims
        state.header = header
        let token = try CompactToken(FakeProvider.token(nonce: "n", state))
        return try IDToken.subject(of: token, settings, nonce: nonce, accessToken: "access", now: now)
    }

    private static func list(_ texts: String...) -> JSONValue { JSONValue(texts.map { JSONValue($0) }) }
    private static func time(_ offset: Int) -> JSONValue { JSONValue(Int(now) + offset) }

    @Test(
        arguments: [
            ("sub", JSONValue("a b|c"), nil), ("sub", JSONValue(String(repeating: "s", count: 255)), nil),
            ("sub", JSONValue(String(repeating: "s", count: 256)), .subject), ("sub", JSONValue(""), .subject),
            ("sub", JSONValue(7), .subject), ("sub", .null, .subject), ("sub", JSONValue("ü"), .subject),
            ("sub", JSONValue("a\nb"), .subject),
            ("iss", .null, .malformed), ("iss", JSONValue("https://idp.example.com/realm/"), .issuer),
            ("iss", JSONValue("https://IDP.example.com/realm"), .issuer), ("iss", JSONValue(""), .issuer),
            ("iss", JSONValue("http://idp.example.com/realm"), .issuer),
            ("aud", .null, .malformed), ("aud", JSONValue("other"), .audience),
            ("aud", JSONValue("way markx"), .audience),
            ("aud", list(), .audience), ("aud", list("way mark"), nil), ("aud", list("other"), .audience),
            ("aud", list("way mark", "other"), .authorizedParty), ("aud", JSONValue(1), .malformed),
            ("aud", JSONValue(Array(repeating: JSONValue("way mark"), count: 33)), .malformed),
            ("azp", JSONValue("way mark"), nil), ("azp", JSONValue("other"), .authorizedParty),
            ("azp", JSONValue(1), .authorizedParty),
            ("exp", .null, .malformed), ("exp", JSONValue("1800000300"), .malformed), ("exp", time(-59), nil),
            ("exp", time(-60), .expired), ("exp", JSONValue(0), .expired), ("exp", JSONValue(-1), .malformed),
            ("exp", JSONValue(1e300), .malformed), ("exp", JSONValue(1_800_000_000.5), nil),
            ("iat", .null, .malformed), ("iat", time(60), nil), ("iat", time(61), .issuedLater),
            ("iat", JSONValue(true), .malformed),
            ("nbf", time(60), nil), ("nbf", time(61), .notYetValid), ("nbf", JSONValue("x"), .malformed),
            ("nbf", time(-1), nil),
            ("nonce", .null, .nonce), ("nonce", JSONValue("N"), .nonce), ("nonce", JSONValue(""), .nonce),
            ("nonce", JSONValue(1), .nonce),
            ("at_hash", JSONValue("x"), .accessToken), ("at_hash", JSONValue(1), .accessToken),
            // SHA-256 of "access", its left half.
            ("at_hash", JSONValue(hash), nil),
        ] as [(String, JSONValue?, IDTokenProblem?)])
    func `each claim has its rule`(name: String, value: JSONValue?, problem: IDTokenProblem?) throws {
        guard let problem else {
            #expect(try Self.subject([name: value ?? .null]).isEmpty == false)
            return
        }
        #expect(throws: problem) { try Self.subject([name: value ?? .null]) }
    }

    private static let hash = Base64.urlText(Array(SHA256.digest(of: Array("access".utf8)).prefix(16)))

    @Test func `several audiences need an authorised party`() throws {
        let audiences = Self.list("other", "way mark")
        #expect(try Self.subject(["aud": audiences, "azp": JSONValue("way mark")]) == "0815")
        #expect(throws: IDTokenProblem.authorizedParty) {
            try Self.subject(["aud": audiences, "azp": JSONValue("other")])
        }
    }

    @Test(
        arguments: [
            ("alg", JSONValue("none"), .algorithm), ("alg", JSONValue("HS256"), .algorithm),
            ("alg", JSONValue("es256"), .algorithm), ("alg", .null, .malformed), ("alg", JSONValue(1), .malformed),
            ("crit", JSONValue([JSONValue("b64")]), .malformed), ("crit", JSONValue([JSONValue]()), .malformed),
            ("kid", JSONValue(1), .malformed), ("kid", JSONValue(String(repeating: "k", count: 513)), .malformed),
            ("typ", JSONValue("JWT"), nil),
        ] as [(String, JSONValue, IDTokenProblem?)])
    func `each member of the header has its rule`(name: String, value: JSONValue, problem: IDTokenProblem?) throws {
        guard let problem else {
            #expect(try Self.subject(header: [name: value]) == "0815")
            return
        }
        #expect(throws: problem) { try Self.subject(header: [name: value]) }
    }

    @Test func `a token has a limit`() {
        let large = JSONValue(String(repeating: "a", count: IDToken.sizeLimit))
        #expect(throws: IDTokenProblem.tooLarge) { try Self.subject(["more": large]) }
        var deep = JSONValue(1)
        for _ in 0..<20 { deep = JSONValue([deep]) }
        #expect(throws: IDTokenProblem.malformed) { try Self.subject(["more": deep]) }
    }

    @Test(arguments: [
        ("groups", ["staff", "editors"]), ("realm_access.roles", ["admin"]), ("one", ["alone"]), ("missing", []),
        ("realm_access", []), ("realm_access.missing", []), ("https://example.com/roles", ["x"]),
        ("https://example.com/app.roles", ["y"]), ("a.b.c", ["deep"]), ("", []), (".", []), ("one.two", []),
        ("number", []), ("mixed", ["text"]),
    ])
    func `roles are found by a claim's path`(path: String, values: [String]) {
        let claims = JSONValue(
            parsedFrom: """
                {"groups":["staff","editors"],"realm_access":{"roles":["admin"]},"one":"alone","number":1,"mixed":[1,"text",null],
                "https://example.com/roles":["x"],"https://example.com/app":{"roles":["y"]},"a":{"b":{"c":"deep"},"x":1}}
                """)
        let identity = OpenIDIdentity(issuer: "i", subject: "s", claims: claims, token: "t")
        #expect(identity.values(at: path) == values)
    }

    @Test(
        arguments: [
            (#"{"name":"Ada","preferred_username":"al","email":"a@example.com"}"#, "Ada", "a@example.com"),
            (#"{"preferred_username":"al","email":"a@example.com","email_verified":true}"#, "al", "a@example.com"),
            (#"{"name":"","preferred_username":"al","email":"a@example.com","email_verified":false}"#, "al", nil),
            (#"{"name":1,"email":["a"]}"#, nil, nil), ("{}", nil, nil),
        ] as [(String, String?, String?)])
    func `names and addresses are claims`(claims: String, name: String?, email: String?) {
        let identity = OpenIDIdentity(issuer: "i", subject: "s", claims: JSONValue(parsedFrom: claims), token: "t")
        #expect(identity.name == name && identity.email == email)
    }
}

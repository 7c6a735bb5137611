import Testing
import WaymarkBytes
import WaymarkJSON
import WaymarkTLS

@testable import SignInTestSupport
@testable import WaymarkSignIn

/// Tokens and keys of another implementation (Fixtures/tokens.py).
@Suite struct IDTokenVectorTests {
    private static let file = Fixture.json("tokens.json")
    private static let keys = try! JSONWebKeySet(file["keys"] ?? .null)
    private static let settings = OpenIDSettings(
        issuer: text("issuer"), clientID: text("client"), clientSecret: nil)!
    private static var tokens: [String] { file["tokens"]?.array?.compactMap { $0["token"]?.string } ?? [] }
    private static var refused: [String] { file["refused"]?.array?.compactMap { $0["token"]?.string } ?? [] }

    private static func text(_ name: String) -> String { file[name]?.string ?? "" }

    private static func subject(_ text: String, access: String? = Self.text("access")) throws(IDTokenProblem) -> String
    {
        let token = try CompactToken(text)
        try token.check(keys)
        return try IDToken.subject(
            of: token, settings, nonce: Self.text("nonce"), accessToken: access, now: Int64(file["now"]?.integer ?? 0))
    }

    @Test(arguments: tokens.indices)
    func `tokens of another program are accepted`(index: Int) throws {
        #expect(try Self.subject(Self.tokens[index]) == "248289761001")
        #expect(throws: IDTokenProblem.accessToken) { try Self.subject(Self.tokens[index], access: "other") }
        #expect(throws: IDTokenProblem.accessToken) { try Self.subject(Self.tokens[index], access: nil) }
    }

    @Test(arguments: refused.indices)
    func `tokens without a signature by a key are refused`(index: Int) {
        #expect(throws: IDTokenProblem.algorithm) { try Self.subject(Self.refused[index]) }
    }

    @Test(arguments: tokens.indices)
    func `a token that differs in one character is refused`(index: Int) {
        let text = Array(Self.tokens[index].utf8)
        for at in text.indices {
            var changed = text
            changed[at] = text[at] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: IDTokenProblem.self, "\(at)") { try Self.subject(String(decoding: changed, as: UTF8.self)) }
        }
    }

    @Test(arguments: tokens.indices)
    func `a token that ends early or goes on is refused`(index: Int) {
        let text = Self.tokens[index]
        for count in stride(from: 0, to: text.utf8.count, by: 3) {
            #expect(throws: IDTokenProblem.self) { try Self.subject(String(text.prefix(count))) }
        }
        for more in [".", "A", "=", " ", "\n", ".AAAA"] {
            #expect(throws: IDTokenProblem.self) { try Self.subject(text + more) }
            #expect(throws: IDTokenProblem.self) { try Self.subject(more + text) }
        }
    }

    @Test(arguments: tokens.indices)
    func `a signature belongs to its own token`(index: Int) {
        for other in Self.tokens where other != Self.tokens[index] {
            let parts = Self.tokens[index].split(separator: ".").dropLast() + other.split(separator: ".").suffix(1)
            #expect(throws: IDTokenProblem.signature) { try Self.subject(parts.joined(separator: ".")) }
        }
    }

    @Test func `a token names a key of its algorithm`() throws {
        let members = Self.file["keys"]?["keys"]?.array ?? []
        // The same keys under one name: each token fits one of them.
        let renamed = members.map { $0.setting("kid", to: JSONValue("r")).setting("alg", to: nil) }
        let set = try JSONWebKeySet(JSONValue(members: ["keys": JSONValue(renamed)]))
        #expect(set.keys.count == 5 && set.candidates(id: "r", .rs256).count == 2)
        #expect(set.candidates(id: "r", .es256).count == 1 && set.candidates(id: nil, .es384).count == 1)
        #expect(set.candidates(id: "x", .es256).isEmpty)
        // Keys for one algorithm verify no other.
        #expect(Self.keys.candidates(id: "r", .ps256).isEmpty && Self.keys.candidates(id: "r", .rs256).count == 1)
    }

    @Test(
        arguments: [
            ("kty", JSONValue("oct")), ("kty", nil), ("use", JSONValue("enc")), ("use", JSONValue(1)),
            ("key_ops", JSONValue([JSONValue("encrypt")])), ("key_ops", JSONValue("verify")), ("kid", JSONValue(1)),
            ("kid", JSONValue(String(repeating: "k", count: 513))), ("alg", JSONValue(1)), ("n", nil),
            ("n", JSONValue("AQAB")),
            ("n", JSONValue(String(repeating: "A", count: 342))), ("e", JSONValue("AQAA")), ("e", nil),
            ("e", JSONValue("AQAB=")),
        ] as [(String, JSONValue?)])
    func `damaged and foreign keys are left out`(name: String, value: JSONValue?) throws {
        let key = (Self.file["keys"]?["keys"]?.array ?? [])[0]
        func count(_ key: JSONValue) throws -> Int {
            try JSONWebKeySet(JSONValue(members: ["keys": JSONValue([key, .null, JSONValue(1)])])).keys.count
        }
        #expect(try count(key) == 1)
        #expect(try count(key.setting("key_ops", to: JSONValue([JSONValue("verify")]))) == 1)
        #expect(try count(key.setting(name, to: value)) == 0)
    }

    @Test func `a key set has a list, and a limit`() throws {
        let key = (Self.file["keys"]?["keys"]?.array ?? [])[4]
        let many = JSONValue(members: ["keys": JSONValue(Array(repeating: key, count: 65))])
        #expect(try JSONWebKeySet(many).keys.count == 64)
        for wrong in [JSONValue.null, JSONValue([key]), JSONValue(members: ["keys": key])] {
            #expect(throws: OpenIDFailure.unreadable(.keys)) { try JSONWebKeySet(wrong) }
        }
    }
}

import Testing
import WaymarkBytes
import WaymarkJSON

@testable import SignInTestSupport
@testable import WaymarkSignIn

/// Answers of another implementation, which a third one accepts (Fixtures/passkeys.py).
@Suite struct PasskeyVectorTests {
    private static let file = Fixture.json("passkeys.json")
    private static let site = TestAuthenticator.site
    private static let challenge = PasskeyChallenge(file.bytes("challenge"))!
    private static let user = file.bytes("user")
    private static var cases: [JSONValue] { file["cases"]?.array ?? [] }

    private static func register(_ value: JSONValue) throws(PasskeyRefusal) -> PasskeyCredential {
        try PasskeyRegistration(value).verify(challenge: challenge, site: site)
    }

    private static func verify(_ value: JSONValue, _ passkey: PasskeyCredential) throws(PasskeyRefusal) -> UInt32 {
        try PasskeyAssertion(value).verify(passkey, of: user, challenge: challenge, site: site)
    }

    @Test(arguments: cases.indices)
    func `passkeys of another program register and sign in`(index: Int) throws {
        let value = Self.cases[index]
        let count = UInt32(try #require(value["count"]?.integer))
        let registration = try #require(value["registration"])
        let assertion = try #require(value["assertion"])
        var passkey = try Self.register(registration)
        #expect(passkey.signatureCount == count)
        #expect(passkey.id == registration.bytes("id"))
        passkey.signatureCount = try Self.verify(assertion, passkey)
        #expect(passkey.signatureCount == (count == 0 ? 0 : count + 1))
        // The same answer again: a counter shows it, without one the challenge must be used up.
        if count > 0 { #expect(throws: PasskeyRefusal.clone) { try Self.verify(assertion, passkey) } }
    }

    @Test(arguments: cases.indices)
    func `passkeys sign in with their own answer only`(index: Int) throws {
        let passkeys = try Self.cases.map { try Self.register($0["registration"] ?? .null) }
        for (other, value) in Self.cases.enumerated() where other != index {
            let assertion = value["assertion"] ?? .null
            #expect(throws: PasskeyRefusal.unknownCredential) { try Self.verify(assertion, passkeys[index]) }
            let renamed = PasskeyCredential(
                id: passkeys[other].id, publicKey: passkeys[index].publicKey, signatureCount: 0)
            #expect(throws: PasskeyRefusal.signature) { try Self.verify(assertion, renamed) }
        }
    }

    /// Each byte of each part, one bit at a time.
    @Test(arguments: cases.indices, ["clientDataJSON", "authenticatorData", "signature", "userHandle"])
    func `an assertion that differs in a bit is refused`(index: Int, part: String) throws {
        let value = Self.cases[index]
        let passkey = try Self.register(value["registration"] ?? .null)
        let assertion = try #require(value["assertion"])
        let bytes = assertion["response"]?.bytes(part) ?? []
        #expect(!bytes.isEmpty)
        for at in bytes.indices {
            var changed = bytes
            changed[at] ^= 1 << (at % 8)
            let answer = assertion.setting("response", part, to: JSONValue(Base64.urlText(changed)))
            #expect(throws: PasskeyRefusal.self, "\(at)") { try Self.verify(answer, passkey) }
        }
    }

    @Test(arguments: cases.indices)
    func `answers that end early are refused`(index: Int) throws {
        let value = Self.cases[index]
        let registration = try #require(value["registration"])
        let assertion = try #require(value["assertion"])
        let passkey = try Self.register(registration)
        for part in ["clientDataJSON", "authenticatorData", "signature", "userHandle"] {
            let bytes = assertion["response"]?.bytes(part) ?? []
            for count in bytes.indices {
                let short = JSONValue(Base64.urlText(Array(bytes[..<count])))
                let answer = assertion.setting("response", part, to: short)
                #expect(throws: PasskeyRefusal.self) { try Self.verify(answer, passkey) }
            }
        }
        for part in ["clientDataJSON", "attestationObject"] {
            let bytes = registration["response"]?.bytes(part) ?? []
            for count in bytes.indices {
                let short = JSONValue(Base64.urlText(Array(bytes[..<count])))
                let answer = registration.setting("response", part, to: short)
                #expect(throws: PasskeyRefusal.self) { try Self.register(answer) }
            }
            let long = registration.setting("response", part, to: JSONValue(Base64.urlText(bytes + [0])))
            #expect(throws: PasskeyRefusal.self) { try Self.register(long) }
        }
    }

    @Test(arguments: ["id", "rawId", "type", "response"])
    func `an answer without one of its members is refused`(name: String) throws {
        let value = Self.cases[0]
        let passkey = try Self.register(value["registration"] ?? .null)
        for wrong in [nil, .null, JSONValue(1), JSONValue(""), JSONValue("!"), JSONValue("AA="), JSONValue("AB")] {
            // Level 2 has no `rawId` in JSON: it may be missing, and must not differ.
            if name == "rawId", wrong == nil { continue }
            let registration = (value["registration"] ?? .null).setting(name, to: wrong)
            let assertion = (value["assertion"] ?? .null).setting(name, to: wrong)
            #expect(throws: PasskeyRefusal.self) { try Self.register(registration) }
            #expect(throws: PasskeyRefusal.self) { try Self.verify(assertion, passkey) }
        }
        #expect(throws: PasskeyRefusal.malformed(.credential)) { try Self.register(.null) }
        #expect(throws: PasskeyRefusal.malformed(.credential)) { try PasskeyAssertion(JSONValue([JSONValue]())) }
    }
}

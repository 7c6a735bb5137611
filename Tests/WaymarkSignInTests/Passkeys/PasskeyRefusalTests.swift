import Testing
import WaymarkBytes
import WaymarkJSON
import WaymarkTLS

@testable import SignInTestSupport
@testable import WaymarkSignIn

/// One wrong part each, in an answer that is right, and signed, otherwise.
@Suite struct PasskeyRefusalTests {
    typealias Change = @Sendable (inout TestAuthenticator) -> Void

    private static func register(_ device: TestAuthenticator) throws(PasskeyRefusal) -> PasskeyCredential {
        try register(device, device.registration())
    }

    private static func register(_ device: TestAuthenticator, _ value: JSONValue) throws(PasskeyRefusal)
        -> PasskeyCredential
    {
        try PasskeyRegistration(value).verify(challenge: device.challenge, site: TestAuthenticator.site)
    }

    private static func verify(_ device: TestAuthenticator, _ passkey: PasskeyCredential) throws(PasskeyRefusal)
        -> UInt32
    {
        try PasskeyAssertion(device.assertion()).verify(
            passkey, of: TestAuthenticator.user, challenge: device.challenge, site: TestAuthenticator.site)
    }

    private static let both: [(PasskeyRefusal, Change)] = [
        (.ceremony, { $0.type = "webauthn.other" }),
        (.ceremony, { $0.type = "" }),
        (.challenge, { $0.challengeText = PasskeyChallenge().text }),
        (.challenge, { $0.challengeText = "" }),
        (.challenge, { $0.challengeText = $0.challenge.text + "=" }),
        (.origin, { $0.origin = "http://links.example.com" }),
        (.origin, { $0.origin = "https://links.example.com:8443" }),
        (.origin, { $0.origin = "https://links.example.com/" }),
        (.origin, { $0.origin = "https://evil.links.example.com" }),
        (.origin, { $0.origin = "https://links.example.com.evil.example" }),
        (.origin, { $0.origin = "https://LINKS.example.com" }),
        (.origin, { $0.origin = "" }),
        (.crossOrigin, { $0.crossOrigin = JSONValue(true) }),
        (.crossOrigin, { $0.crossOrigin = .null }),
        (.crossOrigin, { $0.topOrigin = JSONValue("https://evil.example") }),
        (.relyingParty, { $0.relyingParty = "example.com" }),
        (.relyingParty, { $0.relyingParty = "" }),
        (.notPresent, { $0.flags = 0x04 }),
        (.notVerified, { $0.flags = 0x01 }),
        (.malformed(.authenticatorData), { $0.more = [0] }),
        (.malformed(.authenticatorData), { $0.extensions = CBOR(1) }),
        (.malformed(.authenticatorData), { $0.flags |= 0x80 }),
        (.tooLarge, { $0.more = [UInt8](repeating: 0, count: AuthenticatorData.sizeLimit) }),
        (.tooLarge, { $0.origin = String(repeating: "a", count: ClientData.sizeLimit) }),
        (.credentialID, { $0.id = [] }),
        (.credentialID, { $0.id = [UInt8](repeating: 1, count: 1_024) }),
    ]

    @Test(arguments: both.indices)
    func `both ceremonies refuse what is wrong in one place`(index: Int) throws {
        var device = TestAuthenticator()
        let right = try Self.register(device)
        _ = try Self.verify(device, right)
        let (refusal, change) = Self.both[index]
        change(&device)
        #expect(throws: refusal) { try Self.register(device) }
        #expect(throws: refusal) { try Self.verify(device, right) }
    }

    private static func key(_ entries: [(Int, CBOR)]) -> CBOR { TestAuthenticator.map(entries) }
    private static let x = CBOR.bytes([UInt8](repeating: 1, count: 32))

    private static let registrations: [(PasskeyRefusal, Change)] = [
        (.ceremony, { $0.type = "webauthn.get" }),
        (.malformed(.attestation), { $0.format = "" }),
        (.malformed(.attestation), { $0.format = String(repeating: "a", count: 33) }),
        (.malformed(.attestation), { $0.statement = CBOR(1) }),
        (.malformed(.attestation), { $0.statement = TestAuthenticator.map([("sig", .bytes([1]))]) }),
        (.publicKey, { $0.cose = CBOR(1) }),
        (.publicKey, { $0.cose = key([]) }),
        // No point of the curve.
        (.publicKey, { $0.cose = key([(1, CBOR(2)), (3, CBOR(-7)), (-1, CBOR(1)), (-2, x), (-3, x)]) }),
        (.publicKey, { $0.cose = key([(1, CBOR(2)), (3, CBOR(-7)), (-1, CBOR(1)), (-2, x)]) }),
        // An algorithm of another kind of key.
        (.publicKey, { $0.cose = key([(1, CBOR(1)), (3, CBOR(-7)), (-1, CBOR(1)), (-2, x), (-3, x)]) }),
        (.publicKey, { $0.cose = key([(1, CBOR(3)), (3, CBOR(-257)), (-1, x), (-2, .bytes([1, 0, 1]))]) }),
        (.publicKey, { $0.cose = key([(1, CBOR(1)), (3, CBOR(-8)), (-1, CBOR(6)), (-2, .bytes([1]))]) }),
        (.algorithm, { $0.cose = key([(1, CBOR(2)), (3, CBOR(-35)), (-1, CBOR(2)), (-2, x), (-3, x)]) }),
        (.algorithm, { $0.cose = key([(1, CBOR(2)), (3, CBOR(-7)), (-1, CBOR(2)), (-2, x), (-3, x)]) }),
        (.algorithm, { $0.cose = key([(1, CBOR(1)), (3, CBOR(-8)), (-1, CBOR(7)), (-2, x)]) }),
        (.algorithm, { $0.cose = key([(1, CBOR(4)), (3, CBOR(5))]) }),
    ]

    @Test(arguments: registrations.indices)
    func `a registration with a wrong part is refused`(index: Int) {
        var device = TestAuthenticator()
        let (refusal, change) = Self.registrations[index]
        change(&device)
        #expect(throws: refusal) { try Self.register(device) }
    }

    private static let assertions: [(PasskeyRefusal, Change)] = [
        (.ceremony, { $0.type = "webauthn.create" }),
        (.unknownCredential, { $0.id = [1] }),
        (.otherUser, { $0.userHandle = nil }),
        (.otherUser, { $0.userHandle = [] }),
        (.otherUser, { $0.userHandle = [1] }),
        (.malformed(.credential), { $0.userHandle = [UInt8](repeating: 0, count: 65) }),
        // Attested data belongs to registrations.
        (
            .malformed(.authenticatorData),
            {
                $0.more = $0.credential; $0.flags |= 0x40
            }
        ),
    ]

    @Test(arguments: assertions.indices)
    func `an assertion with a wrong part is refused`(index: Int) throws {
        var device = TestAuthenticator()
        let passkey = try Self.register(device)
        let (refusal, change) = Self.assertions[index]
        change(&device)
        #expect(throws: refusal) { try Self.verify(device, passkey) }
    }

    @Test(
        arguments: [
            (0, 0, true), (0, 1, true), (1, 2, true), (7, 4_294_967_295, true), (1, 1, false), (2, 1, false),
            (1, 0, false),
            (4_294_967_295, 0, false),
        ] as [(UInt32, UInt32, Bool)])
    func `a counter grows unless it is always zero`(stored: UInt32, given: UInt32, isAccepted: Bool) throws {
        var device = TestAuthenticator()
        device.count = stored
        let passkey = try Self.register(device)
        #expect(passkey.signatureCount == stored)
        device.count = given
        if isAccepted {
            #expect(try Self.verify(device, passkey) == given)
        } else {
            #expect(throws: PasskeyRefusal.clone) { try Self.verify(device, passkey) }
        }
    }

    @Test func `an answer for another challenge is refused`() throws {
        var device = TestAuthenticator()
        let passkey = try Self.register(device)
        let replayed = try PasskeyAssertion(device.assertion())
        device.challenge = PasskeyChallenge()
        #expect(throws: PasskeyRefusal.challenge) {
            try replayed.verify(
                passkey, of: TestAuthenticator.user, challenge: device.challenge, site: TestAuthenticator.site)
        }
    }

    @Test func `statements of other formats are ignored`() throws {
        var device = TestAuthenticator()
        device.format = "packed"
        device.statement = TestAuthenticator.map([
            ("alg", CBOR(-7)), ("sig", .bytes([1])), ("x5c", .array([.bytes([2])])),
        ])
        #expect(try Self.register(device).id == device.id)
        device.extensions = TestAuthenticator.map([("credProtect", CBOR(2))])
        #expect(try Self.register(device).id == device.id)
        device.id = [UInt8](repeating: 1, count: 1_023)
        #expect(try Self.register(device).id.count == 1_023)
    }

    @Test func `an attestation has its three members only`() {
        let device = TestAuthenticator()
        guard case .map(let entries) = device.attestation else { return }
        let more = entries + [CBOR.Entry(key: .text("more"), value: .null)]
        for members in [more, Array(entries.dropFirst()), Array(entries.dropLast()), []] {
            #expect(throws: PasskeyRefusal.malformed(.attestation)) {
                try Self.register(device, device.registration(CBOR.map(members).encoded))
            }
        }
        #expect(throws: PasskeyRefusal.malformed(.attestation)) {
            try Self.register(device, device.registration([UInt8](repeating: 0x81, count: 40_000)))
        }
    }

    @Test func `a registration names the credential that it holds`() {
        var device = TestAuthenticator()
        let attestation = device.attestation.encoded
        device.id = [9]
        #expect(throws: PasskeyRefusal.malformed(.credential)) {
            try Self.register(device, device.registration(attestation))
        }
    }

    @Test func `each refusal has a sentence of its own`() {
        let refusals: [PasskeyRefusal] =
            PasskeyRefusal.Part.allCases.map { .malformed($0) } + [
                .tooLarge, .ceremony, .challenge, .origin, .crossOrigin, .relyingParty, .notPresent, .notVerified,
                .credentialID, .algorithm, .publicKey, .signature, .unknownCredential, .otherUser, .clone,
            ]
        #expect(Set(refusals.map(\.sentence)).count == refusals.count)
        #expect(refusals.allSatisfy { $0.sentence.hasSuffix(".") && $0.sentence.utf8.count < 200 })
    }
}

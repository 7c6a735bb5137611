import Testing
import WaymarkJSON

@testable import SignInTestSupport
@testable import WaymarkSignIn

@Suite struct PasskeyOptionsTests {
    private static let challenge = PasskeyChallenge([UInt8](repeating: 0xFF, count: 32))!

    @Test func `creation options ask for what registration checks`() {
        let user = PasskeyOptions.User(id: [1, 2, 3], name: "ada@example.com", displayName: "Ada")
        let options = PasskeyOptions.creation(Self.challenge, TestAuthenticator.site, for: user, existing: [[4, 5]])
        let expected = """
            {"challenge":"__________________________________________8",
            "rp":{"id":"links.example.com","name":"Waymark"},
            "user":{"id":"AQID","name":"ada@example.com","displayName":"Ada"},
            "pubKeyCredParams":[{"type":"public-key","alg":-7},{"type":"public-key","alg":-8},{"type":"public-key","alg":-257}],
            "timeout":300000,
            "excludeCredentials":[{"type":"public-key","id":"BAU"}],
            "authenticatorSelection":{"residentKey":"required","requireResidentKey":true,"userVerification":"required"},
            "attestation":"none"}
            """
        #expect(String(decoding: options.bytes(), as: UTF8.self) == expected.replacing("\n", with: ""))
    }

    @Test func `request options let the person choose`() {
        let options = PasskeyOptions.request(Self.challenge, TestAuthenticator.site)
        let expected = """
            {"challenge":"__________________________________________8","rpId":"links.example.com","timeout":300000,
            "userVerification":"required","allowCredentials":[]}
            """
        #expect(String(decoding: options.bytes(), as: UTF8.self) == expected.replacing("\n", with: ""))
    }

    @Test func `challenges have 32 bytes and never repeat`() {
        #expect(PasskeyChallenge() != PasskeyChallenge())
        #expect(PasskeyChallenge().bytes.count == 32 && PasskeyChallenge().text.utf8.count == 43)
        #expect(PasskeyChallenge([]) == nil && PasskeyChallenge([UInt8](repeating: 0, count: 33)) == nil)
    }

    @Test(
        arguments: [
            (true, "links.example.com", nil, "https://links.example.com"),
            (true, "links.example.com", 443, "https://links.example.com"),
            (true, "links.example.com", 8_443, "https://links.example.com:8443"),
            (false, "localhost", 8_080, "http://localhost:8080"), (false, "localhost", 80, "http://localhost"),
            (false, "app.localhost", nil, "http://app.localhost"), (true, "localhost", 443, "https://localhost"),
            (false, "links.example.com", nil, nil), (true, "192.0.2.1", nil, nil), (true, "[::1]", nil, nil),
            (false, "127.0.0.1", 8_080, nil), (true, "", nil, nil), (true, "Links.example.com", nil, nil),
            (true, "a/b", nil, nil), (false, "notlocalhost", nil, nil),
        ] as [(Bool, String, Int?, String?)])
    func `passkeys belong to names over https, and localhost`(isSecure: Bool, host: String, port: Int?, origin: String?)
    {
        #expect(PasskeySite(isSecure: isSecure, host: host, port: port, name: "Waymark")?.origin == origin)
    }

    @Test func `challenges are known again by their servers alone`() throws {
        let (now, key) = (Int64(1_800_000_000_000), [UInt8](repeating: 1, count: 32))
        let (own, other) = (PasskeyChallenges(key: key), PasskeyChallenges(key: [2]))
        let purposes: [PasskeyChallenges.Purpose] = [
            .signIn, .registration(person: "a"), .registration(person: "ab"), .registration(person: ""),
        ]
        for purpose in purposes {
            let challenge = own.challenge(for: purpose, now: now)
            #expect(challenge != own.challenge(for: purpose, now: now))
            for age in [0, 1, PasskeyChallenges.lifetime, -60_000] {
                #expect(try PasskeyChallenges(key: key).time(of: challenge, for: purpose, now: now + age) == now)
            }
            for age in [PasskeyChallenges.lifetime + 1, -60_001] {
                #expect(throws: PasskeyRefusal.challenge) { try own.time(of: challenge, for: purpose, now: now + age) }
            }
            #expect(throws: PasskeyRefusal.challenge) { try other.time(of: challenge, for: purpose, now: now) }
            for wrong in purposes where wrong != purpose {
                #expect(throws: PasskeyRefusal.challenge) { try own.time(of: challenge, for: wrong, now: now) }
            }
            for index in challenge.bytes.indices {
                var bytes = challenge.bytes
                bytes[index] ^= 1
                let changed = try #require(PasskeyChallenge(bytes))
                #expect(throws: PasskeyRefusal.challenge) { try own.time(of: changed, for: purpose, now: now) }
            }
        }
        #expect(throws: PasskeyRefusal.challenge) { try own.time(of: PasskeyChallenge(), for: .signIn, now: now) }
    }
}

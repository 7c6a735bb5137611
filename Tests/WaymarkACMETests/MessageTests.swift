import Testing
import WaymarkBytes
import WaymarkClient
import WaymarkJSON
import WaymarkTLS

@testable import WaymarkACME

/// Texts that an authority sends, and those that it is sent.
@Suite struct MessageTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2025-01-02T04:00:00Z", 1_735_790_400),
            ("2025-01-02T04:00:00.123456789Z", 1_735_790_400), ("2025-01-02t05:30:00+01:30", 1_735_790_400),
            ("2025-01-01T20:00:00-08:00", 1_735_790_400), ("2025-01-02T04:00:60Z", 1_735_790_459), ("2025-01-02", nil),
            ("2025-02-30T04:00:00Z", nil), ("2025-01-02T24:00:00Z", nil), ("2025-01-02T04:00:00", nil),
            ("2025-01-02T04:00:00+24:00", nil), ("2025-01-02T04:00:00.Z", nil), ("٢٠٢٥-01-02T04:00:00Z", nil),
            ("", nil),
        ] as [(String, Int64?)])
    func `reads times`(text: String, seconds: Int64?) {
        #expect(ACMETime.seconds(rfc3339: text) == seconds)
    }

    @Test func `signs requests`() throws {
        let key = P256Key.generate()
        let body = try JSONValue(
            parsing: JSONWebSignature.body(
                Array("{\"a\":1}".utf8), key: key, identity: .account("https://ca.test/a/1"), nonce: "n",
                url: "https://ca.test/order"))
        let header = try JSONValue(parsing: try #require(Base64.bytes(lenient: body["protected"]?.string ?? "")))
        #expect(
            header
                == JSONValue(
                    try JSONValue(
                        parsing: """
                            {"alg":"ES256","kid":"https://ca.test/a/1","nonce":"n","url":"https://ca.test/order"}
                            """
                    ).object ?? JSONObject()))
        #expect(Base64.bytes(lenient: body["payload"]?.string ?? "") == Array("{\"a\":1}".utf8))
        #expect(Base64.bytes(lenient: body["signature"]?.string ?? "")?.count == 64)
    }

    @Test func `an empty payload reads a resource`() throws {
        let body = try JSONValue(
            parsing: JSONWebSignature.body(nil, key: .generate(), identity: .key, nonce: "n", url: "https://ca.test/"))
        #expect(body["payload"]?.string == "")
        let header = try JSONValue(parsing: try #require(Base64.bytes(lenient: body["protected"]?.string ?? "")))
        #expect(header["jwk"]?["kty"]?.string == "EC" && header["kid"] == nil)
    }

    /// RFC 7638 section 3: members in their order, without white space.
    @Test func `takes thumbprints of the canonical form`() {
        let key = P256Key.generate()
        let (x, y) = key.coordinates
        let text = "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"\(Base64.urlText(x))\",\"y\":\"\(Base64.urlText(y))\"}"
        #expect(JSONWebSignature.thumbprint(key) == Base64.urlText(SHA256.digest(of: Array(text.utf8))))
    }

    @Test func `binds an external account`() throws {
        let key = P256Key.generate()
        let account = ExternalAccount(keyIdentifier: "kid-1", macKey: Array("secret".utf8))
        let text = JSONWebSignature.binding(account, to: key, url: "https://ca.test/new")
        let binding = try JSONValue(parsing: text)
        let protected = binding["protected"]?.string ?? ""
        let payload = binding["payload"]?.string ?? ""
        #expect(Base64.bytes(lenient: payload) == JSONWebSignature.publicKey(key))
        let code = HMACSHA256.code(of: Array("\(protected).\(payload)".utf8), key: account.macKey)
        #expect(binding["signature"]?.string == Base64.urlText(code))
        let header = try JSONValue(parsing: try #require(Base64.bytes(lenient: protected)))
        #expect(header["alg"]?.string == "HS256" && header["kid"]?.string == "kid-1" && header["nonce"] == nil)
    }

    @Test(arguments: [("abc-_9", true), ("", false), ("a b", false), ("a+b", false), ("ä", false)])
    func `takes nonces in base64url only`(nonce: String, isValid: Bool) {
        let pool = NoncePool()
        pool.add(nonce)
        #expect((pool.take() == nonce) == isValid)
        #expect(pool.take() == nil)
    }

    @Test func `limits the number of nonces`() {
        let pool = NoncePool()
        for number in 0..<1_000 { pool.add("n\(number)") }
        var count = 0
        while pool.take() != nil { count += 1 }
        #expect(count == 16)
    }

    @Test(
        arguments: [
            (#"{"type":"urn:ietf:params:acme:error:caa","detail":"CAA forbids"}"#, "caa", "CAA forbids"),
            (#"{"type":"https://x.test/p","title":"Title"}"#, "https://x.test/p", "Title"),
            (
                #"{"type":"urn:ietf:params:acme:error:compound","detail":"Two","subproblems":[{"type":"t","detail":"one","identifier":{"type":"dns","value":"a.test"}},{"type":"u"}]}"#,
                "compound", "Two; a.test: one; u"
            ),
            ("garbage", "about:blank", "the authority answered with status 500"),
            (#"{"detail":"line\nfeed\u202e"}"#, "about:blank", "line feed "),
            ("[]", "about:blank", "the authority answered with status 500"),
        ])
    func `reads problems`(text: String, type: String, detail: String) {
        let problem = ACMEProblem(HTTPResponse(status: 500, body: Array(text.utf8)))
        #expect(problem.type == type)
        #expect(problem.detail == detail)
    }

    @Test func `cuts off long texts`() {
        #expect(ACMEText.line(String(repeating: "a", count: 10_000)).count == ACMEText.limit + 1)
    }

    @Test(
        arguments: [
            ("https://ca.test/dir", "https://other.test/x", true), ("https://ca.test/dir", "http://ca.test/x", false),
            ("http://ca.test/dir", "http://ca.test/x", true), ("https://ca.test/dir", "file:///etc/passwd", false),
            ("https://ca.test/dir", "https://ca.test/\r\nX: y", false), ("https://ca.test/dir", nil, false),
            ("https://ca.test/dir", "https://ca.test/" + String(repeating: "a", count: 3_000), false),
        ] as [(String, String?, Bool)])
    func `follows URLs of the directory's scheme`(directory: String, url: String?, isAllowed: Bool) {
        let rule = ACMEURLRule(directory: directory)
        #expect((try? rule.checked(url, "the URL")) == (isAllowed ? url : nil))
    }

    @Test func `documents survive writing and reading`() throws {
        var state = HostState()
        state.failures = 3
        state.nextAttempt = 77
        state.problem = .init(at: 5, detail: "\"no\"")
        state.validations = [1, 2]
        state.blocked = ["ab": 9, "cd": 10]
        state.kind = .http
        state.informationAt = 11
        state.information = RenewalInformation(identifier: "a.b", moment: 4, start: 3, end: 5, checkAt: 6)
        #expect(HostState(state.json) == state)
        #expect(HostState(HostState().json) == HostState())

        let challenge = StoredChallenge(
            [
                PendingChallenge(host: "a.test", kind: .http, token: "t", keyAuthorization: "t.x"),
                PendingChallenge(host: "a.test", kind: .tlsALPN, token: "u", keyAuthorization: "u.x"),
            ], until: 9)
        #expect(StoredChallenge(challenge.json, host: "a.test") == challenge)

        let account = StoredAccount(
            directory: "https://ca.test/", key: .generate(), url: "https://ca.test/1", contacts: ["mailto:a@b.test"])
        let copy = try #require(StoredAccount(account.json))
        #expect(copy.key.coordinates == account.key.coordinates)
        #expect(copy.url == account.url && copy.contacts == account.contacts)
    }

    @Test(arguments: ["", "[]", "{}", "garbage", "{\"failures\": \"x\", \"nextAttempt\": {}}"])
    func `damaged documents are none`(text: String) {
        #expect(HostState(Array(text.utf8)) == nil)
        #expect(StoredChallenge(Array(text.utf8), host: "a.test") == nil)
        #expect(StoredAccount(Array(text.utf8)) == nil)
        #expect(StoredCertificate(Array(text.utf8)) == nil)
    }
}

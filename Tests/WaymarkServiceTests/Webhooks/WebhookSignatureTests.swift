import Testing
import WaymarkBytes
import WaymarkTLS

@testable import WaymarkService

/// Signatures of Standard Webhooks 1.0.0.
@Suite struct WebhookSignatureTests {
    private let signature = WebhookSignature { SHA256.digest(of: $0) }

    @Test func `signs the test vector of the specification`() throws {
        let key = try #require(WebhookSignature.key("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let field = signature.field(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", second: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8),
            keys: [key])
        #expect(field == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test func `signs with each key, the current one first`() {
        let keys = [[UInt8](1...32), [UInt8](2...33)]
        let both = signature.field(id: "msg_1", second: 1, body: [], keys: keys)
        let parts = both.split(separator: " ").map(String.init)
        #expect(parts == keys.map { signature.field(id: "msg_1", second: 1, body: [], keys: [$0]) })
        #expect(Set(parts).count == 2)
    }

    /// RFC 4231 sections 4.2 and 4.7: a short key, and one longer than a block.
    @Test(arguments: [
        ([UInt8](repeating: 0x0B, count: 20), "Hi There", "sDRMYdjbOFNcqK/OrwvxK4gdwgDJgz2nJuk3bC4yz/c="),
        (
            [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "YOQxWR7gtn8Niiaqy/W3f44LxiE3KMUUBUYEDw7jf1Q="
        ),
    ])
    func `a signature is the code of RFC 2104`(key: [UInt8], text: String, code: String) {
        #expect(Base64.text(signature.code(Array(text.utf8), key: key)) == code)
    }

    @Test(arguments: [
        "", "whsec_", "whsec_AAAA", "whsec_!!!!", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    ])
    func `takes no secret of another form or length`(text: String) {
        #expect(WebhookSignature.key(text) == nil)
    }

    @Test(arguments: [24, 32, 64])
    func `reads a secret as it was shown`(count: Int) {
        let key = (0..<count).map { UInt8($0) }
        #expect(WebhookSignature.key(WebhookSignature.text(ofKey: key)) == key)
    }
}

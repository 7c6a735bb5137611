import Foundation
import TLSTestSupport
import Testing
import WaymarkTLS
import WaymarkTestSupport

/// Keys, signatures, requests and chains for an authority, checked with the `openssl` command.
@Suite struct P256KeyTests {
    private func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test func survivesItsTextForm() throws {
        let key = P256Key.generate()
        let copy = try P256Key(pem: key.pem)
        #expect(copy.coordinates == key.coordinates)
        #expect(key.coordinates.x.count == 32 && key.coordinates.y.count == 32)
        #expect(P256Key.generate().coordinates != key.coordinates)
        let printed = TestCertificates.openssl(
            ["pkey", "-noout", "-text"], input: String(decoding: key.pem, as: UTF8.self))
        let digits = printed.filter { $0.isHexDigit || $0 == ":" }.replacing(":", with: "")
        #expect(digits.contains("04" + hex(key.coordinates.x) + hex(key.coordinates.y)))
    }

    @Test(arguments: [
        (["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"], "it is not a key on the curve P-256"),
        (["ecparam", "-genkey", "-noout", "-name", "secp384r1"], "it is not a key on the curve P-256"),
        (["genpkey", "-algorithm", "ed25519"], "it is not a key on the curve P-256"),
        (["version"], "the file holds no private key in PEM form"),
    ])
    func refusesOtherKeys(command: [String], reason: String) {
        let text = TestCertificates.openssl(command)
        let start = text.range(of: "-----BEGIN")?.lowerBound ?? text.startIndex
        let error = #expect(throws: P256Key.Failure.self) { _ = try P256Key(pem: Array(text[start...].utf8)) }
        #expect(error?.reason == reason)
    }

    @Test func signsAsES256() throws {
        let folder = try TemporaryFolder()
        let key = P256Key.generate()
        try folder.write(String(decoding: key.pem, as: UTF8.self), to: "key.pem")
        try folder.write("message", to: "message")
        // Often enough for halves that begin with a zero byte.
        for _ in 0..<600 { #expect(key.signature(of: [1]).count == 64) }
        let signature = key.signature(of: Array("message".utf8))
        // The raw form as the SEQUENCE of two INTEGERs that the command reads.
        func integer(_ half: ArraySlice<UInt8>) -> [UInt8] {
            var bytes = Array(half.drop { $0 == 0 })
            if bytes.first ?? 0x80 >= 0x80 { bytes.insert(0, at: 0) }
            return [2, UInt8(bytes.count)] + bytes
        }
        let content = integer(signature[..<32]) + integer(signature[32...])
        try Data([0x30, UInt8(content.count)] + content).write(to: folder.url.appendingPathComponent("signature"))
        let verdict = TestCertificates.openssl([
            "dgst", "-sha256", "-prverify", folder.path("key.pem"), "-signature", folder.path("signature"),
            folder.path("message"),
        ])
        #expect(verdict.contains("Verified OK"), "\(verdict)")
    }

    /// RFC 4231, test cases 1, 2, 3 and 6.
    @Test(
        arguments: [
            (
                [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                [UInt8](repeating: 0xaa, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            ([], [], "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
        ] as [([UInt8], [UInt8], String)])
    func authenticatesByHMAC(key: [UInt8], message: [UInt8], code: String) {
        #expect(hex(HMACSHA256.code(of: message, key: key)) == code)
    }

    @Test func requestsACertificate() throws {
        let key = P256Key.generate()
        let names = ["go.example.com", "www.example.com"]
        let request = try #require(CertificateRequest.der(names: names, key: key))
        let pem =
            "-----BEGIN CERTIFICATE REQUEST-----\n"
            + Data(request).base64EncodedString(options: .lineLength64Characters)
            + "\n-----END CERTIFICATE REQUEST-----\n"
        let text = TestCertificates.openssl(["req", "-noout", "-text", "-verify"], input: pem)
        #expect(text.contains("DNS:go.example.com, DNS:www.example.com\n"), "\(text)")
        #expect(text.contains("verify OK"), "\(text)")
        #expect(text.contains("Subject: \n"), "\(text)")
    }

    @Test(arguments: [
        [], ["a b"], ["a,DNS:b.example.com"], ["*.example.com"], ["a.example.com", "ä.example.com"], [""],
    ])
    func requestsNoCertificateForOtherTexts(names: [String]) {
        #expect(CertificateRequest.der(names: names, key: P256Key.generate()) == nil)
    }

    @Test func readsAChain() throws {
        let authority = try TestAuthority()
        let files = authority.issue("leaf", names: ["Go.example.com", "*.example.org"], serial: 0xC0FFEE)
        let chain = try CertificateChain(pem: Array(try Data(contentsOf: URL(fileURLWithPath: files.certificate))))
        #expect(chain.names == ["go.example.com", "*.example.org"])
        #expect(chain.notAfter - chain.notBefore == 30 * 86_400)
        // With a leading zero, because DER's integers are signed.
        #expect(chain.serialNumber == [0, 0xC0, 0xFF, 0xEE])
        #expect(chain.isValid(for: "a.example.org"))
        #expect(!chain.isValid(for: "a.b.example.org"))
        let key = try P256Key(pem: Array(try Data(contentsOf: URL(fileURLWithPath: files.privateKey))))
        #expect(chain.matches(key))
        #expect(!chain.matches(P256Key.generate()))
        let printed = TestCertificates.openssl([
            "x509", "-noout", "-ext", "authorityKeyIdentifier", "-in", files.certificate,
        ])
        let identifier = try #require(chain.authorityKeyIdentifier)
        #expect(printed.replacing(":", with: "").lowercased().contains(hex(identifier)), "\(printed)")
    }

    @Test(arguments: ["", "garbage", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func refusesWhatIsNoChain(text: String) {
        #expect(throws: CertificateChain.Failure.self) { _ = try CertificateChain(pem: Array(text.utf8)) }
    }

    @Test func limitsAChain() throws {
        let leaf = try TestCertificates.shared.text(TestCertificates.shared.ecdsa.certificate)
        let many = String(repeating: leaf, count: CertificateChain.countLimit + 1)
        let error = #expect(throws: CertificateChain.Failure.self) { _ = try CertificateChain(pem: Array(many.utf8)) }
        #expect(error?.reason == "the chain has more than 16 certificates")
        let large = leaf + String(repeating: "\n", count: CertificateChain.sizeLimit)
        #expect(throws: CertificateChain.Failure.self) { _ = try CertificateChain(pem: Array(large.utf8)) }
        #expect(try CertificateChain(pem: Array(leaf.utf8)).names == ["go.example.com"])
    }
}

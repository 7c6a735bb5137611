import Foundation
import TLSTestSupport
import Testing
import WaymarkTLS

/// What an issuer says of a certificate, shown along with it.
@Suite struct StapleTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    @Test(arguments: [TLS1_2, TLS1_3])
    func `a staple is shown to clients that ask`(version: Int32) throws {
        let files = authority.issue("go", names: ["go.example.com"], serial: 4_097)
        authority.staple(files, serial: 4_097)
        let store = try TestCertificates.store([files])
        let asking = Conversation(store, .init(minimum: version, maximum: version, wantsStaple: true))
        #expect(asking.shakeHands() == .done)
        let staple = try #require(FileManager.default.contents(atPath: files.ocspStaple ?? ""))
        #expect(asking.client.staple == Array(staple))
        let other = Conversation(store, .init(minimum: version, maximum: version))
        #expect(other.shakeHands() == .done)
        #expect(other.client.staple == nil)
    }

    @Test func belongsToTheCertificateThatIsShown() throws {
        let files = authority.issue("go", names: ["go.example.com"], serial: 4_097)
        authority.staple(files, serial: 4_097)
        let store = try TestCertificates.store([files, TestCertificates.shared.rsa])
        for (signatures, isShown) in [("ecdsa_secp256r1_sha256", true), ("rsa_pss_rsae_sha256", false)] {
            let conversation = Conversation(
                store, .init(serverName: "go.example.com", signatures: signatures, wantsStaple: true))
            #expect(conversation.shakeHands() == .done)
            #expect((conversation.client.staple != nil) == isShown)
        }
    }

    @Test func `a staple is not shown once it has expired`() throws {
        let files = authority.issue("go", names: ["go.example.com"], serial: 4_097)
        try authority.stapleExpired(files)
        let store = try TestCertificates.store([files])
        #expect(store.current.entries[0].isStapleExpired)
        let conversation = Conversation(store, .init(wantsStaple: true))
        #expect(conversation.shakeHands() == .done)
        #expect(conversation.client.staple == nil)
    }

    @Test func `a staple for another certificate is refused`() throws {
        let files = authority.issue("go", names: ["go.example.com"], serial: 4_097)
        let other = authority.issue("other", names: ["other.example.com"], serial: 4_098)
        func reason(of files: CertificateFiles) -> String? {
            do throws(CertificateError) {
                _ = try CertificateTable([files], ticketKeys: TicketKeys())
                return nil
            } catch {
                #expect(error.part == .ocspStaple)
                #expect(error.description.hasPrefix(files.ocspStaple ?? "?"))
                return error.reason
            }
        }
        #expect(reason(of: files)?.contains("no such file") == true)
        try Data("nothing".utf8).write(to: URL(fileURLWithPath: files.ocspStaple ?? ""))
        #expect(reason(of: files) == "the file holds no OCSP response in DER form")
        try Data(repeating: 0x30, count: 70_000).write(to: URL(fileURLWithPath: files.ocspStaple ?? ""))
        #expect(reason(of: files) == "the file is larger than 65536 bytes")
        authority.staple(files, serial: 4_097, state: "R")
        #expect(reason(of: files) == "it says that the certificate is revoked")
        authority.staple(files, serial: 4_097, state: nil)
        #expect(reason(of: files) == "it says that the certificate is unknown")
        authority.staple(other, serial: 4_098)
        let mixed = CertificateFiles(
            certificate: files.certificate, privateKey: files.privateKey, ocspStaple: other.ocspStaple)
        #expect(reason(of: mixed) == "it says nothing about the certificate")
        let stranger = try TestAuthority()
        let foreign = stranger.issue("go", names: ["go.example.com"], serial: 4_097)
        stranger.staple(foreign, serial: 4_097)
        #expect(
            reason(
                of: CertificateFiles(
                    certificate: files.certificate, privateKey: files.privateKey, ocspStaple: foreign.ocspStaple))
                == "it is not signed for the issuer of the certificate")
        let alone = authority.issue("alone", names: ["go.example.com"], serial: 4_099, isChained: false)
        authority.staple(alone, serial: 4_099)
        #expect(reason(of: alone)?.contains("needs the certificate that issued it") == true)
    }
}

private let TLS1_2: Int32 = 0x0303
private let TLS1_3: Int32 = 0x0304

import Foundation
import Synchronization
import TLSTestSupport
import Testing
import WaymarkJSON
import WaymarkTLS

@testable import WaymarkACME

/// With Let's Encrypt's test authority, which checks signatures, verifies hosts over the network and rejects one of ten
/// nonces.
@Suite(.serialized, .enabled(if: Pebble.isInstalled), .timeLimit(.minutes(3))) struct PebbleTests {
    private func withPebble(
        _ change: (inout Pebble.Options) -> Void = { _ in },
        _ body: (Pebble, ServedHost, MemoryStorage) async throws -> Void
    ) async throws {
        let served = try await ServedHost()
        var options = Pebble.Options(httpPort: served.httpPort, tlsPort: served.tlsPort)
        change(&options)
        let pebble = try Pebble(options)
        do {
            try await body(pebble, served, MemoryStorage())
        } catch {
            await served.stop()
            throw error
        }
        await served.stop()
    }

    private func text(_ certificate: String?) -> String {
        TestCertificates.openssl(["x509", "-noout", "-text"], input: certificate ?? "")
    }

    @Test(arguments: [ChallengeKind.tlsALPN, .http])
    func `gets a certificate by each kind of challenge`(kind: ChallengeKind) async throws {
        try await withPebble { pebble, served, storage in
            let refused = try served.shownCertificate(for: "go.example.com")
            #expect(refused == nil)
            let renewal = served.renewal(
                ["go.example.com", "www.example.com"], at: pebble, storage: storage, kinds: [kind])
            await renewal.turn()
            #expect(renewal.statuses.map { $0.problem?.detail } == [nil, nil], "\(pebble.log)")
            for host in ["go.example.com", "www.example.com"] {
                let shown = text(try served.shownCertificate(for: host))
                #expect(shown.contains("DNS:\(host)"), "\(shown)")
                #expect(shown.contains("Pebble Intermediate CA"), "\(shown)")
            }
            let other = try served.shownCertificate(for: "other.example.com")
            #expect(other == nil)
            #expect(served.challenges.hosts.isEmpty)
        }
    }

    @Test func `falls back to the challenge that is answered`() async throws {
        try await withPebble { pebble, served, storage in
            let renewal = served.renewal(["go.example.com"], at: pebble, storage: storage, answering: [.http])
            await renewal.turn()
            #expect(renewal.statuses.first?.problem == nil, "\(pebble.log)")
            #expect(renewal.counts["go.example.com"] == RenewalCounts(orders: 2, failures: 0, renewals: 1))
            let shown = try served.shownCertificate(for: "go.example.com")
            #expect(shown != nil)
        }
    }

    @Test func `notes what the authority says of a failure`() async throws {
        try await withPebble({ $0.blockedDomains = ["blocked.example.com"] }) { pebble, served, storage in
            let renewal = served.renewal(
                ["blocked.example.com", "go.example.com"], at: pebble, storage: storage, kinds: [.tlsALPN],
                answering: [])
            await renewal.turn()
            let details = renewal.statuses.map { $0.problem?.detail ?? "" }
            #expect(details[0].contains("policy"), "\(details)")
            #expect(details[1].hasPrefix("tls-alpn-01: "), "\(details)")
        }
    }

    @Test func `renews before the end`() async throws {
        try await withPebble({ $0.lifetime = 3_600 }) { pebble, served, storage in
            let offset = ClockOffset()
            let renewal = served.renewal(
                ["go.example.com"], at: pebble, storage: storage, ahead: { offset.seconds.load(ordering: .relaxed) })
            await renewal.turn()
            let first = try served.shownCertificate(for: "go.example.com")
            await renewal.turn()
            let same = try served.shownCertificate(for: "go.example.com")
            #expect(same == first)
            offset.seconds.store(2_500, ordering: .relaxed)
            await renewal.turn()
            let second = try served.shownCertificate(for: "go.example.com")
            #expect(second != nil && second != first, "\(pebble.log)")
            #expect(renewal.counts["go.example.com"]?.renewals == 2)
        }
    }

    private final class ClockOffset: Sendable {
        let seconds = Atomic<Int64>(0)
    }

    @Test func `two servers share one order`() async throws {
        try await withPebble { pebble, served, storage in
            let one = served.renewal(["go.example.com"], at: pebble, storage: storage)
            let two = served.renewal(["go.example.com"], at: pebble, storage: storage, holder: "two")
            async let first = one.turn()
            async let second = two.turn()
            _ = await (first, second)
            for renewal in [one, two] { await renewal.turn() }
            let orders = [one, two].compactMap { $0.counts["go.example.com"]?.orders }
            #expect(orders == [1], "\(pebble.log)")
            #expect(one.statuses.first?.certificate == two.statuses.first?.certificate)
        }
    }

    @Test func `revokes a certificate`() async throws {
        try await withPebble { pebble, served, storage in
            let renewal = served.renewal(["go.example.com"], at: pebble, storage: storage)
            await renewal.turn()
            let shown = try #require(try served.shownCertificate(for: "go.example.com"), "\(pebble.log)")
            let serial = TestCertificates.openssl(["x509", "-noout", "-serial"], input: shown)
                .trimmingCharacters(in: .whitespacesAndNewlines).dropFirst("serial=".count).lowercased()
            try await renewal.revoke("go.example.com", reason: .superseded)
            await renewal.turn()
            let status = try await pebble.read("cert-status-by-serial/\(serial)")
            #expect(status.contains("\"Status\": \"Revoked\""), "\(status)")
            #expect(status.contains("\"Reason\": 4"), "\(status)")
            let renewed = try served.shownCertificate(for: "go.example.com")
            #expect(renewed != shown)
        }
    }

    @Test(arguments: [("kid-1", true), ("kid-2", false)])
    func `registers with an external account`(identifier: String, isKnown: Bool) async throws {
        let secret = "zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W"
        let key = try #require(Data(base64Encoded: secret))
        try await withPebble({ $0.externalAccounts = ["kid-1": secret] }) { pebble, served, storage in
            let renewal = served.renewal(
                ["go.example.com"], at: pebble, storage: storage,
                external: ExternalAccount(keyIdentifier: identifier, macKey: Array(key)))
            await renewal.turn()
            #expect((renewal.statuses.first?.certificate != nil) == isKnown, "\(pebble.log)")
        }
    }
}

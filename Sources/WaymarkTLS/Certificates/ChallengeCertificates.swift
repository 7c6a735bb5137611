import Synchronization

/// The pending challenges of the kind TLS-ALPN-01 (RFC 8737): a client that offers only the protocol `acme-tls/1` for one
/// of their hosts gets the challenge's certificate, and the connection ends after the handshake.
///
/// One object for the whole process, shared by all tables of certificates. Safe to use from any thread.
package final class ChallengeCertificates: Sendable {
    private struct Challenge {
        let digest: [UInt8]
        let context: ChallengeContext
    }

    private let challenges = Mutex<[String: Challenge]>([:])
    /// Checked in each handshake, so that one without a challenge takes no lock.
    private let count = Atomic<Int>(0)

    package init() {}

    /// Replaces all pending challenges. Unchanged ones retain their certificates.
    ///
    /// - Parameter digests: by host name in lower case, the SHA-256 digest of the key authorization, 32 bytes. Hosts for
    ///   which no certificate can be made are left out.
    package func replace(with digests: [String: [UInt8]]) {
        let old = challenges.withLock { $0 }
        var fresh: [String: Challenge] = [:]
        for (host, digest) in digests {
            if let known = old[host], known.digest == digest {
                fresh[host] = known
            } else if let context = ChallengeContext(host: host, digest: digest) {
                fresh[host] = Challenge(digest: digest, context: context)
            }
        }
        challenges.withLock { $0 = fresh }
        count.store(fresh.count, ordering: .releasing)
    }

    /// The hosts with a pending challenge.
    package var hosts: Set<String> { challenges.withLock { Set($0.keys) } }

    var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

    func context(for host: String) -> ChallengeContext? { challenges.withLock { $0[host]?.context } }
}

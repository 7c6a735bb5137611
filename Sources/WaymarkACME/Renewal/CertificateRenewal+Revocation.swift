import Logging
import WaymarkTLS

extension CertificateRenewal {
    /// Seconds between two revocations for a host, because each costs an order.
    private static let revocationPause: Int64 = 3_600

    /// Revokes the certificate of a host, at most once an hour, and orders another.
    ///
    /// If the key is known to others the certificate is revoked and removed at once; else as soon as the new one is there.
    package func revoke(_ host: String, reason: RevocationReason) async throws(ACMEError) {
        let host = CertificateHost.normalized(host)
        do throws(CertificateStorageError) {
            let name = "certificate/\(host)"
            guard let document = try await environment.storage.document(name),
                let certificate = StoredCertificate(document.content), certificate.issued.host == host
            else {
                throw CertificateStorageError(reason: "there is no certificate for \(host)")
            }
            guard settings.authorities.contains(where: { $0.directory == certificate.directory }) else {
                throw CertificateStorageError(reason: "its authority \(certificate.directory) is not configured")
            }
            let now = environment.now()
            let since = now - (try await documents.read().states[host]?.revokedAt ?? 0)
            guard !(0..<Self.revocationPause).contains(since) else {
                throw CertificateStorageError(
                    reason: "a certificate of \(host) was revoked within the last hour; try again later")
            }
            let revocation = PendingRevocation(
                leaf: certificate.chain.leaf, directory: certificate.directory, reason: reason)
            guard reason == .keyCompromise else {
                await documents.update(host) {
                    $0.revocation = revocation
                    $0.revokedAt = now
                }
                wake()
                return
            }
            if let error = await failure(of: revocation) { throw CertificateStorageError(reason: error.detail) }
            // An empty document is no certificate. One that was issued in the meantime stays.
            _ = try await environment.storage.write(name, Array("{}".utf8), ifVersion: document.version)
            await documents.update(host) { $0.revokedAt = now }
        } catch {
            throw ACMEError(.unavailable, error.reason)
        }
        wake()
    }

    /// Revokes certificates that have been replaced.
    func revokeReplaced(_ snapshot: RenewalDocuments.Snapshot) async {
        let now = environment.now()
        for (host, state) in snapshot.states {
            guard let revocation = state.revocation, revocation.nextAttempt <= now,
                let current = snapshot.certificates[host], current.chain.leaf != revocation.leaf
            else { continue }
            let error = await failure(of: revocation)
            if let error { logger.warning("the old certificate of \(host) can't be revoked: \(error.detail)") }
            await documents.update(host) { state in
                guard state.revocation?.leaf == revocation.leaf else { return }
                if error == nil {
                    state.revocation = nil
                } else {
                    state.revocation?.nextAttempt = now + PendingRevocation.pause
                }
            }
        }
    }

    /// Only ordering needs the lease, so revocation skips it. Nil if it has succeeded.
    private func failure(of revocation: PendingRevocation) async -> ACMEError? {
        guard let authority = settings.authorities.first(where: { $0.directory == revocation.directory }) else {
            return ACMEError(.unavailable, "its authority \(revocation.directory) is not configured")
        }
        let result = await clients.withoutLease(authority) { (client) async throws(ACMEError) in
            try await client.revoke(revocation.leaf, reason: revocation.reason)
        }
        guard case .failure(let error) = result else { return nil }
        return error
    }
}

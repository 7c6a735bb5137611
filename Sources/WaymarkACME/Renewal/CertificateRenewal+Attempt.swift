import Logging
import WaymarkTLS

extension CertificateRenewal {
    /// How long a challenge is answered, in seconds, in case that the server that began it dies.
    private static let challengeSeconds: Int64 = 900
    /// Seconds until an authority that suggests no renewals, or failed to, is asked again.
    private static let informationPause: Int64 = 21_600
    private static let informationRetry: Int64 = 600
    /// Pauses between attempts to store a certificate, in seconds: it has cost an order.
    private static let storagePauses = [1, 2, 4, 8, 16]

    /// Orders the host's certificate and records the result.
    func attempt(_ host: String, _ snapshot: RenewalDocuments.Snapshot) async {
        var state = snapshot.states[host] ?? HostState()
        do throws(ACMEError) {
            let (certificate, kind) = try await order(host, replacing: snapshot.certificates[host], &state)
            try await store(certificate)
            state.recordSuccess(by: kind, at: environment.now())
            count(host) { $0.renewals += 1 }
            logger.notice("the certificate of \(host) is issued, from \(certificate.directory)")
        } catch {
            let isHeld = await lease.isHeld
            guard isHeld else {
                // The documents belong to the server that has the lease now.
                publisher.set(nil, for: host)
                return
            }
            if error.isRemembered {
                // The authority was not contacted for this host.
                if state.problem?.detail != error.detail {
                    state.problem = HostState.Problem(at: environment.now(), detail: error.detail)
                }
            } else if error.kind != .interrupted, error.kind != .limited {
                let now = environment.now()
                state.recordFailure(
                    error.detail, authorities: settings.authorities, at: now, random: environment.random())
                count(host) { $0.failures += 1 }
                logger.warning(
                    "no certificate for \(host), next attempt in \(state.nextAttempt - now) seconds: \(error.detail)")
            }
        }
        await documents.update(host) { stored in
            // A revocation may have been requested in the meantime.
            let (revocation, revokedAt) = (stored.revocation, stored.revokedAt)
            stored = state
            (stored.revocation, stored.revokedAt) = (revocation, revokedAt)
        }
        publisher.set(nil, for: host)
        do throws(CertificateStorageError) {
            try await environment.storage.remove("challenge/\(host)")
        } catch {
            // The challenge ends by itself.
            logger.debug("the challenge of \(host) can't be removed: \(error.reason)")
        }
    }

    /// Asks the authorities in their order.
    private func order(
        _ host: String, replacing current: StoredCertificate?, _ state: inout HostState
    ) async throws(ACMEError) -> (StoredCertificate, ChallengeKind) {
        var failures: [(authority: ACMEAuthority, error: ACMEError)] = []
        var limited: ACMEError?
        for authority in settings.authorities where state.blockedUntil(authority, at: environment.now()) == 0 {
            do throws(ACMEError) {
                return try await order(host, at: authority, replacing: current, &state)
            } catch {
                guard error.kind != .interrupted, error.kind != .storage else { throw error }
                guard error.kind != .limited else {
                    limited = error
                    continue
                }
                if let wait = error.retryAfter { state.blocked[authority.digest] = environment.now() + Int64(wait) }
                failures.append((authority, error))
            }
        }
        guard let first = failures.first else {
            if let limited { throw limited }
            throw ACMEError(.unavailable, state.problem?.detail ?? "the authority asked to retry later (Retry-After)")
        }
        guard failures.count > 1 else { throw first.error }
        var error = ACMEError(
            first.error.kind, failures.map { "\($0.authority.directory): \($0.error.detail)" }.joined(separator: "; "))
        error.isRemembered = failures.allSatisfy(\.error.isRemembered)
        throw error
    }

    private func order(
        _ host: String, at authority: ACMEAuthority, replacing current: StoredCertificate?, _ state: inout HostState
    ) async throws(ACMEError) -> (StoredCertificate, ChallengeKind) {
        do throws(ACMEError) {
            return try await orderByAnyChallenge(host, at: authority, replacing: current, &state)
        } catch {
            guard error.isRefusal("accountDoesNotExist") else { throw error }
            // The authority has lost the account; its key registers again.
            try await clients.forgetAccount(authority)
            return try await orderByAnyChallenge(host, at: authority, replacing: current, &state)
        }
    }

    /// A failed challenge ends its order, so that each kind needs one of its own.
    private func orderByAnyChallenge(
        _ host: String, at authority: ACMEAuthority, replacing current: StoredCertificate?, _ state: inout HostState
    ) async throws(ACMEError) -> (StoredCertificate, ChallengeKind) {
        let client = try await clients.client(authority)
        let replaced = current.flatMap { $0.directory == authority.directory ? $0.renewalIdentifier : nil }
        var failures: [ACMEError] = []
        for kind in kinds(preferring: state.kind) {
            guard state.validationAllowed(at: environment.now()) == 0 else { break }
            do throws(CertificateStorageError) {
                let isAllowed = try await documents.recordOrder(
                    at: authority, isRetry: state.failures > 0,
                    firstOf: current == nil ? HostOwners(environment)[host] : nil,
                    limit: settings.ordersPerHour, now: environment.now())
                guard isAllowed else { break }
            } catch {
                throw ACMEError(error)
            }
            count(host) { $0.orders += 1 }
            let order = CertificateOrder(
                client: client, host: host, directory: authority.directory, replaces: replaced,
                publish: { [self] (challenges) async throws(ACMEError) in try await publish(challenges, of: host) })
            do throws(ACMEError) {
                return (try await order.certificate(by: kind), kind)
            } catch {
                if error.isRefusal("rateLimited"), let wait = error.retryAfter {
                    // Most limits are of the account, so that the other hosts would be refused, too.
                    try? await documents.block(authority, seconds: wait, now: environment.now())
                }
                if error.kind == .validation { state.recordValidation(at: environment.now()) }
                guard error.kind == .validation || error.kind == .notOffered else { throw error }
                failures.append(error)
            }
        }
        guard !failures.isEmpty else {
            guard state.validationAllowed(at: environment.now()) > 0 else {
                throw ACMEError(.limited, "no order may begin now, because of a limit for all hosts")
            }
            throw ACMEError(
                .validation,
                state.problem?.detail ?? "the host failed \(RenewalPlan.validationLimit) verifications within an hour")
        }
        let kind = failures.contains { $0.kind == .validation } ? ACMEError.Kind.validation : .notOffered
        throw ACMEError(
            kind, failures.map(\.detail).joined(separator: "; "),
            retryAfter: failures.lazy.compactMap(\.retryAfter).max())
    }

    private func kinds(preferring kind: ChallengeKind?) -> [ChallengeKind] {
        guard let kind, settings.kinds.contains(kind) else { return settings.kinds }
        return [kind] + settings.kinds.filter { $0 != kind }
    }

    private func publish(_ challenges: [PendingChallenge], of host: String) async throws(ACMEError) {
        let challenge = StoredChallenge(challenges, until: environment.now() + Self.challengeSeconds)
        do throws(CertificateStorageError) {
            try await documents.write("challenge/\(host)", challenge.json)
        } catch {
            throw ACMEError(error)
        }
        publisher.set(challenge, for: host)
        if settings.propagation > .zero {
            do {
                try await environment.sleep(settings.propagation)
            } catch {
                throw ACMEError(.interrupted, "this server is stopping")
            }
        }
    }

    private func store(_ certificate: StoredCertificate) async throws(ACMEError) {
        var pauses = Self.storagePauses.makeIterator()
        while true {
            do throws(CertificateStorageError) {
                return try await documents.write("certificate/\(certificate.issued.host)", certificate.json)
            } catch {
                guard let pause = pauses.next() else { throw ACMEError(error) }
                guard (try? await environment.sleep(.seconds(pause))) != nil else { throw ACMEError(error) }
            }
        }
    }

    /// Asks the authority when it wants the certificate to be renewed.
    func check(_ host: String, _ snapshot: RenewalDocuments.Snapshot) async {
        guard let certificate = snapshot.certificates[host], let identifier = certificate.renewalIdentifier,
            let authority = settings.authorities.first(where: { $0.directory == certificate.directory })
        else { return }
        do throws(ACMEError) {
            let client = try await clients.client(authority)
            let information = try await client.renewalInformation(
                for: identifier, known: snapshot.states[host]?.information, random: environment.random())
            let now = environment.now()
            await documents.update(host) { state in
                if let information {
                    state.information = information
                } else {
                    state.informationAt = now + Self.informationPause
                }
            }
        } catch {
            guard error.kind != .interrupted else { return }
            // The certificate's own times suffice, so this does not count as a failure of the host.
            logger.debug("no renewal information for \(host): \(error.detail)")
            let next = environment.now() + max(Self.informationRetry, Int64(error.retryAfter ?? 0))
            await documents.update(host) { $0.informationAt = next }
        }
    }
}

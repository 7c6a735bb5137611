import Synchronization
import WaymarkTLS

/// All documents about hosts, as they are read and written by the renewal.
final class RenewalDocuments: Sendable {
    /// The documents at one moment, by host.
    struct Snapshot: Sendable {
        /// Counts the snapshots: one with a greater number began later.
        var number = 0
        var certificates: [String: StoredCertificate] = [:]
        var states: [String: HostState] = [:]
        var challenges: [String: StoredChallenge] = [:]
        var limits = OrderLimits()
    }

    private struct Parsed {
        let document: CertificateDocument
        let certificate: StoredCertificate?
    }

    private let count = Atomic<Int>(0)
    private static let writeAttempts = 5

    private let storage: any CertificateStorage
    /// Certificates, because parsing one costs more than comparing its document.
    private let parsed = Mutex<[String: Parsed]>([:])
    /// States as last read, by host.
    private let known = Mutex<[String: HostState]>([:])
    /// States that could not be written. Without them a store that fails would let orders be repeated without a pause.
    private let unwritten = Mutex<[String: HostState]>([:])

    init(_ storage: any CertificateStorage) {
        self.storage = storage
    }

    /// Documents that can't be read are treated as if they were not there.
    func read() async throws(CertificateStorageError) -> Snapshot {
        var snapshot = Snapshot(number: count.add(1, ordering: .relaxed).newValue)
        for document in try await storage.documents(prefix: "challenge/") {
            let host = Self.host(document.name)
            snapshot.challenges[host] = StoredChallenge(document.content, host: host)
        }
        for document in try await storage.documents(prefix: "state/") {
            snapshot.states[Self.host(document.name)] = HostState(document.content)
        }
        known.withLock { [states = snapshot.states] in $0 = states }
        snapshot.limits = try await limits().value
        for (host, state) in unwritten.withLock({ $0 }) { snapshot.states[host] = state }
        let documents = try await storage.documents(prefix: "certificate/")
        parsed.withLock { parsed in
            var fresh: [String: Parsed] = [:]
            for document in documents {
                let host = Self.host(document.name)
                let known = parsed[host]?.document == document ? parsed[host] : nil
                let entry = known ?? Parsed(document: document, certificate: StoredCertificate(document.content))
                fresh[host] = entry
                // Ignore a certificate stored under another host's name.
                if entry.certificate?.issued.host == host { snapshot.certificates[host] = entry.certificate }
            }
            parsed = fresh
        }
        return snapshot
    }

    private static func host(_ name: String) -> String {
        String(name.drop { $0 != "/" }.dropFirst())
    }

    /// Writes the document over any version.
    func write(_ name: String, _ content: [UInt8]) async throws(CertificateStorageError) {
        for _ in 0..<Self.writeAttempts {
            let version = try await storage.document(name)?.version
            if try await storage.write(name, content, ifVersion: version) { return }
        }
        throw CertificateStorageError(
            reason: "the document \(name) was changed by other servers during all \(Self.writeAttempts) attempts")
    }

    /// Changes the state of a host. One that can't be written is remembered by this server.
    func update(_ host: String, _ change: (inout HostState) -> Void) async {
        let name = "state/\(host)"
        var state = HostState()
        do throws(CertificateStorageError) {
            for _ in 0..<Self.writeAttempts {
                let document = try await storage.document(name)
                let stored = document.flatMap { HostState($0.content) } ?? HostState()
                known.withLock { $0[host] = stored }
                state = unwritten.withLock { $0[host] } ?? stored
                change(&state)
                guard try await storage.write(name, state.json, ifVersion: document?.version) else { continue }
                unwritten.withLock { $0[host] = nil }
                return
            }
        } catch {
            state = unwritten.withLock { $0[host] } ?? known.withLock { $0[host] } ?? HostState()
            change(&state)
        }
        unwritten.withLock { [state] in $0[host] = state }
    }

    // MARK: Limits

    private func limits() async throws(CertificateStorageError) -> (value: OrderLimits, version: Int?) {
        let document = try await storage.document(OrderLimits.name)
        return (document.flatMap { OrderLimits($0.content) } ?? OrderLimits(), document?.version)
    }

    /// Counts an order before it begins, unless that is against the limits.
    ///
    /// - Parameters:
    ///   - isRetry: whether the host has failed since its last certificate.
    ///   - owner: of a host without a certificate, if there are several owners.
    ///   - limit: the maximum number of orders within an hour.
    /// - Returns: False if no order may begin now.
    func recordOrder(
        at authority: ACMEAuthority, isRetry: Bool, firstOf owner: String?, limit: Int, now: Int64
    ) async throws(CertificateStorageError) -> Bool {
        for _ in 0..<Self.writeAttempts {
            var (limits, version) = try await limits()
            guard limits.allow(isRetry: isRetry, firstOf: owner, limit: limit, at: now),
                limits.blockedUntil(authority, at: now) == 0
            else { return false }
            limits.recordOrder(isRetry: isRetry, firstOf: owner, at: now)
            if try await storage.write(OrderLimits.name, limits.json, ifVersion: version) { return true }
        }
        throw CertificateStorageError(
            reason:
                "the document \(OrderLimits.name) was changed by other servers during all \(Self.writeAttempts) attempts"
        )
    }

    /// Lets no host order at the authority for this time.
    func block(_ authority: ACMEAuthority, seconds: Int, now: Int64) async throws(CertificateStorageError) {
        for _ in 0..<Self.writeAttempts {
            var (limits, version) = try await limits()
            limits.block(authority, seconds: seconds, at: now)
            if try await storage.write(OrderLimits.name, limits.json, ifVersion: version) { return }
        }
    }
}

extension RenewalDocuments.Snapshot {
    /// A certificate that is to be revoked, or is of an authority that is not configured any more, is due now.
    func plan(_ host: String, _ authorities: [ACMEAuthority], now: Int64) -> RenewalPlan {
        let certificate = certificates[host]
        let isReplaced =
            certificate.map { found in
                !authorities.contains { $0.directory == found.directory }
                    || states[host]?.revocation?.leaf == found.chain.leaf
            } ?? false
        return RenewalPlan(
            certificate: certificate.map { ($0.chain.notBefore, $0.chain.notAfter) },
            state: state(host, certificate), isReplaced: isReplaced, now: now)
    }

    /// Renewal information is about one certificate only.
    private func state(_ host: String, _ certificate: StoredCertificate?) -> HostState? {
        guard var state = states[host] else { return nil }
        if state.information?.identifier != certificate?.renewalIdentifier { state.information = nil }
        return state
    }

    /// - Parameter since: when a host for which no certificate can be ordered was first seen.
    func status(_ host: String, _ authorities: [ACMEAuthority], since: Int64, now: Int64) -> CertificateStatus {
        if let problem = CertificateHost.problem(with: host) {
            return CertificateStatus(
                host: host, certificate: nil, problem: .init(at: since, detail: problem, nextAttempt: nil))
        }
        let plan = plan(host, authorities, now: now)
        return CertificateStatus(
            host: host,
            certificate: certificates[host].map { certificate in
                .init(
                    source: certificate.directory, since: certificate.chain.notBefore,
                    until: certificate.chain.notAfter, renewsAt: plan.renewsAt ?? certificate.chain.notAfter)
            },
            problem: states[host]?.problem.map { .init(at: $0.at, detail: $0.detail, nextAttempt: plan.nextAttempt) })
    }
}

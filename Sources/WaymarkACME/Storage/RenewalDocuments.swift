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
        for (host, state) in unwritten.withLock({ $0 }) { snapshot.states[host] = state }
        let documents = try await storage.documents(prefix: "certificate/")
        parsed.withLock { parsed in
            var fresh: [String: Parsed] = [:]
            for document in documents {
                let host = Self.host(document.name)
                let known = parsed[host]?.document == document ? parsed[host] : nil
                let entry = known ?? Parsed(document: document, certificate: StoredCertificate(document.content))
                fresh[host] = entry
                // A document whose name and content differ is damaged.
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
        throw CertificateStorageError(reason: "the document \(name) changes all the time")
    }

    /// Changes the state of a host. One that can't be written is remembered by this server.
    func update(_ host: String, _ change: (inout HostState) -> Void) async {
        let name = "state/\(host)"
        var state = HostState()
        do throws(CertificateStorageError) {
            for _ in 0..<Self.writeAttempts {
                let document = try await storage.document(name)
                state = unwritten.withLock { $0[host] } ?? document.flatMap { HostState($0.content) } ?? HostState()
                change(&state)
                guard try await storage.write(name, state.json, ifVersion: document?.version) else { continue }
                unwritten.withLock { $0[host] = nil }
                return
            }
        } catch {
            state = unwritten.withLock { $0[host] } ?? HostState()
            change(&state)
        }
        unwritten.withLock { [state] in $0[host] = state }
    }
}

extension RenewalDocuments.Snapshot {
    func plan(_ host: String, now: Int64) -> RenewalPlan {
        let certificate = certificates[host]
        return RenewalPlan(
            certificate: certificate.map { ($0.chain.notBefore, $0.chain.notAfter) },
            state: state(host, certificate), now: now)
    }

    /// Renewal information is about one certificate only.
    private func state(_ host: String, _ certificate: StoredCertificate?) -> HostState? {
        guard var state = states[host] else { return nil }
        if state.information?.identifier != certificate?.renewalIdentifier { state.information = nil }
        return state
    }

    func status(_ host: String, now: Int64) -> CertificateStatus {
        if let problem = CertificateHost.problem(with: host) {
            return CertificateStatus(
                host: host, certificate: nil, problem: .init(at: now, detail: problem, nextAttempt: nil))
        }
        let plan = plan(host, now: now)
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

import Synchronization
import WaymarkTLS

/// Hands certificates and challenges to the listeners, when they have changed.
final class CertificatePublisher: Sendable {
    private struct State {
        /// Of the newest snapshot so far.
        var number = 0
        var challenges: [PendingChallenge]?
        /// By host: those of the documents.
        var stored: [String: StoredChallenge] = [:]
        /// By host: those that this server has begun, which the documents may not have yet.
        var begun: [String: StoredChallenge] = [:]
    }

    private struct Certificates {
        /// Of the newest snapshot so far.
        var number = 0
        var current: [IssuedCertificate]?
    }

    private let environment: CertificateRenewal.Environment
    /// Held while the closures run, so that the last set that is handed over is the newest.
    private let state = Mutex(State())
    /// A lock of its own, because the listeners' tables take a while to make: challenges are answered meanwhile.
    private let certificates = Mutex(Certificates())

    init(_ environment: CertificateRenewal.Environment) {
        self.environment = environment
    }

    /// - Parameter hosts: those that are served; certificates of others are not used.
    func publish(_ snapshot: RenewalDocuments.Snapshot, _ hosts: [String]) {
        state.withLock { state in
            guard snapshot.number >= state.number else { return }
            state.number = snapshot.number
            state.stored = snapshot.challenges
            publishChallenges(&state)
        }
        let issued = hosts.compactMap { snapshot.certificates[$0]?.issued }
        certificates.withLock { certificates in
            guard snapshot.number >= certificates.number else { return }
            certificates.number = snapshot.number
            guard certificates.current != issued else { return }
            certificates.current = issued
            environment.useCertificates(issued)
        }
    }

    /// - Parameter challenge: nil once it has ended.
    func set(_ challenge: StoredChallenge?, for host: String) {
        state.withLock { state in
            state.begun[host] = challenge
            if challenge == nil { state.stored[host] = nil }
            publishChallenges(&state)
        }
    }

    private func publishChallenges(_ state: inout State) {
        let now = environment.now()
        let challenges = state.stored.merging(state.begun) { $1 }
            .filter { $0.value.until > now }.sorted { $0.key < $1.key }.flatMap(\.value.challenges)
        guard state.challenges != challenges else { return }
        state.challenges = challenges
        environment.useChallenges(challenges)
    }

    func keyAuthorization(token: String, host: String) -> String? {
        state.withLock { state in
            state.challenges?.first { $0.kind == .http && $0.token == token && $0.host == host }?.keyAuthorization
        }
    }
}

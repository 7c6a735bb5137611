package import Logging
import Synchronization
package import WaymarkClient
package import WaymarkTLS

/// Keeps the certificates of all hosts current. Each server runs one on the same documents; the one with the lease orders.
///
/// One failing host does not delay the others: hosts are processed in parallel, each with its own back-off. Accounts are registered
/// with the authorities' terms accepted: the operator has to accept them first. Safe to use from any thread.
package final class CertificateRenewal: Sendable {
    package struct Settings: Sendable {
        /// Asked in this order: the next one if one fails. At least one.
        package var authorities: [ACMEAuthority]
        /// For notices of the authority, such as `mailto:operator@example.com`.
        package var contacts: [String] = []
        /// Kinds of challenges that this service can answer, the preferred first.
        package var kinds: [ChallengeKind]
        /// Identifies this server among those that share the documents; different after each start.
        package var holder: String
        /// How long other servers take to see a new challenge; zero if there are none. `busyInterval` if a notice of
        /// the store calls their `refresh()`, else a bit more than `idleInterval`.
        package var propagation = Duration.zero
        /// Seconds between two looks at the documents, and while a challenge is pending.
        package var idleInterval = 30
        package var busyInterval = 3
        /// Hosts that are worked on at a time.
        package var concurrency = 4
        /// Orders that all servers together begin within an hour: half of what Let's Encrypt allows an account (300 in
        /// three hours). Half of them are for hosts that have not failed.
        package var ordersPerHour = 50

        package init(authorities: [ACMEAuthority], kinds: [ChallengeKind], holder: String) {
            precondition(!authorities.isEmpty && !kinds.isEmpty, "certificates need an authority and a challenge")
            self.authorities = authorities
            self.kinds = kinds
            self.holder = holder
        }
    }

    package struct Environment: Sendable {
        package var storage: any CertificateStorage
        package var client: any HTTPSending
        /// The hosts that need a certificate: without those that a file's certificate is valid for.
        package var hosts: @Sendable () async throws -> [String]
        /// Who has which host: an application, or nobody in particular. First certificates are ordered for each owner in
        /// turn.
        package var owners: @Sendable () -> [String: String]
        /// Takes all certificates of the hosts, whenever one has changed. Called by one task at a time.
        package var useCertificates: @Sendable ([IssuedCertificate]) -> Void
        /// Takes all pending challenges, whenever one has changed. Called by one task at a time.
        package var useChallenges: @Sendable ([PendingChallenge]) -> Void
        /// Seconds since 1970.
        package var now: @Sendable () -> Int64
        /// Throws when its task is cancelled.
        package var sleep: @Sendable (Duration) async throws -> Void
        /// From 0 up to 1.
        package var random: @Sendable () -> Double

        package init(
            storage: any CertificateStorage, client: any HTTPSending,
            hosts: @escaping @Sendable () async throws -> [String],
            owners: @escaping @Sendable () -> [String: String] = { [:] },
            useCertificates: @escaping @Sendable ([IssuedCertificate]) -> Void,
            useChallenges: @escaping @Sendable ([PendingChallenge]) -> Void, now: @escaping @Sendable () -> Int64,
            sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
            random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
        ) {
            self.storage = storage
            self.client = client
            self.hosts = hosts
            self.owners = owners
            self.useCertificates = useCertificates
            self.useChallenges = useChallenges
            self.now = now
            self.sleep = sleep
            self.random = random
        }
    }

    let settings: Settings
    let environment: Environment
    let logger: Logger
    let lease: RenewalLease
    let clients: ACMEClients
    let documents: RenewalDocuments
    let publisher: CertificatePublisher
    let state = Mutex(State())

    struct State {
        var task: Task<Void, Never>?
        var isRunning = false
        var pause: Task<Void, Never>?
        var isWoken = false
        var statuses: [CertificateStatus] = []
        var counts: [String: RenewalCounts] = [:]
        /// When hosts for which no certificate can be ordered were first seen, in seconds since 1970.
        var unorderable: [String: Int64] = [:]
        /// Resumed by `wake()` during a turn.
        var waker: CheckedContinuation<Void, Never>?
        /// The hosts as last published.
        var hosts: [String]?
        var isFailing = false
        var lastLookup: Int64 = 0
    }

    package init(_ settings: Settings, _ environment: Environment, logger: Logger) {
        self.settings = settings
        self.environment = environment
        self.logger = logger
        let lease = RenewalLease(storage: environment.storage, holder: settings.holder, now: environment.now)
        self.lease = lease
        clients = ACMEClients(
            contacts: settings.contacts, storage: environment.storage,
            environment: ACMEClient.Environment(
                client: environment.client, now: environment.now, sleep: environment.sleep,
                proceed: { () async throws(ACMEError) in try await lease.renewIfNeeded() }))
        documents = RenewalDocuments(environment.storage)
        publisher = CertificatePublisher(environment)
    }

    // MARK: Use

    /// Begins to work in a task of its own.
    package func start() {
        state.withLock { $0.isRunning = true }
        let task = Task(priority: .utility) { [self] in
            while !Task.isCancelled { await wait(seconds: await turn()) }
            await lease.release()
            state.withLock { $0.isRunning = false }
        }
        state.withLock { $0.task = task }
    }

    /// Ends the work. Cancels an order in progress; the next server starts a new one. A request that is under
    /// way is waited for at most two seconds.
    package func stop() async {
        state.withLock { $0.task.take() }?.cancel()
        wake()
        let end = ContinuousClock.now + .seconds(2)
        while state.withLock({ $0.isRunning }), ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Reads the documents now and publishes what has changed: before the first connection is accepted, and when the
    /// store reports a change.
    package func refresh() async throws(CertificateStorageError) {
        guard let hosts = await hosts() else { return }
        let known = state.withLock { $0.hosts }
        publish(try await documents.read(), hosts)
        if let known, hosts != known { wake() }
    }

    /// Tries the hosts that failed again, as far as the limits of the authorities allow it: for SIGHUP, on any server.
    package func retryNow() async throws(CertificateStorageError) {
        await clients.forgetFailures()
        for (host, state) in try await documents.read().states where state.failures > 0 {
            await documents.update(host) { state in
                state.retry(authorities: settings.authorities, at: environment.now())
            }
        }
        wake()
    }

    /// The key authorization for HTTP-01. Looks at the documents, at most once a second, if another server may have begun
    /// the challenge just now.
    ///
    /// - Parameters:
    ///   - token: the last part of the path.
    ///   - host: of the request, without a port.
    package func keyAuthorization(token: String, host: String) async -> String? {
        let host = CertificateHost.normalized(host)
        if let found = publisher.keyAuthorization(token: token, host: host) { return found }
        let now = environment.now()
        let isAllowed = state.withLock { state in
            guard NoncePool.isValid(token), abs(now - state.lastLookup) >= 1 else { return false }
            state.lastLookup = now
            return true
        }
        guard isAllowed, (try? await refresh()) != nil else { return nil }
        return publisher.keyAuthorization(token: token, host: host)
    }

    /// All hosts, as of the last look at the documents.
    package var statuses: [CertificateStatus] { state.withLock { $0.statuses } }

    /// What this server has done, by host.
    package var counts: [String: RenewalCounts] { state.withLock { $0.counts } }

    // MARK: Records of attempts

    func count(_ host: String, _ change: (inout RenewalCounts) -> Void) {
        state.withLock { change(&$0.counts[host, default: RenewalCounts()]) }
    }

    // MARK: Waiting

    private func wait(seconds: Int) async {
        let sleep = environment.sleep
        let pause = state.withLock { state -> Task<Void, Never>? in
            defer { state.isWoken = false }
            guard !state.isWoken else { return nil }
            let pause = Task { _ = try? await sleep(.seconds(seconds)) }
            state.pause = pause
            return pause
        }
        await pause?.value
        state.withLock { $0.pause = nil }
    }

    /// Returns at the next `wake()`, or once its task is cancelled.
    func woken() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !state.isWoken, !Task.isCancelled else {
                        state.isWoken = false
                        return true
                    }
                    state.waker = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waker.take() }?.resume()
        }
    }

    /// Looks for work now.
    func wake() {
        state.withLock { state in
            state.isWoken = state.pause == nil && state.waker == nil
            state.pause?.cancel()
            state.waker.take()?.resume()
        }
    }

    /// Logs a failure, unless the turn before failed, too.
    func logFailureOnce(_ text: String) {
        let isNew = state.withLock { state in
            defer { state.isFailing = true }
            return !state.isFailing
        }
        if isNew { logger.warning("\(text)") }
    }

    func clearFailure() { state.withLock { $0.isFailing = false } }
}

package import Logging
import Synchronization
package import WaymarkTLS

/// Keeps the certificates of all hosts current. Each server runs one on the same documents; the one with the lease orders.
///
/// A refused host holds up no other: hosts are worked on side by side, and each has its own pauses. Accounts are registered
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
        /// Orders that this server begins within an hour: a third of what Let's Encrypt allows an account.
        package var ordersPerHour = 100

        package init(authorities: [ACMEAuthority], kinds: [ChallengeKind], holder: String) {
            precondition(!authorities.isEmpty && !kinds.isEmpty, "certificates need an authority and a challenge")
            self.authorities = authorities
            self.kinds = kinds
            self.holder = holder
        }
    }

    package struct Environment: Sendable {
        package var storage: any CertificateStorage
        package var transport: any ACMETransport
        /// The hosts that need a certificate: without those that a file's certificate is valid for.
        package var hosts: @Sendable () async throws -> [String]
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
            storage: any CertificateStorage, transport: any ACMETransport,
            hosts: @escaping @Sendable () async throws -> [String],
            useCertificates: @escaping @Sendable ([IssuedCertificate]) -> Void,
            useChallenges: @escaping @Sendable ([PendingChallenge]) -> Void, now: @escaping @Sendable () -> Int64,
            sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
            random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
        ) {
            self.storage = storage
            self.transport = transport
            self.hosts = hosts
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
    private let publisher: CertificatePublisher
    private let state = Mutex(State())

    private struct State {
        var task: Task<Void, Never>?
        var isRunning = false
        var pause: Task<Void, Never>?
        var isWoken = false
        var statuses: [CertificateStatus] = []
        var counts: [String: RenewalCounts] = [:]
        /// When this server began orders in the last hour.
        var orders: [Int64] = []
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
                transport: environment.transport, now: environment.now, sleep: environment.sleep,
                proceed: { () async throws(ACMEError) in try await lease.keep() }))
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

    /// Ends the work. An order that is under way is given up, and begun again by the next server. A request that is under
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
        publish(try await documents.read(), hosts)
    }

    /// Tries the hosts that failed again, as far as the limits of the authorities allow it: for SIGHUP, on any server.
    package func retryNow() async throws(CertificateStorageError) {
        for (host, state) in try await documents.read().states where state.failures > 0 {
            await documents.update(host) { state in
                state.retry(authorities: settings.authorities, at: environment.now())
            }
        }
        wake()
    }

    /// Revokes the certificate of a host and removes it; a new one is ordered.
    package func revoke(_ host: String, reason: RevocationReason) async throws(ACMEError) {
        let host = CertificateHost.normalized(host)
        do throws(CertificateStorageError) {
            guard let certificate = try await documents.read().certificates[host] else {
                throw CertificateStorageError(reason: "there is no certificate for \(host)")
            }
            guard let authority = settings.authorities.first(where: { $0.directory == certificate.directory }) else {
                throw CertificateStorageError(reason: "its authority \(certificate.directory) is not configured")
            }
            // The lease belongs to whoever orders; revoking needs none.
            let result = await clients.withoutLease(authority) { (client) async throws(ACMEError) in
                try await client.revoke(certificate.chain, reason: reason)
            }
            if case .failure(let error) = result { throw CertificateStorageError(reason: error.detail) }
            try await environment.storage.remove("certificate/\(host)")
        } catch {
            throw ACMEError(.unavailable, error.reason)
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

    // MARK: Turns

    /// Publishes what has changed, and orders what is due.
    ///
    /// - Returns: Seconds until the next turn, at least 1.
    func turn() async -> Int {
        guard let hosts = await hosts() else { return settings.idleInterval }
        do throws(CertificateStorageError) {
            var snapshot = try await documents.read()
            publish(snapshot, hosts)
            if !work(hosts, snapshot).isEmpty {
                guard try await lease.acquire() else { return settings.busyInterval }
                // Another server may have done it in the meantime.
                snapshot = try await documents.read()
                await perform(work(hosts, snapshot), snapshot)
                try await removeObsolete(try await documents.read(), hosts)
                await lease.release()
                snapshot = try await documents.read()
                publish(snapshot, hosts)
            }
            settle()
            return pause(hosts, snapshot)
        } catch {
            raise("documents of certificates can't be read or written: \(error.reason)")
            return settings.idleInterval
        }
    }

    /// What is due.
    struct Work: Sendable {
        /// To order, the most urgent first.
        var hosts: [String] = []
        /// To ask for renewal information.
        var checks: [String] = []

        var isEmpty: Bool { hosts.isEmpty && checks.isEmpty }
    }

    private func work(_ hosts: [String], _ snapshot: RenewalDocuments.Snapshot) -> Work {
        let now = environment.now()
        let orders = state.withLock { state in
            state.orders.removeAll { $0 <= now - 3_600 || $0 > now }
            return state.orders.count
        }
        var work = Work()
        var due: [(host: String, moment: Int64)] = []
        for host in hosts where CertificateHost.problem(with: host) == nil {
            let plan = snapshot.plan(host, now: now)
            if plan.nextAttempt <= now {
                due.append((host, snapshot.certificates[host]?.chain.notAfter ?? .min))
            } else if let identifier = snapshot.certificates[host]?.renewalIdentifier,
                settings.authorities.contains(where: { $0.directory == snapshot.certificates[host]?.directory }),
                snapshot.states[host]?.informationAt ?? 0 <= now
            {
                let known = snapshot.states[host]?.information
                if known?.identifier != identifier || known?.checkAt ?? 0 <= now { work.checks.append(host) }
            }
        }
        let allowed = max(0, settings.ordersPerHour - orders)
        work.hosts = due.sorted { ($0.moment, $0.host) < ($1.moment, $1.host) }.prefix(allowed).map(\.host)
        return work
    }

    private func perform(_ work: Work, _ snapshot: RenewalDocuments.Snapshot) async {
        await withTaskGroup(of: Void.self) { group in
            var rest = (work.checks.map { (host: $0, isCheck: true) } + work.hosts.map { (host: $0, isCheck: false) })
                .makeIterator()
            func begin() {
                guard !Task.isCancelled, let (host, isCheck) = rest.next() else { return }
                group.addTask { [self] in
                    if isCheck {
                        await check(host, snapshot)
                    } else {
                        await attempt(host, snapshot)
                    }
                }
            }
            for _ in 0..<max(1, settings.concurrency) { begin() }
            while await group.next() != nil { begin() }
        }
    }

    private func pause(_ hosts: [String], _ snapshot: RenewalDocuments.Snapshot) -> Int {
        let now = environment.now()
        if !snapshot.challenges.values.allSatisfy({ $0.until <= now }) { return settings.busyInterval }
        let next = hosts.lazy.filter { CertificateHost.problem(with: $0) == nil }
            .map { snapshot.plan($0, now: now).nextAttempt }.min()
        // What is due and was not done waits for the lease or for the next hour's orders.
        guard let next, next > now else { return settings.idleInterval }
        return Int(min(Int64(settings.idleInterval), next - now))
    }

    /// Documents of hosts that are not served any more, once their certificate has expired, and challenges that nobody
    /// waits for.
    private func removeObsolete(
        _ snapshot: RenewalDocuments.Snapshot, _ hosts: [String]
    ) async throws(CertificateStorageError) {
        let now = environment.now()
        let served = Set(hosts)
        for (host, challenge) in snapshot.challenges where challenge.until <= now {
            try await environment.storage.remove("challenge/\(host)")
        }
        for host in Set(snapshot.certificates.keys).union(snapshot.states.keys).subtracting(served) {
            guard snapshot.certificates[host]?.chain.notAfter ?? 0 <= now else { continue }
            try await environment.storage.remove("certificate/\(host)")
            try await environment.storage.remove("state/\(host)")
        }
    }

    /// Sorted and normalized; nil if they can't be read now.
    private func hosts() async -> [String]? {
        do {
            let hosts = Set(try await environment.hosts().map(CertificateHost.normalized)).sorted()
            return hosts
        } catch {
            raise("certificates wait for the list of hosts: \(error)")
            return nil
        }
    }

    // MARK: Notes of attempts

    func count(_ host: String, _ change: (inout RenewalCounts) -> Void) {
        state.withLock { change(&$0.counts[host, default: RenewalCounts()]) }
    }

    func noteOrder(_ host: String) {
        state.withLock { state in
            state.orders.append(environment.now())
            state.counts[host, default: RenewalCounts()].orders += 1
        }
    }

    /// Publishes challenges that this server has begun or ended.
    func publishChallenges(of host: String, _ challenge: StoredChallenge?) {
        publisher.set(challenge, for: host)
    }

    private func publish(_ snapshot: RenewalDocuments.Snapshot, _ hosts: [String]) {
        publisher.publish(snapshot, hosts)
        let now = environment.now()
        let statuses = hosts.map { snapshot.status($0, now: now) }
        state.withLock { $0.statuses = statuses }
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

    /// Begins the next turn now.
    private func wake() {
        state.withLock { state in
            state.isWoken = state.pause == nil
            state.pause?.cancel()
        }
    }

    private func raise(_ text: String) {
        let isNew = state.withLock { state in
            defer { state.isFailing = true }
            return !state.isFailing
        }
        if isNew { logger.warning("\(text)") }
    }

    private func settle() { state.withLock { $0.isFailing = false } }
}

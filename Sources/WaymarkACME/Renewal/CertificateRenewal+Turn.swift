import Logging
import Synchronization
import WaymarkTLS

extension CertificateRenewal {
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
    func hosts() async -> [String]? {
        do {
            let hosts = Set(try await environment.hosts().map(CertificateHost.normalized)).sorted()
            return hosts
        } catch {
            raise("certificates wait for the list of hosts: \(error)")
            return nil
        }
    }

    func publish(_ snapshot: RenewalDocuments.Snapshot, _ hosts: [String]) {
        publisher.publish(snapshot, hosts)
        let now = environment.now()
        let statuses = hosts.map { snapshot.status($0, now: now) }
        state.withLock { $0.statuses = statuses }
    }
}

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
                await perform(hosts, snapshot)
                guard await lease.isHeld else { return settings.busyInterval }
                try await removeObsolete(try await documents.read(), hosts)
                await lease.release()
                snapshot = try await documents.read()
                publish(snapshot, hosts)
            }
            await revokeReplaced(snapshot)
            clearFailure()
            return pause(hosts, snapshot)
        } catch {
            logFailureOnce("documents of certificates can't be read or written: \(error.reason)")
            return settings.idleInterval
        }
    }

    /// Orders and checks until nothing is due. A free slot and a `wake()` get what is due by then.
    private func perform(_ hosts: [String], _ snapshot: RenewalDocuments.Snapshot) async {
        await withTaskGroup(of: Event.self) { group in
            var (hosts, snapshot) = (hosts, snapshot)
            var slots = RenewalSlots(settings.concurrency)
            slots.replace(work(hosts, snapshot))
            group.addTask { [self] in
                await woken()
                return .wake
            }
            while true {
                while !Task.isCancelled, await lease.isHeld, let item = slots.next() {
                    group.addTask { [self, snapshot] in
                        if item.isCheck {
                            await check(item.host, snapshot)
                        } else {
                            await attempt(item.host, snapshot)
                        }
                        return .end(item)
                    }
                }
                guard !slots.isIdle, let event = await group.next() else { break }
                switch event {
                case .end(let item):
                    slots.finish(item)
                    // Checks change nothing for other hosts.
                    if item.isCheck { continue }
                case .wake:
                    guard !Task.isCancelled else { continue }
                    slots.repeatHosts()
                    group.addTask { [self] in
                        await woken()
                        return .wake
                    }
                }
                // The certificate is used at once: the other hosts may take minutes.
                guard let fresh = await self.hosts(), let read = try? await documents.read() else { continue }
                (hosts, snapshot) = (fresh, read)
                publish(snapshot, hosts)
                slots.replace(work(hosts, snapshot))
            }
            group.cancelAll()
        }
    }

    private enum Event: Sendable {
        case end(RenewalSlots.Item)
        case wake
    }

    /// What is due, the most urgent first: hosts that have not failed; of these, certificates by their end, then hosts
    /// without one, of each owner in turn. A certificate has days left when it is due, so this delays few first ones.
    private func work(_ hosts: [String], _ snapshot: RenewalDocuments.Snapshot) -> [RenewalSlots.Item] {
        let now = environment.now()
        let limit = settings.ordersPerHour
        let owners = HostOwners(environment)
        var due: [(item: RenewalSlots.Item, moment: Int64)] = []
        var first: [String: Int64] = [:]
        var checks: [RenewalSlots.Item] = []
        let isBlocked = settings.authorities.allSatisfy { snapshot.limits.blockedUntil($0, at: now) > 0 }
        for host in hosts where CertificateHost.problem(with: host) == nil {
            let certificate = snapshot.certificates[host]
            let hasFailures = snapshot.states[host]?.failures ?? 0 > 0
            if snapshot.plan(host, settings.authorities, now: now).nextAttempt <= now {
                let owner = certificate == nil ? owners[host] : nil
                guard !isBlocked, snapshot.limits.allow(isRetry: hasFailures, firstOf: owner, limit: limit, at: now)
                else { continue }
                var moment = Int64.max
                if let certificate {
                    moment = certificate.chain.notAfter
                } else {
                    // After all certificates, by how many first orders the owner has had and will have before.
                    let place =
                        first[owner ?? ""] ?? Int64(owner.map { snapshot.limits.firstOrders(of: $0, at: now) } ?? 0)
                    first[owner ?? ""] = place + 1
                    moment -= Int64(hosts.count + limit) - place
                }
                due.append((.init(host: host, isCheck: false, hasFailures: hasFailures), moment))
            } else if let identifier = certificate?.renewalIdentifier,
                settings.authorities.contains(where: { $0.directory == certificate?.directory }),
                snapshot.states[host]?.informationAt ?? 0 <= now
            {
                let known = snapshot.states[host]?.information
                guard known?.identifier != identifier || known?.checkAt ?? 0 <= now else { continue }
                checks.append(.init(host: host, isCheck: true, hasFailures: false))
            }
        }
        due.sort {
            if $0.item.hasFailures != $1.item.hasFailures { return $1.item.hasFailures }
            return ($0.moment, $0.item.host) < ($1.moment, $1.item.host)
        }
        return checks + due.map(\.item)
    }

    private func pause(_ hosts: [String], _ snapshot: RenewalDocuments.Snapshot) -> Int {
        let now = environment.now()
        if !snapshot.challenges.values.allSatisfy({ $0.until <= now }) { return settings.busyInterval }
        let authorities = settings.authorities
        let next = hosts.lazy.filter { CertificateHost.problem(with: $0) == nil }
            .map { snapshot.plan($0, authorities, now: now).nextAttempt }.min()
        // Overdue hosts are waiting for the lease or for the hourly order limit.
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
        // This server has the lease and has ended its orders: what is left is of a server that died.
        for host in snapshot.challenges.keys {
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
            return Set(try await environment.hosts().map(CertificateHost.normalized)).sorted()
        } catch {
            logFailureOnce("can't list the hosts that need certificates: \(error)")
            return nil
        }
    }

    func publish(_ snapshot: RenewalDocuments.Snapshot, _ hosts: [String]) {
        publisher.publish(snapshot, hosts)
        let now = environment.now()
        let authorities = settings.authorities
        state.withLock { state in
            state.hosts = hosts
            let known = state.unorderable
            state.unorderable = [:]
            for host in hosts where CertificateHost.problem(with: host) != nil {
                state.unorderable[host] = known[host] ?? now
            }
            state.statuses = hosts.map {
                snapshot.status($0, authorities, since: state.unorderable[$0] ?? now, now: now)
            }
        }
    }
}

/// The owners of hosts; none if all hosts have the same one, who needs no share.
struct HostOwners {
    private let owners: [String: String]

    init(_ environment: CertificateRenewal.Environment) {
        let owners = environment.owners()
        self.owners = Set(owners.values).count > 1 ? owners : [:]
    }

    subscript(host: String) -> String? { owners[host] }
}

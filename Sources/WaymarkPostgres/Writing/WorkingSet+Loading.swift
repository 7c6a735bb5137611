#if PostgreSQL
    internal import WaymarkStores
    internal import WaymarkLinks

    extension WorkingSet {
        /// Takes the locks and loads the data, in the round trip that also begins the transaction.
        ///
        /// Each statement sees what was committed before it began (READ COMMITTED), and all loading follows all
        /// locking: the loaded data stays valid until the commit.
        static func load(_ needs: Needs, in transaction: Transaction) throws -> WorkingSet {
            var requests = Requests()
            requests.add(.init(.begin)) { _, _ in }
            requests.lock(needs)
            requests.load(needs)
            requests.loadSubscriptions()
            var set = WorkingSet()
            try requests.run(in: transaction, into: &set)
            // An idempotency record may refer to another link than the caller's, for example to a deleted one, or to one that
            // another write of the group needs without its metadata.
            let recorded = Set(set.records.values.compactMap(\.content.link))
            let elsewhere = recorded.subtracting(needs.links)
            let sealed = recorded.subtracting(needs.metadata)
            if !elsewhere.isEmpty || !sealed.isEmpty {
                var requests = Requests()
                requests.loadLinks(Array(elsewhere), metadata: Array(sealed))
                try requests.run(in: transaction, into: &set)
            }
            return set
        }
    }

    /// The statements of one round trip, each with the handler of its result.
    private struct Requests {
        struct Loaded {
            var set = WorkingSet()
            var lockedLinks: Set<LinkID> = []
            var lockedApplications: Set<Int64> = []
        }

        private var entries: [(command: Connection.Command, take: (inout Loaded, QueryResult) throws -> Void)] = []

        mutating func add(
            _ command: Connection.Command, _ take: @escaping (inout Loaded, QueryResult) throws -> Void
        ) {
            entries.append((command, take))
        }

        func run(in transaction: Transaction, into set: inout WorkingSet) throws {
            let results = try transaction.exchange(entries.map(\.command))
            var loaded = Loaded()
            loaded.set = set
            for (entry, result) in zip(entries, results) { try entry.take(&loaded, result) }
            set = loaded.set
        }

        mutating func lock(_ needs: Needs) {
            if !needs.applications.isEmpty || !needs.changedLinks.isEmpty {
                add(
                    .init(
                        .lockUsedApplications, .number(LockKey.application),
                        .texts(needs.applications.map(\.text)),
                        .numbers(needs.changedLinks.map(\.rawValue)))
                ) { loaded, result in
                    for row in 0..<result.count { loaded.lockedApplications.insert(try result.number(row, 0)) }
                }
            }
            // Includes the writers': an earlier attempt at the same write may still be running on an abandoned
            // connection.
            let names = Set(
                needs.scopes.map(LockKey.name) + needs.identities.map { LockKey.name($0.digest) }
                    + needs.writers.map(LockKey.name))
            if !names.isEmpty { add(.init(.lockNames, .numbers(names.sorted()))) { _, _ in } }
            let links = needs.links.union(needs.countedLinks)
            if !links.isEmpty {
                add(
                    .init(
                        .lockLinks, .numbers(links.map(\.rawValue)), .numbers(needs.lockedLinks.map(\.rawValue)))
                ) { loaded, result in
                    for row in 0..<result.count {
                        loaded.lockedLinks.insert(LinkID(rawValue: try result.number(row, 0)))
                    }
                }
            }
            // After the links, as everywhere.
            if needs.addsAliases { add(.init(.lock, .number(LockKey.names))) { _, _ in } }
        }

        mutating func loadSubscriptions() {
            add(.init(.subscriptions)) { loaded, result in loaded.set.subscriptions = try EventSubscriptions(result) }
        }

        mutating func load(_ needs: Needs) {
            loadLinks(Array(needs.links), metadata: Array(needs.metadata))
            loadLinks(Array(needs.countedLinks.subtracting(needs.links)), metadata: [], areCounts: true)
            loadRecords(needs.scopes)
            loadBatches(needs.writers)
            guard !needs.applications.isEmpty else { return }
            loadApplications(needs.applications)
            loadIdentities(Array(needs.identities))
            let addresses = Array(needs.addresses)
            add(.init(.loadTaken, .texts(addresses.map(\.slug.text)), .texts(addresses.map(\.domain.text)))) {
                loaded, result in
                for row in 0..<result.count {
                    let index = try result.count(row, 0)
                    guard addresses.indices.contains(index - 1) else { throw QueryResult.damaged }
                    loaded.set.taken.insert(addresses[index - 1])
                }
            }
            // Of all applications, because only the same round trip says which ones ignore case; hardly any do.
            add(
                .init(
                    .foldedOwners, .texts(addresses.map(\.slug.caseFolded)), .texts(addresses.map(\.domain.text)))
            ) { loaded, result in
                for row in 0..<result.count {
                    let index = try result.count(row, 0)
                    guard addresses.indices.contains(index - 1) else { throw QueryResult.damaged }
                    loaded.set.takenFolded.insert(FoldedAddress(addresses[index - 1]))
                }
            }
            add(.init(.takeIDs, .number(Int64(needs.newLinks)))) { loaded, result in
                for row in (0..<result.count).reversed() { loaded.set.freeIDs.append(try result.number(row, 0)) }
            }
        }

        mutating func loadLinks(_ links: [LinkID], metadata: [LinkID], areCounts: Bool = false) {
            if !links.isEmpty {
                add(.init(areCounts ? .loadCounts : .loadLinks, .numbers(links.map(\.rawValue)))) { loaded, result in
                    for row in 0..<result.count {
                        let link = areCounts ? try LinkRow.counted(result, row) : try LinkRow.link(result, row)
                        loaded.set.rows[link.id] = WorkingSet.Row(
                            link: link, application: try result.number(row, 12),
                            isLocked: loaded.lockedLinks.contains(link.id))
                    }
                }
            }
            if !metadata.isEmpty {
                add(.init(.loadMetadata, .numbers(metadata.map(\.rawValue)))) { loaded, result in
                    for row in 0..<result.count {
                        loaded.set.metadata[LinkID(rawValue: try result.number(row, 0))] = try result.bytes(row, 1)
                    }
                }
            }
        }

        private mutating func loadRecords(_ scopes: Set<[UInt8]>) {
            guard !scopes.isEmpty else { return }
            add(.init(.loadRecords, .byteStrings(Array(scopes)))) { loaded, result in
                for row in 0..<result.count {
                    loaded.set.records[try result.bytes(row, 0)] = WorkingSet.Record(
                        fingerprint: try result.bytes(row, 1), expiresAt: try result.timestamp(row, 2),
                        content: try RequestRecord(kind: result.number(row, 3), bytes: result.bytes(row, 4)))
                }
            }
        }

        private mutating func loadBatches(_ writers: Set<[UInt8]>) {
            guard !writers.isEmpty else { return }
            add(.init(.loadBatches, .byteStrings(Array(writers)))) { loaded, result in
                for row in 0..<result.count {
                    loaded.set.batches[try result.bytes(row, 0)] = WrittenBatch(
                        batch: try result.number(row, 1), result: try result.count(row, 2),
                        expiresAt: try result.timestamp(row, 3))
                }
            }
        }

        private mutating func loadApplications(_ applications: Set<ApplicationID>) {
            add(.init(.loadApplications, .texts(applications.map(\.text)))) { loaded, result in
                for row in 0..<result.count {
                    let number = try result.number(row, 0)
                    guard let id = ApplicationID(try result.text(row, 1)) else { throw QueryResult.damaged }
                    // An application made after the locks were taken may be deleted before the commit: it is treated
                    // as missing.
                    guard loaded.lockedApplications.contains(number) else { continue }
                    var application = loaded.set.applications[id] ?? .init(number: number)
                    application.slugRules = SlugRules(rawValue: try result.count(row, 3))
                    if let name = try result.optionalText(row, 2) {
                        guard let domain = HostName(name) else { throw QueryResult.damaged }
                        application.domains.append(domain)
                    }
                    loaded.set.applications[id] = application
                }
            }
        }

        private mutating func loadIdentities(_ identities: [Identity]) {
            guard !identities.isEmpty else { return }
            add(
                .init(
                    .loadIdentities, .texts(identities.map(\.application.text)), .byteStrings(identities.map(\.digest)))
            ) { loaded, result in
                for row in 0..<result.count {
                    let link = try LinkRow.link(result, row)
                    let identity = Identity(
                        application: link.application, digest: try result.bytes(row, LinkRow.width))
                    loaded.set.identities[identity] = link.id
                    // Replaces a row that was loaded for its counts only and has no content.
                    loaded.set.rows[link.id] = WorkingSet.Row(
                        link: link, application: try result.number(row, 12),
                        isLocked: loaded.set.rows[link.id]?.isLocked ?? false)
                }
            }
        }
    }
#endif

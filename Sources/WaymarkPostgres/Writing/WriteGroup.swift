#if PostgreSQL
    internal import WaymarkStores
    internal import WaymarkLinks

    /// Writes that share one transaction: two round trips to the server, whatever their number.
    ///
    ///     BEGIN, locks, loading  ─▶
    ///                            ◀─  rows
    ///     (decide, one write after the other)
    ///     changes, NOTIFY, COMMIT ─▶
    ///                            ◀─  done
    struct WriteGroup {
        var writes: [(write: LinkWrite, fail: @Sendable (StoreError) -> Void)]
        var metadataKeys: MetadataKeys

        /// Callers are resumed only after the COMMIT of their write has returned. A write that fails by itself, not
        /// in the database, is the only one to be undone.
        ///
        /// - Parameter hosts: Numbers of hosts that are known to be committed; new ones are added.
        /// - Returns: The completions to run now that it is committed.
        func run(in transaction: Transaction, hosts: inout [HostName: Int64]) throws -> [Write.Completion] {
            var needs = Needs()
            for (write, _) in writes { write.gather(&needs) }
            var loaded = try WorkingSet.load(needs, in: transaction)
            loaded.metadataKeys = metadataKeys
            var (set, completions) = try apply(to: loaded)
            let numbers = try numbers(of: set.domains, in: transaction, known: hosts)
            for change in set.changes { transaction.note(change) }
            set.changes = []
            try transaction.commit(set.commands(share: transaction.connection.share, hosts: numbers))
            hosts.merge(numbers) { $1 }
            return completions
        }

        private func apply(to loaded: WorkingSet) throws -> (WorkingSet, [Write.Completion]) {
            let ordered = writes.enumerated().sorted {
                ($0.element.write.order.rawValue, $0.offset) < ($1.element.write.order.rawValue, $1.offset)
            }
            var failed: [Int: StoreError] = [:]
            while true {
                var set = loaded
                var completions: [Write.Completion] = []
                var isWhole = true
                for (index, (write, fail)) in ordered {
                    if let reason = failed[index] {
                        completions.append { fail(reason) }
                        continue
                    }
                    do {
                        completions.append(try write.apply(&set))
                    } catch let reason as StoreError {
                        // Rare: its changes are undone by starting over without it.
                        failed[index] = reason
                        isWhole = false
                        break
                    }
                }
                if isWhole { return (set, completions) }
            }
        }

        /// Inserts hosts without a number, which is rare.
        private func numbers(
            of domains: Set<HostName>, in transaction: Transaction, known: [HostName: Int64]
        ) throws -> [HostName: Int64] {
            var numbers = known.filter { domains.contains($0.key) }
            let unknown = domains.filter { numbers[$0] == nil }.map(\.text).sorted()
            guard !unknown.isEmpty else { return numbers }
            let results = try transaction.exchange([
                .init(.addHosts, .texts(unknown)), .init(.loadHosts, .texts(unknown)),
            ])
            guard let found = results.last else { throw QueryResult.damaged }
            for row in 0..<found.count {
                guard let domain = HostName(try found.text(row, 0)) else { throw QueryResult.damaged }
                numbers[domain] = try found.number(row, 1)
            }
            return numbers
        }
    }
#endif

#if PostgreSQL
    internal import WaymarkLinks

    /// Writes that share one transaction: two round trips to the server, however many they are.
    ///
    ///     BEGIN, locks, loading  ─▶
    ///                            ◀─  rows
    ///     (decide, one write after the other)
    ///     changes, NOTIFY, COMMIT ─▶
    ///                            ◀─  done
    struct WriteGroup {
        var writes: [(write: LinkWrite, fail: @Sendable (StoreError) -> Void)]
        var metadataKeys: MetadataKeys

        /// Nobody is resumed before the COMMIT that holds their write has returned. A write that fails by itself, not
        /// by the database, takes only itself back.
        ///
        /// - Parameter hosts: Numbers of hosts that are known to be committed; others are added.
        /// - Returns: What to do now that it is committed.
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
                        // Hardly ever: what it has changed is taken back by beginning again without it.
                        failed[index] = reason
                        isWhole = false
                        break
                    }
                }
                if isWhole { return (set, completions) }
            }
        }

        /// Adds hosts that no link has stood on, which is rare.
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

#if PostgreSQL
    package import WaymarkStores
    package import WaymarkLinks

    extension PostgresLinkStore: ClickStore {
        package var clickRecords: any ClickStore { self }

        package func append(_ blocks: [ClickBlock]) async throws(StoreError) {
            guard !blocks.isEmpty else { return }
            // In the order of the index: each page is visited once, and two servers that write the same blocks can't
            // deadlock.
            let ordered = try await readable(blocks).sorted { $0.key.order < $1.key.order }
            let rows: TotalRows = hasEarlierServers ? .common : .share
            try await writeAlone(as: .appendClicks) { transaction in
                try transaction.append(ordered, to: rows)
            }
        }

        /// Without rules while servers are connected that could read neither the blocks nor the totals.
        private func readable(_ blocks: [ClickBlock]) async throws(StoreError) -> [ClickBlock] {
            if !blocks.contains(where: { $0.need != nil }) { return blocks }
            return try await mayWriteRules() ? blocks : blocks.map(\.withoutRules)
        }

        /// Whether every connected server can read the rules of clicks, claims and conversions.
        func mayWriteRules() async throws(StoreError) -> Bool {
            do throws(StoreError) {
                try await admit { FormatNeed(.v0_3, "rules of clicks") }
                return true
            } catch {
                guard case .upgradePending = error else { throw error }
                return false
            }
        }

        package func blocks(
            of link: LinkID, days: ClosedRange<Int>, after: ClickBlock.Key?, limit: Int
        ) async throws(StoreError) -> [ClickBlock] {
            var order = (day: Int64(days.lowerBound), number: Int64.min)
            if let after, after.day >= days.lowerBound { order = (Int64(after.day), after.number) }
            guard limit > 0, order.day <= days.upperBound else { return [] }
            return try await read(
                as: .clickBlocks,
                .init(
                    .clickBlocks, .number(link.rawValue), .number(order.day), .number(order.number),
                    .number(Int64(days.upperBound)), .number(Int64(limit)))
            ) { result in
                try (0..<result.count).map { row in
                    guard let day = Int(exactly: try result.number(row, 0)) else { throw QueryResult.damaged }
                    return ClickBlock(
                        key: ClickBlock.Key(link: link, day: day, number: try result.number(row, 1)),
                        bytes: try result.bytes(row, 2))
                }
            }
        }

        package func longLinkNumbers(
            of application: ApplicationID, on domains: [HostName]
        ) async throws(StoreError) -> [HostName: LinkID] {
            try await writeAlone(as: .setDerivedParts) { transaction in
                // Two servers may ask at once.
                _ = try transaction.run(.lock, .number(LockKey.registry))
                let found = try transaction.run(.application, .text(application.text))
                guard found.count > 0 else { return [:] }
                let application = Argument.number(try found.number(0, 0))
                let known = try transaction.run(.longLinks, application)
                var numbers: [HostName: LinkID] = [:]
                for row in 0..<known.count {
                    guard let domain = HostName(try known.text(row, 0)) else { throw QueryResult.damaged }
                    numbers[domain] = LinkID(rawValue: try known.number(row, 1))
                }
                let missing = Set(domains).subtracting(numbers.keys)
                guard !missing.isEmpty else { return numbers }
                let drawn = missing.map { (domain: $0, number: LinkID.ofLongLinks()) }
                let hosts = try HostNumbers(of: missing) { try transaction.run($0, $1) }
                _ = try transaction.run(
                    .addLongLinks, application, .numbers(drawn.map(\.number.rawValue)),
                    .numbers(drawn.map { hosts[$0.domain] }))
                return numbers.merging(drawn.map { ($0.domain, $0.number) }) { known, _ in known }
            }
        }

        package func dropClicks(before day: Int, limit: Int) async throws(StoreError) -> Int {
            guard limit > 0 else { return 0 }
            return try await writeAlone(as: .dropClicks) { transaction in
                let links = try transaction.run(.lockClickLeftovers)
                var dropped = 0
                if links.count > 0 {
                    let numbers = try Argument.numbers((0..<links.count).map { try links.number($0, 0) })
                    dropped = try transaction.run(.dropClicksOfLinks, numbers, .number(Int64(limit))).changed
                    if dropped < limit { _ = try transaction.run(.removeClickLeftovers, numbers) }
                }
                guard dropped < limit else { return dropped }
                return dropped
                    + (try transaction.run(.dropClicksOfDays, .number(Int64(day)), .number(Int64(limit - dropped))))
                    .changed
            }
        }
    }

    /// The numbers of hosts, added where there were none.
    struct HostNumbers {
        private var numbers: [String: Int64] = [:]

        /// - Parameter run: Runs one of the statements for hosts, with names.
        init(of hosts: Set<HostName>, run: (Statement, Argument) throws -> QueryResult) throws {
            let names = hosts.map(\.text).sorted()
            try read(run(.loadHosts, .texts(names)))
            // Inserted only where they are missing: each row that conflicts would use up a number.
            let missing = names.filter { numbers[$0] == nil }
            guard !missing.isEmpty else { return }
            _ = try run(.addHosts, .texts(missing))
            try read(run(.loadHosts, .texts(missing)))
        }

        private mutating func read(_ result: QueryResult) throws {
            for row in 0..<result.count { numbers[try result.text(row, 0)] = try result.number(row, 1) }
        }

        subscript(host: HostName) -> Int64? { numbers[host.text] }
    }

    extension Connection.Command {
        init(_ statement: Statement = .addClickBlocks, appendingClicks blocks: [ClickBlock]) {
            self.init(
                statement, .numbers(blocks.map { Int64($0.key.day) }),
                .numbers(blocks.map(\.key.link.rawValue)), .numbers(blocks.map(\.key.number)),
                .byteStrings(blocks.map(\.bytes)))
        }
    }
#endif

package import WaymarkLinks
import WaymarkStores

/// Where imported links go.
package protocol ImportTarget: Sendable {
    func find(_ domain: HostName, _ slug: Slug) async throws -> Link?
    /// In order, in one transaction. A link's `createdAt` is kept where it is not 0.
    func create(_ links: [NewLink]) async throws -> [CreationOutcome]
    var now: Timestamp { get }
}

/// How one row ended.
package enum ImportOutcome: String, Sendable, CaseIterable {
    case created, same, clash, refused
}

/// One line of the report.
package struct ImportResult: Sendable, Equatable {
    package var row: Int
    package var outcome: ImportOutcome
    package var slug: String
    package var smartlink: String
    package var reason: String
}

package struct ImportCounts: Sendable, Equatable {
    package var created = 0
    package var same = 0
    package var clash = 0
    package var refused = 0

    package init() {}

    package var rows: Int { created + same + clash + refused }
    /// Whether every row has its link.
    package var isComplete: Bool { clash == 0 && refused == 0 }

    package mutating func add(_ outcome: ImportOutcome) {
        switch outcome {
        case .created: created += 1
        case .same: same += 1
        case .clash: clash += 1
        case .refused: refused += 1
        }
    }
}

/// Brings the links of another service into an application. A row that is there already, alike, is left as it is, so the same
/// import can run again, also after it was interrupted: each batch is one transaction.
package struct LinkImport: Sendable {
    /// Slugs in a transaction.
    static let batch = 1_000

    private let preparation: ImportPreparation
    private let target: any ImportTarget
    private let isDryRun: Bool

    package init(into target: any ImportTarget, _ preparation: ImportPreparation, isDryRun: Bool) {
        self.target = target
        self.preparation = preparation
        self.isDryRun = isDryRun
    }

    /// - Parameters:
    ///   - again: Gives the same rows once more. They are read before the import where links of other domains are moved to one of
    ///     the application's, so that a link that is at home there keeps its slug wherever its row is. Nil: the first row of a
    ///     slug gets it.
    ///   - report: Given each row's result, in order.
    ///   - isStopped: Asked before each row.
    ///   - turn: Awaited before each row, so that other imports get their turns; may throw to end the run. A file's reader is
    ///     asked for each piece and can do the same, so that a file without rows takes no longer turns than others.
    /// - Throws: `SourceError`, and what the target, the source and `turn` throw. Rows that were reported stand.
    package func run(
        from source: any LinkSource, again: (() async throws -> any LinkSource)? = nil,
        report: ([ImportResult]) throws -> Void, isStopped: () -> Bool = { false },
        turn: () async throws -> Void = {}
    ) async throws -> ImportCounts {
        var counts = ImportCounts()
        var seen = SeenLinks()
        var home = SeenLinks()
        if preparation.movesLinks, let again {
            home = try await linksAtHome(try await again(), isStopped, turn)
        }
        var pending: (rows: [PreparedRow], task: Task<[CreationOutcome], any Error>)?
        func finish() async throws {
            guard let (rows, task) = pending else { return }
            pending = nil
            let results = try await self.results(rows, task.value)
            for result in results { counts.add(result.outcome) }
            try report(results)
        }
        /// Writes the rows while the next ones are read and checked.
        func write(_ rows: [PreparedRow]) async throws {
            try await finish()
            if isDryRun {
                let results = try await dryResults(rows, &seen)
                for result in results { counts.add(result.outcome) }
                return try report(results)
            }
            let checked = try await withoutExistingAddresses(rows)
            let links = checked.compactMap(\.link)
            let target = target
            pending = (checked, Task { links.isEmpty ? [] : try await target.create(links) })
        }
        do {
            reading: while !isStopped() {
                let rows = try await source.next()
                guard !rows.isEmpty else { break }
                var batch: [PreparedRow] = []
                var addresses = 0
                for row in rows {
                    if isStopped() { break reading }
                    try await turn()
                    let prepared = withoutTakenSlugs(preparation.prepare(row), home)
                    if addresses + prepared.addresses.count > Self.batch {
                        try await write(batch)
                        (batch, addresses) = ([], 0)
                    }
                    batch.append(prepared)
                    addresses += max(1, prepared.addresses.count)
                }
                try await write(batch)
            }
        } catch {
            // What was written before is reported; the first error counts.
            try? await finish()
            throw error
        }
        try await finish()
        return counts
    }

    /// The links whose own domain is the application's. What can't be read is said when it is read to be imported.
    private func linksAtHome(
        _ source: any LinkSource, _ isStopped: () -> Bool, _ turn: () async throws -> Void
    ) async throws -> SeenLinks {
        var home = SeenLinks()
        while !isStopped() {
            let rows: [SourceRow]
            do {
                rows = try await source.next()
            } catch let error as SourceError {
                // A file fails in the same place again; a service may not, and what it has at home would be unknown.
                guard source.isRepeatable else { throw error }
                break
            }
            guard !rows.isEmpty else { break }
            for row in rows {
                if isStopped() { break }
                try await turn()
                let prepared = preparation.prepare(row)
                guard let link = prepared.link else { continue }
                for address in prepared.addresses where !prepared.moved.contains(address) {
                    _ = home.meet(link, at: address, preparation)
                }
            }
        }
        return home
    }

    /// A link of another domain that has the slug of one that is at home clashes with it, whichever comes first.
    private func withoutTakenSlugs(_ row: PreparedRow, _ home: SeenLinks) -> PreparedRow {
        var row = row
        for (index, address) in row.addresses.enumerated() where row.moved.contains(address) {
            guard let link = row.link, let isAlike = home.find(link, at: address, preparation) else { continue }
            let reason = "\(address.text) is taken by another link of the source, which is on that domain"
            if index > 0 {
                // The link itself may be at home.
                row.leaveOut(alias: address, isAlike ? nil : reason)
            } else if !isAlike {
                row.refuse(.clash, reason)
                break
            }
        }
        return row
    }

    /// A row of several slugs is made whole or not at all.
    private func withoutExistingAddresses(_ rows: [PreparedRow]) async throws -> [PreparedRow] {
        var checked = rows
        for index in rows.indices where rows[index].addresses.count > 1 {
            checked[index] = try await withoutExistingAddresses(rows[index])
        }
        return checked
    }

    private func withoutExistingAddresses(_ row: PreparedRow) async throws -> PreparedRow {
        guard let link = row.link else { return row }
        var row = row
        var missing: [LinkAddress] = []
        var present: LinkAddress?
        for address in row.addresses {
            guard let found = try await target.find(address.domain, address.slug) else {
                missing.append(address)
                continue
            }
            guard PreparedRow.areAlike(link, found) else {
                row.refuse(.clash, Self.taken(address))
                return row
            }
            present = present ?? address
        }
        if let present { row.reduce(to: missing, besides: present) }
        return row
    }

    private static func taken(_ address: LinkAddress) -> String { "\(address.text) is taken by another link" }

    private func results(_ rows: [PreparedRow], _ outcomes: [CreationOutcome]) async throws -> [ImportResult] {
        var rest = outcomes[...]
        var results: [ImportResult] = []
        results.reserveCapacity(rows.count)
        for row in rows {
            guard row.refusal == nil else {
                results.append(row.result)
                continue
            }
            var result = row.result
            guard let link = row.link else {
                result.outcome = .same
                results.append(result)
                continue
            }
            switch rest.popFirst() {
            case .created(let made): if link.slug == nil { result.take(made, row) }
            case .existing(let found):
                result.take(found, row)
                result.outcome = .same
            case .slugTaken: result = try await resultOfTaken(row)
            case .applicationUnknown, nil:
                result.outcome = .refused
                result.reason = "the application was changed meanwhile"
            }
            results.append(result)
        }
        return results
    }

    /// Of a row whose slug or alias is taken: by a link that is alike, by another one, or by a link of the same batch that is
    /// alike and has some of its slugs only.
    private func resultOfTaken(_ row: PreparedRow) async throws -> ImportResult {
        let rest = try await withoutExistingAddresses(row)
        var result = rest.result
        guard rest.refusal == nil else { return result }
        guard let link = rest.link else {
            result.outcome = .same
            return result
        }
        guard case .created? = try await target.create([link]).first else {
            result.outcome = .clash
            result.reason = Self.taken(LinkAddress(domain: link.domain, slug: link.storedSlug))
            return result
        }
        return result
    }

    private func dryResults(_ rows: [PreparedRow], _ seen: inout SeenLinks) async throws -> [ImportResult] {
        var results: [ImportResult] = []
        for row in rows {
            let row = try await withoutExistingAddresses(row)
            guard let link = row.link else {
                var result = row.result
                if row.refusal == nil { result.outcome = .same }
                results.append(result)
                continue
            }
            results.append(seen.result(row, link, preparation))
        }
        return results
    }
}

/// Links by their addresses, such as those that a dry run would have made, in 16 bytes each.
private struct SeenLinks {
    private var links: [Int: Int] = [:]

    /// Of a row that no stored link stands for.
    mutating func result(_ row: PreparedRow, _ link: NewLink, _ preparation: ImportPreparation) -> ImportResult {
        var row = row
        guard link.slug != nil else {
            var result = row.result
            if meet(link, at: nil, preparation) != nil { result.outcome = .same }
            return result
        }
        var missing: [LinkAddress] = []
        var present: LinkAddress?
        for address in row.addresses {
            switch find(link, at: address, preparation) {
            case nil: missing.append(address)
            case true?: present = present ?? address
            case false?:
                row.refuse(.clash, "\(address.text) is taken by another link")
                return row.result
            }
        }
        for address in missing { _ = meet(link, at: address, preparation) }
        if let present { row.reduce(to: missing, besides: present) }
        var result = row.result
        if row.link == nil { result.outcome = .same }
        return result
    }

    /// Nil for a new link, else whether the one that is there is alike.
    ///
    /// - Parameter address: Nil for a link without a slug of its own.
    mutating func meet(_ link: NewLink, at address: LinkAddress?, _ preparation: ImportPreparation) -> Bool? {
        let found = find(link, at: address, preparation)
        if found == nil { links[Self.key(link, address, preparation)] = Self.value(link) }
        return found
    }

    /// As `meet`, without adding the link.
    func find(_ link: NewLink, at address: LinkAddress?, _ preparation: ImportPreparation) -> Bool? {
        links[Self.key(link, address, preparation)].map { $0 == Self.value(link) }
    }

    private static func key(_ link: NewLink, _ address: LinkAddress?, _ preparation: ImportPreparation) -> Int {
        var hasher = Hasher()
        hasher.combine(address?.domain ?? link.domain)
        hasher.combine(address.map { preparation.key(of: $0.slug) })
        if address == nil { hasher.combine(link.identity) }
        return hasher.finalize()
    }

    private static func value(_ link: NewLink) -> Int {
        var content = link.content
        if !content.aliases.isEmpty { content.aliases = [] }
        var hasher = Hasher()
        hasher.combine(LinkContentCodec.encode(content))
        return hasher.finalize()
    }
}

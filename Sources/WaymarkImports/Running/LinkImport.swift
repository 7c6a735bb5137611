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
    /// Links in a transaction.
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
            let checked = try await withoutClashingAliases(rows)
            let links = checked.flatMap(\.links)
            let target = target
            pending = (checked, Task { links.isEmpty ? [] : try await target.create(links) })
        }
        do {
            reading: while !isStopped() {
                let rows = try await source.next()
                guard !rows.isEmpty else { break }
                var batch: [PreparedRow] = []
                var links = 0
                for row in rows {
                    if isStopped() { break reading }
                    try await turn()
                    let prepared = withoutTakenSlugs(preparation.prepare(row), home)
                    // A row is in one transaction with its further slugs.
                    if links + prepared.links.count > Self.batch {
                        try await write(batch)
                        (batch, links) = ([], 0)
                    }
                    batch.append(prepared)
                    links += prepared.links.count
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
                for (index, link) in prepared.links.enumerated() where !prepared.moved.contains(index) {
                    _ = home.meet(link, preparation)
                }
            }
        }
        return home
    }

    /// A link of another domain that has the slug of one that is at home clashes with it, whichever comes first.
    private func withoutTakenSlugs(_ row: PreparedRow, _ home: SeenLinks) -> PreparedRow {
        var row = row
        for index in row.moved.reversed() where row.links.indices.contains(index) {
            let link = row.links[index]
            guard let slug = link.slug, home.find(link, preparation) == false else { continue }
            let reason =
                "\(link.domain.text)/\(slug.text) is taken by another link of the source, which is on that domain"
            guard index > 0 else {
                row.refuse(.clash, reason)
                break
            }
            // The link itself may be at home.
            row.links.remove(at: index)
            row.notes.append("a further slug was left out: " + reason)
        }
        return row
    }

    /// A row of several slugs is made whole or not at all.
    private func withoutClashingAliases(_ rows: [PreparedRow]) async throws -> [PreparedRow] {
        var checked = rows
        for index in rows.indices where rows[index].links.count > 1 {
            for link in rows[index].links {
                guard let slug = link.slug, let found = try await target.find(link.domain, slug),
                    !PreparedRow.areAlike(link, found)
                else { continue }
                checked[index].refuse(.clash, "\(link.domain.text)/\(slug.text) is taken by another link")
                break
            }
        }
        return checked
    }

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
            var isNew = false
            for link in row.links {
                switch rest.popFirst() {
                case .created(let made):
                    isNew = true
                    if link.slug == nil { result.take(made, row) }
                case .existing(let found): result.take(found, row)
                case .slugTaken:
                    guard let slug = link.slug else { break }
                    if let found = try await target.find(link.domain, slug), PreparedRow.areAlike(link, found) { break }
                    result.outcome = .clash
                    result.reason = "\(link.domain.text)/\(slug.text) is taken by another link"
                case .applicationUnknown, nil:
                    result.outcome = .refused
                    result.reason = "the application was changed meanwhile"
                }
            }
            if result.outcome == .created, !isNew { result.outcome = .same }
            results.append(result)
        }
        return results
    }

    private func dryResults(_ rows: [PreparedRow], _ seen: inout SeenLinks) async throws -> [ImportResult] {
        var results: [ImportResult] = []
        for row in rows {
            var result = row.result
            if row.refusal == nil {
                var new: [NewLink] = []
                for link in row.links {
                    guard let slug = link.slug else {
                        if seen.find(link, preparation) == nil { new.append(link) }
                        continue
                    }
                    if let found = try await target.find(link.domain, slug) {
                        if PreparedRow.areAlike(link, found) { continue }
                    } else {
                        switch seen.find(link, preparation) {
                        case nil:
                            new.append(link)
                            continue
                        case true?: continue
                        case false?: break
                        }
                    }
                    result.outcome = .clash
                    result.reason = "\(link.domain.text)/\(slug.text) is taken by another link"
                }
                if result.outcome == .created {
                    for link in new { _ = seen.meet(link, preparation) }
                    if new.isEmpty { result.outcome = .same }
                }
            }
            results.append(result)
        }
        return results
    }
}

/// Links by their addresses, such as those that a dry run would have made, in 16 bytes each.
private struct SeenLinks {
    private var links: [Int: Int] = [:]

    /// Nil for a new link, else whether the one that is there is alike.
    mutating func meet(_ link: NewLink, _ preparation: ImportPreparation) -> Bool? {
        let found = find(link, preparation)
        if found == nil { links[Self.key(link, preparation)] = Self.value(link) }
        return found
    }

    /// As `meet`, without adding the link.
    func find(_ link: NewLink, _ preparation: ImportPreparation) -> Bool? {
        links[Self.key(link, preparation)].map { $0 == Self.value(link) }
    }

    private static func key(_ link: NewLink, _ preparation: ImportPreparation) -> Int {
        var address = Hasher()
        address.combine(link.domain)
        address.combine(link.slug.map { preparation.key(of: $0) })
        if link.slug == nil { address.combine(link.identity) }
        return address.finalize()
    }

    private static func value(_ link: NewLink) -> Int {
        var content = Hasher()
        content.combine(LinkContentCodec.encode(link.content))
        return content.finalize()
    }
}

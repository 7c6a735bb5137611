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
        // By earlier rows: of the same transaction, or all of a dry run.
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
            if !isDryRun { seen = SeenLinks() }
            var decided: [PreparedRow] = []
            for row in rows { decided.append(try await decide(row, &seen)) }
            guard !isDryRun else {
                for row in decided { counts.add(row.result.outcome) }
                return try report(decided.map(\.result))
            }
            let links = decided.compactMap { $0.isPresent ? nil : $0.link }
            let target = target
            pending = (decided, Task { links.isEmpty ? [] : try await target.create(links) })
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
                    var prepared = preparation.prepare(row)
                    if let link = prepared.link { prepared.yield { home.find(link, at: $0, preparation) == false } }
                    if addresses + prepared.places.count > Self.batch {
                        try await write(batch)
                        (batch, addresses) = ([], 0)
                    }
                    batch.append(prepared)
                    addresses += max(1, prepared.places.count)
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
                for place in prepared.places where !place.isMoved {
                    _ = home.meet(link, at: place.address, preparation)
                }
            }
        }
        return home
    }

    /// What the row is once the links at its places are known: in the store, and of earlier rows. A single slug that no earlier
    /// row has is not looked up, because most are new: the store says whether it is taken.
    private func decide(_ row: PreparedRow, _ seen: inout SeenLinks) async throws -> PreparedRow {
        guard let link = row.link, !row.isPresent else { return row }
        var row = row
        // Nobody must be led on without it. Exports have none, and may come back to where they are from.
        if row.lacksPassword {
            for address in row.places.map(\.address) {
                guard let found = try await target.find(address.domain, address.slug),
                    PreparedRow.areAlike(link, found, hasPassword: true)
                else {
                    row.refuse(.refused, "it has a password, which the source does not tell")
                    return row
                }
            }
            if row.places.isEmpty { row.refuse(.refused, "it has a password, which the source does not tell") }
            row.isPresent = true
            return row
        }
        guard !row.places.isEmpty else {
            if isDryRun, seen.meet(link, at: nil, preparation) != nil { row.isPresent = true }
            return row
        }
        var missing: [LinkAddress] = []
        var present: LinkAddress?
        for address in row.places.map(\.address) {
            let known = seen.find(link, at: address, preparation)
            if isDryRun || row.places.count > 1 || known != nil,
                let found = try await target.find(address.domain, address.slug)
            {
                guard PreparedRow.areAlike(link, found) else {
                    row.refuse(.clash, Self.taken(address))
                    return row
                }
                present = present ?? address
                continue
            }
            switch known {
            case nil: missing.append(address)
            case true?:
                present = present ?? address
                row.awaited.append(address)
            case false?:
                row.refuse(.clash, Self.taken(address))
                return row
            }
        }
        for address in missing { _ = seen.meet(link, at: address, preparation) }
        if let present { row.reduce(to: missing, besides: present) }
        return row
    }

    private static func taken(_ address: LinkAddress) -> String { "\(address.text) is taken by another link" }

    private func results(_ rows: [PreparedRow], _ outcomes: [CreationOutcome]) async throws -> [ImportResult] {
        var rest = outcomes[...]
        var results: [ImportResult] = []
        results.reserveCapacity(rows.count)
        for row in rows {
            var result = row.result
            var places = row.awaited
            if let link = row.link, !row.isPresent {
                switch rest.popFirst() {
                case .created(let made): if row.places.isEmpty { result.take(made, row) }
                case .existing(let found):
                    result.take(found, row)
                    result.outcome = .same
                case .slugTaken where row.places.isEmpty:
                    result.outcome = .clash
                    result.reason = "no free slug was found"
                case .slugTaken:
                    result.outcome = .same
                    places = [LinkAddress(domain: link.domain, slug: link.storedSlug)]
                    places += link.content.furtherAddresses(of: link.domain) + row.awaited
                case .applicationUnknown, nil:
                    result.outcome = .refused
                    result.reason = "the application was changed meanwhile"
                }
            }
            for address in places where result.outcome != .refused {
                if let link = row.link, let found = try await target.find(address.domain, address.slug),
                    PreparedRow.areAlike(link, found)
                {
                    continue
                }
                result.outcome = .clash
                result.reason = Self.taken(address)
                break
            }
            results.append(result)
        }
        return results
    }
}

extension ImportResult {
    fileprivate mutating func take(_ link: Link, _ row: PreparedRow) {
        slug = link.slug.text
        smartlink = row.smartlink + link.slug.encoded
    }
}

/// Links by their addresses, such as those that a dry run would have made, in 16 bytes each.
private struct SeenLinks {
    private var links: [Int: Int] = [:]

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
        guard let found = links[Self.key(link, address, preparation)] else { return nil }
        return found | 1 == Self.value(link) | 1 && (link.metadata == nil || found & 1 == 1)
    }

    private static func key(_ link: NewLink, _ address: LinkAddress?, _ preparation: ImportPreparation) -> Int {
        var hasher = Hasher()
        hasher.combine(address?.domain ?? link.domain)
        hasher.combine(address.map { preparation.key(of: $0.slug) })
        if address == nil { hasher.combine(link.identity) }
        return hasher.finalize()
    }

    /// What `PreparedRow.areAlike` compares: a hash of the content, and in its lowest bit whether there is metadata.
    private static func value(_ link: NewLink) -> Int {
        var content = link.content
        if !content.aliases.isEmpty { content.aliases = [] }
        if content.importedClicks != nil { content.importedClicks = nil }
        var hasher = Hasher()
        hasher.combine(link.application)
        hasher.combine(link.password)
        hasher.combine(LinkContentCodec.encode(content))
        return hasher.finalize() & ~1 | (link.metadata == nil ? 0 : 1)
    }
}

package import WaymarkLinks

/// Fills an empty store with the entries of another, in batches that each are one transaction. One that was interrupted
/// goes on where the last whole batch ended.
package struct StoreImport {
    /// Entries of one kind in a transaction.
    static let batch = 500

    private let target: any StoreArchive
    private let keys: MetadataKeys
    private let source: String

    /// - Parameters:
    ///   - keys: Under which metadata is stored that comes plain, and which open what comes sealed.
    ///   - source: What is imported, so that an interrupted import goes on with nothing else.
    package init(into target: any StoreArchive, keys: MetadataKeys, source: String) {
        self.target = target
        self.keys = keys
        self.source = source
    }

    /// - Parameters:
    ///   - next: The source's entries, from its first one on.
    ///   - progress: Told how many links have arrived, those of an interrupted import among them.
    /// - Throws: `ArchiveFailure` or `StoreError`. Where the target holds something else, or metadata is sealed with a key
    ///   that is not there, nothing was changed.
    package func run(from next: () throws -> ArchiveEntry?, progress: (_ links: Int) -> Void) throws {
        var state = try begin()
        var waiting: [ArchiveEntry] = []
        var links = 0
        func flush() throws {
            var progress = state.progress
            if let last = waiting.last { progress.include(last) }
            let secret = progress.secret
            try target.add(waiting, progress: secret, expecting: state.stored)
            state = (progress, secret.value)
            waiting = []
        }
        while let entry = try next() {
            if entry.isLink { links += 1 }
            if case .secret(let secret) = entry, let problem = keys.problem(with: [secret]) {
                throw ArchiveFailure("metadataKeys: \(problem)")
            }
            if !state.progress.includes(entry) {
                // A transaction holds one kind of entry, because its progress is that of the last one.
                if let first = waiting.first, first.kind != entry.kind { try flush() }
                waiting.append(try prepared(entry))
            }
            guard waiting.count >= Self.batch else { continue }
            try flush()
            progress(links)
        }
        try flush()
        progress(links)
        if let first = keys.keys.first {
            try target.addSecret(
                StoredSecret(name: MetadataKeys.proofName(first.id), value: first.makeProof()))
        }
    }

    /// Compares what has arrived with the source, entry by entry, and then lets servers use the store.
    ///
    /// - Parameter next: The source's entries, from the first one on, once more.
    package func verify(from next: () throws -> ArchiveEntry?, progress: (_ links: Int) -> Void) throws {
        try target.beginReading()
        do {
            try StoreComparison(target, keys: keys).run(from: next, progress: progress)
            target.endReading()
        } catch {
            target.endReading()
            throw error
        }
        _ = try target.removeSecret(ImportProgress.secretName)
    }

    private func begin() throws -> (progress: ImportProgress, stored: [UInt8]?) {
        guard let secret = try target.secrets().first(where: { $0.name == ImportProgress.secretName }) else {
            guard try target.isEmpty() else {
                throw ArchiveFailure("the database holds something already; an import needs an empty one")
            }
            return (ImportProgress(source: source), nil)
        }
        guard let progress = ImportProgress(secret.value), progress.source == source else {
            throw ArchiveFailure(
                "the database holds a part of another import; finish that one, or give an empty database")
        }
        return (progress, secret.value)
    }

    private func prepared(_ entry: ArchiveEntry) throws -> ArchiveEntry {
        guard case .link(let archived) = entry else { return entry }
        if let problem = archived.link.content.sizeProblem {
            throw ArchiveFailure("\(archived.link.domain.text)/\(archived.link.slug.text): \(problem)")
        }
        guard let metadata = archived.metadata else { return entry }
        var prepared = archived
        if SealedMetadata.isSealed(metadata) {
            // Now, while the source is still there: nobody could open it later.
            _ = try keys.metadata(metadata, of: archived.link.id)
        } else {
            prepared.metadata = keys.stored(metadata, for: archived.link.id)
        }
        return .link(prepared)
    }
}

extension ArchiveEntry {
    fileprivate enum Kind { case small, link, clicks, activity }

    fileprivate var kind: Kind {
        switch self {
        case .application, .key, .secret, .record, .lastID: .small
        case .link: .link
        case .clicks: .clicks
        case .activity: .activity
        }
    }
}

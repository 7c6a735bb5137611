import WaymarkLinks
package import WaymarkStores

/// Fills an empty store with the entries of another, in batches of one transaction each. An interrupted import
/// continues after the last complete batch.
package struct StoreImport {
    /// Entries per transaction; all of one kind.
    static let batch = 500

    private let target: any StoreArchive
    private let keys: MetadataKeys
    private let source: String

    /// - Parameters:
    ///   - keys: seal unencrypted metadata and open sealed metadata.
    ///   - source: identifies the source, so that an interrupted import only continues with the same one.
    package init(into target: any StoreArchive, keys: MetadataKeys, source: String) {
        self.target = target
        self.keys = keys
        self.source = source
    }

    /// - Parameters:
    ///   - next: returns the source's entries, from the first one.
    ///   - progress: receives the number of imported links, including those of an interrupted import.
    /// - Throws: `ArchiveFailure` or `StoreError`. If the target has other contents, or a key of sealed metadata is
    ///   missing, nothing is changed.
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
                // A transaction has one kind of entry, because the progress is that of its last one.
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

    /// Compares the imported entries with the source, and then lets servers use the store.
    ///
    /// - Parameter next: returns the source's entries again, from the first one.
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
        if case .webhook(let webhook) = entry { return .webhook(try webhook.sealed(with: keys)) }
        guard case .link(let archived) = entry else { return entry }
        if let problem = archived.link.content.sizeProblem {
            throw ArchiveFailure("\(archived.link.domain.text)/\(archived.link.slug.text): \(problem)")
        }
        guard let metadata = archived.metadata else { return entry }
        var prepared = archived
        if SealedMetadata.isSealed(metadata) {
            // Checked now, because nobody could open it once the source is gone.
            _ = try keys.opened(metadata, of: .link(archived.link.id))
        } else {
            prepared.metadata = keys.stored(metadata, of: .link(archived.link.id))
        }
        return .link(prepared)
    }
}

extension ArchiveEntry {
    fileprivate enum Kind { case small, link, clicks, activity, conversions, totals }

    fileprivate var kind: Kind {
        switch self {
        case .application, .extra, .applicationChange, .person, .key, .route, .secret, .webhook, .record, .audit,
            .lastID, .totalsStart:
            .small
        case .link: .link
        case .clicks: .clicks
        case .activity: .activity
        case .conversions: .conversions
        case .total, .linkTotals: .totals
        }
    }
}

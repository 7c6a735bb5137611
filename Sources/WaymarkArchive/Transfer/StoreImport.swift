package import WaymarkLinks

/// Fills an empty store with the entries of another, in batches that each are one transaction. One that was interrupted
/// goes on where the last whole batch ended.
package struct StoreImport {
    /// Links, or blocks of their clicks, in a transaction.
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
            switch waiting.last {
            case .link(let last): progress.lastLink = last.link.id
            case .clicks(let last): progress.lastBlock = last.key
            default: break
            }
            let secret = progress.secret
            try target.add(waiting, progress: secret, expecting: state.stored)
            state = (progress, secret.value)
            waiting = []
        }
        while let entry = try next() {
            switch entry {
            case .link(let archived):
                links += 1
                if archived.link.id.rawValue > state.progress.lastLink.rawValue {
                    // What stands before the first link is one transaction by itself: it may come again.
                    if let first = waiting.first, !first.isLink { try flush() }
                    waiting.append(.link(try prepared(archived)))
                }
            case .clicks(let block):
                if let last = state.progress.lastBlock, block.key.place <= last.place { break }
                // Links and clicks are not in one transaction, so that each tells how far it is.
                if let first = waiting.first, !first.isClicks { try flush() }
                waiting.append(entry)
            case .secret(let secret):
                if let problem = keys.problem(with: [secret]) { throw ArchiveFailure("metadataKeys: \(problem)") }
                waiting.append(entry)
            case .lastID, .application, .key, .record: waiting.append(entry)
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

    private func prepared(_ archived: ArchivedLink) throws -> ArchivedLink {
        if let problem = archived.link.content.sizeProblem {
            throw ArchiveFailure("\(archived.link.domain.text)/\(archived.link.slug.text): \(problem)")
        }
        guard let metadata = archived.metadata else { return archived }
        var prepared = archived
        if SealedMetadata.isSealed(metadata) {
            // Now, while the source is still there: nobody could open it later.
            _ = try keys.metadata(metadata, of: archived.link.id)
        } else {
            prepared.metadata = keys.stored(metadata, for: archived.link.id)
        }
        return prepared
    }
}

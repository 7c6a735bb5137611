import WaymarkLinks
package import WaymarkStores

/// Seals all metadata, secrets of webhooks and documents with the first key, in small batches, while servers use the store. After an interruption the
/// next run continues: metadata already sealed with the first key is only read.
package struct KeyRotation {
    package struct Report: Sendable, Equatable {
        /// Links whose metadata was checked in the last round.
        package var examined = 0
        /// Links whose metadata was sealed again.
        package var resealed = 0
        /// Keys that no metadata needs any more.
        package var released: [MetadataKey.ID] = []
    }

    /// Links per transaction, which limits how long a server's writes wait.
    static let batch = 256
    /// Limited, because servers that still seal with another key require further rounds.
    static let rounds = 5

    private let archive: any StoreArchive
    private let keys: MetadataKeys

    package init(_ archive: any StoreArchive, keys: MetadataKeys) {
        self.archive = archive
        self.keys = keys
    }

    /// - Parameters:
    ///   - examined: receives the number of links with metadata checked in a round.
    ///   - pause: called between transactions, so that servers get their turn.
    /// - Throws: `ArchiveFailure` if a key is missing or does not match, before anything is changed; `StoreError` if
    ///   the store fails, which keeps the changes so far.
    package func run(progress: (_ examined: Int) -> Void, pause: () -> Void) throws -> Report {
        let proofs = try archive.secrets().filter { $0.name.hasPrefix(MetadataKeys.proofPrefix) }
        if let problem = keys.problem(with: proofs) { throw ArchiveFailure("metadataKeys: \(problem)") }
        guard let first = keys.keys.first else {
            throw ArchiveFailure("metadataKeys: there is no key to encrypt metadata with; add one")
        }
        guard proofs.contains(where: { $0.name == MetadataKeys.proofName(first.id) }) else {
            throw ArchiveFailure(
                "no server has used the metadata key \"\(first.id)\" so far, and could not read what it seals: "
                    + "start or reload the servers with it first")
        }
        var report = Report()
        for _ in 0..<Self.rounds {
            report.examined = 0
            let resealed = try round(&report, progress: progress, pause: pause) + sealSecrets()
            guard resealed > 0 else {
                report.released = try release(proofs, keeping: first.id)
                return report
            }
        }
        throw ArchiveFailure("servers go on sealing metadata with another key: reload them, then run this again")
    }

    private func round(
        _ report: inout Report, progress: (_ examined: Int) -> Void, pause: () -> Void
    ) throws -> Int {
        var last: LinkID?
        var sealed = 0
        while true {
            let page = try archive.metadata(after: last, limit: Self.batch)
            guard let end = page.last else { return sealed }
            last = end.link
            var changes: [ResealedMetadata] = []
            for stored in page {
                do throws(StoreError) {
                    guard let bytes = try keys.resealed(stored.bytes, of: .link(stored.link)) else { continue }
                    changes.append(ResealedMetadata(link: stored.link, before: stored.bytes, after: bytes))
                } catch {
                    throw ArchiveFailure("the link with the id \(stored.link.rawValue): \(error.sentence)")
                }
            }
            if !changes.isEmpty {
                // A link patched meanwhile is processed in the next round.
                report.resealed += try archive.reseal(changes)
                sealed += changes.count
                pause()
            }
            report.examined += page.count
            progress(report.examined)
        }
    }

    /// Seals secrets of endpoints, and documents.
    ///
    /// - Returns: How many were sealed with another key.
    private func sealSecrets() throws(StoreError) -> Int {
        var sealed = 0
        for webhook in try archive.webhooks() {
            let resealed = try webhook.sealed(with: keys)
            guard resealed != webhook else { continue }
            // One that was changed meanwhile is processed in the next round.
            _ = try archive.reseal(webhook, as: resealed)
            sealed += 1
        }
        for document in try archive.documents() {
            guard let content = try keys.resealed(document.content, of: .document(document.name)) else { continue }
            _ = try archive.reseal(document, as: content)
            sealed += 1
        }
        return sealed
    }

    /// Removes the proofs of unused keys, so that servers can start without those keys.
    private func release(_ proofs: [StoredSecret], keeping first: MetadataKey.ID) throws -> [MetadataKey.ID] {
        var released: [MetadataKey.ID] = []
        for proof in proofs where proof.name != MetadataKeys.proofName(first) {
            guard try archive.removeSecret(proof.name) else { continue }
            if let id = MetadataKey.ID(String(proof.name.dropFirst(MetadataKeys.proofPrefix.count))) {
                released.append(id)
            }
        }
        return released
    }
}

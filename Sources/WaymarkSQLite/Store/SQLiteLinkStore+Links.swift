internal import GRDB
package import WaymarkLinks
package import WaymarkStores

extension SQLiteLinkStore {
    package func link(_ domain: HostName, _ slug: Slug) async throws(StoreError) -> Link? {
        try await read(as: .link) { database in
            let address: StatementArguments = [slug.text, domain.text]
            if let link = try database.row(LinkRow.byAddress, address, { try LinkRow.link($0) }) { return link }
            return try database.row(LinkRow.byAlias, address + [slug.caseFolded]) { try LinkRow.link($0) }
        }
    }

    package func link(_ id: LinkID) async throws(StoreError) -> Link? {
        try await read(as: .link) { try $0.link(id) }
    }

    package func links(slug: Slug, limit: Int) async throws(StoreError) -> [Link] {
        try await read(as: .links) {
            try $0.rows(LinkRow.bySlug, [slug.text, max(0, limit), slug.caseFolded]) { try LinkRow.link($0) }
        }
    }

    package func list(_ listing: LinkListing) async throws(StoreError) -> LinkPage {
        let read: @Sendable (Database) throws -> LinkPage = { try $0.list(listing) }
        return try await listing.isIndexed ? readPage(as: .list, read) : readListing(as: .list, read)
    }

    package func metadata(of id: LinkID) async throws(StoreError) -> [UInt8]? {
        try await read(as: .metadata) { [metadataKeys] database in
            try database.storedMetadata(of: id).map { try metadataKeys.current.opened($0, of: .link(id)) }
        }
    }

    package func create(
        _ drafts: [NewLink], idempotency: Idempotency<[CreationOutcome]>?
    ) async throws(StoreError) -> Replayable<[CreationOutcome]> {
        let links = drafts.map(EncodedLink.init)
        return try await write(as: .create, weight: drafts.count) { session in
            try session.create(links, idempotency: idempotency)
        }
    }

    package func update(_ updates: [LinkUpdate], at now: Timestamp) async throws(StoreError) -> [UpdateOutcome] {
        try await write(as: .update, weight: updates.count) { session in
            try updates.map { try session.update($0, at: now) }
        }
    }

    package func rename(
        _ id: LinkID, expecting: Int?, to slug: Slug, by author: ChangeAuthor?, restoring content: LinkContent?,
        at now: Timestamp
    ) async throws(StoreError) -> RenameOutcome {
        try await write(as: .rename) {
            try $0.rename(id, expecting: expecting, to: slug, by: author, restoring: content, at: now)
        }
    }

    package func changes(
        of id: LinkID, through version: Int, limit: Int
    ) async throws(StoreError) -> [LinkHistoryEntry] {
        try await read(as: .history) { database in
            try database.rows(HistoryRow.ofLink, [id.rawValue, version, limit]) { try HistoryRow.entry($0) }
        }
    }

    package func changes(of id: LinkID, from version: Int) async throws(StoreError) -> [LinkHistoryEntry] {
        try await read(as: .history) { database in
            try database.rows(HistoryRow.from, [id.rawValue, version]) { try HistoryRow.entry($0) }
        }
    }

    package func changes(of id: LinkID, around time: Timestamp) async throws(StoreError) -> [LinkHistoryEntry] {
        try await read(as: .history) { database in
            try database.rows(HistoryRow.around, [id.rawValue, time.rawValue]) { try HistoryRow.entry($0) }
        }
    }

    package func delete(_ removals: [LinkRemoval]) async throws(StoreError) -> [LinkDeletion] {
        try await write(as: .delete, weight: removals.count) { session in
            try removals.map { try session.delete($0) }
        }
    }

    package func redeem(
        _ id: LinkID, at now: Timestamp, taking: Bool, ignoringMaxClicks: Bool, idempotency: RedeemIdempotency?
    ) async throws(StoreError) -> RedeemOutcome {
        try await write(as: .redeem) {
            try $0.redeem(
                id, at: now, taking: taking, ignoringMaxClicks: ignoringMaxClicks, idempotency: idempotency)
        }
    }

    package func addClicks(_ counts: ClickCounts, as write: WriteID) async throws(StoreError) {
        guard !counts.links.isEmpty else { return }
        try await self.write(as: .addClicks, weight: counts.links.count) { try $0.addClicks(counts, as: write) }
        clicked.note(counts)
    }

    package func reserveClicks(
        _ id: LinkID, upTo count: Int, as write: WriteID
    ) async throws(StoreError) -> Int {
        try await self.write(as: .reserveClicks) { try $0.reserveClicks(id, upTo: count, as: write) }
    }

    package func releaseClicks(_ id: LinkID, count: Int, as write: WriteID) async throws(StoreError) {
        try await self.write(as: .releaseClicks) { try $0.releaseClicks(id, count: count, as: write) }
    }

    package func purge(at now: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await write(as: .purge) { try $0.purge(at: now, limit: limit) }
    }
}

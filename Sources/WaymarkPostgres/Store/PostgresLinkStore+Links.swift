#if PostgreSQL
    package import WaymarkLinks
    package import WaymarkStores

    extension PostgresLinkStore {
        package func link(_ domain: HostName, _ slug: Slug) async throws(StoreError) -> Link? {
            try await read(
                as: .link, .init(.linkByAddress, .text(slug.text), .text(domain.text), .text(slug.caseFolded))
            ) {
                try LinkRow.links($0).first
            }
        }

        package func link(_ id: LinkID) async throws(StoreError) -> Link? {
            try await read(as: .link, .init(.linkByID, .number(id.rawValue))) { try LinkRow.links($0).first }
        }

        package func links(slug: Slug, limit: Int) async throws(StoreError) -> [Link] {
            let limit = Argument.number(Int64(max(0, limit)))
            return try await read(as: .links, .init(.linksBySlug, .text(slug.text), limit, .text(slug.caseFolded))) {
                try LinkRow.links($0)
            }
        }

        package func list(_ listing: LinkListing) async throws(StoreError) -> LinkPage {
            let read: @Sendable (Connection, Deadline) throws -> LinkPage = { try $0.list(listing, by: $1) }
            return try await listing.isIndexed ? readPage(as: .list, read) : readListing(as: .list, read)
        }

        package func metadata(of id: LinkID) async throws(StoreError) -> [UInt8]? {
            try await read(as: .metadata, .init(.metadata, .number(id.rawValue))) { [metadataKeys] result in
                guard result.count > 0 else { return nil }
                return try metadataKeys.current.opened(try result.bytes(0, 0), of: .link(id))
            }
        }

        package func create(
            _ drafts: [NewLink], idempotency: Idempotency<[CreationOutcome]>?
        ) async throws(StoreError) -> Replayable<[CreationOutcome]> {
            try await admit {
                let slugs = drafts.lazy.compactMap { LinkContentCodec.need(of: $0.storedSlug) }
                return ([LinkContentCodec.need(of: drafts.map(\.content))].compactMap { $0 } + slugs).highest
            }
            let links = drafts.map(EncodedLink.init)
            return try await write(as: .create, order: .create, weight: drafts.count) { needs in
                for draft in drafts {
                    needs.applications.insert(draft.application)
                    needs.addresses.formUnion(draft.addresses)
                    if !draft.content.aliases.isEmpty { needs.addsAliases = true }
                    if let identity = draft.identity {
                        needs.identities.insert(Identity(application: draft.application, digest: identity))
                    }
                }
                needs.newLinks += drafts.count
                if let idempotency { needs.scopes.insert(idempotency.scope) }
            } _: { set in
                try set.create(links, idempotency: idempotency)
            }
        }

        package func update(_ updates: [LinkUpdate], at now: Timestamp) async throws(StoreError) -> [UpdateOutcome] {
            try await admit { LinkContentCodec.need(of: updates.map(\.change.content)) }
            return try await write(as: .update, order: .change, weight: updates.count) { needs in
                for update in updates { needs.change(update.id) }
            } _: { set in
                try updates.map { try set.update($0, at: now) }
            }
        }

        package func rename(
            _ id: LinkID, expecting: Int?, to slug: Slug, by author: ChangeAuthor?, restoring content: LinkContent?,
            at now: Timestamp
        ) async throws(StoreError) -> RenameOutcome {
            try await admit {
                let needs = [LinkContentCodec.need(of: slug), content.flatMap { LinkContentCodec.need(of: [$0]) }]
                return needs.compactMap { $0 }.highest ?? LinkContentCodec.aliasNeed
            }
            return try await writeAlone(as: .rename) {
                try $0.rename(id, expecting: expecting, to: slug, by: author, restoring: content, at: now)
            }
        }

        package func changes(
            of id: LinkID, through version: Int, limit: Int
        ) async throws(StoreError) -> [LinkHistoryEntry] {
            try await changes(
                .init(.history, .number(id.rawValue), .number(Int64(version)), .number(Int64(limit))))
        }

        package func changes(of id: LinkID, from version: Int) async throws(StoreError) -> [LinkHistoryEntry] {
            try await changes(.init(.historyFrom, .number(id.rawValue), .number(Int64(version))))
        }

        package func changes(of id: LinkID, around time: Timestamp) async throws(StoreError) -> [LinkHistoryEntry] {
            try await changes(.init(.historyAround, .number(id.rawValue), .number(time.rawValue)))
        }

        private func changes(_ command: Connection.Command) async throws(StoreError) -> [LinkHistoryEntry] {
            try await read(as: .history, command) { result in
                try (0..<result.count).map { try LinkHistoryEntry(result, $0) }
            }
        }

        package func delete(_ removals: [LinkRemoval]) async throws(StoreError) -> [LinkDeletion] {
            try await write(as: .delete, order: .delete, weight: removals.count) { needs in
                for removal in removals { needs.change(removal.id) }
            } _: { set in
                try removals.map { try set.delete($0) }
            }
        }

        package func redeem(
            _ id: LinkID, at now: Timestamp, taking: Bool, ignoringMaxClicks: Bool, idempotency: RedeemIdempotency?
        ) async throws(StoreError) -> RedeemOutcome {
            try await write(as: .redeem, order: .count) { needs in
                needs.links.insert(id)
                needs.metadata.insert(id)
                if let idempotency { needs.scopes.insert(idempotency.scope) }
            } _: { set in
                try set.redeem(
                    id, at: now, taking: taking, ignoringMaxClicks: ignoringMaxClicks, idempotency: idempotency)
            }
        }

        package func addClicks(_ counts: ClickCounts, as write: WriteID) async throws(StoreError) {
            guard !counts.links.isEmpty else { return }
            try await self.write(as: .addClicks, order: .count, weight: counts.links.count) { needs in
                needs.writers.insert(write.writer)
                for (id, _) in counts.links {
                    needs.countedLinks.insert(id)
                    needs.lockedLinks.insert(id)
                }
            } _: { set in
                set.addClicks(counts, as: write)
            }
            clicked.note(counts)
        }

        package func reserveClicks(
            _ id: LinkID, upTo count: Int, as write: WriteID
        ) async throws(StoreError) -> Int {
            try await self.write(as: .reserveClicks, order: .count) { needs in
                needs.writers.insert(write.writer)
                // Whole, because its event reports it when it is exhausted.
                needs.links.insert(id)
                needs.lockedLinks.insert(id)
            } _: { set in
                try set.reserveClicks(id, upTo: count, as: write)
            }
        }

        package func releaseClicks(_ id: LinkID, count: Int, as write: WriteID) async throws(StoreError) {
            try await self.write(as: .releaseClicks, order: .count) { needs in
                needs.writers.insert(write.writer)
                needs.countedLinks.insert(id)
                needs.lockedLinks.insert(id)
            } _: { set in
                try set.releaseClicks(id, count: count, as: write)
            }
        }

        package func purge(at now: Timestamp, limit: Int) async throws(StoreError) -> Int {
            try await writeAlone(as: .purge) { transaction in
                let now = Argument.number(now.rawValue)
                let records = try transaction.run(.purge, now, .number(Int64(max(0, limit)))).changed
                let rest = Argument.number(Int64(max(0, limit - records)))
                return records + (try transaction.run(.purgeBatches, now, rest).changed)
            }
        }
    }

    /// Decodes links from the statements that return them.
    enum LinkRow {
        /// Index of the first additional column, after those of the link and its application.
        static let width = 14

        static func link(_ result: QueryResult, _ row: Int) throws(StoreError) -> Link {
            guard let application = ApplicationID(try result.text(row, 1)),
                let domain = HostName(try result.text(row, 2)), let slug = Slug(try result.text(row, 3))
            else { throw QueryResult.damaged }
            return Link(
                id: LinkID(rawValue: try result.number(row, 0)), application: application, domain: domain, slug: slug,
                content: try LinkContentCodec.decode(try result.bytes(row, 4)),
                hasMetadata: try result.number(row, 5) != 0, redeemed: try result.count(row, 6),
                clicks: try result.count(row, 7), freeClicks: try result.count(row, 13),
                reservedClicks: try result.count(row, 8),
                createdAt: try result.timestamp(row, 9), updatedAt: try result.timestamp(row, 10),
                version: try result.count(row, 11))
        }

        /// Nil for a link that is damaged, or written by a later version.
        static func readable(_ result: QueryResult, _ row: Int) -> Link? { try? link(result, row) }

        static func readable(_ result: QueryResult) -> [Link] {
            (0..<result.count).compactMap { readable(result, $0) }
        }

        /// A link with its counts and its click limit, without the rest of its content.
        static func counted(_ result: QueryResult, _ row: Int) throws(StoreError) -> Link {
            var link = try link(result, row)
            link.content.maxClicks = try result.optionalNumber(row, width).map { Int($0) }
            return link
        }

        static func links(_ result: QueryResult) throws(StoreError) -> [Link] {
            var links: [Link] = []
            for row in 0..<result.count { links.append(try link(result, row)) }
            return links
        }
    }
#endif

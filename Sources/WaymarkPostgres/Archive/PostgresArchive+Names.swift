#if PostgreSQL
    package import WaymarkLinks
    package import WaymarkStores

    extension PostgresArchive {
        package func isFree(_ slug: Slug, on domain: HostName) throws(StoreError) -> Bool {
            try run(Statement.loadTaken.sql, .texts([slug.text]), .texts([domain.text])).count == 0
        }

        package func move(_ clash: AliasClash, to slug: Slug, at now: Timestamp) throws(StoreError) {
            try transact {
                let id = clash.taker
                guard var link = try LinkRow.links(run(Statement.linkByID.sql, .number(id.rawValue))).first else {
                    throw QueryResult.damaged
                }
                let former = LinkHistoryEntry.Former(link)
                link.slug = slug
                link.version += 1
                link.updatedAt = now
                // With the content, for the trigger of the search index.
                _ = try run(
                    Statement.saveSlug.sql, .number(id.rawValue), .text(slug.text), .number(Int64(link.version)),
                    .number(now.rawValue), .bytes(LinkContentCodec.encode(link.content)))
                let entry = LinkHistoryEntry(
                    version: link.version, at: now, author: nil, fields: ["slug"], former: former)
                _ = try run(Statement.addHistory.sql, arguments: LinkHistoryEntry.arguments(of: [(id, entry)]))
                let subscriptions = try EventSubscriptions(run(Statement.subscriptions.sql))
                guard subscriptions.includes(.linkUpdated, of: link.application) else { return }
                let event = OutboxEvent(.linkUpdated, link, at: now, [.init("changed", .list(["slug"]))])
                _ = try run(Statement.addOutbox.sql, .byteStrings([event.encoded]))
            }
        }

        package func forgetSlugRules() throws(StoreError) {
            try transact {
                _ = try run("DELETE FROM waymark.link_folded")
                _ = try run("UPDATE waymark.application SET slug_rules = 0")
            }
        }
    }
#endif

internal import GRDB
internal import WaymarkLinks

extension WriteSession {
    func create(
        _ drafts: [NewLink], idempotency: Idempotency<[CreationOutcome]>?
    ) throws -> Replayable<[CreationOutcome]> {
        if let idempotency {
            switch try kept(scope: idempotency.scope, fingerprint: idempotency.fingerprint, at: idempotency.now) {
            case .nothing: break
            case .answer(let bytes): return .replay(bytes)
            case .mismatch, .redeem, .claim, .event: return .mismatch
            }
        }
        let outcomes = try drafts.map { try create($0) }
        if let idempotency, let answer = idempotency.answer(outcomes) {
            try keep(
                .answer(answer), scope: idempotency.scope, fingerprint: idempotency.fingerprint,
                until: idempotency.expiresAt)
        }
        return .done(outcomes)
    }

    private func create(_ draft: NewLink) throws -> CreationOutcome {
        guard let application = try application(draft.application),
            application.domains.isEmpty || application.domains.contains(draft.domain.text)
        else { return .applicationUnknown }
        if let identity = draft.identity, let existing = try existing(identity, of: application.number, for: draft) {
            return .existing(existing)
        }
        let host = try number(of: draft.domain)
        // RETURNING would have SQLite make a table of its own for each statement: half of what the row cost.
        try database.run(
            """
            INSERT INTO link (application, host, slug, version, has_metadata, redeem_limit, redeemed, max_clicks,
                reserved, created_at, updated_at, content, identity)
            VALUES (?, ?, ?, 1, ?, ?, 0, ?, 0, ?, ?, ?, ?)
            ON CONFLICT (slug, host) DO NOTHING
            """,
            [
                application.number, host, draft.slug.text, draft.metadata != nil, draft.content.redeemLimit,
                draft.content.maxClicks, draft.createdAt.rawValue, draft.createdAt.rawValue,
                LinkContentCodec.encode(draft.content).blob, draft.identity.blob,
            ])
        guard database.changesCount > 0 else { return .slugTaken }
        let id = LinkID(rawValue: database.lastInsertedRowID)
        if let metadata = draft.metadata {
            try database.run(
                "INSERT INTO link_metadata (link, metadata) VALUES (?, ?)",
                [id.rawValue, metadataKeys.stored(metadata, for: id).blob])
        }
        try tag(id, draft.content.tags)
        count(1, application: application.number, domain: draft.domain)
        count(1, application: application.number, route: draft.content.templateRoute)
        return .created(draft.link(id: id))
    }

    /// The link of that identity where it is given again. One that is not never will be (what has run out stays so, and
    /// a patch takes the identity away), so it gives the identity up to the link that is made now.
    private func existing(_ identity: [UInt8], of application: Int64, for draft: NewLink) throws -> Link? {
        let found = try database.row(
            LinkRow.selection + "WHERE link.application = ? AND link.identity = ?", [application, identity.blob]
        ) { try LinkRow.link($0) }
        guard let found else { return nil }
        if found.isGivenAgain(at: draft.createdAt) { return found }
        try database.run("UPDATE link SET identity = NULL WHERE id = ?", [found.id.rawValue])
        return nil
    }

    func update(_ id: LinkID, expecting: Int?, to change: LinkChange, at now: Timestamp) throws -> UpdateOutcome {
        guard var link = try database.link(id), let application = try application(link.application) else {
            return .unknown
        }
        if let expecting, expecting != link.version { return .versionMismatch(current: link.version) }
        switch change.metadata {
        case .keep: break
        case .set(let bytes):
            try database.run(
                """
                INSERT INTO link_metadata (link, metadata) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET metadata = excluded.metadata
                """, [id.rawValue, metadataKeys.stored(bytes, for: id).blob])
            link.hasMetadata = true
        case .remove:
            try database.run("DELETE FROM link_metadata WHERE link = ?", [id.rawValue])
            link.hasMetadata = false
        }
        if change.content.tags != link.content.tags {
            try untag(id, link.content.tags)
            try tag(id, change.content.tags)
        }
        count(-1, application: application.number, route: link.content.templateRoute)
        count(1, application: application.number, route: change.content.templateRoute)
        link.content = change.content
        link.updatedAt = now
        link.version += 1
        try database.run(
            """
            UPDATE link SET version = ?, has_metadata = ?, redeem_limit = ?, max_clicks = ?, updated_at = ?, content = ?,
                identity = NULL
            WHERE id = ?
            """,
            [
                link.version, link.hasMetadata, link.content.redeemLimit, link.content.maxClicks, now.rawValue,
                LinkContentCodec.encode(link.content).blob, id.rawValue,
            ])
        return .updated(link)
    }

    func delete(_ id: LinkID, expecting: Int?) throws -> LinkDeletion {
        guard let link = try database.link(id), let application = try application(link.application) else {
            return .unknown
        }
        if let expecting, expecting != link.version { return .versionMismatch(current: link.version) }
        try untag(id, link.content.tags)
        try database.run("DELETE FROM link WHERE id = ?", [id.rawValue])
        try dropClicks(ofDeleted: id)
        count(-1, application: application.number, domain: link.domain)
        count(-1, application: application.number, route: link.content.templateRoute)
        return .deleted
    }

    func tag(_ id: LinkID, _ tags: [String]) throws {
        for tag in tags {
            try database.run("INSERT OR IGNORE INTO link_tag (tag, link) VALUES (?, ?)", [tag, id.rawValue])
        }
    }

    private func untag(_ id: LinkID, _ tags: [String]) throws {
        for tag in tags { try database.run("DELETE FROM link_tag WHERE tag = ? AND link = ?", [tag, id.rawValue]) }
    }
}

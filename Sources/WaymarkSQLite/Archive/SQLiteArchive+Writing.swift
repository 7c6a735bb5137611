internal import GRDB
import WaymarkLinks
package import WaymarkStores

extension SQLiteArchive {
    package func add(
        _ entries: [ArchiveEntry], progress: StoredSecret, expecting: [UInt8]?
    ) throws(StoreError) {
        try transact { database in
            let found = try database.rows(StoredSecret.value(of: progress.name)) { try $0.bytes(0) }
            guard found.first == expecting else {
                throw StoreError.unavailable("somebody else imports into the same database")
            }
            // No keys are needed: metadata is passed in its stored form.
            let session = WriteSession(database, metadataKeys: .none)
            for entry in entries { try session.add(entry) }
            try session.finish()
            _ = try database.run(progress.replacement)
        }
    }

    package func reseal(_ changes: [ResealedMetadata]) throws(StoreError) -> Int {
        try transact { database in
            var count = 0
            for change in changes {
                try database.run(
                    "UPDATE link_metadata SET metadata = ? WHERE link = ? AND metadata = ?",
                    [change.after.blob, change.link.rawValue, change.before.blob])
                count += database.changesCount
            }
            return count
        }
    }
}

extension WriteSession {
    fileprivate func add(_ entry: ArchiveEntry) throws {
        switch entry {
        case .application(let application):
            // The next start of a server makes what is derived from the rules, once the links are there.
            let number = try write(application)
            _ = try replaceSlugRules(of: number, by: [], refusing: false)
            try add(application.longLinks, ofApplication: number)
        case .extra(let extra):
            guard let application = try application(extra.application) else {
                throw StoreError.corrupt("the \(extra.name) of an application has no application")
            }
            try run(extra.replacement(of: application.number))
        case .applicationChange(let archived):
            guard let application = try application(archived.application) else { throw archived.hasNoApplication }
            try run(archived.change.replacement(of: application.number))
        case .person(let person): try run(person.replacement)
        case .key(let key): try run(key.replacement)
        case .route(let archived):
            let number = try rows(.number(of: archived.application)) { try $0.number(0) }.first
            guard let number else { throw archived.hasNoApplication }
            try run(archived.route.replacement(of: number))
        case .secret(let secret): try run(secret.replacement)
        case .webhook(let webhook): try run(webhook.replacement)
        case .audit(let entry): try run(entry.restoration)
        case .conversions(let conversions):
            guard let application = try application(conversions.key.application) else {
                throw StoreError.corrupt("conversions have no application")
            }
            try database.run(
                "DELETE FROM conversion WHERE \(ConversionRows.isKey)",
                ConversionRows.arguments(conversions.key, of: application.number))
            try add(conversions.total, to: conversions.key)
        case .record(let record):
            try database.run(
                """
                INSERT INTO idempotency (scope, fingerprint, expires_at, kind, answer) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (scope) DO UPDATE SET fingerprint = excluded.fingerprint, expires_at = excluded.expires_at,
                    kind = excluded.kind, answer = excluded.answer
                """,
                [
                    record.scope.blob, record.fingerprint.blob, record.expiresAt.rawValue, record.kind,
                    record.answer.blob,
                ])
        case .lastID(let id):
            try database.run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'link'", [id])
            guard database.changesCount == 0 else { return }
            try database.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('link', ?)", [id])
        case .link(let archived): try add(archived)
        case .clicks(let block): try append([block])
        case .total(let total):
            guard let number = try application(total.key.application)?.number else { return }
            let day = TotalsChange.Key(application: number, quarter: total.key.quarter).ofDay
            try unpackTotals(of: day)
            try database.run(TotalRows.writing, [number, total.key.quarter, total.bytes.blob])
            try dropSummaries(of: [day.day])
        case .linkTotals(let row):
            try database.run(TotalRows.writingLinks, [row.key.day, row.key.page, row.bytes.blob])
            try dropSummaries(of: [row.key.day])
        case .totalsStart(let day):
            try database.run("INSERT OR IGNORE INTO click_total_start (day) VALUES (?)", [day])
        case .activity(let activity):
            let counts = activity.counts.values
            try database.run(
                """
                INSERT INTO link_activity (
                    link, day, opens, installs, resolves, redeems, claims, android_install_events, android_installs)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
                [
                    activity.link.rawValue, activity.day, counts[0], counts[1], counts[2], counts[3], counts[4],
                    counts[5], counts[6],
                ])
        }
    }

    private func add(_ archived: ArchivedLink) throws {
        let link = archived.link
        guard let application = try application(link.application) else {
            throw StoreError.corrupt("the link \(link.domain.text)/\(link.slug.text) has no application")
        }
        let host = try number(of: link.domain)
        if try isAlias(link.slug, host: host) {
            throw StoreError.corrupt(
                "\(link.domain.text)/\(link.slug.text) is the slug of a link and the alias of another")
        }
        try database.run(
            """
            INSERT INTO link (id, application, host, slug, version, has_metadata, redeem_limit, redeemed, max_clicks,
                reserved, free_clicks, created_at, updated_at, content, identity)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                link.id.rawValue, application.number, host, link.slug.text, link.version,
                archived.metadata != nil, link.content.redeemLimit, link.redeemed, link.content.maxClicks,
                link.reservedClicks, link.freeClicks, link.createdAt.rawValue, link.updatedAt.rawValue,
                LinkContentCodec.encode(link.content).blob, archived.identity.blob,
            ])
        try setClicks(link.clicks, of: link.id)
        if let metadata = archived.metadata {
            try database.run(
                "INSERT INTO link_metadata (link, metadata) VALUES (?, ?)", [link.id.rawValue, metadata.blob])
        }
        if archived.events != EventCounts() {
            try database.run(
                "INSERT INTO link_event (link, opens, installs) VALUES (?, ?, ?)",
                [link.id.rawValue, archived.events.opens, archived.events.installs])
        }
        try add(tags: link.content.indexedTags(of: link.application), to: link.id)
        try addExpiry(link.content.expiresAt, of: link.id)
        try updateClickOrder(of: link.id)
        if try link.id.rawValue <= database.indexedID() { try noteSearchChange(of: link.id, version: link.version) }
        try addAliases(link.content.furtherAddresses(of: link.domain), of: link.id)
        for entry in archived.history { try add(entry, toHistoryOf: link.id) }
        try noteHistoryStart(of: archived)
        count(1, link.content.uses(on: link.domain), application: application.number)
    }
}

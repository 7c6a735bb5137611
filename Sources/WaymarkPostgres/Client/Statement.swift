#if PostgreSQL
    /// The regular statements, prepared once on each connection. Plain SQL for PostgreSQL 13.
    ///
    /// Each looks up rows by an index; the length of its array argument determines their number. None depends on its
    /// position in a transaction, except as noted in the comments.
    enum Statement: String, CaseIterable, Sendable {
        // Reading.
        case linkByAddress, linkByID, linksBySlug, metadata, linksOfRange, history, historyFrom
        case historyAround
        case listAll, listAllAscending, listApplication, listApplicationAscending, listTag, listTagAscending
        case listVerified, listVerifiedAscending
        case listClicked, listNotClicked, listExpiring, listNeverExpiring, knownExpiries
        case searchState, searchParts, searchLeaves, searchChanges, searchChangesDescending
        case applications, use, eventCounts, activity, clickBlocks, ping
        // Beginning and ending.
        case begin, commit, rollback
        // Locks, always in this order, to avoid deadlocks: registry, applications, names, links by ID; then rows of
        // `link` are inserted by slug.
        case lock, lockShared, tryLock, lockUsedApplications, lockNames, lockLinks
        // Data that a group of writes needs.
        case loadLinks, loadCounts, loadMetadata, loadRecords, loadBatches, loadIdentities, loadTaken, loadApplications
        case loadHosts, takeIDs
        // Renaming.
        case lockAllApplications, addressOwner, saveSlug, addAliases, removeAlias, foldedOwners, addFolded
        // Changes of a group of writes.
        case addHosts, saveContents, saveCounts, saveMetadata, removeMetadata, removeTags, removeEvents
        case removeLinks, addEvents, removeActivity, addHistory, removeHistory, removeAliases
        case removeIdentities, addLinks, addTags, addUse, saveRecords, saveBatches, notify
        case addExpiries, removeExpiries, removeClickOrder, updateClickOrder
        // Independent statements.
        case application, hostOwners, saveApplication, removeDomains, addDomains, removeOtherHosts, addOtherHosts
        case gatherUse, removeUse, saveSlugRules, removeFolded
        case removeApplication, purge, purgeBatches
        case addActivity
        // Blocks of clicks.
        case addClickBlocks, removeClickBlocks, lockClickLeftovers, dropClicksOfLinks, removeClickLeftovers
        case dropClicksOfDays, addLongLinkBlocks, longLinks, addLongLinks, addClickNote, addClickNoteOfShare
        // Totals of clicks.
        case totalsOfApplications, recordedBlocks, linkIDs, totalsOfDays, totalsOfPages, totalsStart, totalsToChange,
            linkTotalsToChange
        case hostsOfLinks, saveTotals, saveLinkTotals, dropTotals, dropTotalsOfLinks
        // Of shares of totals.
        case takeShare, awaitShare, totalsOfShareToChange, linkTotalsOfShareToChange, saveTotalsOfShare
        case saveLinkTotalsOfShare, dropTotalsOfShares, dropLinkTotalsOfShares
        case shareToMerge, lockApplicationsOfShare, takeTotalsOfShare, takeLinkTotalsOfShare, totalsToMerge
        case summaryStates, summaryParts, lockSummaryState, saveSummaryPart, dropSummaries, firstDayOfTotals
        case dropOldSummaries, dropSummariesOfApplications
        case applicationsOfLinks, linkDeletions, addLinkDeletions
        // Webhooks.
        case subscriptions, addOutbox, addAudit
        case unknownVisits, unknownVisitsOfDay, saveUnknownVisits, dropUnknownVisits
    }

    extension Statement {
        static let linkColumns = """
            SELECT link.id, application.name, host.name, link.slug, link.content, link.has_metadata, link.redeemed,
                link.clicks, link.reserved, link.created_at, link.updated_at, link.version, link.application,
                link.free_clicks
            """
        /// The same with an empty content, and `max_clicks` at the end.
        private static let countColumns =
            linkColumns.replacing("link.content", with: "decode('01', 'hex')") + ", link.max_clicks"
        static let names = """
            JOIN waymark.host ON host.number = link.host
            JOIN waymark.application ON application.number = link.application
            """
        static let link = linkColumns + " FROM waymark.link " + names + " "

        /// At most $2 blocks of the links $1, jumping from one day to the next without scanning the blocks in
        /// between.
        private static let clicksOfLinks = """
            DELETE FROM waymark.click_block WHERE ctid = ANY (ARRAY(
                WITH RECURSIVE held (day) AS (
                    SELECT min(day) FROM waymark.click_block
                    UNION ALL
                    SELECT (SELECT min(day) FROM waymark.click_block WHERE day > held.day)
                    FROM held WHERE held.day IS NOT NULL
                )
                SELECT block.ctid FROM held CROSS JOIN unnest($1::int8[]) AS gone (link)
                    JOIN waymark.click_block AS block ON block.day = held.day AND block.link = gone.link
                LIMIT $2::int8 FOR UPDATE OF block
            ))
            """

        var sql: String {
            switch self {
            case .linkByID: Self.link + "WHERE link.id = $1::int8"
            case .subscriptions: "SELECT DISTINCT application, types FROM waymark.webhook WHERE types <> 0"
            case .addOutbox:
                // In the order of the array, which is that of the changes.
                """
                INSERT INTO waymark.outbox (event)
                SELECT event FROM unnest($1::bytea[]) WITH ORDINALITY AS given (event, place) ORDER BY place
                """
            case .addAudit:
                // Identifiers are ASCII, but NULL where there is none, which arrays of texts don't take.
                """
                INSERT INTO waymark.audit (at, application, person, actor_key, action, entry)
                SELECT at, convert_from(application, 'UTF8'), convert_from(person, 'UTF8'), actor_key, action, entry
                FROM unnest($1::int8[], $2::bytea[], $3::bytea[], $4::bytea[], $5::text[], $6::bytea[])
                    WITH ORDINALITY AS given (at, application, person, actor_key, action, entry, place) ORDER BY place
                """
            case .metadata: "SELECT metadata FROM waymark.link_metadata WHERE link = $1::int8"
            case .linksOfRange:
                Self.link + "WHERE link.id BETWEEN $1::int8 AND $2::int8 ORDER BY link.id LIMIT $3::int8"
            case .listAll, .listAllAscending, .listApplication, .listApplicationAscending, .listTag, .listTagAscending,
                .listVerified, .listVerifiedAscending,
                .listClicked, .listNotClicked, .listExpiring, .listNeverExpiring, .knownExpiries, .searchState,
                .searchParts, .searchLeaves, .searchChanges, .searchChangesDescending, .addExpiries, .removeExpiries,
                .removeClickOrder, .updateClickOrder:
                listingSQL
            case .applications:
                """
                SELECT application.name, document, version, domain, (
                    SELECT string_agg(host, ' ') FROM waymark.application_host
                    WHERE application_host.application = application.number
                ), slug_rules, (
                    SELECT string_agg(host.name || ' ' || long_link.number, ' ')
                    FROM waymark.long_link JOIN waymark.host ON host.number = long_link.host
                    WHERE long_link.application = application.number
                ) FROM waymark.application
                    LEFT JOIN waymark.application_domain ON application_domain.application = application.number
                ORDER BY application.name, place
                """
            case .use:
                """
                SELECT kind, application_use.name, sum(links)::int8 FROM waymark.application_use
                    JOIN waymark.application ON application.number = application_use.application
                WHERE application.name = $1::text AND kind < 4
                GROUP BY kind, application_use.name HAVING sum(links) <> 0
                """
            case .eventCounts: "SELECT opens, installs FROM waymark.link_event WHERE link = $1::int8"
            case .activity:
                """
                SELECT day, opens, installs, resolves, redeems, claims, android_install_events, android_installs
                FROM waymark.link_activity
                WHERE link = $1::int8 AND day >= $2::int8 AND day < $3::int8 ORDER BY day
                """
            case .clickBlocks:
                // One probe per block, because the index is ordered by day first: $1 link, $2 and $3 the day and
                // number to start after, $4 the last day, $5 the limit. A row without bytes moves to the next day.
                """
                WITH RECURSIVE walk (day, number, bytes, place) AS (
                    SELECT $2::int8, $3::int8, NULL::bytea, 0::int8
                    UNION ALL
                    SELECT step.day, step.number, step.bytes, walk.place + (step.bytes IS NOT NULL)::int4
                    FROM walk CROSS JOIN LATERAL (
                        (SELECT block.day, block.number, block.bytes, 0 AS turn FROM waymark.click_block AS block
                        WHERE block.day = walk.day AND block.link = $1::int8 AND block.number > walk.number
                        ORDER BY block.number LIMIT 1)
                        UNION ALL
                        SELECT (SELECT min(block.day) FROM waymark.click_block AS block WHERE block.day > walk.day),
                            -9223372036854775808, NULL, 1
                        ORDER BY turn LIMIT 1
                    ) AS step
                    WHERE walk.place < $5::int8 AND step.day <= $4::int8
                )
                SELECT day, number, bytes FROM walk
                WHERE bytes IS NOT NULL AND EXISTS (SELECT FROM waymark.link WHERE id = $1::int8)
                ORDER BY day, number
                """
            case .ping:
                """
                SELECT (extract(epoch FROM clock_timestamp()) * 1000)::int8,
                    (SELECT sum(numbackends) FROM pg_stat_database)::int8,
                    (current_setting('max_connections')::int8
                        - current_setting('superuser_reserved_connections')::int8)
                """

            case .begin: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
            case .commit: "COMMIT"
            case .rollback: "ROLLBACK"

            case .lock: "SELECT pg_advisory_xact_lock($1::int8)"
            case .tryLock: "SELECT pg_try_advisory_xact_lock($1::int8)"
            case .lockShared: "SELECT pg_advisory_xact_lock_shared($1::int8)"
            case .lockUsedApplications:
                // A link never moves to another application, so its application may be looked up before it is locked.
                """
                SELECT used.number, pg_advisory_xact_lock_shared($1::int8 + used.number) FROM (
                    SELECT number FROM waymark.application WHERE name = ANY ($2::text[])
                    UNION SELECT application FROM waymark.link WHERE id = ANY ($3::int8[])
                    ORDER BY 1
                ) AS used
                """
            case .lockNames: "SELECT pg_advisory_xact_lock(key) FROM unnest($1::int8[]) AS key"
            case .lockLinks:
                """
                SELECT id FROM waymark.link
                WHERE id = ANY ($1::int8[]) AND (id = ANY ($2::int8[]) OR (has_metadata AND redeem_limit > 0))
                ORDER BY id FOR NO KEY UPDATE
                """

            case .loadLinks: Self.link + "WHERE link.id = ANY ($1::int8[])"
            case .loadCounts:
                Self.countColumns + " FROM waymark.link " + Self.names + " WHERE link.id = ANY ($1::int8[])"
            case .loadMetadata: "SELECT link, metadata FROM waymark.link_metadata WHERE link = ANY ($1::int8[])"
            case .loadRecords:
                """
                SELECT scope, fingerprint, expires_at, kind, answer FROM waymark.idempotency
                WHERE scope = ANY ($1::bytea[])
                """
            case .loadBatches:
                "SELECT writer, batch, result, expires_at FROM waymark.written_batch WHERE writer = ANY ($1::bytea[])"
            case .loadIdentities:
                Self.linkColumns
                    + """
                    , link.identity FROM unnest($1::text[], $2::bytea[]) AS wanted (application, identity)
                    JOIN waymark.application ON application.name = wanted.application
                    JOIN waymark.link ON link.application = application.number AND link.identity = wanted.identity
                    JOIN waymark.host ON host.number = link.host
                    """
            case .loadApplications:
                """
                SELECT application.number, application.name, application_domain.domain, application.slug_rules
                FROM waymark.application
                    LEFT JOIN waymark.application_domain ON application_domain.application = application.number
                WHERE application.name = ANY ($1::text[])
                """
            case .loadHosts: "SELECT name, number FROM waymark.host WHERE name = ANY ($1::text[])"
            case .takeIDs: "SELECT nextval('waymark.link_id') FROM generate_series(1, $1::int8)"

            case .addHosts: "INSERT INTO waymark.host (name) SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING"
            case .saveContents:
                """
                UPDATE waymark.link SET version = given.version, has_metadata = given.has_metadata,
                    redeem_limit = given.redeem_limit, max_clicks = given.max_clicks, updated_at = given.updated_at,
                    content = given.content, identity = NULL
                FROM unnest($1::int8[], $2::int8[], $3::bool[], $4::int8[], $5::int8[], $6::int8[], $7::bytea[])
                    AS given (id, version, has_metadata, redeem_limit, max_clicks, updated_at, content)
                WHERE link.id = given.id
                """
            case .saveCounts:
                // Redeems need no condition: their rows are locked since they were read, until the commit.
                """
                UPDATE waymark.link SET redeemed = link.redeemed + given.taken,
                    clicks = link.clicks + least(given.clicks, 9223372036854775807 - link.clicks),
                    reserved = link.reserved + given.reserved, free_clicks = link.free_clicks
                        + least(given.free, 9223372036854775807 - link.free_clicks)
                FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::int8[], $5::int8[])
                    AS given (id, taken, clicks, reserved, free)
                WHERE link.id = given.id
                """
            case .saveMetadata:
                """
                INSERT INTO waymark.link_metadata (link, metadata) SELECT * FROM unnest($1::int8[], $2::bytea[])
                ON CONFLICT (link) DO UPDATE SET metadata = excluded.metadata
                """
            case .removeMetadata: "DELETE FROM waymark.link_metadata WHERE link = ANY ($1::int8[])"
            case .removeTags:
                """
                DELETE FROM waymark.link_tag USING unnest($1::bytea[], $2::int8[]) AS given (tag, link)
                WHERE link_tag.tag = given.tag AND link_tag.link = given.link
                """
            case .addEvents:
                // The links are locked, which rules out deadlocks here.
                """
                INSERT INTO waymark.link_event (link, opens, installs) SELECT * FROM unnest($1::int8[], $2::int8[], $3::int8[])
                ON CONFLICT (link) DO UPDATE SET
                    opens = link_event.opens + least(excluded.opens, 9223372036854775807 - link_event.opens),
                    installs = link_event.installs + least(excluded.installs, 9223372036854775807 - link_event.installs)
                """
            case .addActivity: Self.addingActivity
            case .removeActivity: "DELETE FROM waymark.link_activity WHERE link = ANY ($1::int8[])"
            case .removeEvents: "DELETE FROM waymark.link_event WHERE link = ANY ($1::int8[])"
            case .removeLinks: "DELETE FROM waymark.link WHERE id = ANY ($1::int8[])"
            case .removeIdentities: "UPDATE waymark.link SET identity = NULL WHERE id = ANY ($1::int8[])"
            case .addLinks:
                """
                INSERT INTO waymark.link (id, application, host, slug, version, has_metadata, redeem_limit, redeemed,
                    max_clicks, clicks, reserved, created_at, updated_at, content, identity)
                SELECT id, application, host, slug, 1, has_metadata, redeem_limit, 0, max_clicks, 0, 0, created_at,
                    created_at, content, identity
                FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::text[], $5::bool[], $6::int8[], $7::int8[],
                    $8::int8[], $9::bytea[], $10::bytea[])
                    AS given (id, application, host, slug, has_metadata, redeem_limit, max_clicks, created_at, content,
                        identity)
                """
            case .addTags:
                """
                INSERT INTO waymark.link_tag (tag, link) SELECT * FROM unnest($1::bytea[], $2::int8[])
                ON CONFLICT DO NOTHING
                """
            case .addUse:
                """
                INSERT INTO waymark.application_use (application, kind, name, share, links)
                SELECT application, kind, name, $5::int8, links
                FROM unnest($1::int8[], $2::int8[], $3::bytea[], $4::int8[]) AS given (application, kind, name, links)
                ON CONFLICT (application, kind, name, share)
                    DO UPDATE SET links = application_use.links + excluded.links
                """
            case .saveRecords:
                """
                INSERT INTO waymark.idempotency (scope, fingerprint, expires_at, kind, answer)
                SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::int8[], $4::int8[], $5::bytea[])
                ON CONFLICT (scope) DO UPDATE SET fingerprint = excluded.fingerprint,
                    expires_at = excluded.expires_at, kind = excluded.kind, answer = excluded.answer
                """
            case .saveBatches:
                """
                INSERT INTO waymark.written_batch (writer, batch, result, expires_at)
                SELECT * FROM unnest($1::bytea[], $2::int8[], $3::int8[], $4::int8[])
                ON CONFLICT (writer) DO UPDATE SET batch = excluded.batch, result = excluded.result,
                    expires_at = excluded.expires_at
                """
            case .notify: "SELECT pg_notify('waymark', payload) FROM unnest($1::text[]) AS payload"

            case .application: "SELECT number, version, slug_rules FROM waymark.application WHERE name = $1::text"
            case .hostOwners:
                """
                SELECT claim.host, application.name FROM (
                    SELECT domain AS host, application FROM waymark.application_domain
                        WHERE domain = ANY ($1::text[])
                    UNION ALL SELECT host, application FROM waymark.application_host WHERE host = ANY ($1::text[])
                ) AS claim JOIN waymark.application ON application.number = claim.application
                WHERE application.name <> $2::text
                """
            case .saveApplication:
                """
                INSERT INTO waymark.application (name, document, version) VALUES ($1::text, $2::bytea, $3::int8)
                ON CONFLICT (name) DO UPDATE SET document = excluded.document, version = excluded.version
                RETURNING number
                """
            case .saveSlugRules: "UPDATE waymark.application SET slug_rules = $2::int8 WHERE number = $1::int8"
            case .removeFolded:
                """
                DELETE FROM waymark.link_folded AS folded USING waymark.link
                WHERE link.id = folded.link AND link.application = $1::int8
                """
            case .removeDomains: "DELETE FROM waymark.application_domain WHERE application = $1::int8"
            case .addDomains:
                """
                INSERT INTO waymark.application_domain (domain, application, place)
                SELECT domain, $2::int8, place FROM unnest($1::text[]) WITH ORDINALITY AS given (domain, place)
                ON CONFLICT DO NOTHING
                """
            case .removeOtherHosts: "DELETE FROM waymark.application_host WHERE application = $1::int8"
            case .addOtherHosts:
                """
                INSERT INTO waymark.application_host (application, host)
                SELECT $2::int8, host FROM unnest($1::text[]) AS given (host) ON CONFLICT DO NOTHING
                """
            case .gatherUse:
                """
                WITH gone AS (
                    DELETE FROM waymark.application_use WHERE application = $1::int8 RETURNING kind, name, links
                )
                INSERT INTO waymark.application_use (application, kind, name, share, links)
                SELECT $1::int8, kind, name, 16, sum(links) FROM gone GROUP BY kind, name HAVING sum(links) <> 0
                """
            case .removeUse: "DELETE FROM waymark.application_use WHERE application = $1::int8"
            case .removeApplication: "DELETE FROM waymark.application WHERE number = $1::int8"
            case .purge:
                """
                DELETE FROM waymark.idempotency WHERE scope = ANY (ARRAY(
                    SELECT scope FROM waymark.idempotency WHERE expires_at <= $1::int8
                    ORDER BY expires_at LIMIT $2::int8 FOR UPDATE SKIP LOCKED
                )) AND expires_at <= $1::int8
                """

            case .purgeBatches:
                """
                DELETE FROM waymark.written_batch WHERE writer = ANY (ARRAY(
                    SELECT writer FROM waymark.written_batch WHERE expires_at <= $1::int8
                    LIMIT $2::int8 FOR UPDATE SKIP LOCKED
                )) AND expires_at <= $1::int8
                """

            case .removeClickBlocks:
                // The links are deleted in the same transaction. Which of them have blocks left is determined later.
                """
                WITH gone AS (\(Self.clicksOfLinks) RETURNING 1)
                INSERT INTO waymark.click_leftover (link)
                SELECT * FROM unnest($1::int8[]) WHERE (SELECT count(*) FROM gone) = $2::int8
                ON CONFLICT DO NOTHING
                """
            case .lockClickLeftovers:
                "SELECT link FROM waymark.click_leftover ORDER BY link LIMIT 64 FOR UPDATE SKIP LOCKED"
            case .dropClicksOfLinks: Self.clicksOfLinks
            case .addClickNote: Self.addingClickNote
            case .addClickNoteOfShare: Self.addingClickNoteOfShare
            case .removeClickLeftovers: "DELETE FROM waymark.click_leftover WHERE link = ANY ($1::int8[])"
            case .linkByAddress, .linksBySlug, .history, .historyFrom, .historyAround,
                .lockAllApplications, .addressOwner, .saveSlug,
                .addAliases,
                .removeAlias, .removeAliases, .addHistory, .removeHistory, .foldedOwners, .addFolded, .loadTaken:
                addressSQL
            case .addClickBlocks, .addLongLinkBlocks, .longLinks, .addLongLinks, .totalsOfApplications,
                .recordedBlocks, .linkIDs, .totalsOfDays, .totalsOfPages,
                .totalsStart,
                .totalsToChange, .linkTotalsToChange, .hostsOfLinks, .saveTotals, .saveLinkTotals, .dropTotals,
                .summaryStates, .summaryParts, .lockSummaryState, .saveSummaryPart, .dropSummaries, .firstDayOfTotals,
                .dropOldSummaries, .dropSummariesOfApplications,
                .applicationsOfLinks, .linkDeletions, .addLinkDeletions,
                .dropTotalsOfLinks, .unknownVisits, .unknownVisitsOfDay, .saveUnknownVisits, .dropUnknownVisits:
                totalsSQL
            case .takeShare, .awaitShare, .totalsOfShareToChange, .linkTotalsOfShareToChange, .saveTotalsOfShare,
                .saveLinkTotalsOfShare, .dropTotalsOfShares, .dropLinkTotalsOfShares, .shareToMerge,
                .lockApplicationsOfShare, .takeTotalsOfShare, .takeLinkTotalsOfShare, .totalsToMerge:
                sharesSQL
            case .dropClicksOfDays:
                """
                DELETE FROM waymark.click_block WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM waymark.click_block WHERE day < $1::int8
                    ORDER BY day, link, number LIMIT $2::int8 FOR UPDATE SKIP LOCKED
                ))
                """
            }
        }
    }
#endif

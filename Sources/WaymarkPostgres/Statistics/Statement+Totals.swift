#if PostgreSQL
    extension Statement {
        /// Whether a block is of a link that exists, or of a number of long links. Not EXISTS … OR EXISTS …, for which
        /// PostgreSQL may read all links into memory.
        static func isOwned(_ block: String) -> String {
            """
            coalesce((SELECT link.id FROM waymark.link WHERE link.id = \(block).link),
                (SELECT long_link.number FROM waymark.long_link WHERE long_link.number = \(block).link)) IS NOT NULL
            """
        }

        /// Joins the `owner` of each `block`: one lookup by its link.
        static let ownerOfBlock = """
            CROSS JOIN LATERAL (
                SELECT application, host FROM waymark.link WHERE link.id = block.link
                UNION ALL SELECT application, host FROM waymark.long_link WHERE long_link.number = block.link
            ) AS owner
            """

        /// The statements that add blocks of clicks, and those for totals; empty for others.
        var totalsSQL: String {
            switch self {
            case .addClickBlocks:
                // Waits for a concurrent deletion of a link, and a link locked here is deleted later: no block is
                // added after the deletion of its link. Returns the blocks that were added.
                """
                WITH added AS (
                    INSERT INTO waymark.click_block (day, link, number, bytes)
                    SELECT given.* FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::bytea[])
                        AS given (day, link, number, bytes)
                        JOIN waymark.link ON link.id = given.link
                    FOR KEY SHARE OF link
                    ON CONFLICT DO NOTHING
                    RETURNING day, link, number
                )
                SELECT added.day, added.link, added.number, link.application, link.host
                FROM added JOIN waymark.link ON link.id = added.link
                """
            case .addLongLinkBlocks:
                // The same of numbers of long links. Locks their applications: while one is locked, its numbers exist.
                """
                WITH added AS (
                    INSERT INTO waymark.click_block (day, link, number, bytes)
                    SELECT given.* FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::bytea[])
                        AS given (day, link, number, bytes)
                        JOIN waymark.long_link ON long_link.number = given.link
                        JOIN waymark.application ON application.number = long_link.application
                    FOR KEY SHARE OF application
                    ON CONFLICT DO NOTHING
                    RETURNING day, link, number
                )
                SELECT added.day, added.link, added.number, long_link.application, long_link.host
                FROM added JOIN waymark.long_link ON long_link.number = added.link
                """
            case .longLinks:
                """
                SELECT host.name, long_link.number FROM waymark.long_link
                    JOIN waymark.host ON host.number = long_link.host
                WHERE long_link.application = $1::int8
                """
            case .addLongLinks:
                """
                INSERT INTO waymark.long_link (number, application, host)
                SELECT given.number, $1::int8, given.host FROM unnest($2::int8[], $3::int8[]) AS given (number, host)
                ON CONFLICT (application, host) DO UPDATE SET number = excluded.number
                """
            case .totalsOfApplications:
                """
                SELECT total.application, total.quarter, total.bytes FROM waymark.application
                    JOIN \(Self.totalRows) AS total ON total.application = application.number
                WHERE application.name = ANY ($1::text[]) AND total.quarter >= $2::int8 AND total.quarter < $3::int8
                """
            case .recordedBlocks:
                """
                SELECT block.day, block.link, block.number, block.bytes, application.name, host.name
                FROM (
                    SELECT * FROM waymark.click_block AS block
                    WHERE (day, link, number) > ($1::int8, $2::int8, $3::int8) AND day <= $4::int8
                        AND \(Self.isOwned("block"))
                    ORDER BY day, link, number LIMIT $5::int8
                ) AS block
                    \(Self.ownerOfBlock)
                    JOIN waymark.application ON application.number = owner.application
                    JOIN waymark.host ON host.number = owner.host
                ORDER BY block.day, block.link, block.number
                """
            case .linkIDs:
                """
                SELECT id FROM waymark.link
                WHERE application = (SELECT number FROM waymark.application WHERE name = $1::text) AND id > $2::int8
                ORDER BY id LIMIT $3::int8
                """
            case .totalsOfDays:
                """
                SELECT day, page, bytes FROM \(Self.linkTotalRows) AS total
                WHERE (day, page) > ($1::int8, $2::int8) AND day < $3::int8
                ORDER BY day, page FETCH FIRST ($4::int8) ROWS WITH TIES
                """
            case .totalsOfPages:
                """
                SELECT total.day, total.page, total.bytes FROM generate_series($2::int8, $3::int8 - 1) AS wanted (day)
                    CROSS JOIN unnest($1::int8[]) AS given (page)
                    JOIN \(Self.linkTotalRows) AS total ON total.day = wanted.day AND total.page = given.page
                """
            case .totalsStart: "SELECT day FROM waymark.click_total_start"
            case .totalsToChange: Self.totalsToChange(in: "click_total")
            case .linkTotalsToChange: Self.linkTotalsToChange(in: "click_total_link")
            case .hostsOfLinks:
                """
                SELECT host.number, host.name FROM waymark.host
                WHERE number = ANY (ARRAY(
                    SELECT host FROM waymark.link WHERE id = ANY ($1::int8[])
                    UNION SELECT host FROM waymark.long_link WHERE number = ANY ($2::int8[])))
                """
            case .saveTotals:
                """
                INSERT INTO waymark.click_total (application, quarter, bytes)
                SELECT * FROM unnest($1::int8[], $2::int8[], $3::bytea[])
                ON CONFLICT (application, quarter) DO UPDATE SET bytes = excluded.bytes
                """
            case .saveLinkTotals:
                """
                INSERT INTO waymark.click_total_link (day, page, bytes)
                SELECT * FROM unnest($1::int8[], $2::int8[], $3::bytea[])
                ON CONFLICT (day, page) DO UPDATE SET bytes = excluded.bytes
                """
            case .summaryStates:
                """
                SELECT span, day, bytes FROM waymark.click_summary
                WHERE part = -1 AND span = ANY ('{0,1,4,16,64}') AND day >= $1::int8
                    AND day + greatest(span, 1) <= $2::int8
                """
            case .summaryParts:
                """
                SELECT part.span, part.day, part.part, part.bytes FROM unnest($1::int8[], $2::int8[]) AS given (span, day)
                    CROSS JOIN unnest($3::int8[]) AS wanted (part)
                    JOIN waymark.click_summary AS part
                        ON part.span = given.span AND part.day = given.day AND part.part = wanted.part
                """
            case .lockSummaryState:
                """
                SELECT bytes FROM waymark.click_summary WHERE span = $1::int8 AND day = $2::int8 AND part = -1
                FOR UPDATE
                """
            case .saveSummaryPart:
                """
                INSERT INTO waymark.click_summary (span, day, part, bytes)
                VALUES ($1::int8, $2::int8, $3::int8, $4::bytea)
                ON CONFLICT (span, day, part) DO UPDATE SET bytes = excluded.bytes
                """
            case .dropSummaries:
                """
                DELETE FROM waymark.click_summary AS part USING unnest($1::int8[], $2::int8[]) AS given (span, day)
                WHERE part.span = given.span AND part.day = given.day
                """
            case .dropOldSummaries:
                """
                WITH deletions AS (DELETE FROM waymark.link_deletion WHERE day < $1::int8)
                DELETE FROM waymark.click_summary WHERE day < $1::int8
                """
            case .dropSummariesOfApplications: "DELETE FROM waymark.click_summary WHERE span = 0"
            case .firstDayOfTotals: "SELECT min(day) FROM \(Self.linkTotalRows) AS total"
            case .applicationsOfLinks:
                """
                SELECT link.id, application.name FROM waymark.link
                    JOIN waymark.application ON application.number = link.application
                WHERE link.id >= $1::int8 AND link.id < $2::int8
                """
            case .linkDeletions:
                """
                SELECT 1 FROM waymark.application
                    JOIN waymark.link_deletion AS deletion ON deletion.application = application.number
                WHERE application.name = ANY ($1::text[]) AND deletion.day >= $2::int8 AND deletion.since < $3::int8
                LIMIT 1
                """
            case .addLinkDeletions:
                """
                INSERT INTO waymark.link_deletion AS deletion (application, day, since)
                SELECT application, floor(extract(epoch FROM now()) / 86400)::int8,
                    min(floor(created_at / 86400000.0))::int8
                FROM waymark.link WHERE id = ANY ($1::int8[]) AND clicks > 0 GROUP BY application
                ON CONFLICT (application, day) DO UPDATE SET since = least(deletion.since, excluded.since)
                """
            case .unknownVisits:
                """
                SELECT visit.bytes FROM waymark.application
                    JOIN waymark.unknown_visit AS visit ON visit.application = application.number
                WHERE application.name = ANY ($1::text[]) AND visit.day >= $2::int8 AND visit.day < $3::int8
                """
            case .unknownVisitsOfDay:
                """
                SELECT bytes FROM waymark.unknown_visit
                WHERE application = (SELECT number FROM waymark.application WHERE name = $1::text) AND day = $2::int8
                """
            case .saveUnknownVisits:
                """
                INSERT INTO waymark.unknown_visit (application, day, bytes)
                SELECT number, $2::int8, $3::bytea FROM waymark.application WHERE name = $1::text
                ON CONFLICT (application, day) DO UPDATE SET bytes = excluded.bytes
                """
            case .dropUnknownVisits:
                """
                DELETE FROM waymark.unknown_visit WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM waymark.unknown_visit WHERE day < $1::int8 LIMIT $2::int8 FOR UPDATE SKIP LOCKED
                ))
                """
            case .dropTotals:
                """
                DELETE FROM waymark.click_total WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM waymark.click_total WHERE quarter < $1::int8
                    ORDER BY quarter LIMIT $2::int8 FOR UPDATE SKIP LOCKED
                ))
                """
            case .dropTotalsOfLinks:
                """
                DELETE FROM waymark.click_total_link WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM waymark.click_total_link WHERE day < $1::int8
                    ORDER BY day, page LIMIT $2::int8 FOR UPDATE SKIP LOCKED
                ))
                """
            default: ""
            }
        }
    }

    extension Statement {
        /// In the order of links and days, to avoid deadlocks. The links are locked, so that none is deleted
        /// and leaves its days orphaned. Nothing is added if the batch was written before.
        static let addingActivity = """
            WITH written AS (
                INSERT INTO waymark.written_batch AS last (writer, batch, result, expires_at)
                VALUES ($10::bytea, $11::int8, 0, $12::int8)
                ON CONFLICT (writer) DO UPDATE SET batch = excluded.batch, result = excluded.result,
                    expires_at = excluded.expires_at
                    WHERE last.batch < excluded.batch
                RETURNING 1
            )
            INSERT INTO waymark.link_activity (
                link, day, opens, installs, resolves, redeems, claims, android_install_events, android_installs)
            SELECT given.* FROM unnest(
                $1::int8[], $2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::int8[],
                $9::int8[])
                AS given (
                    link, day, opens, installs, resolves, redeems, claims, android_install_events,
                    android_installs)
            JOIN waymark.link ON link.id = given.link WHERE EXISTS (SELECT FROM written)
            ORDER BY given.link, given.day FOR KEY SHARE OF link
            ON CONFLICT (link, day) DO UPDATE SET
                opens = link_activity.opens + least(excluded.opens, 9223372036854775807 - link_activity.opens),
                installs = link_activity.installs + least(excluded.installs, 9223372036854775807 - link_activity.installs),
                resolves = link_activity.resolves + least(excluded.resolves, 9223372036854775807 - link_activity.resolves),
                redeems = link_activity.redeems + least(excluded.redeems, 9223372036854775807 - link_activity.redeems),
                claims = link_activity.claims + least(excluded.claims, 9223372036854775807 - link_activity.claims),
                android_install_events = link_activity.android_install_events
                    + least(
                        excluded.android_install_events, 9223372036854775807 - link_activity.android_install_events),
                android_installs = link_activity.android_installs
                    + least(excluded.android_installs, 9223372036854775807 - link_activity.android_installs)
            """
    }
#endif

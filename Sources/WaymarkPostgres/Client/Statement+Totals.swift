#if PostgreSQL
    extension Statement {
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
            case .totalsOfApplications:
                """
                SELECT total.quarter, total.bytes FROM waymark.application
                    JOIN waymark.click_total AS total ON total.application = application.number
                WHERE application.name = ANY ($1::text[]) AND total.quarter >= $2::int8 AND total.quarter < $3::int8
                """
            case .recordedBlocks:
                """
                SELECT block.day, block.link, block.number, block.bytes, application.name, host.name
                FROM (
                    SELECT * FROM waymark.click_block AS block
                    WHERE (day, link, number) > ($1::int8, $2::int8, $3::int8) AND day <= $4::int8
                        AND EXISTS (SELECT FROM waymark.link WHERE link.id = block.link)
                    ORDER BY day, link, number LIMIT $5::int8
                ) AS block
                    JOIN waymark.link ON link.id = block.link
                    JOIN waymark.application ON application.number = link.application
                    JOIN waymark.host ON host.number = link.host
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
                SELECT day, page, bytes FROM waymark.click_total_link
                WHERE (day, page) > ($1::int8, $2::int8) AND day < $3::int8 ORDER BY day, page LIMIT $4::int8
                """
            case .totalsOfPages:
                """
                SELECT total.day, total.page, total.bytes FROM generate_series($2::int8, $3::int8 - 1) AS wanted (day)
                    CROSS JOIN unnest($1::int8[]) AS given (page)
                    JOIN waymark.click_total_link AS total ON total.day = wanted.day AND total.page = given.page
                """
            case .totalsStart: "SELECT day FROM waymark.click_total_start"
            case .totalsToChange:
                """
                SELECT total.application, total.quarter, total.bytes
                FROM (SELECT DISTINCT application FROM waymark.link WHERE id = ANY ($1::int8[])) AS used
                    CROSS JOIN unnest($2::int8[]) AS wanted (quarter)
                    JOIN waymark.click_total AS total
                        ON total.application = used.application AND total.quarter = wanted.quarter
                """
            case .linkTotalsToChange:
                """
                SELECT total.day, total.page, total.bytes FROM unnest($1::int8[], $2::int8[]) AS wanted (day, page)
                    JOIN waymark.click_total_link AS total ON total.day = wanted.day AND total.page = wanted.page
                """
            case .hostsOfLinks:
                """
                SELECT host.number, host.name FROM waymark.host
                WHERE number = ANY (ARRAY(SELECT DISTINCT host FROM waymark.link WHERE id = ANY ($1::int8[])))
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
#endif

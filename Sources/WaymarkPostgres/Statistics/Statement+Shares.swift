#if PostgreSQL
    extension Statement {
        /// The share that the transaction has taken.
        static let share = "current_setting('waymark.share')::int4"

        /// The rows of all applications, those of shares among them: a key may come several times.
        static let totalRows = """
            (SELECT application, quarter, bytes FROM waymark.click_total
            UNION ALL SELECT application, quarter, bytes FROM waymark.click_total_share)
            """
        /// The same of links.
        static let linkTotalRows = """
            (SELECT day, page, bytes FROM waymark.click_total_link
            UNION ALL SELECT day, page, bytes FROM waymark.click_total_link_share)
            """

        /// Whether no row of the key is known to be damaged.
        private static func totalIsWhole(_ damaged: String) -> String {
            """
            NOT EXISTS (SELECT FROM unnest(\(damaged)) AS damaged (application, quarter)
                WHERE damaged.application = click_total_share.application AND damaged.quarter = click_total_share.quarter)
            """
        }

        private static func linkTotalIsWhole(_ damaged: String) -> String {
            """
            NOT EXISTS (SELECT FROM unnest(\(damaged)) AS damaged (day, page)
                WHERE damaged.day = click_total_link_share.day AND damaged.page = click_total_link_share.page)
            """
        }

        /// Those of shares of totals; empty for others.
        var sharesSQL: String {
            switch self {
            case .takeShare:
                // The first one that no other transaction has: so there are as many shares as transactions at once, whatever
                // the number of servers. If all are taken, the next statement waits.
                """
                SELECT set_config('waymark.share', coalesce(
                    (SELECT share FROM generate_series(1, $2::int8) AS share
                    WHERE pg_try_advisory_xact_lock($1::int8 + share) LIMIT 1),
                    1 + pg_backend_pid() % $2::int8)::text, true)
                """
            case .awaitShare: "SELECT pg_advisory_xact_lock($1::int8 + \(Self.share))"
            case .totalsOfShareToChange:
                Self.totalsToChange(in: "click_total_share", where: "total.share = \(Self.share)")
            case .linkTotalsOfShareToChange:
                Self.linkTotalsToChange(in: "click_total_link_share", where: "total.share = \(Self.share)")
            case .saveTotalsOfShare:
                """
                INSERT INTO waymark.click_total_share (share, application, quarter, bytes)
                SELECT \(Self.share), given.* FROM unnest($1::int8[], $2::int8[], $3::bytea[]) AS given
                ON CONFLICT (application, quarter, share) DO UPDATE SET bytes = excluded.bytes
                """
            case .saveLinkTotalsOfShare:
                """
                INSERT INTO waymark.click_total_link_share (share, day, page, bytes)
                SELECT \(Self.share), given.* FROM unnest($1::int8[], $2::int8[], $3::bytea[]) AS given
                ON CONFLICT (day, page, share) DO UPDATE SET bytes = excluded.bytes
                """
            case .dropTotalsOfShares:
                """
                DELETE FROM waymark.click_total_share WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM waymark.click_total_share WHERE quarter < $1::int8
                    ORDER BY quarter LIMIT $2::int8 FOR UPDATE SKIP LOCKED
                ))
                """
            case .dropLinkTotalsOfShares:
                """
                DELETE FROM waymark.click_total_link_share WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM waymark.click_total_link_share WHERE day < $1::int8
                    ORDER BY day, page LIMIT $2::int8 FOR UPDATE SKIP LOCKED
                ))
                """
            case .shareToMerge:
                """
                SELECT coalesce(
                    (SELECT share FROM waymark.click_total_share WHERE quarter < $1::int8
                        AND \(Self.totalIsWhole("$3::int8[], $4::int8[]")) ORDER BY quarter LIMIT 1),
                    (SELECT share FROM waymark.click_total_link_share WHERE day < $2::int8
                        AND \(Self.linkTotalIsWhole("$5::int8[], $6::int8[]")) ORDER BY day, page LIMIT 1))
                """
            case .lockApplicationsOfShare:
                // As a deletion of an application does before it deletes its rows.
                """
                SELECT number FROM waymark.application WHERE number = ANY (ARRAY(
                    SELECT application FROM waymark.click_total_share WHERE share = $1::int8 AND quarter < $2::int8))
                ORDER BY number FOR KEY SHARE
                """
            case .takeTotalsOfShare:
                """
                DELETE FROM waymark.click_total_share WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM waymark.click_total_share WHERE share = $1::int8 AND quarter < $2::int8
                        AND \(Self.totalIsWhole("$4::int8[], $5::int8[]"))
                    ORDER BY quarter LIMIT $3::int8 FOR UPDATE
                )) RETURNING application, quarter, bytes
                """
            case .takeLinkTotalsOfShare:
                """
                DELETE FROM waymark.click_total_link_share WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM waymark.click_total_link_share WHERE share = $1::int8 AND day < $2::int8
                        AND \(Self.linkTotalIsWhole("$4::int8[], $5::int8[]"))
                    ORDER BY day, page LIMIT $3::int8 FOR UPDATE
                )) RETURNING day, page, bytes
                """
            case .totalsToMerge:
                """
                SELECT total.application, total.quarter, total.bytes
                FROM unnest($1::int8[], $2::int8[]) AS wanted (application, quarter)
                    JOIN waymark.click_total AS total
                        ON total.application = wanted.application AND total.quarter = wanted.quarter
                """
            default: ""
            }
        }

        /// - Parameter condition: Further one on `total`.
        static func totalsToChange(in table: String, where condition: String = "true") -> String {
            """
            SELECT total.application, total.quarter, total.bytes
            FROM (
                SELECT application FROM waymark.link WHERE id = ANY ($1::int8[])
                UNION SELECT application FROM waymark.long_link WHERE number = ANY ($3::int8[])
            ) AS used
                CROSS JOIN unnest($2::int8[]) AS wanted (quarter)
                JOIN waymark.\(table) AS total
                    ON total.application = used.application AND total.quarter = wanted.quarter AND \(condition)
            """
        }

        /// - Parameter condition: Further one on `total`.
        static func linkTotalsToChange(in table: String, where condition: String = "true") -> String {
            """
            SELECT total.day, total.page, total.bytes FROM unnest($1::int8[], $2::int8[]) AS wanted (day, page)
                JOIN waymark.\(table) AS total
                    ON total.day = wanted.day AND total.page = wanted.page AND \(condition)
            """
        }
    }
#endif

#if PostgreSQL
    extension Statement {
        /// One piece of a listing's scan: $1 the ID to start after, $2 maximum number of links to examine, $3 maximum
        /// number to return, $4 text that a link may contain (NULL: any), $5 an application (NULL: any), $6 the tag, $7
        /// the key to start after, or the state of the verification, $8 a host (NULL: any), $9 the earliest creation time, $10 its end, $11 a campaign
        /// (NULL: any). The last link examined is returned too, whether it matches or not.
        ///
        /// - Parameters:
        ///   - source: the tables, and the condition.
        ///   - key: what the links are sorted by before their IDs, if anything.
        ///   - id: the column with their IDs.
        private static func list(
            _ source: String, by key: String? = nil, id: String = "link.id", ascending: Bool = false
        ) -> String {
            let direction = ascending ? "" : " DESC"
            let order = (key.map { "\($0)\(direction), " } ?? "") + "\(id)\(direction)"
            // The planner knows that links come in the order of their IDs, but not in that of their places.
            let place = key == nil ? "link.id\(direction)" : "link.place"
            return """
                \(linkColumns), link.place, link.key FROM (
                    SELECT link.*, row_number() OVER (ORDER BY \(order)) AS place, (\(key ?? "0"))::int8 AS key
                    FROM \(source) ORDER BY \(order) LIMIT $2::int8
                ) AS link \(names)
                WHERE link.place = $2::int8
                    OR (($4::bytea IS NULL OR position($4::bytea IN link.content) > 0
                            OR position($4::bytea IN convert_to(link.slug, 'UTF8')) > 0)
                        AND ($5::text IS NULL OR application.name = $5::text)
                        AND ($6::bytea IS NULL OR true) AND ($7::int8 IS NULL OR true)
                        AND ($8::text IS NULL OR host.name = $8::text)
                        AND link.created_at >= $9::int8 AND link.created_at < $10::int8
                        AND ($11::bytea IS NULL OR position($11::bytea IN link.content) > 0))
                ORDER BY \(place) LIMIT $3::int8
                """
        }

        private static let ofApplication =
            "waymark.link WHERE link.application = (SELECT number FROM waymark.application WHERE name = $5::text)"
        private static let ofTag =
            "waymark.link_tag JOIN waymark.link ON link.id = link_tag.link WHERE link_tag.tag = $6::bytea"

        private static let verified = """
            waymark.link_verification JOIN waymark.link ON link.id = link_verification.link
            WHERE link_verification.state = $7::int8 AND link_verification.version = link.version
            """

        var listingSQL: String {
            switch self {
            case .listAll: Self.list("waymark.link WHERE link.id < $1::int8")
            case .listAllAscending: Self.list("waymark.link WHERE link.id > $1::int8", ascending: true)
            case .listApplication: Self.list(Self.ofApplication + " AND link.id < $1::int8")
            case .listApplicationAscending:
                Self.list(Self.ofApplication + " AND link.id > $1::int8", ascending: true)
            case .listTag: Self.list(Self.ofTag + " AND link_tag.link < $1::int8", id: "link_tag.link")
            case .listTagAscending:
                Self.list(Self.ofTag + " AND link_tag.link > $1::int8", id: "link_tag.link", ascending: true)
            case .listVerified:
                Self.list(Self.verified + " AND link_verification.link < $1::int8", id: "link_verification.link")
            case .listVerifiedAscending:
                Self.list(
                    Self.verified + " AND link_verification.link > $1::int8", id: "link_verification.link",
                    ascending: true)
            case .listClicked:
                Self.list(
                    """
                    waymark.click_order JOIN waymark.link ON link.id = click_order.link
                    WHERE (click_order.clicks, click_order.link) < ($7::int8, $1::int8)
                    """, by: "click_order.clicks", id: "click_order.link")
            case .listNotClicked:
                Self.list(
                    """
                    waymark.link WHERE link.id < $1::int8
                        AND NOT EXISTS (SELECT FROM waymark.click_order WHERE click_order.link = link.id)
                    """)
            case .listExpiring:
                Self.list(
                    """
                    waymark.link_expiry JOIN waymark.link ON link.id = link_expiry.link
                    WHERE (link_expiry.expires_at, link_expiry.link) > ($7::int8, $1::int8)
                    """, by: "link_expiry.expires_at", id: "link_expiry.link", ascending: true)
            case .listNeverExpiring:
                Self.list("waymark.link WHERE link.id < $1::int8").replacing("(0)::int8", with: "\(Int64.max)::int8")
            case .knownExpiries:
                """
                SELECT link_expiry.link FROM unnest($1::int8[], $2::int8[]) AS given (expires_at, link)
                JOIN waymark.link_expiry
                    ON link_expiry.expires_at = given.expires_at AND link_expiry.link = given.link
                """
            case .searchState: "SELECT indexed, target FROM waymark.search_state"
            case .searchParts: "SELECT segment, part, links FROM waymark.search_part ORDER BY segment, part"
            case .searchLeaves:
                // Of the parts $2 of the segments $1, those that may have words from $3 on and before $4.
                """
                SELECT given.place, leaf.bytes
                FROM unnest($1::int8[], $2::int8[]) WITH ORDINALITY AS given (segment, part, place)
                CROSS JOIN LATERAL (
                    SELECT bytes FROM waymark.search_leaf AS leaf
                    WHERE leaf.segment = given.segment AND leaf.part = given.part AND leaf.first < $4::bytea
                        AND leaf.first >= coalesce((
                            SELECT start.first FROM waymark.search_leaf AS start
                            WHERE start.segment = given.segment AND start.part = given.part
                                AND start.first <= $3::bytea
                            ORDER BY start.first DESC LIMIT 1), ''::bytea)
                ) AS leaf
                """
            case .searchChanges:
                "SELECT DISTINCT link FROM waymark.search_change WHERE link > $1::int8 ORDER BY link LIMIT $2::int8"
            case .searchChangesDescending:
                """
                SELECT DISTINCT link FROM waymark.search_change WHERE link < $1::int8 ORDER BY link DESC LIMIT $2::int8
                """
            case .addExpiries:
                """
                INSERT INTO waymark.link_expiry (expires_at, link) SELECT * FROM unnest($1::int8[], $2::int8[])
                ON CONFLICT DO NOTHING
                """
            case .removeExpiries:
                """
                DELETE FROM waymark.link_expiry USING unnest($1::int8[], $2::int8[]) AS given (expires_at, link)
                WHERE link_expiry.expires_at = given.expires_at AND link_expiry.link = given.link
                """
            case .removeClickOrder: "DELETE FROM waymark.click_order WHERE link = ANY ($1::int8[])"
            case .updateClickOrder:
                """
                INSERT INTO waymark.click_order (link, clicks)
                SELECT id, clicks FROM waymark.link WHERE id = ANY ($1::int8[]) AND clicks > 0 ORDER BY id
                ON CONFLICT (link) DO UPDATE SET clicks = excluded.clicks WHERE click_order.clicks <> excluded.clicks
                """
            default: ""
            }
        }
    }
#endif

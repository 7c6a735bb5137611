#if PostgreSQL
    internal import WaymarkLinks
    internal import WaymarkStores

    /// Slugs and aliases of applications that ignore case are stored folded as well, where one of a host is unique. Rows go
    /// with their link.
    extension Transaction {
        /// Changes what is derived from the rules of an application; the caller stores them.
        ///
        /// - Parameter refusing: whether it stops where links break the rules; else these are applied as far as possible.
        /// - Returns: How the links break them, if refusing; then nothing is changed.
        func replaceSlugRules(
            of application: LockedApplication, by rules: SlugRules, refusing: Bool
        ) throws -> SlugClash? {
            let old = application.slugRules
            if refusing, rules.contains(.reserveCompatibility), !old.contains(.reserveCompatibility),
                let clash = try reservedSlug(of: application.number)
            {
                return clash
            }
            guard rules.contains(.ignoreCase) != old.contains(.ignoreCase) else { return nil }
            extendDeadline()
            _ = try run(.removeFolded, .number(application.number))
            guard rules.contains(.ignoreCase) else { return nil }
            var last: Int64 = 0
            while true {
                let page = try run(
                    sql: """
                        WITH page AS (
                            SELECT id, host, slug FROM waymark.link WHERE application = $1::int8 AND id > $2::int8
                            ORDER BY id LIMIT 5000
                        )
                        SELECT id, host::int8, slug FROM page
                        UNION ALL SELECT page.id, alias.host::int8, alias.slug FROM page
                            JOIN waymark.link_alias AS alias ON alias.link = page.id
                        ORDER BY 1
                        """, .number(application.number), .number(last))
                guard page.count > 0 else { return nil }
                last = try page.number(page.count - 1, 0)
                if let clash = try addFolded(page, rules, refusing: refusing) {
                    _ = try run(.removeFolded, .number(application.number))
                    return clash
                }
            }
        }

        /// - Parameter page: Links, hosts and slugs.
        private func addFolded(_ page: QueryResult, _ rules: SlugRules, refusing: Bool) throws -> SlugClash? {
            var names: [(link: Int64, host: Int64, slug: Slug)] = []
            for row in 0..<page.count {
                guard let slug = Slug(try page.text(row, 2)) else { throw QueryResult.damaged }
                let id = try page.number(row, 0)
                if refusing, !rules.permit(slug), let link = try LinkRow.links(run(.linkByID, .number(id))).first {
                    return link.reserved(slug)
                }
                names.append((id, try page.number(row, 1), slug))
            }
            let arguments: [Argument] = [
                .texts(names.map(\.slug.caseFolded)), .numbers(names.map(\.host)), .numbers(names.map(\.link)),
            ]
            _ = try run(
                sql: """
                    INSERT INTO waymark.link_folded (slug, host, link)
                    SELECT * FROM unnest($1::text[], $2::int8[], $3::int8[]) ON CONFLICT DO NOTHING
                    """, arguments: arguments)
            guard refusing else { return nil }
            let others = try run(
                sql: """
                    SELECT given.place, folded.link
                    FROM unnest($1::text[], $2::int8[], $3::int8[]) WITH ORDINALITY AS given (slug, host, link, place)
                    JOIN waymark.link_folded AS folded ON folded.slug = given.slug AND folded.host = given.host
                    WHERE folded.link <> given.link ORDER BY given.place LIMIT 1
                    """, arguments: arguments)
            guard others.count > 0 else { return nil }
            let index = try others.count(0, 0) - 1
            guard names.indices.contains(index),
                let other = try LinkRow.links(run(.linkByID, .number(try others.number(0, 1)))).first
            else { throw QueryResult.damaged }
            let slug = names[index].slug
            return other.clash(with: slug)
        }

        /// A slug or alias that calls of Firebase or HOKO have.
        private func reservedSlug(of application: Int64) throws -> SlugClash? {
            let found = try run(
                sql: """
                    SELECT host.name, named.slug FROM unnest($2::text[]) AS segment (text)
                    CROSS JOIN LATERAL (
                        SELECT slug, host, application FROM waymark.link
                            WHERE slug = text OR (slug >= text || '/' AND slug < text || '0')
                        UNION ALL SELECT alias.slug, alias.host, link.application FROM waymark.link_alias AS alias
                            JOIN waymark.link ON link.id = alias.link
                            WHERE alias.slug = text OR (alias.slug >= text || '/' AND alias.slug < text || '0')
                    ) AS named JOIN waymark.host ON host.number = named.host
                    WHERE named.application = $1::int8 ORDER BY 2 LIMIT 1
                    """, .number(application), .texts(SlugRules.compatibilitySegments.sorted()))
            guard found.count > 0 else { return nil }
            guard let host = HostName(try found.text(0, 0)), let slug = Slug(try found.text(0, 1)) else {
                throw QueryResult.damaged
            }
            return .reserved(host, slug)
        }
    }
#endif

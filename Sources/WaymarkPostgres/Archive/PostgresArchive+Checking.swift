#if PostgreSQL
    package import WaymarkStores
    import WaymarkLinks

    extension PostgresArchive {
        package func missingTags(_ tags: [StoredTag]) throws(StoreError) -> [StoredTag] {
            let result = try run(
                """
                SELECT given.place FROM unnest($1::bytea[], $2::int8[]) WITH ORDINALITY AS given (tag, link, place)
                WHERE NOT EXISTS (
                    SELECT FROM waymark.link_tag WHERE link_tag.tag = given.tag AND link_tag.link = given.link)
                """, .byteStrings(tags.map { Array($0.tag.utf8) }), .numbers(tags.map(\.link.rawValue)))
            return try chosen(from: tags, by: result)
        }

        /// The elements whose places, counted from 1, are in the result's first column.
        private func chosen<Element>(from all: [Element], by result: QueryResult) throws(StoreError) -> [Element] {
            try rows(result) { row in
                let index = try result.count(row, 0) - 1
                guard all.indices.contains(index) else { throw QueryResult.damaged }
                return all[index]
            }
        }

        package func missingAliases(_ aliases: [StoredAlias]) throws(StoreError) -> [StoredAlias] {
            guard !aliases.isEmpty else { return [] }
            let result = try run(
                """
                SELECT given.place
                FROM unnest($1::text[], $2::text[], $3::int8[]) WITH ORDINALITY AS given (slug, domain, link, place)
                WHERE NOT EXISTS (
                    SELECT FROM waymark.link_alias AS alias JOIN waymark.host ON host.number = alias.host
                    WHERE alias.slug = given.slug AND host.name = given.domain AND alias.link = given.link)
                """, .texts(aliases.map(\.slug.text)), .texts(aliases.map(\.domain.text)),
                .numbers(aliases.map(\.link.rawValue)))
            return try chosen(from: aliases, by: result)
        }

        package func missingFolded(_ names: [StoredAlias]) throws(StoreError) -> [StoredAlias] {
            guard !names.isEmpty else { return [] }
            let result = try run(
                """
                SELECT given.place
                FROM unnest($1::text[], $2::text[], $3::int8[]) WITH ORDINALITY AS given (slug, domain, link, place)
                JOIN waymark.link ON link.id = given.link
                JOIN waymark.application ON application.number = link.application
                WHERE application.slug_rules & \(SlugRules.ignoreCase.rawValue) <> 0 AND NOT EXISTS (
                    SELECT FROM waymark.link_folded AS folded JOIN waymark.host ON host.number = folded.host
                    WHERE folded.slug = given.slug AND host.name = given.domain AND folded.link = given.link)
                """, .texts(names.map(\.slug.caseFolded)), .texts(names.map(\.domain.text)),
                .numbers(names.map(\.link.rawValue)))
            return try chosen(from: names, by: result)
        }

        /// PostgreSQL checks its own pages (`pg_amcheck`); this checks references without a foreign key.
        package func faults() throws(StoreError) -> [String] {
            var faults: [String] = []
            for (table, noun) in [
                ("link_metadata", "metadata"), ("link_tag", "tags"), ("link_event", "events"),
                ("link_activity", "activity"), ("link_alias", "aliases"), ("link_change", "history"),
                ("link_folded", "folded slugs"),
            ] {
                let count = try run(
                    """
                    SELECT count(*) FROM waymark.\(table) AS part
                    WHERE NOT EXISTS (SELECT FROM waymark.link WHERE link.id = part.link)
                    """
                ).count(0, 0)
                if count > 0 { faults.append("\(count) rows of \(noun) belong to links that do not exist") }
            }
            let blocks = try run(
                """
                SELECT count(*) FROM waymark.click_block
                WHERE NOT EXISTS (SELECT FROM waymark.link WHERE link.id = click_block.link)
                    AND NOT EXISTS (SELECT FROM waymark.long_link WHERE long_link.number = click_block.link)
                    AND NOT EXISTS (SELECT FROM waymark.click_leftover WHERE click_leftover.link = click_block.link)
                """
            ).count(0, 0)
            if blocks > 0 { faults.append("\(blocks) blocks of clicks belong to links that do not exist") }
            return faults
        }
    }
#endif

#if PostgreSQL
    extension Statement {
        /// The statements for slugs, aliases and the history of links; empty for others.
        var addressSQL: String {
            switch self {
            case .linkByAddress:
                // The slug of a link, or else an alias, or else the folded slug of an application that ignores case; each is
                // looked up only then.
                Self.link
                    + """
                    WHERE link.id = coalesce(
                        (SELECT id FROM waymark.link AS named WHERE named.slug = $1::text
                            AND named.host = (SELECT number FROM waymark.host WHERE name = $2::text)),
                        (SELECT link FROM waymark.link_alias AS alias WHERE alias.slug = $1::text
                            AND alias.host = (SELECT number FROM waymark.host WHERE name = $2::text)),
                        (SELECT link FROM waymark.link_folded AS folded WHERE folded.slug = $3::text
                            AND folded.host = (SELECT number FROM waymark.host WHERE name = $2::text)))
                    """
            case .linksBySlug:
                Self.link
                    + """
                    WHERE link.id = ANY (ARRAY(
                        SELECT id FROM waymark.link AS named WHERE named.slug = $1::text
                        UNION SELECT link FROM waymark.link_alias AS alias WHERE alias.slug = $1::text
                        UNION SELECT link FROM waymark.link_folded AS folded WHERE folded.slug = $3::text))
                    ORDER BY link.id LIMIT $2::int8
                    """
            case .history:
                """
                SELECT version, at, author, author_name, fields, slug, content FROM waymark.link_change
                WHERE link = $1::int8 AND version <= $2::int8 AND (fields <> '' OR version = 1)
                    AND EXISTS (SELECT FROM waymark.link WHERE id = $1::int8)
                ORDER BY version DESC LIMIT $3::int8
                """
            case .historyFrom:
                // The change that made a version, and the next one that changed something.
                """
                SELECT version, at, author, author_name, fields, slug, content FROM waymark.link_change
                WHERE link = $1::int8 AND version IN (
                        $2::int8, (SELECT min(version) FROM waymark.link_change AS made
                            WHERE made.link = $1::int8 AND made.version > $2::int8 AND made.fields <> ''))
                    AND EXISTS (SELECT FROM waymark.link WHERE id = $1::int8)
                ORDER BY version
                """
            case .historyAround:
                // The last change until a time, and the one after it; without the first, the two earliest.
                """
                SELECT version, at, author, author_name, fields, slug, content FROM waymark.link_change
                WHERE link = $1::int8 AND version >= coalesce(
                        (SELECT max(version) FROM waymark.link_change AS made
                            WHERE made.link = $1::int8 AND made.at <= $2::int8), 0)
                    AND EXISTS (SELECT FROM waymark.link WHERE id = $1::int8)
                ORDER BY version LIMIT 2
                """
            case .lockAllApplications:
                """
                SELECT pg_advisory_xact_lock($1::int8 + used.number)
                FROM (SELECT number FROM waymark.application ORDER BY number) AS used
                """
            case .addressOwner:
                """
                SELECT host.number FROM waymark.host WHERE host.name = $2::text
                    AND NOT EXISTS (SELECT FROM waymark.link WHERE link.slug = $1::text AND link.host = host.number)
                    AND NOT EXISTS (
                        SELECT FROM waymark.link_alias AS alias
                        WHERE alias.slug = $1::text AND alias.host = host.number AND alias.link <> $3::int8)
                """
            case .saveSlug:
                """
                UPDATE waymark.link SET slug = $2::text, version = $3::int8, updated_at = $4::int8, content = $5::bytea,
                    identity = NULL
                WHERE id = $1::int8
                """
            case .addAliases:
                """
                INSERT INTO waymark.link_alias (slug, host, link) SELECT * FROM unnest($1::text[], $2::int8[], $3::int8[])
                """
            case .removeAlias: "DELETE FROM waymark.link_alias WHERE slug = $1::text AND host = $2::int8"
            case .removeAliases: "DELETE FROM waymark.link_alias WHERE link = ANY ($1::int8[])"
            case .addHistory:
                """
                INSERT INTO waymark.link_change (link, version, at, author, author_name, fields, slug, content)
                SELECT link, version, at, author, author_name, fields, convert_from(slug, 'UTF8'), content FROM unnest(
                    $1::int8[], $2::int8[], $3::int8[], $4::bytea[], $5::bytea[], $6::text[], $7::bytea[], $8::bytea[]
                ) AS given (link, version, at, author, author_name, fields, slug, content)
                ON CONFLICT DO NOTHING
                """
            case .removeHistory: "DELETE FROM waymark.link_change WHERE link = ANY ($1::int8[])"
            case .addFolded:
                """
                INSERT INTO waymark.link_folded (slug, host, link) SELECT * FROM unnest($1::text[], $2::int8[], $3::int8[])
                """
            case .foldedOwners:
                """
                SELECT wanted.place, folded.link
                FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (slug, host, place)
                JOIN waymark.host ON host.name = wanted.host
                JOIN waymark.link_folded AS folded ON folded.slug = wanted.slug AND folded.host = host.number
                """
            case .loadTaken:
                """
                SELECT wanted.place FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (slug, host, place)
                JOIN waymark.host ON host.name = wanted.host
                JOIN waymark.link ON link.slug = wanted.slug AND link.host = host.number
                UNION ALL
                SELECT wanted.place FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (slug, host, place)
                JOIN waymark.host ON host.name = wanted.host
                JOIN waymark.link_alias AS alias ON alias.slug = wanted.slug AND alias.host = host.number
                """
            default: ""
            }
        }
    }
#endif

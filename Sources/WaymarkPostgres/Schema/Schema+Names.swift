#if PostgreSQL
    extension Schema {
        static let nameMigrations: [[String]] = [
            // 13: slugs and aliases of a host are unique together, whichever program writes: a version that knows no aliases
            // can't give one to another link. No index covers two tables, so triggers compare them, under a lock that
            // creations share. The error is not that of a unique index, which programs answer by repeating all writes of a
            // transaction: it refuses one write. A deletion by a program without aliases frees them too.
            [
                """
                CREATE FUNCTION waymark.check_new_slugs() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    PERFORM pg_advisory_xact_lock_shared(\(LockKey.names));
                    IF EXISTS (
                        SELECT FROM added JOIN waymark.link_alias AS alias
                            ON alias.slug = added.slug AND alias.host = added.host)
                    THEN RAISE exclusion_violation USING MESSAGE = 'a slug is an alias of another link'; END IF;
                    RETURN NULL;
                END $$
                """,
                """
                CREATE FUNCTION waymark.check_changed_slug() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    PERFORM pg_advisory_xact_lock(\(LockKey.names));
                    IF EXISTS (
                        SELECT FROM waymark.link_alias AS alias WHERE alias.slug = NEW.slug AND alias.host = NEW.host)
                    THEN RAISE exclusion_violation USING MESSAGE = 'a slug is an alias of another link'; END IF;
                    RETURN NULL;
                END $$
                """,
                """
                CREATE FUNCTION waymark.check_alias() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    PERFORM pg_advisory_xact_lock(\(LockKey.names));
                    IF EXISTS (SELECT FROM waymark.link WHERE link.slug = NEW.slug AND link.host = NEW.host)
                    THEN RAISE exclusion_violation USING MESSAGE = 'an alias is the slug of a link'; END IF;
                    RETURN NULL;
                END $$
                """,
                """
                CREATE FUNCTION waymark.remove_aliases() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    DELETE FROM waymark.link_alias USING removed WHERE link_alias.link = removed.id;
                    RETURN NULL;
                END $$
                """,
                """
                CREATE TRIGGER check_new_slugs AFTER INSERT ON waymark.link REFERENCING NEW TABLE AS added
                FOR EACH STATEMENT EXECUTE FUNCTION waymark.check_new_slugs()
                """,
                """
                CREATE TRIGGER check_changed_slug AFTER UPDATE OF slug, host ON waymark.link
                FOR EACH ROW EXECUTE FUNCTION waymark.check_changed_slug()
                """,
                """
                CREATE TRIGGER check_alias AFTER INSERT OR UPDATE ON waymark.link_alias
                FOR EACH ROW EXECUTE FUNCTION waymark.check_alias()
                """,
                """
                CREATE TRIGGER remove_aliases AFTER DELETE ON waymark.link REFERENCING OLD TABLE AS removed
                FOR EACH STATEMENT EXECUTE FUNCTION waymark.remove_aliases()
                """,
            ]
        ]
    }
#endif

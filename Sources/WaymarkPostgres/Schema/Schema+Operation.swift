#if PostgreSQL
    extension Schema {
        /// From 14 on: imports, summaries, the history, and what came after.
        static let operationMigrations: [[String]] = [
            // 14: imports over the API and the pieces of their reports. server is the process that runs one, empty once that is
            // known to have ended; state is what callers read.
            [
                """
                CREATE TABLE waymark.import_run (
                    id text PRIMARY KEY,
                    key text NOT NULL,
                    application text NOT NULL,
                    server text NOT NULL,
                    seen_at int8 NOT NULL,
                    stop boolean NOT NULL,
                    created_at int8 NOT NULL,
                    ended_at int8,
                    state bytea NOT NULL,
                    report_bytes int8 NOT NULL
                )
                """,
                """
                CREATE TABLE waymark.import_report (
                    run text NOT NULL REFERENCES waymark.import_run (id) ON DELETE CASCADE,
                    piece int8 NOT NULL,
                    bytes bytea NOT NULL,
                    PRIMARY KEY (run, piece)
                )
                """,
            ],
            // 15: summaries of applications that hold more values than are kept now, or none because there were too many;
            // they are made again.
            ["DELETE FROM waymark.click_summary WHERE span = 0"],
            // 16: up to which day older click records are counted into totals. Since when each change of a link has an entry
            // in its history: a day from now, because servers of earlier versions may run on, which write none for a change of nothing.
            [
                "ALTER TABLE waymark.click_total_start ADD COLUMN counted int8",
                "CREATE TABLE waymark.link_change_start (at int8 PRIMARY KEY)",
                """
                INSERT INTO waymark.link_change_start (at)
                SELECT floor(extract(epoch FROM now()) * 1000)::int8 + 86400000
                WHERE EXISTS (SELECT FROM waymark.link)
                """,
            ],
            // 17: clicks that use up nothing of max_clicks.
            ["ALTER TABLE waymark.link ADD COLUMN free_clicks int8 NOT NULL DEFAULT 0"],
            // 18: the rules that an application has for slugs, as in SlugRules; slugs and aliases of applications that ignore
            // case, folded, which go with their link whichever program deletes it.
            [
                "ALTER TABLE waymark.application ADD COLUMN slug_rules int8 NOT NULL DEFAULT 0",
                """
                CREATE TABLE waymark.link_folded (
                    slug text COLLATE "C" NOT NULL, host int4 NOT NULL, link int8 NOT NULL, PRIMARY KEY (slug, host)
                )
                """,
                "CREATE INDEX link_folded_link ON waymark.link_folded (link)",
                """
                CREATE OR REPLACE FUNCTION waymark.remove_aliases() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    DELETE FROM waymark.link_alias USING removed WHERE link_alias.link = removed.id;
                    DELETE FROM waymark.link_folded USING removed WHERE link_folded.link = removed.id;
                    RETURN NULL;
                END $$
                """,
            ],
            // 19: installations on Android, from install events and claims by Play's referrer, each once; and how many of the
            // install events are of Android.
            [
                """
                ALTER TABLE waymark.link_activity ADD COLUMN android_install_events int8 NOT NULL DEFAULT 0,
                    ADD COLUMN android_installs int8 NOT NULL DEFAULT 0
                """
            ],
            // 20: the numbers under which clicks on an application's long links are counted, one for each of its domains:
            // random and negative, so that none is that of a link, and none comes again after its application was deleted.
            // The blocks of an application are deleted later, whichever program deletes it.
            [
                """
                CREATE TABLE waymark.long_link (
                    number int8 PRIMARY KEY,
                    application int4 NOT NULL REFERENCES waymark.application (number) ON DELETE CASCADE,
                    host int4 NOT NULL REFERENCES waymark.host (number),
                    UNIQUE (application, host)
                )
                """,
                """
                CREATE FUNCTION waymark.note_click_leftover() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    INSERT INTO waymark.click_leftover (link) VALUES (OLD.number) ON CONFLICT DO NOTHING;
                    RETURN NULL;
                END $$
                """,
                """
                CREATE TRIGGER long_link_removed AFTER DELETE ON waymark.long_link
                FOR EACH ROW EXECUTE FUNCTION waymark.note_click_leftover()
                """,
            ],
            people,
            // 22: nothing: PostgreSQL splits long rows, and packs what it splits off.
            [],
            // 23: nothing. In SQLite, where one server has the database, that server looks up whether a slug is an alias. Here the
            // trigger stays, because servers of other versions write too.
            [],
            audit,
            oauth,
            applicationExtras,
            shipments,
            deliveryLanes,
            totalShares,
            verification,
            associationFetches,
            linkHistory,
        ]
    }
#endif

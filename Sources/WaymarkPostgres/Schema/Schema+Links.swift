#if PostgreSQL
    extension Schema {
        /// 1 to 10: applications, links, keys, clicks and their totals.
        static let linkMigrations: [[String]] = [
            // 1: the first release. Names that would be repeated in millions of rows are stored as numbers. Values
            // that may contain U+0000 are bytea, because text can't. No foreign keys on `link`: each new row would
            // lock its application's row; advisory locks do the same once per transaction.
            [
                // IF NOT EXISTS would require the right to create schemas even if an administrator has made this one.
                """
                DO $$ BEGIN
                    IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'waymark') THEN CREATE SCHEMA waymark; END IF;
                END $$
                """,
                """
                CREATE TABLE waymark.migration (
                    number int4 PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now()
                )
                """,
                """
                CREATE TABLE waymark.application (
                    number int4 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    name text COLLATE "C" NOT NULL UNIQUE,
                    document bytea NOT NULL,
                    version int8 NOT NULL
                )
                """,
                """
                CREATE TABLE waymark.application_domain (
                    domain text COLLATE "C" PRIMARY KEY,
                    application int4 NOT NULL REFERENCES waymark.application (number) ON DELETE CASCADE,
                    place int4 NOT NULL
                )
                """,
                "CREATE INDEX application_domain_application ON waymark.application_domain (application)",
                // What links depend on, counted with each write: counting millions of links takes seconds. Each count
                // is the sum of its shards, so that servers do not queue for one row. kind 1: name is a domain; 2:
                // name is a route that needs a template.
                """
                CREATE TABLE waymark.application_use (
                    application int4 NOT NULL,
                    kind int2 NOT NULL,
                    name bytea NOT NULL,
                    share int2 NOT NULL,
                    links int8 NOT NULL,
                    PRIMARY KEY (application, kind, name, share)
                ) WITH (fillfactor = 50)
                """,
                """
                CREATE TABLE waymark.host (
                    number int4 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    name text COLLATE "C" NOT NULL UNIQUE
                )
                """,
                // A sequence never returns an ID twice, whatever is deleted or rolled back. redeem_limit and
                // max_clicks duplicate values of content, for statements that compare with them. Wide columns first:
                // no padding. The fill factor lets counts change without index updates.
                "CREATE SEQUENCE waymark.link_id AS int8",
                """
                CREATE TABLE waymark.link (
                    id int8 PRIMARY KEY,
                    version int8 NOT NULL,
                    redeem_limit int8 NOT NULL,
                    redeemed int8 NOT NULL,
                    max_clicks int8,
                    clicks int8 NOT NULL,
                    reserved int8 NOT NULL,
                    created_at int8 NOT NULL,
                    updated_at int8 NOT NULL,
                    application int4 NOT NULL,
                    host int4 NOT NULL,
                    has_metadata bool NOT NULL,
                    slug text COLLATE "C" NOT NULL,
                    content bytea NOT NULL,
                    identity bytea
                ) WITH (fillfactor = 90)
                """,
                "CREATE UNIQUE INDEX link_address ON waymark.link (slug, host)",
                "CREATE INDEX link_application ON waymark.link (application, id)",
                """
                CREATE UNIQUE INDEX link_identity ON waymark.link (application, identity) WHERE identity IS NOT NULL
                """,
                "CREATE TABLE waymark.link_metadata (link int8 PRIMARY KEY, metadata bytea NOT NULL)",
                "CREATE TABLE waymark.link_tag (tag bytea NOT NULL, link int8 NOT NULL, PRIMARY KEY (tag, link))",
                // The activity reported by apps, for links that have any. Separate from link, because its rows are
                // wide.
                """
                CREATE TABLE waymark.link_event (link int8 PRIMARY KEY, opens int8 NOT NULL, installs int8 NOT NULL)
                """,
                // Click records, in blocks of one server's clicks over a few seconds, by day: old ones are removed
                // from the front, and a link's are looked up for each day.
                """
                CREATE TABLE waymark.click_block (
                    day int8 NOT NULL,
                    link int8 NOT NULL,
                    number int8 NOT NULL,
                    bytes bytea NOT NULL,
                    PRIMARY KEY (day, link, number)
                )
                """,
                // They are already compressed.
                "ALTER TABLE waymark.click_block ALTER COLUMN bytes SET STORAGE EXTERNAL",
                // Deleted links with remaining blocks, too many to delete at once.
                "CREATE TABLE waymark.click_leftover (link int8 PRIMARY KEY)",
                // kind 1: answer is the stored response; 2: answer is a redeem record; 3: a claim, whose scope is a
                // click and whose fingerprint is the installation that has it, or an idempotency key's; 4: an event
                // that was counted, whose scope is its digest.
                """
                CREATE TABLE waymark.idempotency (
                    scope bytea PRIMARY KEY,
                    fingerprint bytea NOT NULL,
                    expires_at int8 NOT NULL,
                    kind int2 NOT NULL,
                    answer bytea NOT NULL
                )
                """,
                "CREATE INDEX idempotency_expiry ON waymark.idempotency (expires_at)",
                """
                CREATE TABLE waymark.api_key (
                    id bytea PRIMARY KEY,
                    name bytea NOT NULL,
                    digest bytea NOT NULL,
                    application text COLLATE "C",
                    scopes text NOT NULL,
                    created_at int8 NOT NULL,
                    expires_at int8
                )
                """,
                "CREATE TABLE waymark.secret (name bytea PRIMARY KEY, value bytea NOT NULL)",
            ],
            // 2: the hosts of an application other than its domains, to detect conflicts with another application;
            // two applications share one only if it predates this table. When a key was last used.
            [
                """
                CREATE TABLE waymark.application_host (
                    application int4 NOT NULL REFERENCES waymark.application (number) ON DELETE CASCADE,
                    host text COLLATE "C" NOT NULL,
                    PRIMARY KEY (application, host)
                )
                """,
                "CREATE INDEX application_host_host ON waymark.application_host (host)",
                "ALTER TABLE waymark.api_key ADD COLUMN last_used_at int8",
                "CREATE INDEX api_key_digest ON waymark.api_key (digest)",
            ],
            // 3: activity of apps per link, by day (UTC, days since 1970), for days with any activity.
            [
                """
                CREATE TABLE waymark.link_activity (
                    link int8 NOT NULL,
                    day int8 NOT NULL,
                    opens int8 NOT NULL,
                    installs int8 NOT NULL,
                    resolves int8 NOT NULL,
                    redeems int8 NOT NULL,
                    claims int8 NOT NULL,
                    PRIMARY KEY (link, day)
                )
                """
            ],
            // 4: the last batch of counts of each writer and its result, so that a repeated batch is written only
            // once. There are few writers per server, and with no index but the key their rows are updated in place.
            [
                """
                CREATE TABLE waymark.written_batch (
                    writer bytea PRIMARY KEY,
                    batch int8 NOT NULL,
                    result int8 NOT NULL,
                    expires_at int8 NOT NULL
                ) WITH (fillfactor = 50)
                """
            ],
            // 5: routes that apps reported, the newest report of each path; schemes in one text, separated by spaces.
            // Which platform a key was made for.
            [
                """
                CREATE TABLE waymark.registered_route (
                    application int4 NOT NULL REFERENCES waymark.application (number) ON DELETE CASCADE,
                    path text COLLATE "C" NOT NULL,
                    platform text,
                    device text,
                    build text,
                    version text,
                    url_schemes text NOT NULL,
                    registered_at int8 NOT NULL,
                    PRIMARY KEY (application, path)
                )
                """,
                "ALTER TABLE waymark.api_key ADD COLUMN platform text",
            ],
            // 6: totals of clicks: of each application by quarter of an hour (since 1970), and of 64 links by day. If there
            // are click records already, the day since which totals are kept: the next one.
            [
                """
                CREATE TABLE waymark.click_total (
                    application int4 NOT NULL REFERENCES waymark.application (number) ON DELETE CASCADE,
                    quarter int8 NOT NULL,
                    bytes bytea NOT NULL,
                    PRIMARY KEY (application, quarter)
                )
                """,
                "CREATE INDEX click_total_quarter ON waymark.click_total (quarter)",
                "ALTER TABLE waymark.click_total ALTER COLUMN bytes SET STORAGE EXTERNAL",
                """
                CREATE TABLE waymark.click_total_link (
                    day int8 NOT NULL, page int8 NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (day, page)
                )
                """,
                "CREATE TABLE waymark.click_total_start (day int8 PRIMARY KEY)",
                """
                INSERT INTO waymark.click_total_start (day)
                SELECT floor(extract(epoch FROM now()) / 86400)::int8 + 1
                WHERE EXISTS (SELECT FROM waymark.click_block)
                """,
            ],
            // 7: the index of the link search, in leaves of some words each (SearchSegment), and the links that were made or
            // changed since they were indexed, by their version. Triggers note them, for servers of the previous version
            // too; the older links, up to the newest of now, are indexed in the order of their IDs. When links expire, of
            // those that do. The order of links by clicks, of those that have any; refreshed later than the counts.
            [
                """
                CREATE TABLE waymark.search_part (
                    segment int8 NOT NULL, part int8 NOT NULL, links int8 NOT NULL, PRIMARY KEY (segment, part)
                )
                """,
                """
                CREATE TABLE waymark.search_leaf (
                    segment int8 NOT NULL,
                    part int8 NOT NULL,
                    first bytea NOT NULL,
                    bytes bytea NOT NULL,
                    PRIMARY KEY (segment, part, first)
                )
                """,
                "CREATE TABLE waymark.search_change (link int8 NOT NULL, version int8 NOT NULL, PRIMARY KEY (link, version))",
                """
                CREATE FUNCTION waymark.note_new_links() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    INSERT INTO waymark.search_change (link, version) SELECT id, version FROM added ON CONFLICT DO NOTHING;
                    RETURN NULL;
                END $$
                """,
                """
                CREATE FUNCTION waymark.note_changed_link() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    INSERT INTO waymark.search_change (link, version) VALUES (NEW.id, NEW.version) ON CONFLICT DO NOTHING;
                    RETURN NULL;
                END $$
                """,
                """
                CREATE TRIGGER new_links AFTER INSERT ON waymark.link REFERENCING NEW TABLE AS added
                FOR EACH STATEMENT EXECUTE FUNCTION waymark.note_new_links()
                """,
                """
                CREATE TRIGGER changed_link AFTER UPDATE OF content ON waymark.link
                FOR EACH ROW EXECUTE FUNCTION waymark.note_changed_link()
                """,
                "CREATE TABLE waymark.search_state (indexed int8 NOT NULL, target int8 NOT NULL)",
                // After the trigger, which waits for transactions that make links.
                """
                INSERT INTO waymark.search_state (indexed, target) SELECT 0, coalesce(max(id), 0) FROM waymark.link
                """,
                """
                CREATE TABLE waymark.link_expiry (
                    expires_at int8 NOT NULL, link int8 NOT NULL, PRIMARY KEY (expires_at, link)
                )
                """,
                "CREATE TABLE waymark.click_order (link int8 PRIMARY KEY, clicks int8 NOT NULL)",
                "CREATE INDEX click_order_clicks ON waymark.click_order (clicks, link)",
            ],
            // 8: earlier slugs of renamed links, which their content repeats, and who changed which fields of a link
            // when; fields in one text, separated by spaces.
            [
                """
                CREATE TABLE waymark.link_alias (
                    slug text COLLATE "C" NOT NULL, host int4 NOT NULL, link int8 NOT NULL, PRIMARY KEY (slug, host)
                )
                """,
                "CREATE INDEX link_alias_link ON waymark.link_alias (link)",
                """
                CREATE TABLE waymark.link_change (
                    link int8 NOT NULL,
                    version int8 NOT NULL,
                    at int8 NOT NULL,
                    author bytea,
                    author_name bytea,
                    fields text NOT NULL,
                    PRIMARY KEY (link, version)
                )
                """,
            ],
            // 9: visits of addresses that no link has, by day.
            [
                """
                CREATE TABLE waymark.unknown_visit (
                    application int4 NOT NULL REFERENCES waymark.application (number) ON DELETE CASCADE,
                    day int8 NOT NULL,
                    bytes bytea NOT NULL,
                    PRIMARY KEY (application, day)
                )
                """
            ],
            // 10: summaries of clicks on past days (ClickSummaryStore): their parts, and as part -1 their state, which is 0 and a
            // token while one is made, and 1 and its directory when it is complete. When links with clicks were deleted: for
            // each application and day the earliest day on which one of them was created.
            [
                """
                CREATE TABLE waymark.click_summary (
                    span int8 NOT NULL, day int8 NOT NULL, part int8 NOT NULL, bytes bytea NOT NULL,
                    PRIMARY KEY (span, day, part)
                )
                """,
                "ALTER TABLE waymark.click_summary ALTER COLUMN bytes SET STORAGE EXTERNAL",
                """
                CREATE TABLE waymark.link_deletion (
                    application int4 NOT NULL REFERENCES waymark.application (number) ON DELETE CASCADE,
                    day int8 NOT NULL,
                    since int8 NOT NULL,
                    PRIMARY KEY (application, day)
                )
                """,
            ],
        ]
    }
#endif

internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

/// The tables, as a list of numbered migrations. A released migration is never edited: later ones are added.
enum Schema {
    /// Marks the file as ours ("WAYM"), in the application_id of SQLite's header.
    static let applicationID = 0x5741_594D
    static var version: Int { migrations.count }

    /// Rejects files that this version does not understand, without changing them.
    static func check(_ database: Database) throws {
        let mark = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let found = try self.found(database)
        if mark == applicationID {
            guard found <= version else {
                throw StoreError.corrupt("the database was made by a newer version of this program")
            }
            return
        }
        let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        guard mark == 0 && found == 0 && tables == 0 else {
            throw StoreError.corrupt("the database belongs to another program")
        }
    }

    /// Runs the missing migrations, each in its own transaction together with its number.
    static func migrate(_ database: Database, reporting report: (SchemaChange) -> Void = { _ in }) throws {
        let found = try self.found(database)
        try SchemaChange.reporting(from: found, to: version, report) {
            for (position, statements) in migrations.enumerated() where position >= found {
                try database.inTransaction(.immediate) {
                    try database.execute(sql: statements)
                    try database.execute(sql: "PRAGMA application_id = \(applicationID)")
                    try database.execute(sql: "PRAGMA user_version = \(position + 1)")
                    return .commit
                }
            }
        }
    }

    /// Number of migrations that have run.
    static func found(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    }

    static let migrations = [
        // 1: the first release. Names that would be repeated in millions of rows are stored as numbers.
        """
        CREATE TABLE application (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE,
            document BLOB NOT NULL,
            version INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE application_domain (
            domain TEXT PRIMARY KEY,
            application INTEGER NOT NULL REFERENCES application (number) ON DELETE CASCADE,
            place INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX application_domain_application ON application_domain (application);

        -- What links stand on, counted with each write: counting millions of links takes seconds.
        -- kind 1: name is a domain; 2: name is a route that needs a template.
        CREATE TABLE application_use (
            application INTEGER NOT NULL REFERENCES application (number) ON DELETE CASCADE,
            kind INTEGER NOT NULL,
            name TEXT NOT NULL,
            links INTEGER NOT NULL,
            PRIMARY KEY (application, kind, name)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE host (
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE
        ) STRICT;

        -- AUTOINCREMENT: an id is never given twice, whatever is deleted. redeem_limit and max_clicks repeat what
        -- content holds, for statements that must compare with them.
        CREATE TABLE link (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            application INTEGER NOT NULL REFERENCES application (number),
            host INTEGER NOT NULL REFERENCES host (number),
            slug TEXT NOT NULL,
            version INTEGER NOT NULL,
            has_metadata INTEGER NOT NULL,
            redeem_limit INTEGER NOT NULL,
            redeemed INTEGER NOT NULL,
            max_clicks INTEGER,
            reserved INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            content BLOB NOT NULL,
            identity BLOB
        ) STRICT;
        CREATE UNIQUE INDEX link_address ON link (slug, host);
        CREATE INDEX link_application ON link (application);
        CREATE UNIQUE INDEX link_identity ON link (application, identity) WHERE identity IS NOT NULL;

        -- People's clicks, of 64 links a row (ClickCountPage): of links that are clicked within a second most share their row
        -- with others, and to find and write a row is what a count costs. No reference to link, which has many for each row.
        CREATE TABLE click_count (
            page INTEGER PRIMARY KEY,
            counts BLOB NOT NULL
        ) STRICT;

        CREATE TABLE link_metadata (
            link INTEGER PRIMARY KEY REFERENCES link (id) ON DELETE CASCADE,
            metadata BLOB NOT NULL
        ) STRICT;

        -- No reference to link: its rows are deleted by their whole key, and a reference would need one more index.
        CREATE TABLE link_tag (
            tag TEXT NOT NULL,
            link INTEGER NOT NULL,
            PRIMARY KEY (tag, link)
        ) STRICT, WITHOUT ROWID;

        -- What apps reported, of links that have any: opens and first starts after an installation.
        CREATE TABLE link_event (
            link INTEGER PRIMARY KEY REFERENCES link (id) ON DELETE CASCADE,
            opens INTEGER NOT NULL,
            installs INTEGER NOT NULL
        ) STRICT;

        -- What clicks say, a server's of a few seconds in a row, by day: what is old goes from the front, and a link's are
        -- looked up for each day. No reference to link: it would need an index by link, as large as the table.
        CREATE TABLE click_block (
            day INTEGER NOT NULL,
            link INTEGER NOT NULL,
            number INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (day, link, number)
        ) STRICT, WITHOUT ROWID;

        -- Deleted links of which blocks are left, too many to go at once.
        CREATE TABLE click_leftover (link INTEGER PRIMARY KEY) STRICT;

        -- kind 1: answer is what was answered; 2: answer is a redeem record; 3: a claim, whose scope is a click and whose
        -- fingerprint is the installation that has it, or an idempotency key's; 4: an event that was counted, whose scope
        -- is its digest.
        CREATE TABLE idempotency (
            number INTEGER PRIMARY KEY,
            scope BLOB NOT NULL UNIQUE,
            fingerprint BLOB NOT NULL,
            expires_at INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            answer BLOB NOT NULL
        ) STRICT;
        CREATE INDEX idempotency_expiry ON idempotency (expires_at);

        CREATE TABLE api_key (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            digest BLOB NOT NULL,
            application TEXT,
            scopes TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE secret (
            name TEXT PRIMARY KEY,
            value BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        """,
        // 2: the hosts of an application other than its domains, to detect conflicts with another application; two
        // applications share one only if it predates this table. When a key was last used.
        """
        CREATE TABLE application_host (
            application INTEGER NOT NULL REFERENCES application (number) ON DELETE CASCADE,
            host TEXT NOT NULL,
            PRIMARY KEY (application, host)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX application_host_host ON application_host (host);

        ALTER TABLE api_key ADD COLUMN last_used_at INTEGER;
        CREATE INDEX api_key_digest ON api_key (digest);
        """,
        // 3: activity of apps per link, by day (UTC, days since 1970), for days with any activity.
        """
        CREATE TABLE link_activity (
            link INTEGER NOT NULL REFERENCES link (id) ON DELETE CASCADE,
            day INTEGER NOT NULL,
            opens INTEGER NOT NULL,
            installs INTEGER NOT NULL,
            resolves INTEGER NOT NULL,
            redeems INTEGER NOT NULL,
            claims INTEGER NOT NULL,
            PRIMARY KEY (link, day)
        ) STRICT, WITHOUT ROWID;
        """,
        // 4: the last batch of counts of each writer and its result, so that a repeated batch is written only once.
        // There are few writers per server, so a full scan to delete their rows is cheap.
        """
        CREATE TABLE written_batch (
            writer BLOB PRIMARY KEY,
            batch INTEGER NOT NULL,
            result INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """,
        // 5: routes that apps reported, the newest report of each path; schemes in one text, separated by spaces. Which
        // platform a key was made for.
        """
        CREATE TABLE registered_route (
            application INTEGER NOT NULL REFERENCES application (number) ON DELETE CASCADE,
            path TEXT NOT NULL,
            platform TEXT,
            device TEXT,
            build TEXT,
            version TEXT,
            url_schemes TEXT NOT NULL,
            registered_at INTEGER NOT NULL,
            PRIMARY KEY (application, path)
        ) STRICT, WITHOUT ROWID;

        ALTER TABLE api_key ADD COLUMN platform TEXT;
        """,
        // 6: totals of clicks: of each application by quarter of an hour (since 1970), and of 64 links by day. If there are
        // click records already, the day since which totals are kept: the next one.
        """
        CREATE TABLE click_total (
            application INTEGER NOT NULL REFERENCES application (number) ON DELETE CASCADE,
            quarter INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (application, quarter)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE click_total_link (
            day INTEGER NOT NULL,
            page INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (day, page)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE click_total_start (day INTEGER PRIMARY KEY) STRICT;
        INSERT INTO click_total_start (day)
            SELECT CAST(strftime('%s', 'now') AS INTEGER) / 86400 + 1 WHERE EXISTS (SELECT 1 FROM click_block);
        """,
        // 7: the index of the link search, in leaves of some words each (SearchSegment); links that were changed since they
        // were indexed, by their version; up to which ID new links are indexed. When links expire, of those that do. The
        // order of links by clicks, of those that have any; refreshed later than the counts.
        """
        CREATE TABLE search_part (
            segment INTEGER NOT NULL,
            part INTEGER NOT NULL,
            links INTEGER NOT NULL,
            PRIMARY KEY (segment, part)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE search_leaf (
            segment INTEGER NOT NULL,
            part INTEGER NOT NULL,
            first BLOB NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (segment, part, first)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE search_change (
            link INTEGER NOT NULL,
            version INTEGER NOT NULL,
            PRIMARY KEY (link, version)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE search_state (indexed INTEGER NOT NULL) STRICT;
        INSERT INTO search_state (indexed) VALUES (0);

        CREATE TABLE link_expiry (
            expires_at INTEGER NOT NULL,
            link INTEGER NOT NULL,
            PRIMARY KEY (expires_at, link)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE click_order (link INTEGER PRIMARY KEY, clicks INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE INDEX click_order_clicks ON click_order (clicks, link);
        """,
        // 8: earlier slugs of renamed links, which their content repeats, and who changed which fields of a link when;
        // fields in one text, separated by spaces.
        """
        CREATE TABLE link_alias (
            slug TEXT NOT NULL,
            host INTEGER NOT NULL REFERENCES host (number),
            link INTEGER NOT NULL REFERENCES link (id) ON DELETE CASCADE,
            PRIMARY KEY (slug, host)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX link_alias_link ON link_alias (link);

        CREATE TABLE link_change (
            link INTEGER NOT NULL REFERENCES link (id) ON DELETE CASCADE,
            version INTEGER NOT NULL,
            at INTEGER NOT NULL,
            author TEXT,
            author_name TEXT,
            fields TEXT NOT NULL,
            PRIMARY KEY (link, version)
        ) STRICT, WITHOUT ROWID;
        """,
        // 9: visits of addresses that no link has, by day.
        """
        CREATE TABLE unknown_visit (
            application INTEGER NOT NULL REFERENCES application (number) ON DELETE CASCADE,
            day INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (application, day)
        ) STRICT, WITHOUT ROWID;
        """,
        // 10: summaries of clicks on past days (ClickSummaryStore): their parts, and as part -1 their state, which is 0 and a token
        // while one is made, and 1 and its directory when it is complete. When links with clicks were deleted: for each
        // application and day the earliest day on which one of them was created.
        """
        CREATE TABLE click_summary (
            span INTEGER NOT NULL,
            day INTEGER NOT NULL,
            part INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (span, day, part)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX click_summary_state ON click_summary (span, day) WHERE part = -1;

        CREATE TABLE link_deletion (
            application INTEGER NOT NULL REFERENCES application (number) ON DELETE CASCADE,
            day INTEGER NOT NULL,
            since INTEGER NOT NULL,
            PRIMARY KEY (application, day)
        ) STRICT, WITHOUT ROWID;
        """,
        // 11: endpoints of webhooks; events of committed changes, which the dispatcher turns into messages and one delivery for
        // each endpoint; and which links are known to have expired. types are those of an endpoint that is not disabled, as
        // bits; state and type are raw values of WebhookDelivery and EventType. Numbers of messages are those of the outbox.
        """
        CREATE TABLE webhook (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            application TEXT,
            types INTEGER NOT NULL,
            document BLOB NOT NULL
        ) STRICT;
        CREATE TABLE webhook_removed (
            webhook INTEGER PRIMARY KEY
        ) STRICT;

        CREATE TABLE outbox (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            event BLOB NOT NULL
        ) STRICT;

        CREATE TABLE message (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            type INTEGER NOT NULL,
            at INTEGER NOT NULL,
            body BLOB NOT NULL
        ) STRICT;
        CREATE INDEX message_at ON message (at);

        CREATE TABLE webhook_delivery (
            webhook INTEGER NOT NULL,
            message INTEGER NOT NULL,
            state INTEGER NOT NULL,
            next_attempt INTEGER NOT NULL,
            round INTEGER NOT NULL,
            attempts BLOB NOT NULL,
            PRIMARY KEY (webhook, message)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook, next_attempt, message) WHERE state = 0;

        CREATE TABLE expiry_report (
            one INTEGER PRIMARY KEY,
            expires_at INTEGER NOT NULL,
            link INTEGER NOT NULL
        ) STRICT;

        -- Conversions; sums are whole units and millionths, scale is digits behind the point.
        CREATE TABLE conversion (
            application INTEGER NOT NULL REFERENCES application (number) ON DELETE CASCADE,
            day INTEGER NOT NULL,
            link INTEGER NOT NULL,
            campaign TEXT NOT NULL,
            name TEXT NOT NULL,
            currency TEXT NOT NULL,
            count INTEGER NOT NULL,
            whole INTEGER NOT NULL,
            micros INTEGER NOT NULL,
            scale INTEGER NOT NULL,
            PRIMARY KEY (application, day, link, campaign, name, currency)
        ) STRICT, WITHOUT ROWID;
        """,
        // 12: failed deliveries in the order of their listing; small documents that servers keep, with a version for each change.
        """
        CREATE INDEX webhook_delivery_failed ON webhook_delivery (webhook, message) WHERE state = 2;

        CREATE TABLE document (
            name TEXT PRIMARY KEY,
            version INTEGER NOT NULL,
            content BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        """,
        uniqueNames,
        // 14: imports over the API and the pieces of their reports. server is the process that runs one, empty once that is
        // known to have ended; state is what callers read.
        """
        CREATE TABLE import_run (
            id TEXT PRIMARY KEY,
            key TEXT NOT NULL,
            application TEXT NOT NULL,
            server TEXT NOT NULL,
            seen_at INTEGER NOT NULL,
            stop INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            ended_at INTEGER,
            state BLOB NOT NULL,
            report_bytes INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE import_report (
            run TEXT NOT NULL REFERENCES import_run (id) ON DELETE CASCADE,
            piece INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            UNIQUE (run, piece)
        ) STRICT;
        """,
        // 15: summaries that hold more values than are kept now, or none because there were too many, are made again.
        "DELETE FROM click_summary WHERE span = 0;",
        // 16: up to which day older click records are counted into totals. Since when each change of a link has an entry in
        // its history, if there are links whose last change has none.
        """
        ALTER TABLE click_total_start ADD COLUMN counted INTEGER;

        CREATE TABLE link_change_start (at INTEGER PRIMARY KEY) STRICT;
        INSERT INTO link_change_start (at)
            SELECT last + 1 FROM (
                SELECT max(updated_at) AS last FROM link WHERE version > 1 AND NOT EXISTS (
                    SELECT 1 FROM link_change WHERE link = link.id AND link_change.version = link.version))
            WHERE last IS NOT NULL;
        """,
        // 17: clicks that use up nothing of max_clicks.
        "ALTER TABLE link ADD COLUMN free_clicks INTEGER NOT NULL DEFAULT 0;",
        slugRules,
        // 19: installations on Android, by install events and Play's referrer, each once; install events of Android.
        """
        ALTER TABLE link_activity ADD COLUMN android_install_events INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE link_activity ADD COLUMN android_installs INTEGER NOT NULL DEFAULT 0;
        """,
        longLinks, people, packedTotals,
        slugsWithoutTrigger, audit, oauth, applicationExtras, shipments, deliveryLanes,
        // 29: nothing: one server has the database.
        "", verification, associationFetches, linkHistory,
    ]
}

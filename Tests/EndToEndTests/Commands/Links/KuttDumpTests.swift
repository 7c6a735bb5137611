#if PostgreSQL
    import Foundation
    import Testing
    import WaymarkJSON
    import WaymarkTestSupport

    extension EndToEnd {
        /// Dumps that PostgreSQL makes of Kutt's tables.
        @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"))
        struct KuttDumpTests {
            private let installation: Installation

            init() throws { installation = try Installation() }

            /// Those that an import reads, as Kutt's migrations make them, and one that refers to them.
            private static let tables = """
                CREATE TABLE users (id serial PRIMARY KEY, apikey varchar(255) UNIQUE, email varchar(255) NOT NULL UNIQUE,
                    role text NOT NULL DEFAULT 'USER' CHECK (role IN ('USER', 'ADMIN')), password varchar(255) NOT NULL,
                    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now());
                CREATE TABLE domains (id serial PRIMARY KEY, banned boolean NOT NULL DEFAULT false,
                    banned_by_id integer REFERENCES users (id), address varchar(255) NOT NULL UNIQUE,
                    homepage varchar(255), user_id integer REFERENCES users (id) ON DELETE SET NULL,
                    uuid uuid NOT NULL DEFAULT gen_random_uuid(),
                    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now());
                CREATE TABLE links (id serial PRIMARY KEY, address varchar(255) NOT NULL, description varchar(255),
                    banned boolean NOT NULL DEFAULT false, banned_by_id integer REFERENCES users (id),
                    domain_id integer REFERENCES domains (id), password varchar(255), expire_in timestamptz,
                    target varchar(2040) NOT NULL, user_id integer REFERENCES users (id) ON DELETE CASCADE,
                    visit_count integer NOT NULL DEFAULT 0, uuid uuid NOT NULL DEFAULT gen_random_uuid(),
                    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now());
                CREATE INDEX links_address_index ON links (address);
                CREATE TABLE visits (id serial PRIMARY KEY, countries jsonb DEFAULT '{}', referrers jsonb,
                    link_id integer REFERENCES links (id) ON DELETE CASCADE, total integer NOT NULL DEFAULT 0,
                    created_at timestamptz NOT NULL DEFAULT now());
                """

            /// Texts that each form of a dump writes in its own way.
            private static let rows = #"""
                INSERT INTO users (email, password) VALUES ('owner@example.com', E'$2a$12$\\x');
                INSERT INTO domains (address, user_id) VALUES ('go.example.com', 1), ('other.example.com', 1);
                INSERT INTO links (address, description, target, domain_id, user_id, visit_count, created_at) VALUES
                    ('quotes', 'It''s "so"; -- no', 'https://shop.example.com/?q=it''s', 1, 1, 7, '2021-03-04 05:06:07+02'),
                    ('slashes', E'C:\\new\\table\\.', E'https://shop.example.com/a%5Cb', 1, 1, 0, '2021-03-04 05:06:07.9Z'),
                    ('lines', E'one\ntwo\tthree\r\n\\.\nfour', 'https://shop.example.com/lines', 1, NULL, 0, '2021-03-04Z'),
                    ('null', '\N', 'https://shop.example.com/null', 1, 1, 0, '2021-03-04Z'),
                    ('none', NULL, 'https://shop.example.com/none', NULL, 1, 0, '2021-03-04Z'),
                    ('größe-😀', '😀 $$ $_$ 漢字', 'https://shop.example.com/ü?😀', 1, 1, 2147483647, '2021-03-04Z');
                INSERT INTO links (address, description, target, domain_id, banned, banned_by_id, created_at) VALUES
                    ('banned', '', 'https://shop.example.com/banned', 1, true, 1, '2021-03-04Z');
                INSERT INTO links (address, target, domain_id, expire_in, created_at) VALUES
                    ('brief', 'https://shop.example.com/brief', 1, '2099-12-31 23:59:59.5+00', '2021-03-04Z');
                INSERT INTO links (address, target, domain_id, password) VALUES
                    ('secret', 'https://shop.example.com/secret', 1, E'$2a$12$\\t');
                INSERT INTO links (address, target, domain_id) VALUES
                    ('elsewhere', 'https://shop.example.com/elsewhere', 2),
                    (repeat('long', 60), 'https://shop.example.com/long', 1);
                INSERT INTO visits (link_id, total, referrers) SELECT id, 3, '{"a\\b": "it''s"}' FROM links;
                """#

            /// Slug, and the members that a link must have.
            private static let links: [(slug: String, members: JSONObject)] = [
                (
                    "quotes",
                    [
                        "title": #"It's "so"; -- no"#, "urls": ["web": "https://shop.example.com/?q=it's"],
                        "importedClicks": 7, "createdAt": "2021-03-04T03:06:07Z",
                    ]
                ),
                (
                    "slashes",
                    [
                        "title": #"C:\new\table\."#, "urls": ["web": "https://shop.example.com/a%5Cb"],
                        "createdAt": "2021-03-04T05:06:07Z",
                    ]
                ),
                ("lines", ["title": #"one two three  \. four"#]), ("null", ["title": #"\N"#]),
                ("none", ["title": nil]),
                (
                    "größe-😀",
                    [
                        "title": "😀 $$ $_$ 漢字", "urls": ["web": "https://shop.example.com/%C3%BC?%F0%9F%98%80"],
                        "importedClicks": 2_147_483_647,
                    ]
                ),
                ("banned", ["disabled": true]), ("brief", ["expiresAt": "2099-12-31T23:59:59.500Z"]),
            ]

            @Test(arguments: [
                [], ["--inserts"], ["--column-inserts", "--rows-per-insert=3"], ["--table=links", "--table=domains"],
                ["--data-only"], ["--clean", "--if-exists", "--create", "--quote-all-identifiers"],
                ["--encoding=UTF8", "--no-owner", "--disable-dollar-quoting", "--inserts"],
            ])
            func aDumpOfKuttsTablesIsImportedWhole(options: [String]) throws {
                let server = try PostgresServer.shared.get()
                let database = try server.database()
                _ = try server.output(
                    of: "psql", ["--quiet", "--command", Self.tables, "--command", Self.rows], on: database)
                let dump = installation.folder.appendingPathComponent("kutt.sql")
                try Data(server.output(of: "pg_dump", options, on: database)).write(to: dump)
                let report = installation.folder.appendingPathComponent("report.csv")
                let run = try installation.run([
                    "links", "import", "--from", "kutt", dump.path, "--app", "shop", "--config",
                    installation.configurationFile.path, "--json", "--report", report.path,
                ])
                #expect(run.json["created"] == JSONValue(Self.links.count), "\(run)")
                let lines = try String(contentsOf: report, encoding: .utf8)
                #expect(run.json["refused"] == 3, "\(run)\n\(lines)")
                for (slug, members) in Self.links {
                    let shown = try installation.run([
                        "links", "show", "\(Shop.host)/\(slug)", "--config", installation.configurationFile.path,
                        "--json",
                    ])
                    for member in members.members {
                        #expect((shown.json[member.name] ?? .null) == member.value, "\(slug): \(shown)\n\(lines)")
                    }
                }
            }
        }
    }
#endif

import Testing
import WaymarkAPI
import WaymarkImports
import WaymarkLinks

/// Dumps of MySQL, PostgreSQL and SQLite, each by its own rules.
@Suite struct SQLDumpTests {
    struct Dump: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        /// Of each row slug, title and destination.
        let rows: [[String]]

        init(_ name: String, _ text: String, _ rows: [[String]]) {
            testDescription = name
            self.text = text
            self.rows = rows
        }
    }

    private static let table = "CREATE TABLE links (id integer, address text, description text, target text);\n"
    private static let a = "https://a.example/"

    static let dumps = [
        Dump(
            "COPY",
            ##"""
            --
            -- PostgreSQL database dump
            --

            \restrict x
            SET client_encoding = 'UTF8';
            CREATE FUNCTION public.f() RETURNS trigger LANGUAGE plpgsql AS $_$ BEGIN
            INSERT INTO links VALUES (9, 'it''s', '$', 'no');
            '; $$ don't
            END; $_$;
            CREATE TABLE public.links (
                id integer DEFAULT nextval('public.x'::regclass) NOT NULL,
                address character varying(255) NOT NULL,
                description character varying(255),
                target character varying(2040) NOT NULL
            );
            COPY public.logs (text) FROM stdin;
            INSERT INTO links VALUES (9, 'log', 'no');
            \.no
            it's
            \.


            COPY public.links (id, address, description, target) FROM stdin;
            1	abc	C:\\dir\tab\nline	https://a.example/
            2	def	\N	https://a.example/
            3	gh\\N	\\N	https://a.example/
            4	O'k	"x"	https://a.example/
            \.

            SELECT pg_catalog.setval('public.x', 4, true);
            \unrestrict x

            """##,
            [
                ["abc", "C:\\dir ab line", a], ["def", "", a], ["gh\\N", "\\N", a], ["O'k", "\"x\"", a],
            ]),
        Dump(
            "COPY of no rows of two", "COPY links (address, target) FROM stdin;\nx\thttps://a.example/\r\n\\.\r",
            [["x", "", a]]),
        Dump(
            "INSERT of PostgreSQL",
            "-- PostgreSQL database dump\n" + table + ##"""
                INSERT INTO public.links VALUES (1, 'one', 'C:\', 'https://a.example/');
                INSERT INTO public.links VALUES (2, 'two', E'C:\\it\'s', 'https://a.example/'), (3, '#x', '--', 'https://a.example/');

                """##, [["one", "C:\\", a], ["two", "C:\\it's", a], ["#x", "--", a]]),
        Dump(
            "SQLite",
            "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n" + table + ##"""
                INSERT INTO links VALUES(1,'one','C:\','https://a.example/');
                INSERT INTO links VALUES(2,'two',replace('a\nb\012c','\n',char(10)),'https://a.example/');
                INSERT INTO links VALUES(3,'three',replace(replace('a\r\nb','\r',char(13)),'\n',char(10)),'https://a.example/');
                INSERT INTO links VALUES(4,'four',unistr('a\u000ab\\c\u00e9'),'https://a.example/');
                COMMIT;

                """##,
            [
                ["one", "C:\\", a], ["two", "a b\\012c", a], ["three", "a  b", a], ["four", "a b\\cé", a],
            ]),
        Dump(
            "MySQL",
            "-- MySQL dump 10.13\n/*!40101 SET NAMES utf8mb4 */;\n" + table
                + "INSERT INTO `links` VALUES (1,'one','C:\\\\\\'s \\\\','https://a.example/'); # it's\n",
            [["one", "C:\\'s \\", a]]),
        Dump(
            "a title that names another program",
            "-- MariaDB dump\n" + table
                + "INSERT INTO links VALUES (1,'one','\n-- PostgreSQL \\'','https://a.example/');\n",
            [["one", " -- PostgreSQL '", a]]),
    ]

    @Test(arguments: dumps, [1, 7, 5_000]) func dumpsAreReadByTheirOwnRules(dump: Dump, size: Int) async throws {
        let file = ForeignFile(name: "links.sql") { pieces(dump.text, of: size) }
        let rows = try await ForeignService.kutt.links(in: [file]).all()
        let found = rows.map {
            [$0.link.address.slug, $0.link.draft.title ?? "", $0.link.draft.urls["web"]?.link ?? $0.link.refusal ?? ""]
        }
        #expect(found == dump.rows)
    }

    private static let insert = "INSERT INTO links (address, target) VALUES ('a', 'https://a.example/')"
    private static let copy = "COPY links (address, target) FROM stdin;\na\thttps://a.example/\n"

    private struct Cut: Sendable {
        var start: String
        var rest: String
    }

    private static let inserted = insert + ";\n"
    private static let cuts: [Cut] = [
        Cut(start: inserted, rest: "INSERT INTO links (address, target) VALUES ('b', '"),
        Cut(start: insert, rest: ""),
        Cut(start: insert, rest: ","),
        Cut(start: inserted, rest: "CREATE TABLE x ("),
        Cut(start: inserted, rest: "INSERT INTO links /* ("),
        Cut(start: copy, rest: ""),
        Cut(start: copy, rest: "b\thttps://b"),
        Cut(start: copy, rest: "\\"),
        Cut(start: copy, rest: "\\.\nCOPY users (id) FROM stdin;\n1\n"),
        Cut(start: copy, rest: "\\.\nCOPY users (id) FROM std"),
    ]

    @Test(arguments: cuts) private func aDumpThatIsCutIsAnErrorBehindItsRows(cut: Cut) async throws {
        let source = try await ForeignService.kutt.links(in: [file(cut.start + cut.rest)])
        #expect(try await source.next().map(\.link.address.slug) == ["a"])
        let error = await #expect(throws: SourceError.self) { try await source.next() }
        #expect(error?.description.contains("not complete") == true, "\(error.map(\.description) ?? "")")
    }

    private static let rowless: [(ForeignService, String, String)] = [
        (.kutt, table, "no rows"), (.kutt, "COPY links (address, target) FROM stdin;\n\\.\n", "no rows"),
        (.kutt, "-- MySQL dump\nINSERT INTO users VALUES (1);\n", "\"links\""),
        (.csv, "slug,urls.web\n", "no rows"), (.waymark, "slug,urls.web\n\n", "no rows"),
        (.waymark, " \n\n{", "not a JSON object"), (.polr, "PGDMP\u{1}\u{e}", "pg_restore"),
        (.yourls, "SQLite format 3\0", ".dump"), (.csv, "PK\u{3}\u{4}", "ZIP"),
        (.yourls, "COPY url (keyword, url) FROM stdin WITH (FORMAT csv);\n", "options"),
    ]

    @Test(arguments: rowless)
    func aFileThatGivesNoRowIsAnError(service: ForeignService, text: String, reason: String) async throws {
        do {
            let rows = try await service.links(in: [file(text)]).all()
            #expect(rows.first?.link.refusal?.contains(reason) == true)
        } catch let error as SourceError {
            #expect(error.description.hasPrefix("links.csv: ") && error.description.contains(reason), "\(error)")
        }
    }

    @Test func aCompressedFileIsNamedAsSuch() async throws {
        let file = ForeignFile(name: "links.sql.gz") { pieces([0x1F, 0x8B, 8, 0]) }
        let error = await #expect(throws: SourceError.self) { _ = try await ForeignService.yourls.links(in: [file]) }
        #expect(error?.description == "links.sql.gz: it is compressed; unpack it with gunzip FILE")
    }

    @Test(arguments: [true, false]) func aDumpMayBeUTF16(isLittle: Bool) async throws {
        let dump = "\u{FEFF}-- MySQL dump\n" + Self.insert.replacing("'a'", with: "'é'") + ";\n"
        let bytes: [UInt8] = dump.utf16.flatMap { (unit: UInt16) -> [UInt8] in
            let halves = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            return isLittle ? halves : halves.reversed()
        }
        let rows = try await ForeignService.kutt.links(in: [ForeignFile(name: "l") { pieces(bytes) }]).all()
        #expect(rows.map(\.link.address.slug) == ["é"])
    }

    @Test func linksOfADumpHaveTheirDomain() async throws {
        let dump = """
            CREATE TABLE domains (id integer, address varchar(255));
            INSERT INTO domains VALUES (1,'go.example.com'),(2,'s.example.com');
            CREATE TABLE links (id integer, address varchar(255), domain_id integer, target varchar(2040));
            INSERT INTO links VALUES (1,'abc',1,'\(Self.a)'),(2,'abc',2,'\(Self.a)'),(3,'x',NULL,'\(Self.a)');
            INSERT INTO links (target, domain_id, address) VALUES ('\(Self.a)',3,'y');

            """
        let source = try await ForeignService.kutt.links(in: [file(dump)])
        let rows = try await source.all()
        // The number is used: it finds the domain.
        #expect(source.notes == ["the column \"id\" was not used: 3 rows have a value in it"])
        #expect(rows.map(\.link.address.domain) == ["go.example.com", "s.example.com", nil, "domain_id 3"])
        #expect(rows.map(\.link.address.slug) == ["abc", "abc", "x", "y"])
    }

    @Test func theNumberOfADomainIsNamedWhereNothingLooksItUp() async throws {
        let source = try await ForeignService.kutt.links(
            in: [file("address,target,domain,domain_id\na,https://a.example/,go.example.com,7\n")])
        _ = try await source.all()
        #expect(source.notes == ["the column \"domain_id\" was not used: 1 row has a value in it"])
    }

    /// Read again where it can be.
    @Test(arguments: [true, false]) func domainsMayFollowTheLinks(isFile: Bool) async throws {
        let dump = """
            INSERT INTO links (address, target, domain_id) VALUES ('a','https://a.example/',2),('b','https://b.example/',NULL);
            INSERT INTO domains (id, address) VALUES (1,'go.example.com'),(2,'s.example.com');

            """
        let file = ForeignFile(name: "kutt.sql", reopen: isFile ? { pieces(dump) } : nil) { pieces(dump) }
        let rows = try await ForeignService.kutt.links(in: [file]).all()
        #expect(rows.map(\.link.address.domain) == [isFile ? "s.example.com" : "domain_id 2", nil])
    }

    private static let ofPublic = """
        CREATE TABLE public.links (address text, target text);
        """
    private static let ofOthers = """
        CREATE TABLE archive.links (target text, address text, old text);
        """
    private static let rowsOfOthers =
        "COPY archive.links (target, address, old) FROM stdin;\nhttps://old.example/\to\tx\n\\.\n"
    private static let rowsOfPublic = "COPY public.links (address, target) FROM stdin;\na\thttps://a.example/\n\\.\n"

    @Test(
        arguments: [
            ofOthers + "\n" + ofPublic + "\n" + rowsOfOthers + rowsOfPublic,
            ofPublic + "\n" + rowsOfPublic + rowsOfOthers,
            rowsOfPublic + rowsOfOthers,
        ])
    func `a table in two schemas is read from public`(text: String) async throws {
        let source = try await ForeignService.kutt.links(in: [file("-- PostgreSQL database dump\n" + text)])
        #expect(try await source.all().map(\.link.address.slug) == ["a"])
        #expect(source.notes == ["links.csv: the table archive.links was not read, but public.links"])
    }

    @Test func rowsOfAnotherSchemaAheadOfPublicAreRefused() async throws {
        let source = try await ForeignService.kutt.links(
            in: [file("-- PostgreSQL database dump\n" + Self.rowsOfOthers + Self.rowsOfPublic)])
        #expect(try await source.next().count == 1)
        await #expect(throws: SourceError.self) { _ = try await source.next() }
    }
}

import Foundation
import GRDB
import Testing
import WaymarkJSON

#if canImport(Glibc)
    import Glibc
#endif

extension EndToEnd {
    /// `links import --url`, and the API behind it.
    @Suite struct RemoteImportTests {
        private let installation: Installation

        init() throws { installation = try Installation() }

        private func arguments(_ server: RunningServer, _ more: [String]) -> [String] {
            ["links", "import", "--app", "shop", "--json", "--url", "http://127.0.0.1:\(server.port)"] + more
        }

        private func run(
            _ server: RunningServer, _ more: [String], key: String = Installation.adminKey, input: String? = nil
        ) throws -> CommandRun {
            try installation.run(arguments(server, more), environment: ["WAYMARK_KEY": key], input: input)
        }

        private func write(_ name: String, rows: Range<Int>) throws -> String {
            let file = installation.folder.appendingPathComponent(name)
            var text = "slug,urls.web,createdAt\n"
            for row in rows { text += "row-\(row),https://shop.example.com/\(row),2021-03-04\n" }
            try Data(text.utf8).write(to: file)
            return file.path
        }

        private var uploads: [String] {
            let names = try? FileManager.default.contentsOfDirectory(atPath: installation.folder.path)
            return (names ?? []).filter { $0.hasPrefix("waymark-import-") }
        }

        @Test func uploadsFilesAndWritesTheReport() throws {
            let server = try installation.start()
            let report = installation.folder.appendingPathComponent("report.csv").path
            let files = [try write("1.csv", rows: 0..<4_000), try write("2.csv", rows: 4_000..<4_500)]
            let first = try run(server, ["--from", "csv", "--report", report] + files)
            #expect(first.end == .exit(0) && first.json["created"] == 4_500, "\(first)")
            let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
            #expect(lines.count == 4_501 && lines[4_500] == "4500,created,row-4499,https://go.example.com/row-4499,")
            let link = try server.exchange(.api("GET", "/links/go.example.com/row-7")).json
            #expect(link["createdAt"] == "2021-03-04T00:00:00Z")
            let again = try run(
                server, ["--from", "csv", "-"], input: String(contentsOfFile: files[1], encoding: .utf8))
            #expect(again.end == .exit(0) && again.json["same"] == 500, "\(again)")
            let dry = try run(server, ["--from", "csv", "--dry-run", try write("3.csv", rows: 4_499..<4_501)])
            #expect(dry.end == .exit(0) && dry.json["created"] == 1 && dry.json["same"] == 1, "\(dry)")
        }

        @Test func rowsWithoutALinkAreExitStatusOne() throws {
            let server = try installation.start()
            let run = try run(server, ["--from", "csv", "-"], input: "slug,urls.web\na b,https://shop.example.com/\n")
            #expect(run.end == .exit(1) && run.json["refused"] == 1, "\(run)")
        }

        @Test(arguments: [
            (["--from", "csv", "missing.csv"], "missing.csv"), (["--from", "goo.gl", "-"], "--from"),
            (["--from", "csv", "-", "--domain", "other.example.com"], "domain"),
            (["--from", "csv", "-", "--map", "x"], "map"), (["--from", "csv"], "file"),
            (["--from", "csv", "-", "--time-zone", "Moon"], "--time-zone"), (["--from", "fdl", "-"], "column"),
            (["--from", "shlink", "--api-key", "k"], "apiURL"),
            (["--from", "shlink", "--api-key", "k", "--api-url", "http://127.0.0.1:1"], "webhooks.allowedNetworks"),
            (
                ["--from", "shlink", "--api-key", "k", "--api-url", "https://[::ffff:7f00:1]"],
                "webhooks.allowedNetworks"
            ),
            (["--from", "shlink", "--api-key", "k", "--api-url", "https://localhost"], "webhooks.allowedNetworks"),
        ])
        func `unreadable input ends with exit status 2`(arguments: [String], reason: String) throws {
            let server = try installation.start()
            let run = try run(server, arguments, input: "a,b\n1,2\n")
            #expect(run.end == .exit(2) && run.errorLines.last?.contains(reason) == true, "\(run)")
            #expect(uploads.count <= 1)
        }

        @Test func aWrongKeyIsRefusedBeforeTheUpload() throws {
            let server = try installation.start()
            let run = try run(server, ["--from", "csv", try write("1.csv", rows: 0..<200_000)], key: "wm_wrong")
            #expect(run.end == .exit(1) && run.errorLines.count == 1, "\(run)")
            #expect(run.errors.contains("key"), "\(run)")
        }

        @Test func aServiceInAnAllowedNetworkIsAsked() throws {
            try installation.write(configuration: ["webhooks": ["allowedNetworks": ["127.0.0.0/8"]]])
            let server = try installation.start()
            // Nobody listens: the address is allowed, the connection is not.
            let body =
                #"{"source": "shlink", "app": "shop", "credentials": {"apiKey": "k", "apiURL": "http://127.0.0.1:1"}}"#
            let answer = try server.exchange(.api("POST", "/imports", body))
            #expect(answer.status == 202, "\(answer.text)")
            let path = try #require(answer["Location"]?.dropFirst("/api/v1".count))
            #expect(try server.exchange(.api("DELETE", String(path))).status == 204)
            #expect(try server.exchange(.api("GET", String(path))).json["state"] == "stopped")
        }

        @Test func importsOutlastTheirServer() throws {
            try installation.write(configuration: ["webhooks": ["allowedNetworks": ["127.0.0.0/8"]]])
            let server = try installation.start()
            let report = installation.folder.appendingPathComponent("report.csv").path
            let ended = try run(server, ["--from", "csv", "--report", report, try write("1.csv", rows: 0..<10)])
            #expect(ended.end == .exit(0), "\(ended)")
            let list = try server.exchange(.api("GET", "/imports")).json["imports"]
            let body =
                #"{"source": "shlink", "app": "shop", "credentials": {"apiKey": "k", "apiURL": "http://127.0.0.1:1"}}"#
            let started = try server.exchange(.api("POST", "/imports", body))
            let running = String(try #require(started["Location"]?.dropFirst("/api/v1".count)))
            try server.crash()
            let next = try installation.start()
            let found = try next.exchange(.api("GET", running)).json
            #expect(found["state"] == "failed", "\(found)")
            #expect(found["error"]?.string?.contains("send the same import again") == true, "\(found)")
            let all = try next.exchange(.api("GET", "/imports")).json["imports"]?.array
            #expect(all == [found] + (list?.array ?? []))
            let id = try #require(list?.array?.first?["id"]?.string)
            let text = try next.exchange(.api("GET", "/imports/\(id)?format=csv")).text
            #expect(try text == String(contentsOfFile: report, encoding: .utf8))
        }

        private func database(_ name: String, _ statements: String) throws -> String {
            let path = installation.folder.appendingPathComponent(name).path
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { try $0.execute(sql: statements) }
            try queue.close()
            return path
        }

        @Test func aDatabaseOfKuttIsRead() throws {
            let path = try database(
                "kutt.sqlite",
                """
                CREATE TABLE domains (id INTEGER PRIMARY KEY, address TEXT);
                INSERT INTO domains VALUES (1, 'go.example.com');
                CREATE TABLE links (id INTEGER PRIMARY KEY, address TEXT, target TEXT, description TEXT, password TEXT,
                    banned BOOLEAN, expire_in DATETIME, visit_count INTEGER, created_at DATETIME, domain_id INTEGER);
                INSERT INTO links VALUES (1, 'a', 'https://shop.example.com/a', '=It''s', NULL, 0, NULL, 4,
                    '2022-01-02 03:04', 1), (2, 'b', 'https://shop.example.com/b', '', '$2a$12$x', 1, NULL, 0, NULL, NULL);
                """)
            let server = try installation.start()
            let run = try run(server, ["--from", "kutt", path])
            #expect(run.end == .exit(1) && run.json["created"] == 1 && run.json["refused"] == 1, "\(run)")
            let link = try server.exchange(.api("GET", "/links/go.example.com/a")).json
            #expect(link["title"] == "=It's" && link["importedClicks"] == 4)
            #expect(link["createdAt"] == "2022-01-02T03:04:00Z")
            try server.stop()
            let local = try installation.run([
                "links", "import", "--app", "shop", "--json", "--from", "kutt", path, "--config",
                installation.configurationFile.path,
            ])
            #expect(local.end == .exit(1) && local.json["same"] == 1, "\(local)")
        }

        /// A view in place of a table would run for ever, and values that are computed would fill the memory.
        @Test(
            arguments: [
                """
                CREATE TABLE domains (id INTEGER, address TEXT);
                CREATE VIEW links AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)
                    SELECT 1 AS id, 'a' AS address, 'https://x/' AS target, '' AS description, NULL AS password,
                        0 AS banned, NULL AS expire_in, 0 AS visit_count, '2020-01-01' AS created_at, 0 AS domain_id
                    FROM r WHERE n < 0
                """,
                """
                CREATE TABLE domains (id INTEGER, address AS (hex(zeroblob(400000000)))); INSERT INTO domains VALUES (1);
                CREATE TABLE links (id INTEGER)
                """,
                "CREATE TABLE links (id INTEGER)",
            ])
        func aDatabaseThatIsAProgramIsRefused(statements: String) throws {
            let path = try database("hostile.sqlite", statements)
            let server = try installation.start()
            let run = try run(server, ["--from", "kutt", path])
            #expect(run.end == .exit(2) && run.errorLines.last?.contains("the database") == true, "\(run)")
            let next = try self.run(server, ["--from", "csv", try write("1.csv", rows: 0..<3)])
            #expect(next.end == .exit(0) && next.json["created"] == 3, "\(next)")
            try eventually("the upload is deleted", holds: { uploads.filter { $0.hasSuffix("-wal") }.isEmpty })
        }

        @Test func filesOfAKilledServerAreDeletedAtTheNextStart() throws {
            let server = try installation.start()
            let connection = try server.connect()
            let file = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n"
            let head =
                "POST /api/v1/imports HTTP/1.1\r\nHost: \(Shop.host)\r\nAuthorization: Bearer \(Installation.adminKey)\r\n"
                + "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000\r\n\r\n"
            try connection.send(Array((head + file + String(repeating: "y", count: 300_000)).utf8))
            try eventually("a file of the upload is there", holds: { uploads.count == 1 })
            try server.crash()
            #expect(uploads.count == 1)
            let next = try installation.start()
            #expect(uploads.isEmpty)
            try next.stop()
            withExtendedLifetime(connection) {}
        }
    }
}

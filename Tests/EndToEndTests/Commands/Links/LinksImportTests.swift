import Foundation
import Testing
import WaymarkJSON

extension EndToEnd {
    @Suite struct LinksImportTests {
        private let installation: Installation

        init() throws { installation = try Installation() }

        private func arguments(_ file: String) -> [String] {
            [
                "links", "import", "--from", "csv", file, "--app", "shop", "--config",
                installation.configurationFile.path, "--json",
            ]
        }

        private static let header = "slug,urls.web,createdAt,importedClicks\n"

        private static func rows(_ rows: Range<Int>) -> String {
            rows.map { "row-\($0),https://shop.example.com/\($0),2021-03-04,\($0)\n" }.joined()
        }

        private func write(rows: Int) throws -> String {
            let file = installation.folder.appendingPathComponent("links.csv")
            try Data((Self.header + Self.rows(0..<rows)).utf8).write(to: file)
            return file.path
        }

        private func links() throws -> String {
            try installation.run(["check", "--config", installation.configurationFile.path]).output
        }

        /// Each is killed while it waits for more rows, some of which are in the database.
        @Test func killedImportsLoseAndRepeatNothing() throws {
            let file = try write(rows: 6_000)
            for end in [1_500, 3_000, 5_900] {
                let before = try links()
                let rows = Pipe()
                let program = try Program(arguments("-"), in: installation.folder, stream: rows)
                try rows.fileHandleForWriting.write(contentsOf: Data((Self.header + Self.rows(0..<end)).utf8))
                try eventually("rows of the first \(end) are stored", holds: { try links() != before })
                program.send(signal: SIGKILL)
                #expect(try program.wait() == .signal(SIGKILL))
                try rows.fileHandleForWriting.close()
            }
            let last = try installation.run(arguments(file))
            #expect(last.end == .exit(0) && last.json["rows"] == 6_000, "\(last)")
            let again = try installation.run(arguments(file))
            #expect(again.json["same"] == 6_000 && again.json["created"] == 0, "\(again)")
            let check = try installation.run(["check", "--config", installation.configurationFile.path])
            #expect(check.end == .exit(0) && check.output.contains("6000 links"), "\(check)")
        }

        @Test func importedClicksAndTimesAreShown() throws {
            #expect(try installation.run(arguments(write(rows: 3))).end == .exit(0))
            let link = try installation.run([
                "links", "show", "go.example.com/row-2", "--config", installation.configurationFile.path, "--json",
            ]).json
            #expect(link["importedClicks"] == 2 && link["clicks"] == 0, "\(link)")
            #expect(link["createdAt"] == "2021-03-04T00:00:00Z")
        }

        /// A file is read twice, standard input once.
        @Test(arguments: [(true, 1), (false, 2)]) func rowsAtHomeKeepTheirSlugs(isFile: Bool, row: Int) throws {
            let text =
                "smartlink,urls.web\nbit.ly/x,https://shop.example.com/1\n\(Shop.host)/x,https://shop.example.com/2\n"
            let file = installation.folder.appendingPathComponent("links.csv")
            try Data(text.utf8).write(to: file)
            let report = installation.folder.appendingPathComponent("report.csv").path
            let run = try installation.run(
                arguments(isFile ? file.path : "-") + ["--domain", Shop.host, "--report", report],
                input: isFile ? nil : text)
            #expect(run.end == .exit(1) && run.json["clash"] == 1, "\(run)")
            let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("\(row),clash,") }, "\(lines)")
            #expect(lines.contains { $0.contains("standard input was read once") } != isFile, "\(lines)")
        }

        @Test func `unreadable input ends with exit status 2`() throws {
            let run = try installation.run(arguments("missing.csv"))
            #expect(run.end == .exit(2) && run.errorLines.count == 1, "\(run)")
        }
    }
}

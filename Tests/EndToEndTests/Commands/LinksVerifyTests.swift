import Foundation
import Testing
import WaymarkJSON

extension EndToEnd {
    @Suite struct LinksVerifyTests {
        private let installation: Installation

        init() throws { installation = try Installation() }

        private func write(_ text: String, as name: String) throws -> String {
            let file = installation.folder.appendingPathComponent(name)
            try Data(text.utf8).write(to: file)
            return file.path
        }

        private static let columns = "slug,urls.web,urls.ios,urls.android.fallback,urls.android,title,tags,disabled\n"
        private static let rows = (0..<300).map { row in
            "row-\(row),https://shop.example.com/\(row)?a=1,shop://products/\(row),store,shop://products/\(row),=T\(row),x|y,\n"
        }

        /// Imports the rows, and returns a running server.
        private func importRows(_ rows: [String]) throws -> RunningServer {
            let file = try write(Self.columns + rows.joined(), as: "links.csv")
            let run = try installation.run([
                "links", "import", "--from", "csv", file, "--app", "shop", "--config",
                installation.configurationFile.path,
            ])
            #expect(run.end == .exit(0), "\(run)")
            return try installation.start()
        }

        private func verify(_ file: String, _ server: RunningServer, _ more: [String] = []) throws -> CommandRun {
            try installation.run(
                [
                    "links", "verify", "--from", "csv", file, "--against", "http://go.example.com", "--resolve",
                    "go.example.com=127.0.0.1:\(server.port)",
                ] + more)
        }

        @Test func provesThatEveryLinkLeadsWhereItDid() throws {
            let server = try importRows(Self.rows)
            let run = try verify(installation.folder.appendingPathComponent("links.csv").path, server)
            #expect(run.end == .exit(0), "\(run)")
            #expect(run.output == "row,smartlink,platform,expected,found\n")
            #expect(run.errors.contains("300 links, 1200 visits: 0 differ"))
            let link = try installation.run(
                ["links", "show", "go.example.com/row-7", "--url", "http://127.0.0.1:\(server.port)", "--json"],
                environment: ["WAYMARK_KEY": Installation.adminKey]
            ).json
            #expect(link["clicks"] == 0, "\(link)")
        }

        @Test func namesWhatDiffers() throws {
            let server = try importRows(Array(Self.rows.dropLast()))
            var rows = Self.rows
            rows[4] = rows[4].replacingOccurrences(of: "/4?a=1", with: "/5?a=1")
            let run = try verify(try write(Self.columns + rows.joined(), as: "other.csv"), server)
            #expect(run.end == .exit(1), "\(run.errors)")
            let lines = run.output.split(separator: "\n").dropFirst()
            #expect(
                lines.contains { $0.hasPrefix("5,http://go.example.com/row-4,desktop,https://shop.example.com/5?a=1,") }
            )
            #expect(lines.filter { $0.hasPrefix("300,") && $0.hasSuffix(",status 404") }.count == 4)
            #expect(lines.allSatisfy { $0.hasPrefix("5,") || $0.hasPrefix("300,") })
        }

        @Test(arguments: [
            (["--against", "ftp://go.example.com"], "--against"), (["--connections", "0"], "--connections"),
            (["--resolve", "nonsense"], "--resolve"), (["--against", "http://127.0.0.1:1"], "can't be reached"),
        ])
        func wrongArgumentsAreExitStatusTwo(more: [String], said: String) throws {
            let file = try write(Self.columns + Self.rows[0], as: "links.csv")
            let run = try installation.run(
                ["links", "verify", "--from", "csv", file]
                    + (more[0] == "--against" ? [] : ["--against", "http://127.0.0.1:1"]) + more)
            #expect(run.end == .exit(2) && run.errors.contains(said), "\(run)")
        }

        @Test(arguments: ["csv", "jsonl"])
        func anExportIsTheWayBack(format: String) throws {
            _ = try importRows(Self.rows).stop()
            let export = ["links", "export", "--format", format, "--config"]
            let first = try installation.run(export + [installation.configurationFile.path])
            #expect(first.end == .exit(0), "\(first.errors)")
            let other = try Installation()
            let file = try write(first.output, as: "export")
            let run = try other.run([
                "links", "import", "--from", "waymark", file, "--app", "shop", "--config",
                other.configurationFile.path, "--json",
            ])
            #expect(run.end == .exit(0) && run.json["created"] == 300, "\(run)")
            let second = try other.run(export + [other.configurationFile.path])
            let sorted = { (text: String) in text.split(separator: "\n").sorted() }
            if format == "csv" { #expect(sorted(first.output) == sorted(second.output)) }
            #expect(sorted(first.output).count == sorted(second.output).count)
        }
    }
}

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

        private func write(rows: Int) throws -> String {
            let file = installation.folder.appendingPathComponent("links.csv")
            var text = "slug,urls.web,createdAt,importedClicks\n"
            for row in 0..<rows { text += "row-\(row),https://shop.example.com/\(row),2021-03-04,\(row)\n" }
            try Data(text.utf8).write(to: file)
            return file.path
        }

        @Test func aKilledImportGoesOnWithoutLossOrRepetition() throws {
            let file = try write(rows: 6_000)
            var kills = 0
            for milliseconds in [150, 300, 450, 600] {
                let program = try Program(arguments(file), in: installation.folder)
                Thread.sleep(forTimeInterval: Double(milliseconds) / 1_000)
                program.send(signal: SIGKILL)
                if try program.wait() == .signal(SIGKILL) { kills += 1 }
            }
            let last = try installation.run(arguments(file))
            #expect(kills > 0)
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

        @Test func whatCanNotBeReadIsExitStatusTwo() throws {
            let run = try installation.run(arguments("missing.csv"))
            #expect(run.end == .exit(2) && run.errorLines.count == 1, "\(run)")
        }
    }
}

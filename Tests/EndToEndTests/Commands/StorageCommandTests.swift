import Foundation
import Testing
import WaymarkJSON
import WaymarkTestSupport

extension EndToEnd {
    /// `backup`, `export`, `import`, `migrate` and `check`.
    @Suite struct StorageCommandTests {
        private let installation: Installation

        init() throws { installation = try Installation() }

        private func path(_ name: String) -> String { installation.folder.appendingPathComponent(name).path }

        private func run(_ arguments: String...) throws -> CommandRun { try run(arguments) }

        private func run(_ arguments: [String]) throws -> CommandRun {
            try installation.run(arguments + ["--config", installation.configurationFile.path])
        }

        private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

        private func mode(_ name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
        }

        /// A server with links, one of which has been redeemed and clicked.
        private func serve() throws -> RunningServer {
            let server = try installation.start()
            for number in 0..<20 {
                #expect(try server.exchange(.create(Shop.gift(slug: "gift-\(number)", redeemLimit: 3))).status == 201)
            }
            #expect(try server.exchange(.resolve(#"{"smartlink": "https://go.example.com/gift-3"}"#)).status == 200)
            return server
        }

        /// What a server on the database says of a link, and of a further redeem.
        private func state(_ database: String) throws -> (link: JSONValue, used: JSONValue?) {
            let server = try installation.start(["--database", "sqlite:\(path(database))"])
            let link = try server.exchange(.api("GET", "/links/go.example.com/gift-3")).json
            let answer = try server.exchange(.resolve(#"{"smartlink": "https://go.example.com/gift-3"}"#)).json
            try server.stop()
            return (link, answer["redeem"]?["used"])
        }

        @Test func aBackupIsMadeWhileTheServerServesAndServesInItsPlace() throws {
            let server = try serve()
            let link = try server.exchange(.api("GET", "/links/go.example.com/gift-3")).json
            let backup = try run("backup", path("copy.sqlite"))
            #expect(backup.end == .exit(0) && backup.errors.isEmpty, "\(backup)")
            #expect(try mode("copy.sqlite") == 0o600)
            #expect(!exists("copy.sqlite.partial"))
            #expect(try server.exchange(.create(Shop.gift(slug: "later"))).status == 201)
            let restored = try state("copy.sqlite")
            #expect(restored.link == link)
            #expect(restored.used == 2)
        }

        @Test func `files may have names of one character`() throws {
            let server = try installation.start(["--database", "sqlite:d"])
            #expect(try server.exchange(.create(Shop.gift(slug: "gift"))).status == 201)
            try server.stop()
            for arguments in [["backup", "b"], ["export", "e"], ["check"]] {
                let run = try installation.run(arguments + ["--database", "sqlite:d"])
                #expect(run.end == .exit(0) && run.errors.isEmpty, "\(arguments): \(run)")
            }
            #expect(exists("b") && exists("e"))
            let refused = try installation.run(["backup", "-", "--database", "sqlite:d"])
            #expect(refused.end == .exit(2) && refused.errorLines.count == 1 && !exists("-"), "\(refused)")
        }

        @Test func anExportComesBackAsItWas() throws {
            let server = try serve()
            let link = try server.exchange(.api("GET", "/links/go.example.com/gift-3")).json
            let export = try run("export", path("links.jsonl"))
            #expect(export.end == .exit(0) && export.errors.isEmpty, "\(export)")
            #expect(try mode("links.jsonl") == 0o600)
            let piped = try run("export", "-")
            #expect(piped.end == .exit(0) && piped.output.split(separator: "\n").count > 22, "\(piped)")

            let target = "sqlite:\(path("new.sqlite"))"
            let arrived = try run("import", path("links.jsonl"), "--database", target)
            #expect(arrived.end == .exit(0) && arrived.output.contains("20 links"), "\(arrived)")
            #expect(try run("check", "--database", target).end == .exit(0))
            let again = try run("import", path("links.jsonl"), "--database", target)
            #expect(again.end == .exit(1) && again.errors.contains("needs an empty one"), "\(again)")
            let restored = try state("new.sqlite")
            #expect(restored.link == link)
            #expect(restored.used == 2)
        }

        @Test func clickRecordsAreExportedWhileTheServerServes() throws {
            let server = try serve()
            #expect(try server.exchange(.get("/gift-3", userAgent: Browser.desktop)).status == 302)
            try server.stop()
            let second = try installation.start()
            let day = ["--from", "2026-01-01", "--to", "2099-12-31"]
            let export = try run(["clicks", "export"] + day + ["--format", "csv", path("clicks.csv")])
            #expect(export.end == .exit(0) && export.errors.isEmpty && export.output.isEmpty, "\(export)")
            #expect(try mode("clicks.csv") == 0o600)
            #expect(!exists("clicks.csv.partial"))
            let rows = try String(contentsOfFile: path("clicks.csv"), encoding: .utf8).split(separator: "\r\n")
            #expect(rows.count == 2 && rows[0].hasPrefix("at,app,domain,slug,platform,"), "\(rows)")
            #expect(rows.last?.contains(",go.example.com,gift-3,") == true, "\(rows)")
            let piped = try run(["clicks", "export"] + day + ["--format", "jsonl"])
            #expect(piped.end == .exit(0) && piped.output.hasPrefix(#"{"at":"#), "\(piped)")
            let again = try run(["clicks", "export"] + day + ["--format", "csv", path("clicks.csv")])
            #expect(again.end == .exit(2) && again.errors.contains("left as it is"), "\(again)")
            try second.stop()
        }

        @Test(arguments: [
            (["--from", "2026-11-01", "--to", "2026-11-31", "--format", "csv"], "--to: \"2026-11-31\" is no day"),
            (["--from", "today", "--to", "2026-11-30", "--format", "csv"], "--from"),
            (["--from", "2026-11-02", "--to", "2026-11-01", "--format", "csv"], "before"),
            (["--from", "2026-11-01", "--to", "2026-11-30", "--format", "cvs"], "did you mean \"csv\"?"),
            (["--from", "2026-11-01", "--to", "2026-11-30", "--format", "csv", "--app", "none"], "no application"),
            (["--from", "2026-11-01", "--format", "csv"], "--to"),
        ])
        func mistakesOfAnExportOfClicksAreNamed(arguments: [String], word: String) throws {
            try serve().stop()
            let mistake = try run(["clicks", "export"] + arguments)
            #expect(mistake.end == .exit(2) && mistake.errors.contains(word), "\(mistake)")
            #expect(mistake.output.isEmpty)
        }

        @Test func aDatabaseIsMovedWhileNoServerHasIt() throws {
            let server = try serve()
            let from = "sqlite:\(path("waymark.sqlite"))"
            let to = "sqlite:\(path("moved.sqlite"))"
            let busy = try run("migrate", "--from", from, "--to", to)
            #expect(busy.end == .exit(1) && busy.errors.contains("locked by another server"), "\(busy)")
            #expect(!exists("moved.sqlite"))
            try server.stop()
            let moved = try run("migrate", "--from", from, "--to", to)
            #expect(moved.end == .exit(0) && moved.output.contains("20 links"), "\(moved)")
            #expect(try run("check", "--database", to).end == .exit(0))
            let again = try run("migrate", "--from", from, "--to", to)
            #expect(again.end == .exit(1), "\(again)")
        }

        @Test func noFileIsReplacedAndNoMistakeGoesUnnamed() throws {
            try serve().stop()
            try Data("a letter".utf8).write(to: URL(fileURLWithPath: path("letter")))
            let database = "sqlite:\(path("none.sqlite"))"
            let mistakes: [(arguments: [String], status: Int32, word: String)] = [
                (["backup", path("letter")], 2, "letter"), (["export", path("letter")], 2, "letter"),
                (["backup"], 2, "file"), (["export"], 2, "file"), (["import"], 2, "file"), (["migrate"], 2, "--from"),
                (["backup", path("no/folder/copy")], 2, "folder"), (["export", path("no/folder/copy")], 2, "folder"),
                (["import", path("nothing.jsonl")], 2, "nothing.jsonl"),
                (["import", path("letter"), "--database", database], 1, "letter"),
                (["import", "-"], 2, "-"), (["import", installation.folder.path, "--database", database], 2, "read"),
                (["migrate", "--from", database, "--to", "sqlite:\(path("x"))"], 2, "none.sqlite"),
                (["migrate", "--from", "sqlite:", "--to", database], 2, "--from"),
                (["migrate", "--from", database, "--to", database], 2, "--to"),
                (["migrate", "--from", "sqlite:\(path("waymark.sqlite"))", "--to", "mysql://x"], 2, "--to"),
                (["check", "--database", database], 1, "none.sqlite"), (["check", "--all"], 2, "--all"),
                (["check", "--database", "sqlite:\(path("letter"))"], 2, "letter"),
                (["backup", path("copy"), "--database", "sqlite::memory:"], 2, "memory"),
                (["export", path("copy"), "--database", "sqlite::memory:"], 2, "memory"),
                (["export", path("copy"), "--resume"], 2, "copy.partial"),
                (["export", "-", "--resume"], 2, "--resume"),
                (["backup", path("copy"), "--database", "postgres://x/y"], 2, "SQLite"),
            ]
            for mistake in mistakes {
                let run = try installation.run(
                    mistake.arguments
                        + (mistake.arguments.first == "migrate" || mistake.arguments.count > 1
                            ? ["--config", installation.configurationFile.path] : []))
                #expect(run.end == .exit(mistake.status), "\(mistake.arguments) \(run)")
                #expect(run.errorLines.count == 1 && run.errors.contains(mistake.word), "\(mistake.arguments) \(run)")
            }
            #expect(try String(contentsOfFile: path("letter"), encoding: .utf8) == "a letter")
            for name in ["none.sqlite", "copy", "copy.partial", "letter.partial", "x", "none.sqlite.lock"] {
                #expect(!exists(name), "\(name) was made")
            }
        }

        @Test(.enabled(if: TemporaryMount.isPossible))
        func aFullDiskIsSaidAndTheSameCommandGoesOnOnceThereIsRoom() throws {
            try serveMany().stop()
            let disk = try TemporaryMount(at: path("disk"), bytes: 200_000)
            let export = path("disk/links.jsonl")
            let full = try run("export", export)
            #expect(full.end == .exit(1) && full.errors == "waymark: \(export): the disk is full\n", "\(full)")
            #expect(!exists("disk/links.jsonl"))
            try disk.resize(to: 20_000_000)
            let whole = try run("export", export, "--resume")
            #expect(whole.end == .exit(0) && whole.output.contains("2000 links"), "\(whole)")

            let size = try Data(contentsOf: URL(fileURLWithPath: export)).count
            try disk.resize(to: size + 1_000_000)
            let target = "sqlite:\(path("disk/new.sqlite"))"
            let stuck = try run("import", export, "--database", target)
            #expect(
                stuck.end == .exit(1)
                    && stuck.errors == "waymark: \(target): the disk that holds the database is full\n", "\(stuck)")
            let early = try run("serve", "--database", target)
            #expect(
                early.end == .exit(1) && early.errors.contains("run the same import or migrate command again"),
                "\(early)")
            try disk.resize(to: 20_000_000)
            let arrived = try run("import", export, "--database", target)
            #expect(arrived.end == .exit(0) && arrived.output.contains("2000 links"), "\(arrived)")
            #expect(try run("check", "--database", target).end == .exit(0))

            try disk.resize(to: try used("disk") + 100_000)
            let copy = try run("backup", path("disk/copy.sqlite"))
            #expect(copy.end == .exit(1) && copy.errors.contains("full"), "\(copy)")
            #expect(!exists("disk/copy.sqlite") && !exists("disk/copy.sqlite.partial"))
        }

        /// Enough for some hundred kilobytes in a database.
        private func serveMany() throws -> RunningServer {
            let server = try installation.start()
            for batch in 0..<20 {
                let links = (0..<100).map { number in
                    let text = String(repeating: "x", count: 200)
                    return #"{"slug": "b\#(batch)-\#(number)", "urls": {"web": "https://shop.example.com/\#(text)"}}"#
                }
                let body = "[" + links.joined(separator: ",") + "]"
                #expect(try server.exchange(.api("POST", "/links:batch", body)).status == 200)
            }
            return server
        }

        /// In bytes.
        private func used(_ folder: String) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: path(folder)).reduce(0) { sum, name in
                let attributes = try FileManager.default.attributesOfItem(atPath: path(folder) + "/" + name)
                return sum + (attributes[.size] as? Int ?? 0)
            }
        }

        @Test func anExportThatWasInterruptedGoesOn() throws {
            try serve().stop()
            #expect(try run("export", path("whole.jsonl")).end == .exit(0))
            let whole = try Data(contentsOf: URL(fileURLWithPath: path("whole.jsonl")))
            for length in [1, whole.count / 3, whole.count - 30, whole.count - 200] {
                try whole.prefix(length).write(to: URL(fileURLWithPath: path("part.jsonl.partial")))
                let fresh = try run("export", path("part.jsonl"))
                #expect(fresh.end == .exit(2) && fresh.errors.contains("--resume"), "\(fresh)")
                let resumed = try run("export", path("part.jsonl"), "--resume")
                #expect(resumed.end == .exit(0), "\(resumed)")
                if length > whole.count / 2 {
                    #expect(try Data(contentsOf: URL(fileURLWithPath: path("part.jsonl"))) == whole)
                }
                let arrived = try run("import", path("part.jsonl"), "--database", "sqlite:\(path("db\(length)"))")
                #expect(arrived.end == .exit(0), "\(arrived)")
                try FileManager.default.removeItem(atPath: path("part.jsonl"))
            }
        }

        @Test func anImportThatIsNotWholeKeepsServersAway() throws {
            try serve().stop()
            #expect(try run("export", path("links.jsonl")).end == .exit(0))
            let whole = try String(contentsOfFile: path("links.jsonl"), encoding: .utf8)
            let lines = whole.split(separator: "\n")
            try Data(lines.dropLast().joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path("cut.jsonl")))
            let target = "sqlite:\(path("new.sqlite"))"
            let cut = try run("import", path("cut.jsonl"), "--database", target)
            #expect(cut.end == .exit(1) && cut.errors.contains("cut.jsonl"), "\(cut)")
            let check = try run("check", "--database", target)
            #expect(
                check.end == .exit(1) && check.errors.contains("an import into the database is not finished"),
                "\(check)")
            let rest = try run("import", path("links.jsonl"), "--database", target)
            #expect(rest.end == .exit(0), "\(rest)")
            #expect(try run("check", "--database", target).end == .exit(0))
        }

        @Test func aCheckSaysWhatIsWrongAndCountsIt() throws {
            let server = try serve()
            let good = try run("check", "--json")
            #expect(good.end == .exit(0) && good.json["links"] == 20 && good.json["problems"] == [], "\(good)")
            try server.stop()
            var bytes = try Data(contentsOf: installation.databaseFile)
            // Somewhere in the links' own rows.
            let location = try #require(bytes.range(of: Data("gift-7".utf8))).lowerBound
            bytes[location] = 0x21
            try bytes.write(to: installation.databaseFile)
            let bad = try run("check")
            #expect(bad.end == .exit(1) && bad.errors.isEmpty && !bad.output.isEmpty, "\(bad)")
        }
    }
}

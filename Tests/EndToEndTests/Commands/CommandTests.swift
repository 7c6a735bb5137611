import Foundation
import Testing
import WaymarkJSON

extension EndToEnd {
    /// `keys`, `apps` and `links`: against a running server, and straight at the database.
    @Suite struct CommandTests {
        @Test(arguments: CommandLocation.allCases)
        func applicationsAreAppliedListedAndShown(location: CommandLocation) throws {
            let desk = try Desk(location)
            let applied = try desk.run("apps", "apply", desk.installation.applicationsFile.path)
            #expect(applied.end == .exit(0), "\(applied)")
            #expect(applied.output.contains("shop"))

            let listed = try desk.json("apps", "list")
            #expect(listed["apps"]?.array?.map { $0["id"] } == ["shop"])
            #expect(try desk.run("apps", "list").output.contains("go.example.com"))
            let shown = try desk.json("apps", "show", "shop")
            #expect(shown["ios"]?["appIDs"] == ["ABCDE12345.com.example.shop"])

            let unknown = try desk.run("apps", "show", "nothing")
            #expect(unknown.end == .exit(1), "\(unknown)")
            #expect(unknown.errorLines.count == 1, "\(unknown)")
            let missing = try desk.run("apps", "apply", "missing.json")
            #expect(missing.end == .exit(2), "\(missing)")
            #expect(missing.errors.contains("missing.json"))
        }

        @Test(arguments: CommandLocation.allCases)
        func linksAreCreatedShownListedResolvedAndDeleted(location: CommandLocation) throws {
            let desk = try Desk(location)
            _ = try desk.json("apps", "apply", desk.installation.applicationsFile.path)

            let created = try desk.run(
                "links", "create", "--slug", "gift", "--route", "products/:product_id", "--parameter", "product_id=42",
                "--query", "referrer=ana", "--metadata", #"{"coupon": "20"}"#, "--redeem-limit", "1",
                "--title", "Gift", "--note", "For Ana", "--folder", "gifts/2026")
            #expect(created.end == .exit(0), "\(created)")
            #expect(created.output == "https://go.example.com/gift\n")
            #expect(try desk.json("links", "show", "gift")["title"] == "Gift")
            #expect(try desk.json("links", "show", "gift")["note"] == "For Ana")
            #expect(try desk.json("links", "show", "gift")["folder"] == "gifts/2026")

            for name in ["https://go.example.com/gift", "go.example.com/gift", "gift"] {
                #expect(try desk.json("links", "show", name)["slug"] == "gift")
            }
            #expect(try desk.json("links", "list")["links"]?.array?.map { $0["slug"] } == ["gift"])
            #expect(try desk.run("links", "list").output.contains("https://go.example.com/gift"))

            let first = try desk.json("links", "resolve", "https://go.example.com/gift", "--platform", "ios")
            #expect(first["deeplink"] == "shop://products/42?referrer=ana")
            #expect(first["metadata"] == ["coupon": "20"])
            let second = try desk.json("links", "resolve", "https://go.example.com/gift", "--platform", "ios")
            #expect(second["redeem"]?["status"] == "exhausted")

            let deleted = try desk.run("links", "delete", "https://go.example.com/gift")
            #expect(deleted.end == .exit(0), "\(deleted)")
            let gone = try desk.run("links", "show", "gift")
            #expect(gone.end == .exit(1), "\(gone)")
            #expect(gone.errorLines.count == 1, "\(gone)")
        }

        @Test(arguments: CommandLocation.allCases)
        func aRefusedLinkNamesEveryFieldInOneLine(location: CommandLocation) throws {
            let desk = try Desk(location)
            _ = try desk.json("apps", "apply", desk.installation.applicationsFile.path)
            let run = try desk.run(
                "links", "create", "--slug", "api", "--link", "web=javascript:alert(1)", "--max-clicks", "0")
            #expect(run.end == .exit(1), "\(run)")
            #expect(run.errorLines.count == 1, "\(run)")
            for field in ["slug", "urls.web", "maxClicks"] { #expect(run.errors.contains(field), "\(run)") }
        }

        @Test func dashboardPrintsALinkThatSignsInOnce() throws {
            let installation = try Installation()
            let configured = ["--config", installation.configurationFile.path]
            let atDatabase = try installation.run(["dashboard"] + configured)
            #expect(atDatabase.end == .exit(0), "\(atDatabase)")
            let server = try installation.start()
            let atServer = try installation.run(
                ["dashboard", "--url", "http://127.0.0.1:\(server.port)/"],
                environment: ["WAYMARK_KEY": Installation.adminKey])
            #expect(atServer.output.hasPrefix("http://127.0.0.1:\(server.port)/_/#sign-in=wm_"), "\(atServer)")
            for run in [atDatabase, atServer] {
                let token = try #require(
                    run.output.firstMatch(of: /\/_\/#sign-in=(wm_[A-Za-z0-9]+)\n/)?.output.1, "\(run)")
                let signIn = Request(
                    method: "POST", target: "/_/session", host: "localhost",
                    fields: [("Content-Type", "application/json")],
                    body: Array(#"{"token": "\#(token)"}"#.utf8))
                #expect(try server.exchange(signIn).status == 204)
                #expect(try server.exchange(signIn).status == 401)
            }
        }

        @Test func aKeyThatWasMadeAtTheDatabaseOpensTheServerUntilItIsRevoked() throws {
            let installation = try Installation()
            let atDatabase = ["--config", installation.configurationFile.path]
            try installation.start().stop()
            let made = try installation.run(["keys", "create", "--name", "app", "--scope", "resolve"] + atDatabase)
            #expect(made.end == .exit(0), "\(made)")
            let key = made.output.trimmingCharacters(in: .newlines)
            #expect(key.wholeMatch(of: /wm_[A-Za-z0-9]{32,}/) != nil, "\(made)")

            let server = try installation.start()
            #expect(try server.exchange(.create(Shop.gift())).status == 201)
            let resolve = Request.api("POST", "/resolve", #"{"smartlink": "https://go.example.com/gift"}"#, key: key)
            #expect(try server.exchange(resolve).status == 200)
            let outside = try server.exchange(.api("POST", "/links", Shop.gift(slug: "mine"), key: key))
            #expect(outside.status == 403)
            #expect(outside.problem == "scope-missing")

            let atServer = ["--url", "http://127.0.0.1:\(server.port)"]
            let environment = ["WAYMARK_KEY": Installation.adminKey]
            let listed = try installation.run(["keys", "list", "--json"] + atServer, environment: environment)
            #expect(!listed.output.contains(key), "the list shows the key's text")
            let identifier = try #require(
                listed.json["keys"]?.array?.first { $0["name"] == "app" }?["id"]?.string, "\(listed)")
            let revoked = try installation.run(["keys", "revoke", identifier] + atServer, environment: environment)
            #expect(revoked.end == .exit(0), "\(revoked)")

            let refused = try server.exchange(resolve)
            #expect(refused.status == 401)
            #expect(refused.problem == "key-unknown")
            #expect(refused["WWW-Authenticate"]?.hasPrefix("Bearer") == true)
        }

        /// Every visible ASCII character.
        private static let visible = String(decoding: 0x21...0x7E as ClosedRange<UInt8>, as: UTF8.self)

        @Test(
            arguments: CommandLocation.allCases,
            [
                String(repeating: "k", count: 20), visible + visible + visible.prefix(67) + "\n", visible + "\r\n",
                visible + "\nanother line\n",
            ])
        func aGivenKeyIsReadFromStandardInput(location: CommandLocation, input: String) throws {
            let desk = try Desk(location, hasDatabase: true)
            let key = String(input.prefix { !$0.isNewline })
            let made = try desk.run("keys", "create", "--name", "old", "--scope", "links", "--key-stdin", input: input)
            #expect(made.end == .exit(0), "\(made)")
            #expect(made.output == key + "\n")
            let server = try desk.server ?? desk.installation.start()
            #expect(try server.exchange(.api("GET", "/links", key: key)).status == 200)
            #expect(try server.exchange(.api("GET", "/links", key: key + "k")).status == 401)
        }

        @Test(
            arguments: CommandLocation.allCases,
            [
                String(repeating: "k", count: 19), String(repeating: "k", count: 256), "\n",
                "with a space inside of it", "with a\ttabulator inside", "schlüssel-schlüssel-schlüssel",
            ])
        func aGivenKeyOfAnotherFormIsRefused(location: CommandLocation, key: String) throws {
            let desk = try Desk(location, hasDatabase: true)
            let run = try desk.run("keys", "create", "--name", "old", "--scope", "links", "--key-stdin", input: key)
            #expect(run.end == .exit(1), "\(run)")
            #expect(run.errorLines.count == 1 && run.errors.contains("key"), "\(run)")
            let text = key.prefix { $0 != "\n" }
            #expect(run.output.isEmpty && (text.isEmpty || !run.errors.contains(text)), "\(run)")
            #expect(try desk.json("keys", "list")["keys"]?.array?.isEmpty == true)
        }

        @Test(arguments: CommandLocation.allCases)
        func aGivenKeyThatIsNotThereIsMissed(location: CommandLocation) throws {
            let run = try Desk(location).run(
                "keys", "create", "--name", "old", "--scope", "links", "--key-stdin", input: "")
            #expect(run.end == .exit(2), "\(run)")
            #expect(run.errorLines.count == 1 && run.errors.contains("standard input"), "\(run)")
        }

        @Test func aServerThatIsNotThereIsNamed() throws {
            let installation = try Installation()
            let server = try installation.start()
            try server.stop()
            let address = "http://127.0.0.1:\(server.port)"
            let run = try installation.run(["links", "list", "--url", address, "--key", Installation.adminKey])
            #expect(run.end == .exit(1), "\(run)")
            #expect(run.errorLines.count == 1, "\(run)")
            #expect(run.errors.contains(address), "\(run)")
            #expect(run.errors.contains("port \(server.port) of 127.0.0.1 (connection refused)"), "\(run)")
            #expect(run.errors.contains("is the server running?"), "\(run)")
        }

        @Test func aLinkIsChangedRenamedDisabledAndEnabled() throws {
            let desk = try Desk(.server)
            _ = try desk.json("apps", "apply", desk.installation.applicationsFile.path)
            let created = try desk.run("links", "create", "shop.example.com/a?b=c", "--slug", "sale", "--title", "Sale")
            #expect(created.output == "https://go.example.com/sale\n", "\(created)")
            let changed = try desk.json(
                "links", "update", "go.example.com/sale", "https://shop.example.com/b", "--title", "", "--tag", "x",
                "--max-clicks", "7")
            #expect(changed["urls"]?["web"] == "https://shop.example.com/b")
            #expect(changed["title"] == .null)
            #expect(changed["tags"] == ["x"])
            #expect(changed["maxClicks"] == 7)
            #expect(try desk.run("links", "list").output.contains("https://shop.example.com/b"))
            #expect(try desk.json("links", "list", "--search", "go.example.com/sale+")["links"]?.array?.count == 1)
            let disabled = try desk.run("links", "disable", "https://go.example.com/sale")
            #expect(disabled.output == "https://go.example.com/sale is disabled\n", "\(disabled)")
            #expect(try desk.json("links", "list", "--state", "disabled")["links"]?.array?.count == 1)
            #expect(try desk.json("links", "enable", "sale")["state"] == "active")
            let renamed = try desk.run("links", "rename", "go.example.com/sale", "summer")
            #expect(renamed.output == "https://go.example.com/summer\n", "\(renamed)")
            #expect(try desk.json("links", "show", "go.example.com/sale")["slug"] == "summer")
        }

        /// `http` for this machine.
        @Test func aServersAddressNeedsNoScheme() throws {
            let installation = try Installation()
            let server = try installation.start()
            for address in ["127.0.0.1:\(server.port)", "localhost:\(server.port)/"] {
                let run = try installation.run(["links", "list", "--url", address, "--key", Installation.adminKey])
                #expect(run.end == .exit(0), "\(run)")
            }
        }

        @Test func thePublicAddressNamesAdminListen() throws {
            let installation = try Installation(configuration: ["adminListen": "127.0.0.1:0"])
            let server = try installation.start()
            let key = ["--url", "http://127.0.0.1:\(server.port)", "--key", Installation.adminKey]
            for command in [["keys", "list"], ["apps", "list"], ["webhooks", "list"]] {
                let run = try installation.run(command + key)
                #expect(run.end == .exit(1), "\(run)")
                #expect(run.errorLines.count == 1 && run.errors.contains("adminListen"), "\(run)")
            }
            #expect(try installation.run(["links", "list"] + key).end == .exit(0))
        }

        private static let helps: [(arguments: [String], named: [String])] = [
            (["--help"], ["serve", "check-config", "keys", "apps", "links"]),
            (["help"], ["serve", "check-config"]),
            (
                ["serve", "--help"],
                ["--listen", "--database", "--threads", "--event-loop", "--public", "WAYMARK_LISTEN"]
            ),
            (["check-config", "--help"], ["--config"]),
            (["keys", "--help"], ["create", "list", "revoke"]),
            (["apps", "--help"], ["apply", "list", "show"]),
            (["links", "--help"], ["create", "show", "list", "resolve", "delete"]),
            (["links", "create", "--help"], ["--route", "--redeem-limit", "--url"]),
        ]

        @Test(arguments: helps)
        func helpIsPrintedAndIsNoError(help: (arguments: [String], named: [String])) throws {
            let run = try Installation().run(help.arguments)
            #expect(run.end == .exit(0), "\(run)")
            #expect(run.errors.isEmpty)
            for word in help.named { #expect(run.output.contains(word), "\(word) is not in: \(run.output)") }
        }

        @Test func theProgramAndTheAPIDocumentHaveOneVersion() throws {
            let document = try Data(contentsOf: Executable.package.appendingPathComponent("Public/openapi.json"))
            let version = try JSONValue(parsing: Array(document))["info"]?["version"]?.string
            let output = try Installation().run(["--version"]).output
            #expect(output.hasPrefix("waymark \(version ?? "") (schema ") && output.hasSuffix(")\n"))
        }

        @Test(arguments: [
            "serve", "backup", "export", "import", "migrate", "check", "association", "association lint",
            "keys rotate-data-key", "clicks export",
        ])
        func helpIsWrappedOnce(command: String) throws {
            let run = try Installation().run(command.split(separator: " ").map(String.init) + ["--help"])
            let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let usage = try #require(lines.firstIndex { $0.hasPrefix("USAGE:") })
            // A line that was broken before it was wrapped leaves a short one behind: its next word would have fitted.
            for (line, next) in zip(lines[..<usage], lines.dropFirst()) where !line.isEmpty && !next.isEmpty {
                let word = next.prefix { $0 != " " }
                #expect(line.count + 1 + word.count > 76, "\(line)")
            }
        }

        private static let mistakes: [(arguments: [String], named: String)] = [
            (["sserve"], "did you mean \"serve\"?"), (["keys", "make"], "did you mean \"keys create\"?"),
            (["link", "create"], "there is no command \"link\"; did you mean \"links\"?"),
            (["links", "creat", "--url", "x"], "did you mean \"links create\"?"),
            (["links", "frobnicate"], "give one of create, show, list, update"), (["links", "show"], "link"),
            (["links", "create", "--link", "https://a.example/?b=c"], "PLATFORM=URL, such as web=https://"),
            (["links", "create", "https://a.example/", "--link", "web=https://b.example/"], "web is given twice"),
            (["links", "create", "https://a.example/", "--body", "{}"], "--body"),
            (["links", "update", "go.example.com/x"], "nothing to change"),
            (["links", "update", "x", "--clear", "titel"], "did you mean \"title\"?"),
            (["links", "update", "x", "--titel", "y"], "Did you mean '--title'?"),
            (["links", "create", "https://a.example/", "x", "--slug", "y"], "given twice"),
            (["links", "list", "--state", "actve"], "did you mean \"active\"?"),
            (["links", "list", "--sort", "newest"], "give one of -createdAt"),
            (["links", "clicks", "x", "--by", "contry"], "did you mean \"country\"?"),
            (["links", "clicks", "x", "--where", "device"], "FIELD=VALUE"),
            (["links", "clicks", "x", "--csv", "--json"], "give one of them"),
            (["links", "qr", "x", "--format", "pgn"], "did you mean \"png\"?"),
            (["links", "tag", "go.example.com/x", "spring"], "the tag comes first"),
            (["links", "tag", "spring"], "give links, or a condition"),
            (["links", "untag", "spring", "x", "--app", "shop"], "not both"),
            (["links", "list", "--profile", "x", "--url", "https://a.example"], "give one of them"),
            (["shorten", "https://a.example/"], "did you mean \"links create\"?"),
            (["keys", "create", "--scope", "resolve"], "--name"),
            (["links", "create", "--parameter", "product_id"], "--parameter"),
            (["links", "create", "--body", "{"], "--body"),
            (["links", "show", "a/b/c"], "a/b/c"),
            (["links", "list", "--url", "gopher://localhost", "--key", Installation.adminKey], "--url"),
            (["links", "list", "--url", "http://127.0.0.1:1"], "--key"),
        ]

        @Test(arguments: mistakes)
        func aWrongCommandIsNamedInOneLine(mistake: (arguments: [String], named: String)) throws {
            let run = try Installation().run(mistake.arguments)
            #expect(run.end == .exit(2), "\(run)")
            #expect(run.errorLines.count == 1, "\(run)")
            #expect(run.errors.contains(mistake.named), "\(run)")
        }
    }
}

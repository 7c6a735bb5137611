import Foundation
import Testing
import WaymarkJSON

extension EndToEnd {
    /// `waymark login`, `profiles` and `logout`.
    @Suite struct LoginCommandTests {
        private let installation: Installation
        private let server: RunningServer
        private let address: String

        init() throws {
            installation = try Installation()
            server = try installation.start()
            address = "http://127.0.0.1:\(server.port)"
        }

        private var file: URL { installation.folder.appendingPathComponent("settings/waymark/profiles.json") }

        private func run(
            _ arguments: String..., environment: [String: String] = [:], input: String? = nil
        ) throws -> CommandRun {
            let home = ["XDG_CONFIG_HOME": installation.folder.appendingPathComponent("settings").path]
            return try installation.run(arguments, environment: home.merging(environment) { $1 }, input: input)
        }

        @Test func commandsUseTheServerThatWasLoggedInTo() throws {
            let login = try run("login", address, "--key-file", "-", input: Installation.adminKey + "\n")
            #expect(login.end == .exit(0) && login.output.contains("logged in to \(address)"), "\(login)")
            #expect(!login.output.contains(Installation.adminKey) && login.errors.isEmpty)
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)

            let created = try run("links", "create", "https://shop.example.com/", "hello")
            #expect(created.output == "https://go.example.com/hello\n" && created.errors.isEmpty, "\(created)")
            let deleted = try run("links", "delete", "hello")
            #expect(deleted.end == .exit(0) && deleted.output == "deleted hello\n", "\(deleted)")
            #expect(deleted.errors == "waymark: on \(address) (profile default)\n", "\(deleted)")
            // The database that flags name is preferred.
            let database = try run("links", "list", "--database", "sqlite:none.sqlite")
            #expect(database.errors.contains("does not exist"), "\(database)")

            let listed = try run("profiles")
            #expect(listed.output.contains(address) && !listed.output.contains("wm_"), "\(listed)")
            #expect(try run("profiles", "--json").json["profiles"]?.array?.first?["url"] == JSONValue(address))
            #expect(try run("logout").output == "logged out of default\n")
            #expect(!FileManager.default.fileExists(atPath: file.path))
            #expect(try run("logout").end == .exit(2))
        }

        @Test func profilesHaveNames() throws {
            let key = installation.folder.appendingPathComponent("key")
            try Data(Installation.adminKey.utf8).write(to: key)
            let login = try run("login", address, "--profile", "work", "--key-file", key.path)
            #expect(login.end == .exit(0) && login.output.contains("--profile work"), "\(login)")
            #expect(try run("links", "list", "--profile", "work").end == .exit(0))
            #expect(try run("links", "list", environment: ["WAYMARK_PROFILE": "work"]).end == .exit(0))
            // The key of a profile is for its own server, also where the server is typed.
            #expect(try run("links", "list", "--url", address).end == .exit(0))
            let other = try run("links", "list", "--url", "http://localhost:\(server.port)")
            #expect(other.end == .exit(2) && other.errors.contains("needs a key"), "\(other)")
            let misspelt = try run("links", "list", "--profile", "wrok")
            #expect(misspelt.end == .exit(2) && misspelt.errors.contains("did you mean \"work\"?"), "\(misspelt)")
            let again = try run("login", "--profile", "work", "--key-file", key.path)
            #expect(again.end == .exit(0) && again.output.contains(address), "\(again)")
            #expect(try run("logout", "--all").output == "logged out of work\n")
        }

        @Test(arguments: [
            ("wm_wrong0wrong0wrong0wrong0wrong0", Int32(1), "does not know this key"), ("\n", 2, "is empty"),
            ("", 2, "is empty"), ("with a space inside of it", 2, "visible ASCII"),
            (String(repeating: "k", count: 5_000), 2, "too long"),
        ])
        func aKeyThatIsNotTheServersIsNotStored(key: String, status: Int32, text: String) throws {
            let run = try run("login", address, "--key-file", "-", input: key)
            #expect(run.end == .exit(status) && run.errorLines.count == 1, "\(run)")
            #expect(run.errors.contains(text), "\(run)")
            #expect(key.count < 3 || !run.errors.contains(key))
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }

        @Test func aKeyThatMayOnlyResolveIsKnown() throws {
            let environment = ["WAYMARK_URL": address, "WAYMARK_KEY": Installation.adminKey]
            let made = try run("keys", "create", "--name", "app", "--scope", "resolve", environment: environment)
            #expect(try run("login", address, "--key-file", "-", input: made.output).end == .exit(0))
        }

        @Test func whatPreventsALoginIsNamed() throws {
            let plain = try run("login", "http://go.example.com", "--key-file", "-", input: Installation.adminKey)
            #expect(plain.end == .exit(2) && plain.errors.contains("--insecure"), "\(plain)")
            let name = try run("login", address, "--profile", "a b", "--key-file", "-", input: "k")
            #expect(name.end == .exit(2) && name.errors.contains("--profile"), "\(name)")
            let missing = try run("login", address, "--key-file", "none")
            #expect(missing.end == .exit(2) && missing.errors.contains("none can't be read"), "\(missing)")
            #expect(try run("login").errors.contains("give the server"))
            try server.stop()
            let away = try run("login", address, "--key-file", "-", input: Installation.adminKey)
            #expect(away.end == .exit(1) && away.errors.contains("is the server running?"), "\(away)")
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }

        @Test func aFileThatOthersMayReadIsRefused() throws {
            _ = try run("login", address, "--key-file", "-", input: Installation.adminKey)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            for command in [["links", "list"], ["profiles"], ["logout"]] {
                let home = ["XDG_CONFIG_HOME": installation.folder.appendingPathComponent("settings").path]
                let refused = try installation.run(command, environment: home)
                #expect(refused.end == .exit(2) && refused.errors.contains("chmod 600"), "\(refused)")
            }
        }
    }
}

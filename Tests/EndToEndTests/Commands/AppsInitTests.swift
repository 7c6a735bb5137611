import Foundation
import Testing
import WaymarkJSON

/// `waymark apps init` by flags, on a terminal, and to a server.
@Suite struct AppsInitTests {
    private static let flags = [
        "apps", "init", "--bundle-id", "com.example.shop", "--team-id", "ABCDE12345", "--package", "com.example.shop",
        "--fingerprint", Shop.fingerprint, "--domain", "links.example.com",
    ]

    private static func file(_ installation: Installation, _ name: String = "shop.json") throws -> JSONValue {
        try JSONValue(parsing: Array(try Data(contentsOf: installation.folder.appendingPathComponent(name))))
    }

    @Test func writesAFileThatCanBeApplied() throws {
        let installation = try Installation(applications: "[]")
        let run = try installation.run(Self.flags + ["--name", "The Shop"])
        #expect(run.end == .exit(0), "\(run)")
        #expect(run.output.hasPrefix("wrote shop.json\n"))
        #expect(run.output.contains("applinks:links.example.com"))
        #expect(run.output.contains(#"android:host="links.example.com""#))
        #expect(try Self.file(installation)["name"]?.string == "The Shop")
        let applied = try installation.run(["apps", "apply", "shop.json", "--config", "waymark.json"])
        #expect(applied.end == .exit(0), "\(applied)")
    }

    @Test func replacesAFileOnlyByForce() throws {
        let installation = try Installation()
        _ = try installation.run(Self.flags)
        let again = try installation.run(Self.flags + ["--name", "Other"])
        #expect(again.end == .exit(2))
        #expect(again.errorLines.count == 1)
        #expect(try Self.file(installation)["name"]?.string == "shop")
        let forced = try installation.run(Self.flags + ["--name", "Other", "--force", "--json"])
        #expect(forced.end == .exit(0), "\(forced)")
        #expect(forced.json["file"]?.string == "shop.json")
        #expect(try Self.file(installation)["name"]?.string == "Other")
    }

    @Test func putsAnApplicationOnAServerOnce() throws {
        let installation = try Installation()
        let server = try installation.start()
        let remote = Self.flags + ["--id", "links", "--url", "http://127.0.0.1:\(server.port)"]
        let environment = ["WAYMARK_KEY": Installation.adminKey]
        let run = try installation.run(remote, environment: environment)
        #expect(run.end == .exit(0), "\(run)")
        let again = try installation.run(remote, environment: environment)
        #expect(again.end == .exit(2))
        let forced = try installation.run(remote + ["--force"], environment: environment)
        #expect(forced.end == .exit(0), "\(forced)")
        let shown = try installation.run(
            ["apps", "show", "links", "--url", "http://127.0.0.1:\(server.port)"], environment: environment)
        #expect(shown.json["domains"]?.array?.first?.string == "links.example.com", "\(shown)")
    }

    @Test(arguments: [
        ["apps", "init"], ["apps", "init", "--domain", "links.example.com"],
        ["apps", "init", "--bundle-id", "com.example.shop", "--domain", "links.example.com"],
        flags.dropLast() + ["links example"], flags + ["--id", "../shop"], flags + ["--config", "waymark.json"],
    ])
    func asksNothingWithoutATerminal(arguments: [String]) throws {
        let installation = try Installation()
        let run = try installation.run(arguments)
        #expect(run.end == .exit(2), "\(run)")
        #expect(run.errorLines.count == 1)
        #expect(run.output.isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: installation.folder.path)
        #expect(!names.contains("shop.json"))
    }

    /// `script` gives the command a terminal of its own.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "script is not installed"))
    func asksAgainOnATerminal() throws {
        let installation = try Installation()
        let answers = ["com example", "com.example.shop", "ABCDE12345", "", "https://a", "links.example.com", ""]
        let program = try Program(
            ["apps", "init"], in: installation.folder,
            wrapper: ["/bin/sh", "-c", #"exec /usr/bin/script -qec "$*" /dev/null"#, "sh"],
            input: answers.joined(separator: "\n"))
        #expect(try program.wait() == .exit(0), "\(program.outputText)\(program.errorText)")
        #expect(program.outputText.components(separatedBy: "Domain of the links").count == 3)
        #expect(program.outputText.contains("wrote shop.json"))
        #expect(try Self.file(installation)["ios"]?["appIDs"]?.array?.first?.string == "ABCDE12345.com.example.shop")
    }
}

import Foundation
import Testing
import WaymarkTestSupport

@testable import waymark

/// Profiles: their file, and when a command uses one.
@Suite struct ServerChoiceTests {
    private let folder: TemporaryFolder
    private let file: ProfileFile
    private let home: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        home = ["XDG_CONFIG_HOME": folder.url.path]
        file = try #require(ProfileFile(home))
        try file.write([
            "default": ServerProfile(url: "https://go.example.com", key: "usual-key"),
            "work": ServerProfile(url: "https://work.example.com", key: "work-key"),
        ])
    }

    private struct Given: Sendable {
        var url: String?
        var key: String?
        var profile: String?
        var isDatabaseNamed = false
        var hasFile = false
        var environment: [String: String] = [:]
    }

    private func choice(_ given: Given) throws -> ServerChoice? {
        try ServerChoice(
            url: given.url, key: given.key, profile: given.profile, isDatabaseNamed: given.isDatabaseNamed,
            environment: home.merging(given.environment) { $1 }, hasConfigurationFile: given.hasFile)
    }

    private static let choices: [(Given, String?)] = [
        (Given(), "https://go.example.com usual-key"),
        (Given(profile: "work"), "https://work.example.com work-key"),
        (Given(key: "k", profile: "work"), "https://work.example.com k"),
        (Given(profile: "work", isDatabaseNamed: true), "https://work.example.com work-key"),
        (Given(profile: "work", environment: ["WAYMARK_KEY": "other"]), "https://work.example.com work-key"),
        (Given(url: "https://a.example", key: "k"), "https://a.example k"),
        (Given(url: "https://a.example", environment: ["WAYMARK_KEY": "e"]), "https://a.example e"),
        (Given(url: "work.example.com/"), "work.example.com/ work-key"),
        (Given(environment: ["WAYMARK_URL": "https://e.example", "WAYMARK_KEY": "e"]), "https://e.example e"),
        (Given(environment: ["WAYMARK_PROFILE": "work"]), "https://work.example.com work-key"),
        (Given(environment: ["WAYMARK_PROFILE": "work", "WAYMARK_KEY": "e"]), "https://work.example.com work-key"),
        (Given(profile: "default", environment: ["WAYMARK_PROFILE": "work"]), "https://go.example.com usual-key"),
        (Given(environment: ["WAYMARK_KEY": "e"]), "https://go.example.com e"),
        (Given(environment: ["WAYMARK_URL": "", "WAYMARK_PROFILE": ""]), "https://go.example.com usual-key"),
        (Given(isDatabaseNamed: true, environment: ["WAYMARK_PROFILE": "work"]), nil),
        (Given(isDatabaseNamed: true), nil), (Given(hasFile: true), nil),
        (Given(environment: ["WAYMARK_DATABASE": "sqlite:x"]), nil),
        (Given(environment: ["WAYMARK_CONFIG": "x.json"]), nil),
    ]

    @Test(arguments: choices.indices)
    func flagsPrecedeTheEnvironmentAndProfiles(index: Int) throws {
        let (given, expected) = Self.choices[index]
        #expect(try choice(given).map { "\($0.url) \($0.key)" } == expected)
    }

    private static let refusals: [(Given, String)] = [
        (Given(url: "https://a.example", profile: "work"), "give one of them"),
        (Given(profile: "wrok"), "did you mean \"work\"?"), (Given(profile: "xyz"), "give one of default, work"),
        (Given(environment: ["WAYMARK_PROFILE": "xyz"]), "WAYMARK_PROFILE"),
        // A stored key is sent to its own server only.
        (Given(url: "https://go.example.com.evil.example"), "needs a key"),
        (Given(url: "http://go.example.com"), "needs a key"),
        (Given(url: "https://go.example.com:444"), "needs a key"),
    ]

    @Test(arguments: refusals.indices)
    func aServerWithoutAKeyOfItsOwnIsRefused(index: Int) throws {
        let (given, text) = Self.refusals[index]
        let failure = try #require(throws: CommandFailure.self) { try choice(given) }
        #expect(failure.status == CommandFailure.usage && failure.message.contains(text), "\(failure)")
        #expect(!["usual-key", "work-key"].contains { failure.message.contains($0) }, "\(failure)")
    }

    @Test func onlyAServerThatWasNotTypedIsAnnounced() throws {
        #expect(try choice(Given())?.announcement == "on https://go.example.com (profile default)")
        #expect(try choice(Given(profile: "work"))?.announcement == "on https://work.example.com (profile work)")
        let named = Given(environment: ["WAYMARK_URL": "e.example", "WAYMARK_KEY": "e"])
        #expect(try choice(named)?.announcement == "on https://e.example (WAYMARK_URL)")
        #expect(try choice(Given(url: "https://a.example", key: "k"))?.announcement == nil)
    }

    @Test func theFileIsItsOwnersOnly() throws {
        let folder = try FileManager.default.attributesOfItem(atPath: file.folder)[.posixPermissions] as? Int
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(folder == 0o700 && mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.folder) == ["profiles.json"])
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o622, 0o601])
    func aFileThatOthersMayUseIsRefused(mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        let failure = try #require(throws: CommandFailure.self) { try file.read() }
        #expect(failure.message.contains("chmod 600 \(file.path)"), "\(failure)")
        #expect(throws: CommandFailure.self) { try choice(Given(profile: "work")) }
    }

    @Test(arguments: [
        "", "{", "[]", #"{"profiles": []}"#, #"{"profiles": {"a b": {"url": "https://a.example", "key": "k"}}}"#,
        #"{"profiles": {"a": {"url": "https://a.example"}}}"#, String(repeating: " ", count: 300_000) + "{}",
    ])
    func aDamagedFileIsRefusedWithoutItsText(text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file.path))
        let failure = try #require(throws: CommandFailure.self) { try file.read() }
        #expect(failure.message == "\(file.path) is damaged; delete it and log in again")
    }

    @Test func theLastProfileTakesTheFileWithIt() throws {
        try file.write([:])
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(try file.read().isEmpty)
        #expect(try choice(Given()) == nil)
    }

    @Test(arguments: [
        (["XDG_CONFIG_HOME": "/c", "HOME": "/h"], "/c/waymark/profiles.json"),
        (["XDG_CONFIG_HOME": "c", "HOME": "/h"], "/h/.config/waymark/profiles.json"),
        (["XDG_CONFIG_HOME": "", "HOME": "/h"], "/h/.config/waymark/profiles.json"), ([:], nil),
    ])
    func theFileIsInTheFolderForConfigurations(environment: [String: String], path: String?) {
        #expect(ProfileFile(environment)?.path == path)
    }

    @Test(arguments: [
        ("go.example.com", "https://go.example.com"), ("https://go.example.com/", "https://go.example.com"),
        ("localhost:8080", "http://localhost:8080"), ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://[::1]:8080", "http://[::1]:8080"), ("http://go.example.com", nil), ("http://10.0.0.5", nil),
        ("http://127.0.0.1.evil.example", nil), ("http://localhost.evil.example", nil), ("http://127.1", nil),
        ("https://user:password@go.example.com", nil), ("https://go.example.com/?a", nil), ("gopher://a", nil),
        ("https://", nil), ("", nil),
    ])
    func aKeyIsSentEncryptedOrToThisMachine(address: String, base: String?) {
        #expect((try? LoginCommand.checked(address, isInsecureAllowed: false)) == base)
    }

    @Test func anUnencryptedServerIsAllowedByAFlagAlone() throws {
        #expect(try LoginCommand.checked("http://10.0.0.5", isInsecureAllowed: true) == "http://10.0.0.5")
        let failure = try #require(throws: CommandFailure.self) {
            try LoginCommand.checked("http://10.0.0.5", isInsecureAllowed: false)
        }
        #expect(failure.message.contains("--insecure") && failure.message.contains("https"), "\(failure)")
    }

    @Test(arguments: [
        ("abc\n", "abc"), ("abx\u{7f}c\r", "abc"), ("xyz\u{15}abc\n", "abc"), ("\u{8}\u{8}abc\n", "abc"),
        ("abc\u{3}", nil), ("\u{4}", nil), (String(repeating: "a", count: 5_000), nil),
    ])
    func aHiddenLineIsEditedAndInterrupted(keys: String, text: String?) {
        var line = HiddenLine()
        var state = HiddenLine.State.more
        for byte in keys.utf8 where state == .more { state = line.add(byte) }
        #expect((state == .end ? line.text : nil) == text)
    }
}

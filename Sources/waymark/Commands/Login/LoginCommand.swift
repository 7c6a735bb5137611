import ArgumentParser
import Foundation

/// `waymark login URL`: checks a key and stores it with the server's address.
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Store a server's address and an API key, for commands without --url.",
        discussion: """
            waymark login https://go.example.com
            waymark login https://staging.example.com --profile staging --key-file - < key
            The key is asked for without being shown, checked, and stored in a file that only you can read. Commands use the \
            profile "default" unless --profile or WAYMARK_PROFILE names another one.
            """)

    @Argument(help: ArgumentHelp("The server. [default: that of the profile]", valueName: "url"))
    var server: String?

    @Option(name: .long, help: ArgumentHelp("The profile's name.", valueName: "name"))
    var profile = ServerProfile.usual

    @Option(
        name: .long, help: ArgumentHelp("Read the key from a file; - is standard input.", valueName: "file"))
    var keyFile: String?

    @Flag(name: .long, help: "Send the key without encryption, to a server on a network that you trust.")
    var insecure = false

    mutating func run() async throws {
        guard ServerProfile.isName(profile) else {
            throw CommandFailure.usage("--profile: \"\(profile)\" is not allowed; use up to 64 of a-z, 0-9, -, _ and .")
        }
        guard let file = ProfileFile(ProcessInfo.processInfo.environment) else {
            throw CommandFailure.usage("there is no folder for the key; set HOME or XDG_CONFIG_HOME")
        }
        var profiles = try file.read()
        guard let address = server ?? profiles[profile]?.url else {
            throw CommandFailure.usage("give the server, such as https://go.example.com")
        }
        let base = try Self.checked(address, isInsecureAllowed: insecure)
        let key = try Self.key(from: keyFile, for: base)
        let api = try RemoteAPI(url: base, key: key)
        try api.check(try await api.send(RemoteAPI.probe))
        profiles[profile] = ServerProfile(url: base, key: key)
        try file.write(profiles)
        let use = profile == ServerProfile.usual ? "commands use it now" : "commands use it with --profile \(profile)"
        print("logged in to \(base); \(use). The key is in \(file.path).")
    }

    /// The server's URL as profiles have it.
    ///
    /// - Throws: `CommandFailure` if it is none, or if the key would be sent in the clear.
    static func checked(_ address: String, isInsecureAllowed: Bool) throws -> String {
        let base = ServerURL.base(address)
        guard let url = URL(string: base), let scheme = url.scheme, ["http", "https"].contains(scheme),
            let host = url.host(), !host.isEmpty, url.user() == nil, url.query() == nil, url.fragment() == nil
        else {
            throw CommandFailure.usage("\"\(address)\" is not allowed; give the server, such as https://go.example.com")
        }
        guard scheme == "https" || ServerURL.isLoopback(host) || isInsecureAllowed else {
            throw CommandFailure.usage(
                "\(base) would get the key unencrypted; give an https address, or --insecure on a network that you trust"
            )
        }
        return base
    }

    private static func key(from file: String?, for base: String) throws -> String {
        let text: String
        if let file {
            text = try SecretFile.line(file, of: "--key-file")
        } else if let line = try HiddenInput.line("API key for \(base)") {
            text = line
        } else {
            throw CommandFailure.usage(
                "there is no terminal to ask for the key; give --key-file -, and the key as its input")
        }
        let key = text.trimmingCharacters(in: .whitespaces)
        guard !key.isEmpty else { throw CommandFailure.usage("the key is empty") }
        return key
    }
}

import ArgumentParser
import Foundation
import WaymarkJSON

/// `waymark profiles`: the servers that `waymark login` stored.
struct ProfilesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profiles", abstract: "List the servers that waymark login stored, without their keys.")

    @Flag(name: .long, help: "Print JSON.")
    var json = false

    mutating func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let profiles = try ProfileFile(environment)?.read() ?? [:]
        let used = environment["WAYMARK_PROFILE"].flatMap { $0.isEmpty ? nil : $0 } ?? ServerProfile.usual
        let rows = profiles.sorted { $0.key < $1.key }
        if json {
            let list = rows.map { name, profile in
                JSONValue(
                    [
                        "name": JSONValue(name), "url": JSONValue(profile.url), "used": JSONValue(name == used),
                    ] as JSONObject)
            }
            return print(JSONValue(["profiles": JSONValue(list)] as JSONObject).text(style: .pretty))
        }
        print(Table(["PROFILE", "SERVER", "USED"], rows.map { [$0, $1.url, $0 == used ? "yes" : "no"] }).text)
    }
}

/// `waymark logout`: forgets a server and its key.
struct LogoutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Remove a server and its key from this machine. The key stays valid.")

    @Option(name: .long, help: ArgumentHelp("The profile's name.", valueName: "name"))
    var profile = ServerProfile.usual

    @Flag(name: .long, help: "All profiles.")
    var all = false

    mutating func run() throws {
        guard let file = ProfileFile(ProcessInfo.processInfo.environment) else {
            throw CommandFailure.usage("there is no folder for profiles; set HOME or XDG_CONFIG_HOME")
        }
        var profiles = try file.read()
        let removed = all ? profiles.keys.sorted() : [profile]
        guard all || profiles[profile] != nil else {
            let others = profiles.isEmpty ? "" : "; there are \(profiles.keys.sorted().joined(separator: ", "))"
            throw CommandFailure.usage("--profile: there is no profile \"\(profile)\"\(others)")
        }
        for name in removed { profiles[name] = nil }
        try file.write(profiles)
        print(removed.isEmpty ? "there was no profile" : "logged out of \(removed.joined(separator: ", "))")
    }
}

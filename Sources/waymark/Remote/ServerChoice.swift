import Foundation

/// The server that a command calls, and where its address and key come from: flags first, then the environment, then a profile.
struct ServerChoice: Sendable, Equatable {
    enum Origin: Sendable, Equatable {
        case flag, environment
        case profile(String)
    }

    let url: String
    let key: String
    let origin: Origin

    func api() throws -> RemoteAPI { try RemoteAPI(url: url, key: key) }

    /// Which server is called, if it was not typed.
    var announcement: String? {
        switch origin {
        case .flag: nil
        case .environment: "on \(ServerURL.base(url)) (WAYMARK_URL)"
        case .profile(let name): "on \(url) (profile \(name))"
        }
    }

    private init(url: String, key: String, origin: Origin) {
        self.url = url
        self.key = key
        self.origin = origin
    }

    /// Nil if the command is for the database.
    ///
    /// - Parameters:
    ///   - isDatabaseNamed: whether flags name a database or a configuration.
    ///   - hasConfigurationFile: whether the default configuration file exists, which names a database.
    /// - Throws: `CommandFailure` if there is no key, or no such profile.
    init?(
        url: String?, key: String?, profile: String?, isDatabaseNamed: Bool, environment: [String: String],
        hasConfigurationFile: Bool = FileManager.default.fileExists(atPath: Configuration.defaultFile)
    ) throws {
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let file = ProfileFile(environment)
        if let name = profile {
            guard url == nil else {
                throw CommandFailure.usage("--profile: --url names a server too; give one of them")
            }
            let stored = try Self.stored(name, in: file, "--profile")
            // Not the key of the environment, which may be another server's.
            self.init(url: stored.url, key: key ?? stored.key, origin: .profile(name))
        } else if let address = url ?? variable("WAYMARK_URL") {
            let base = ServerURL.base(address)
            let given = key ?? environment["WAYMARK_KEY"] ?? environment["WAYMARK_ADMIN_KEY"]
            guard let key = try given ?? file?.read().values.first(where: { $0.url == base })?.key else {
                throw CommandFailure.usage("--url needs a key: give --key or WAYMARK_KEY, or use waymark login")
            }
            self.init(url: address, key: key, origin: url == nil ? .environment : .flag)
        } else if isDatabaseNamed {
            return nil
        } else if let name = variable("WAYMARK_PROFILE") {
            let stored = try Self.stored(name, in: file, "WAYMARK_PROFILE")
            self.init(url: stored.url, key: key ?? stored.key, origin: .profile(name))
        } else if variable("WAYMARK_CONFIG") == nil, variable("WAYMARK_DATABASE") == nil, !hasConfigurationFile,
            let stored = try file?.read()[ServerProfile.usual]
        {
            let key = key ?? variable("WAYMARK_KEY") ?? stored.key
            self.init(url: stored.url, key: key, origin: .profile(ServerProfile.usual))
        } else {
            return nil
        }
    }

    private static func stored(_ name: String, in file: ProfileFile?, _ source: String) throws -> ServerProfile {
        let profiles = try file?.read() ?? [:]
        if let stored = profiles[name] { return stored }
        guard !profiles.isEmpty else {
            throw CommandFailure.usage("\(source): there is no profile yet; waymark login https://HOST stores one")
        }
        throw CommandFailure.unknown(name, of: source, profiles.keys.sorted())
    }
}

import Foundation
import WaymarkJSON

/// The validated values of all settings: `configuration.threads` is the value of the row `Settings.threads`. Read at
/// startup and on SIGHUP.
@dynamicMemberLookup
struct Configuration: Sendable {
    static let defaultFile = "Config/waymark.json"

    private struct Entry {
        let value: any Sendable
        let source: SettingSource
    }

    /// The given values, by the name of the setting.
    private var entries: [String: Entry] = [:]
    /// The keys of the row `metadataKeySettings`, read from files and variables.
    private(set) var metadataKeys: [MetadataKeyValue] = []

    /// Flags override the environment, which overrides the file, which overrides the defaults.
    ///
    /// - Parameter flags: by the setting's name: a string, or an array of strings for a list.
    /// - Throws: `CommandFailure` in one line, even for an invalid value that another source overrides.
    init(
        flags: [String: JSONValue], environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        for setting in Settings.all {
            if let flag = setting.flag { try take(setting, flags[setting.name], from: .flag(flag)) }
        }
        for setting in Settings.all {
            guard let variable = setting.variable else { continue }
            try take(setting, environment[variable].map { JSONValue($0) }, from: .variable(variable))
        }
        if let path = self.config ?? Self.existingDefaultFile {
            let settings = Settings.all.filter { $0.sources.contains(.file) }
            let file = try SettingObject(
                try JSONFile.read(path).root, .file(path), members: settings.map(\.name))
            for setting in settings { try take(setting, file[setting.name], from: file.source.member(setting.name)) }
        }
        try useCertificatePair()
        metadataKeys = try MetadataKeyValue.all(self.metadataKeySettings, environment: environment)
        try checkProxies()
    }

    /// All defaults and a database in memory, whatever the environment and the folder have.
    static var inMemory: Configuration {
        var configuration = Configuration()
        configuration.database = .memory
        return configuration
    }

    /// Whether made-up links and clicks are shown (`serve --demo`).
    private(set) var isDemo = false

    /// The same addresses, with made-up data in memory, and without what would change something elsewhere.
    func forDemo() -> Configuration {
        var demo = self
        demo.isDemo = true
        demo.database = .memory
        demo.adminKey = nil
        demo.applicationsFile = nil
        demo.acme = nil
        demo.oidc = nil
        demo.proxySignIn = nil
        demo.clickhouse = nil
        // Nobody asked for requests to the hosts of made-up links.
        demo.verification = nil
        demo.metadataKeys = []
        return demo
    }

    private init() {}

    /// For commands that only have these two flags.
    init(config: String?, database: String? = nil) throws {
        try self.init(flags: ["config": config, "database": database].compactMapValues { $0.map { JSONValue($0) } })
    }

    subscript<Value>(dynamicMember row: KeyPath<Settings, Setting<Value>>) -> Value {
        get { self[Settings.table[keyPath: row]] }
        set {
            let name = Settings.table[keyPath: row].name
            entries[name] = Entry(value: newValue, source: entries[name]?.source ?? .variable(name))
        }
    }

    subscript<Value>(setting: Setting<Value>) -> Value {
        entries[setting.name]?.value as? Value ?? setting.defaultValue
    }

    /// The source of a value, for messages.
    func sourceName(of row: KeyPath<Settings, some AnySetting>) -> String {
        let name = Settings.table[keyPath: row].name
        return entries[name]?.source.name ?? name
    }

    private mutating func take(_ setting: any AnySetting, _ value: JSONValue?, from source: SettingSource) throws {
        guard let value, !value.isNull else { return }
        let read = try setting.read(value, from: source)
        if entries[setting.name] == nil { entries[setting.name] = Entry(value: read, source: source) }
    }

    private static var existingDefaultFile: String? {
        FileManager.default.fileExists(atPath: defaultFile) ? defaultFile : nil
    }
}

extension Configuration {
    /// The values in the format of the configuration file, without secrets: no admin key, and only the IDs of
    /// `metadataKeys`.
    var document: JSONValue {
        let settings = Settings.all.filter { $0.sources.contains(.file) }
        return JSONValue(settings.reduce(into: JSONObject()) { $0[$1.name] = $1.document(in: self) })
    }

    /// Changed settings that a running service can't apply.
    func needingRestart(comparedTo fresh: Configuration) -> [String] {
        Settings.all.filter { $0.reload == .needsRestart && !$0.isSame(in: self, and: fresh) }.map(\.name)
    }
}

import WaymarkJSON

/// A setting: one row of `Settings`. Its name is the key in the configuration file; the flag and the variable are
/// derived from it, such as `--tls-listen` and `WAYMARK_TLS_LISTEN` from `tlsListen`.
struct Setting<Value: Equatable & Sendable>: AnySetting {
    let name: String
    let sources: SettingSources
    let reload: SettingReload
    let summary: String
    let page: String?
    let defaultText: String
    let defaultValue: Value
    private let type: SettingType<Value>

    /// - Parameters:
    ///   - reload: how SIGHUP handles a new value.
    ///   - defaultText: the default in the documentation, if it differs from the value.
    ///   - page: the page with further documentation, as linked from docs/operations/configuration.md.
    ///   - summary: one line for `--help` and the documentation, without a full stop.
    init(
        _ name: String, _ type: SettingType<Value>, from sources: SettingSources = .file, default defaultValue: Value,
        _ defaultText: String? = nil, reload: SettingReload, page: String? = nil, _ summary: String
    ) {
        self.name = name
        self.type = type
        self.sources = sources
        self.defaultValue = defaultValue
        let document = type.write(defaultValue)
        self.defaultText = defaultText ?? (document.isNull ? "none" : document.string ?? document.text())
        self.reload = reload
        self.page = page
        self.summary = summary
    }

    /// A setting without a default value.
    init<Wrapped>(
        _ name: String, _ type: SettingType<Wrapped>, from sources: SettingSources = .file,
        defaultText: String? = nil, reload: SettingReload, page: String? = nil, _ summary: String
    ) where Value == Wrapped? {
        self.init(
            name, type.optional, from: sources, default: nil, defaultText, reload: reload, page: page, summary)
    }

    var allowed: String { type.allowed }
    var allowedText: String { type.allowedText }
    var placeholder: String { type.placeholder }
    var isList: Bool { type.isList }

    func read(_ value: JSONValue, from source: SettingSource) throws -> any Sendable { try type.read(value, source) }
    func document(in configuration: Configuration) -> JSONValue { type.write(configuration[self]) }
    func isSame(in one: Configuration, and other: Configuration) -> Bool { one[self] == other[self] }
}

/// A setting of any type.
protocol AnySetting: Sendable {
    /// The key in the configuration file.
    var name: String { get }
    var sources: SettingSources { get }
    var reload: SettingReload { get }
    var summary: String { get }
    var page: String? { get }
    var defaultText: String { get }
    var allowed: String { get }
    var allowedText: String { get }
    var placeholder: String { get }
    var isList: Bool { get }

    /// - Throws: `CommandFailure` in one line.
    func read(_ value: JSONValue, from source: SettingSource) throws -> any Sendable
    /// In the format of the configuration file.
    func document(in configuration: Configuration) -> JSONValue
    func isSame(in one: Configuration, and other: Configuration) -> Bool
}

extension AnySetting {
    var flag: String? { sources.contains(.flag) ? "--" + words(separator: "-").lowercased() : nil }
    var variable: String? {
        sources.contains(.variable) ? "WAYMARK_" + words(separator: "_").uppercased() : nil
    }

    private func words(separator: String) -> String {
        name.map { $0.isUppercase ? separator + String($0) : String($0) }.joined()
    }
}

/// Where a setting may be set.
struct SettingSources: OptionSet, Sendable {
    let rawValue: Int

    static let file = SettingSources(rawValue: 1)
    static let flag = SettingSources(rawValue: 2)
    static let variable = SettingSources(rawValue: 4)
    static let all: SettingSources = [.file, .flag, .variable]
}

/// How SIGHUP handles a new value.
enum SettingReload: Sendable {
    case applies, needsRestart
}

extension AnySetting {
    /// The help of its flag.
    var help: String {
        let source = (variable ?? "") + (isList ? ", comma-separated" : "")
        return "\(summary)\(isList ? "; repeatable" : ""). [\(allowedText); \(source); default: \(defaultText)]"
    }

    /// Its row in docs/operations/configuration.md.
    fileprivate var row: String {
        func code(_ text: String?) -> String { text.map { "`\($0)`" } ?? "–" }
        let key = sources.contains(.file) ? name : nil
        let about = page.map { page in
            let title = page.split(separator: "/").last?.prefix { $0 != "." }.drop { $0 == "#" } ?? ""
            return "\(summary) ([\(title.replacing("-", with: " "))](\(page)))"
        }
        let cells = [
            code(key), code(flag), code(variable), allowed, defaultText, reload == .applies ? "yes" : "no",
            about ?? summary,
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }
}

extension Settings {
    /// The table in docs/operations/configuration.md.
    static var documentation: String {
        let heading = ["key", "flag", "environment", "value", "default", "SIGHUP", "what"]
        let rows = [heading, heading.map { _ in "---" }].map { "| \($0.joined(separator: " | ")) |" } + all.map(\.row)
        return rows.joined(separator: "\n") + "\n"
    }
}

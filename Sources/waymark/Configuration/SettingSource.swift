import WaymarkBytes
import WaymarkJSON

/// The source of a value, as shown in messages: `--threads`, `WAYMARK_THREADS`, `threads in Config/waymark.json`.
struct SettingSource: Sendable {
    private enum Origin: Sendable { case flag, variable, file(String) }

    private let origin: Origin
    private let path: String

    static func flag(_ name: String) -> SettingSource { SettingSource(origin: .flag, path: name) }
    static func variable(_ name: String) -> SettingSource { SettingSource(origin: .variable, path: name) }
    static func file(_ path: String) -> SettingSource { SettingSource(origin: .file(path), path: "") }

    var name: String {
        guard case .file(let file) = origin else { return path }
        return path.isEmpty ? file : "\(path) in \(file)"
    }

    /// Nil for flags and variables.
    var file: String? {
        if case .file(let file) = origin { file } else { nil }
    }

    /// Whether the value is text instead of JSON.
    var isText: Bool { file == nil }

    /// The base folder of relative paths; "." for the working directory.
    var folder: String { (file ?? "").folderOfPath }

    func member(_ name: String) -> SettingSource {
        SettingSource(origin: origin, path: path.isEmpty ? name : "\(path).\(name)")
    }

    /// The name of an element. A flag is repeated, so it has no index.
    func element(_ index: Int) -> SettingSource {
        if case .flag = origin { self } else { SettingSource(origin: origin, path: "\(path)[\(index)]") }
    }

    func failure(_ problem: String) -> CommandFailure { .usage("\(name): \(problem)") }

    func refusal(_ value: JSONValue, allowed: String) -> CommandFailure {
        if isText, let text = value.string { return refusal(text: text, allowed: allowed) }
        return failure("\(value.noun) is not allowed; give \(allowed)")
    }

    func refusal(text: String, allowed: String) -> CommandFailure {
        failure("\"\(text)\" is not allowed; give \(allowed)")
    }
}

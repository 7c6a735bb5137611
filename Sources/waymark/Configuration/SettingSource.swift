import Foundation
import WaymarkJSON

/// Where a value comes from, as messages name it: `--threads`, `WAYMARK_THREADS`, `threads in Config/waymark.json`.
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

    /// Nil for a flag and a variable.
    var file: String? {
        if case .file(let file) = origin { file } else { nil }
    }

    /// Whether the value is text instead of JSON.
    var isText: Bool { file == nil }

    /// Relative paths start here; empty for the working directory.
    var folder: String { ((file ?? "") as NSString).deletingLastPathComponent }

    func member(_ name: String) -> SettingSource {
        SettingSource(origin: origin, path: path.isEmpty ? name : "\(path).\(name)")
    }

    /// A flag is repeated, so it has no index.
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

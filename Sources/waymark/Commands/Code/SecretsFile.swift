import Foundation
import WaymarkJSON

/// Where the secrets of new webhooks are written, readable by its owner alone.
final class SecretsFile {
    private let file: NewFile
    private var webhooks: [JSONValue] = []

    /// - Throws: `CommandFailure` if the file exists or can't be made.
    init(_ path: String) throws {
        file = try NewFile(path)
        if file.hasPartial {
            throw CommandFailure.usage(
                "\(file.partial): has secrets of webhooks that an interrupted apply made; keep it, and give --secrets another file"
            )
        }
        try file.make()
    }

    /// Writes what a server answered to a creation before the next one is sent: no other answer has the secret.
    func add(_ webhook: JSONValue) throws {
        var kept = JSONObject()
        for name in ["id", "url", "app", "secret"] { kept[name] = webhook[name] ?? .null }
        webhooks.append(JSONValue(kept))
        let text = JSONValue(["webhooks": JSONValue(webhooks)] as JSONObject).text(style: .pretty) + "\n"
        guard let handle = FileHandle(forWritingAtPath: file.partial) else { throw file.refusal(errno) }
        defer { try? handle.close() }
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(text.utf8))
    }

    func finish() throws {
        if webhooks.isEmpty { file.removePartial() } else { try file.finish() }
    }
}

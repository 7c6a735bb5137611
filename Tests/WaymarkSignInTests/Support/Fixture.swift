import Foundation
import WaymarkBytes
import WaymarkJSON

/// Files beside the tests, with the programs that wrote them.
enum Fixture {
    static func json(_ name: String) -> JSONValue {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try! JSONValue(parsing: Array(Data(contentsOf: folder.appendingPathComponent("Fixtures/\(name)"))))
    }
}

extension JSONValue {
    /// A member's base64url.
    func bytes(_ name: String) -> [UInt8] { Base64.bytes(lenient: self[name]?.string ?? "") ?? [] }

    /// With a member set; nil removes it.
    func setting(_ path: String..., to value: JSONValue?) -> JSONValue { setting(path[...], to: value) }

    private func setting(_ path: ArraySlice<String>, to value: JSONValue?) -> JSONValue {
        guard let name = path.first else { return value ?? .null }
        var object = object ?? JSONObject()
        object[name] =
            path.count == 1 ? value : (object[name] ?? .null).setting(path.dropFirst(), to: value)
        return JSONValue(object)
    }
}

import Foundation
import Testing
import WaymarkJSON

/// One case of the shared data about the original systems.
struct Vector: Sendable, CustomTestStringConvertible {
    let name: String
    let area: String
    let platform: String?
    let input: JSONValue
    let expected: JSONValue

    var testDescription: String { name }

    /// The cases of one system; none where the shared folder is not beside the package.
    static func all(of system: String) -> [Vector] {
        let file = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "shared/vectors/\(system).json")
        guard let data = try? Data(contentsOf: file), let root = try? JSONValue(parsing: Array(data)) else { return [] }
        return (root["vectors"]?.array ?? []).map { value in
            Vector(
                name: value["name"]?.string ?? "", area: value["area"]?.string ?? "",
                platform: value["platform"]?.string, input: value["input"] ?? .null,
                expected: value["expected"] ?? .null)
        }
    }
}

extension JSONValue {
    /// The members as strings; null stays nil.
    var texts: [String: String?] {
        var texts: [String: String?] = [:]
        for member in object?.members ?? [] { texts.updateValue(member.value.scalarText, forKey: member.name) }
        return texts
    }

    /// A string, number or boolean as text; nil for everything else.
    var scalarText: String? {
        switch kind {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let flag): "\(flag)"
        default: nil
        }
    }

    var strings: [String] { (array ?? []).compactMap(\.string) }

    /// The value as an app would write it down. A text that describes an object of the platform becomes such an object.
    var native: Any {
        switch kind {
        case .null: Optional<String>.none as Any
        case .bool(let flag): flag
        case .number(let number): (number.integer as Any?) ?? number.double ?? 0
        case .string(let text): text.hasPrefix("<a native") ? Date(timeIntervalSince1970: 0) : text
        case .array(let elements): elements.map(\.native)
        case .object(let object):
            Dictionary(object.members.map { ($0.name, $0.value.native) }) { first, _ in first }
        }
    }
}

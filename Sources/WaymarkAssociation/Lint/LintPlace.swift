internal import WaymarkJSON

/// A value of the document together with the way to it.
struct LintPlace {
    let value: JSONValue
    /// RFC 6901.
    let pointer: String

    init(root: JSONValue) {
        self.init(root, "")
    }

    private init(_ value: JSONValue, _ pointer: String) {
        self.value = value
        self.pointer = pointer
    }

    /// Nil where there is no such member.
    subscript(name: String) -> LintPlace? {
        value[name].map { LintPlace($0, "\(pointer)/\(Self.escaped(name))") }
    }

    /// Empty where the value is no array.
    var elements: [LintPlace] {
        (value.array ?? []).enumerated().map { LintPlace($0.element, "\(pointer)/\($0.offset)") }
    }

    /// Each member with its name; empty where the value is no object.
    var members: [(name: String, nameOffset: Int, place: LintPlace)] {
        (value.object?.members ?? []).map {
            ($0.name, $0.nameRange.lowerBound, LintPlace($0.value, "\(pointer)/\(Self.escaped($0.name))"))
        }
    }

    private static func escaped(_ name: String) -> String {
        var escaped = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

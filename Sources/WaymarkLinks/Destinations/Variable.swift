import WaymarkBytes

/// `:name` in a route or a URL pattern; a name is `[A-Za-z_][A-Za-z0-9_]*`.
enum Variable: Equatable {
    /// Does not start with a colon: an ordinary segment.
    case none
    case whole(String)
    /// Starts with a variable, but other characters follow: `:id.json`.
    case partial

    static func read(_ part: Substring.UTF8View) -> Variable {
        guard part.first == UInt8(ascii: ":") else { return .none }
        let rest = part.dropFirst()
        guard let start = rest.first, start.isVariableStart else { return .none }
        guard rest.allSatisfy(\.isVariableCharacter) else { return .partial }
        return .whole(String(Substring(rest)))
    }
}

extension UInt8 {
    var isVariableStart: Bool { isLetter || self == UInt8(ascii: "_") }
    var isVariableCharacter: Bool { isAlphanumeric || self == UInt8(ascii: "_") }
}

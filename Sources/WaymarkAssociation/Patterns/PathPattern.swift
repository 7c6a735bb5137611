/// A path's pattern with Apple's rules for slashes: the leading slash is optional, trailing ones are ignored, and a
/// pattern that ends in `/*` also matches the path before it.
struct PathPattern: Hashable, Sendable {
    let text: String
    /// The other path it matches.
    let parent: String?

    init(_ written: String, doubt: Ambiguity? = nil) {
        let scalars = Self.withoutRuns(written)
        var text = Self.rooted(scalars, doubt: doubt)
        if doubt == .trailingSlash {
            if !text.hasSuffix("*") { text = Self.withoutTrailingSlashes(text).withSlash }
            self.text = text
            parent = nil
            return
        }
        text = Self.withoutTrailingSlashes(text)
        self.text = text
        parent = text.hasSuffix("/*") && text.utf8.count > 2 ? String(text.dropLast(2)) : nil
    }

    /// The URL's path in the same form.
    static func text(_ path: String, doubt: Ambiguity? = nil) -> String {
        var path = path
        if doubt == .slashRun, path.hasPrefix("//") { path = "/" + path.drop { $0 == "/" } }
        path = withoutTrailingSlashes(path)
        return doubt == .trailingSlash ? path.withSlash : path
    }

    /// Replaces `**` with `*`.
    private static func withoutRuns(_ text: String) -> String {
        guard text.contains("**") else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !(scalar == "*" && result.last == "*") { result.append(scalar) }
        return String(result)
    }

    private static func rooted(_ text: String, doubt: Ambiguity?) -> String {
        switch text.unicodeScalars.first {
        case "/": return "/" + String(text.unicodeScalars.drop { $0 == "/" })
        case "*": return text
        case "?" where doubt == .leadingMark: return text
        case "$" where doubt == .leadingVariable && text.hasPrefix("$("): return text
        default: return "/" + text
        }
    }

    private static func withoutTrailingSlashes(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard scalars.last == "/", let last = scalars.lastIndex(where: { $0 != "/" }) else {
            return scalars.first == "/" && scalars.allSatisfy { $0 == "/" } ? "/" : text
        }
        return String(scalars[...last])
    }
}

extension String {
    fileprivate var withSlash: String { hasSuffix("/") ? self : self + "/" }
}

/// The variables `$(name)` of a file: its own `substitutionVariables` and the predefined ones.
package struct SubstitutionVariables: Hashable, Sendable {
    private var own: [String: [String]] = [:]

    package init(_ own: [String: [String]] = [:]) {
        self.own = own
    }

    package static let none = SubstitutionVariables()

    /// Nil if the file does not define the variable.
    func values(of name: String) -> [String]? { own[name] }

    mutating func define(_ name: String, _ values: [String]) { own[name] = values }

    var names: [String] { own.keys.sorted() }

    func isKnown(_ name: String) -> Bool { own[name] != nil || Self.predefined(name) != nil }

    static func predefined(_ name: String) -> PatternToken? {
        switch name {
        case "region": .code(.regions)
        case "lang": .code(.languages)
        default: CharacterClass(rawValue: name).map(PatternToken.oneOf)
        }
    }

    static let predefinedNames = CharacterClass.allCases.map(\.rawValue) + ["region", "lang"]
}

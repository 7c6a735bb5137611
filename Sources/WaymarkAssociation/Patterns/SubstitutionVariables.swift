/// What `$(name)` stands for in a file: its own `substitutionVariables`, and those that every file has.
package struct SubstitutionVariables: Hashable, Sendable {
    private var own: [String: [String]] = [:]

    package init(_ own: [String: [String]] = [:]) {
        self.own = own
    }

    package static let none = SubstitutionVariables()

    /// Nil where the file defines none of that name.
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

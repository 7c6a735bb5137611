/// One dynamic rule of Android 15 and later.
struct AndroidRule: Hashable, Sendable {
    var path: String?
    var fragment: String?
    var items: [AssociationComponent.QueryItem] = []
    var excludes = false
    var hasUnknownMember = false

    var hasNoPattern: Bool { path == nil && fragment == nil && items.isEmpty }
}

/// Holds dynamic rules against one URL, as Android does: decoded, and with a `*` that stops at the first place where the
/// next character of the pattern stands.
struct AndroidMatcher {
    let url: AssociationURL
    let budget: MatchBudget

    init(url: AssociationURL, budget: MatchBudget = MatchBudget()) {
        self.url = url
        self.budget = budget
    }

    func fit(_ rule: AndroidRule, doubt: Doubt? = nil) -> AppleMatcher.Fit {
        // One pass over both for each pattern, of which a rule has as many as it names items.
        budget.spend(url.text.utf8.count * (rule.items.count + 2))
        guard !budget.isExhausted else { return .init(fits: false, why: "it was not looked at") }
        var fitting: [String] = []
        if let pattern = rule.path {
            let path = decoded(url.path.isEmpty && doubt == .missingPath ? "/" : url.path, doubt)
            guard let path, Self.fits(path, pattern, doubt) else {
                return .init(fits: false, why: "path \(quoted(path ?? url.path)) does not fit \(quoted(pattern))")
            }
            fitting.append("path \(quoted(path)) fits \(quoted(pattern))")
        }
        if let pattern = rule.fragment {
            guard let written = url.fragment else {
                return .init(fits: false, why: "there is no fragment, and \(quoted(pattern)) demands one")
            }
            let fragment = decoded(written, doubt)
            guard let fragment, Self.fits(fragment, pattern, doubt) else {
                return .init(fits: false, why: "fragment \(quoted(written)) does not fit \(quoted(pattern))")
            }
            fitting.append("fragment \(quoted(fragment)) fits \(quoted(pattern))")
        }
        let items = items(doubt)
        for rule in rule.items {
            let named = items.filter { $0.name.isSameText(as: rule.name) }
            guard !named.isEmpty else {
                return .init(fits: false, why: "there is no query item \(quoted(rule.name))")
            }
            // One of several is enough.
            let fits = named.contains { item in
                guard let value = item.value ?? (doubt == .itemWithoutEquals ? "" : nil) else { return false }
                return Self.fits(value, rule.pattern, doubt)
            }
            guard fits else {
                return .init(
                    fits: false, why: "no query item \(quoted(rule.name)) fits \(quoted(rule.pattern))")
            }
            fitting.append("query item \(quoted(rule.name)) fits \(quoted(rule.pattern))")
        }
        return .init(fits: true, why: fitting.isEmpty ? "it constrains nothing" : fitting.joined(separator: ", "))
    }

    /// Those that can change whether a rule fits.
    static let doubts: [Doubt] = [
        .runBeforeWildcard, .itemWithoutEquals, .missingPath, .encodedSeparator, .malformedEscape, .utf16Units,
        .graphemes,
    ]

    private func decoded(_ text: String, _ doubt: Doubt?) -> String? {
        PercentText.decoded(text) ?? (doubt == .malformedEscape ? nil : text)
    }

    /// Android decodes the query and splits it then.
    private func items(_ doubt: Doubt?) -> [(name: String, value: String?)] {
        guard let query = url.query else { return [] }
        if doubt == .encodedSeparator {
            return QueryItems(query).map { (PercentText.decoded($0) ?? $0, $1.map { PercentText.decoded($0) ?? $0 }) }
        }
        guard let decoded = decoded(query, doubt) else { return [] }
        return Array(QueryItems(decoded))
    }

    /// One pass over both texts.
    static func fits(_ text: String, _ pattern: String, _ doubt: Doubt? = nil) -> Bool {
        var alphabet = Alphabet(
            unit: doubt == .utf16Units ? .utf16 : doubt == .graphemes ? .grapheme : .scalar, foldsCase: .none)
        let tokens = tokens(pattern, &alphabet)
        let units = alphabet.units(text)
        var place = 0
        for (position, token) in tokens.enumerated() {
            switch token {
            case .anyRun:
                guard position + 1 < tokens.count else { return true }
                if case .literal(let next) = tokens[position + 1] {
                    guard let found = units[place...].firstIndex(of: next) else { return false }
                    place = found
                } else if doubt == .runBeforeWildcard {
                    var matcher = PatternMatcher(Array(units[place...]))
                    return matcher.fits(Array(tokens[position...]))
                }
            default:
                guard place < units.count, token.takes(units[place], foldsCase: false) else { return false }
                place += 1
            }
        }
        return place == units.count
    }

    private static func tokens(_ pattern: String, _ alphabet: inout Alphabet) -> [PatternToken] {
        var tokens: [PatternToken] = []
        var literal = String.UnicodeScalarView()
        for scalar in pattern.unicodeScalars {
            guard scalar == "*" || scalar == "?" else {
                literal.append(scalar)
                continue
            }
            tokens += alphabet.units(String(literal)).map(PatternToken.literal)
            literal = String.UnicodeScalarView()
            if scalar == "?" { tokens.append(.anyOne) } else if tokens.last != .anyRun { tokens.append(.anyRun) }
        }
        return tokens + alphabet.units(String(literal)).map(PatternToken.literal)
    }
}

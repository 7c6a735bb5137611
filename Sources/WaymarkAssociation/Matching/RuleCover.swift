/// Whether one rule takes every URL that another one fits, so that the other can never be reached behind it.
///
/// Patterns are held against patterns: a `*` of the one is taken only by a `*` of the other, a `?` by either. A yes is
/// right; a no may also mean that it could not be told.
struct RuleCover {
    let variables: SubstitutionVariables
    let budget: MatchBudget

    init(variables: SubstitutionVariables, budget: MatchBudget = MatchBudget()) {
        self.variables = variables
        self.budget = budget
    }

    /// How many texts a pattern with variables is written out into.
    private static let expansionLimit = 32

    func covers(_ wider: AppleRule, _ narrower: AppleRule) -> Bool {
        guard wider.alternatives.isEmpty, narrower.alternatives.isEmpty else { return false }
        let isComparable =
            wider.percentEncoded == narrower.percentEncoded && (!wider.caseSensitive || narrower.caseSensitive)
        return coversPath(wider, narrower, isComparable) && coversQuery(wider, narrower, isComparable)
            && coversText(wider.fragment, narrower.fragment, isComparable, foldsCase: !wider.caseSensitive)
    }

    /// Whether the rule fits every URL there is.
    func coversAll(_ rule: AppleRule) -> Bool { covers(rule, AppleRule()) }

    private func coversPath(_ wider: AppleRule, _ narrower: AppleRule, _ isComparable: Bool) -> Bool {
        guard let path = wider.path else { return true }
        let pattern = PathPattern(path)
        if pattern.text == "*" || pattern.text == "/*" { return true }
        guard isComparable, let other = narrower.path, other != "*" else { return false }
        let narrow = PathPattern(other)
        return [narrow.text, narrow.parent].compactMap { $0 }.allSatisfy { text in
            [pattern.text, pattern.parent].compactMap { $0 }.contains {
                covers($0, text, foldsCase: !wider.caseSensitive)
            }
        }
    }

    private func coversQuery(_ wider: AppleRule, _ narrower: AppleRule, _ isComparable: Bool) -> Bool {
        switch (wider.query, narrower.query) {
        case (nil, _): return true
        case (.text(let pattern), let other):
            var text: String?
            if case .text(let narrow) = other { text = narrow }
            return coversText(pattern, text, isComparable, foldsCase: !wider.caseSensitive)
        case (.items(let items), let other):
            var others: [AssociationComponent.QueryItem] = []
            if case .items(let narrow) = other { others = narrow }
            return items.allSatisfy { item in
                let narrow = others.first { $0.name.isSameText(as: item.name) }
                return coversText(item.pattern, narrow?.pattern, isComparable, foldsCase: !wider.caseSensitive)
            }
        }
    }

    private func coversText(_ wider: String?, _ narrower: String?, _ isComparable: Bool, foldsCase: Bool) -> Bool {
        guard let wider, wider != "*" else { return true }
        guard isComparable, let narrower else { return false }
        return covers(wider, narrower, foldsCase: foldsCase)
    }

    /// Whether everything that the second pattern fits is fitted by the first.
    func covers(_ wider: String, _ narrower: String, foldsCase: Bool = false) -> Bool {
        if wider.isSameText(as: narrower) { return true }
        guard !budget.isExhausted else { return false }
        let parser = PatternParser(variables: variables)
        var alphabet = Alphabet(unit: .scalar, foldsCase: foldsCase ? .all : .none)
        let tokens = parser.tokens(wider, alphabet: &alphabet)
        guard let texts = Self.texts(parser.tokens(narrower, alphabet: &alphabet)) else { return false }
        return texts.allSatisfy { text in
            var matcher = PatternMatcher(text, foldsCase: foldsCase, stepLimit: budget.remaining)
            let fits = matcher.fits(tokens)
            budget.spend(matcher.steps + text.count + tokens.count)
            return fits
        }
    }

    /// The pattern as texts in which wildcards are characters of their own; nil for too many, and where it fits nothing.
    private static func texts(_ tokens: [PatternToken]) -> [[UInt32]]? {
        var texts: [[UInt32]] = [[]]
        for token in tokens {
            switch token {
            case .literal(let unit): for index in texts.indices { texts[index].append(unit) }
            case .anyOne, .oneOf: for index in texts.indices { texts[index].append(PatternToken.oneUnit) }
            case .anyRun, .code: for index in texts.indices { texts[index].append(PatternToken.runUnit) }
            case .never: return nil
            case .choice(let alternatives):
                guard texts.count * alternatives.count <= expansionLimit, !alternatives.isEmpty else { return nil }
                let written = alternatives.compactMap { Self.texts($0) }.flatMap { $0 }
                texts = texts.flatMap { text in written.map { text + $0 } }
            }
        }
        return texts
    }
}

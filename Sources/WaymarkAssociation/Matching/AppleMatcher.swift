/// Holds rules against one URL, as Apple's systems do.
struct AppleMatcher {
    let url: AssociationURL
    let variables: SubstitutionVariables
    let budget: MatchBudget

    init(url: AssociationURL, variables: SubstitutionVariables, budget: MatchBudget = MatchBudget()) {
        self.url = url
        self.variables = variables
        self.budget = budget
    }

    /// What holding a rule against the URL came to.
    struct Fit: Hashable, Sendable {
        let fits: Bool
        /// Which part decided, as a sentence without its full stop.
        let why: String
    }

    /// - Parameter doubt: the one question of which the other reading is taken.
    func fit(_ rule: AppleRule, doubt: Doubt? = nil) -> Fit {
        let reading = Reading(rule, doubt: doubt)
        budget.spend(url.text.utf8.count)
        guard !budget.isExhausted else { return Fit(fits: false, why: "it was not looked at") }
        var fitting: [String] = []
        if let pattern = rule.path {
            let path = part(url.path.isEmpty ? "/" : url.path, reading)
            guard let path, fits(path: path, pattern: pattern, reading) else {
                return Fit(fits: false, why: "path \(quoted(path ?? url.path)) does not fit \(quoted(pattern))")
            }
            fitting.append("path \(quoted(path)) fits \(quoted(pattern))")
        }
        if let query = rule.query {
            let result = fit(query: query, reading)
            guard result.fits else { return result }
            if !result.why.isEmpty { fitting.append(result.why) }
        }
        if let pattern = rule.fragment {
            let fragment = part(url.fragment ?? "", reading)
            guard let fragment, fits(text: fragment, pattern: pattern, reading) else {
                return Fit(
                    fits: false,
                    why: "fragment \(quoted(fragment ?? url.fragment ?? "")) does not fit \(quoted(pattern))")
            }
            fitting.append("fragment \(quoted(fragment)) fits \(quoted(pattern))")
        }
        return Fit(fits: true, why: fitting.isEmpty ? "it constrains nothing" : fitting.joined(separator: ", "))
    }

    /// The other readings under which the rule fits or does not fit against what `fit` says.
    func doubts(about rule: AppleRule, fits: Bool) -> [Doubt] {
        Doubt.ofAppleMatching.filter { applies($0, to: rule) && fit(rule, doubt: $0).fits != fits }
    }
}

// MARK: - The parts

extension AppleMatcher {
    /// How texts are made comparable for one rule.
    private struct Reading {
        let rule: AppleRule
        let doubt: Doubt?

        init(_ rule: AppleRule, doubt: Doubt?) {
            self.rule = rule
            self.doubt = doubt
        }

        var alphabet: Alphabet {
            Alphabet(
                unit: doubt == .utf16Units ? .utf16 : doubt == .graphemes ? .grapheme : .scalar,
                foldsCase: rule.caseSensitive ? .none : doubt == .caseBeyondASCII ? .ascii : .all)
        }
    }

    /// A part of the URL as the rule sees it; nil where it cannot be decoded and therefore fits nothing.
    private func part(_ text: String, _ reading: Reading) -> String? {
        guard !reading.rule.percentEncoded else {
            return reading.doubt == .unencodedURL ? PercentText.encoded(text) : text
        }
        return PercentText.decoded(text) ?? (reading.doubt == .malformedEscape ? nil : text)
    }

    private func fits(path: String, pattern: String, _ reading: Reading) -> Bool {
        if pattern.isEmpty, reading.doubt == .emptyPath { return false }
        let pattern = PathPattern(pattern, doubt: reading.doubt)
        let path = PathPattern.text(path, doubt: reading.doubt)
        if fits(text: path, pattern: pattern.text, reading) { return true }
        return pattern.parent.map { fits(text: path, pattern: $0, reading) } ?? false
    }

    private func fits(text: String, pattern: String, _ reading: Reading) -> Bool {
        // Most rules are cheap to say no to.
        if pattern == "*" { return true }
        var parser = PatternParser(variables: variables)
        if reading.doubt == .undefinedVariable { parser.undefined = .isLiteral }
        if reading.doubt == .unclosedVariable { parser.unclosed = .fitsNothing }
        if reading.doubt == .nestedVariable { parser.nested = .fitsNothing }
        if reading.doubt == .redefinedVariable { parser.ownVariablesWin = false }
        var alphabet = reading.alphabet
        let tokens = parser.tokens(pattern, alphabet: &alphabet)
        var matcher = PatternMatcher(
            alphabet.units(text), foldsCase: !reading.rule.caseSensitive, stepLimit: budget.remaining)
        let fits = matcher.fits(tokens)
        budget.spend(matcher.steps + pattern.utf8.count)
        return fits
    }

    private func fit(query: AppleRule.Query, _ reading: Reading) -> Fit {
        switch query {
        case .text(let pattern):
            let text = part(url.query ?? "", reading)
            let fits = text.map { self.fits(text: $0, pattern: pattern, reading) } ?? false
            let shown = quoted(text ?? url.query ?? "")
            return Fit(fits: fits, why: "query \(shown) \(fits ? "fits" : "does not fit") \(quoted(pattern))")
        case .items(let rules):
            let items = self.items(reading)
            for rule in rules {
                let foldsNames = reading.doubt == .queryNameCase && !reading.rule.caseSensitive
                let name = foldsNames ? rule.name.lowercased() : rule.name
                let named = items.filter { (foldsNames ? $0.name.lowercased() : $0.name).isSameText(as: name) }
                // An item that is missing counts as one without a value.
                for value in named.isEmpty ? [""] : named.map(\.value) {
                    guard let value, fits(text: value, pattern: rule.pattern, reading) else {
                        let missing = named.isEmpty ? " (there is no such item)" : ""
                        return Fit(
                            fits: false,
                            why:
                                "query item \(quoted(rule.name)) is \(quoted(value ?? "not decodable"))\(missing), which does not fit \(quoted(rule.pattern))"
                        )
                    }
                }
            }
            return Fit(fits: true, why: rules.isEmpty ? "" : "query items fit")
        }
    }

    private func items(_ reading: Reading) -> [(name: String, value: String?)] {
        guard var query = url.query else { return [] }
        let decodesFirst = reading.doubt == .encodedSeparator && !reading.rule.percentEncoded
        if decodesFirst { query = PercentText.decoded(query) ?? query }
        return QueryItems(query).map { name, value in
            if decodesFirst { return (name, value ?? "") }
            if reading.doubt == .encodedItems, reading.rule.percentEncoded {
                return (PercentText.decoded(name) ?? name, PercentText.decoded(value ?? "") ?? value)
            }
            return (part(name, reading) ?? name, part(value ?? "", reading))
        }
    }
}

// MARK: - Doubts

extension AppleMatcher {
    /// Whether the other reading could make a difference at all; only to save work.
    private func applies(_ doubt: Doubt, to rule: AppleRule) -> Bool {
        let patterns = rule.patterns
        let isPlain = url.text.utf8.allSatisfy { $0 < 0x80 } && (rule.percentEncoded || !url.text.contains("%"))
        switch doubt {
        case .trailingSlash: return rule.path.map { $0.contains("*") || $0.contains("?") || $0.contains("$") } ?? false
        case .leadingMark: return rule.path?.first == "?"
        case .leadingVariable: return rule.path?.hasPrefix("$(") ?? false
        case .slashRun: return rule.path != nil && url.path.hasPrefix("//")
        case .emptyPath: return rule.path?.isEmpty ?? false
        case .queryNameCase: return !rule.caseSensitive && rule.hasItems
        case .encodedItems: return rule.percentEncoded && rule.hasItems && (url.query?.contains("%") ?? false)
        case .encodedSeparator: return !rule.percentEncoded && rule.hasItems && (url.query?.contains("%") ?? false)
        case .malformedEscape: return !rule.percentEncoded && url.text.contains("%")
        case .unencodedURL:
            return rule.percentEncoded && url.text.utf8.contains(where: PercentText.neverStandsInURL)
        case .utf16Units, .graphemes: return !isPlain
        case .caseBeyondASCII: return !rule.caseSensitive && !isPlain
        case .undefinedVariable, .unclosedVariable, .nestedVariable, .redefinedVariable:
            return patterns.contains { $0.contains("$(") }
        default: return false
        }
    }
}

extension AppleRule {
    fileprivate var hasItems: Bool {
        if case .items = query { true } else { false }
    }
}

extension String {
    /// Scalar by scalar: Swift's own comparison takes canonically equivalent texts for equal.
    func isSameText(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

/// A text in quotation marks for a sentence: on one line, and no longer than people read.
func quoted(_ text: some StringProtocol) -> String {
    var shown = ""
    for scalar in text.unicodeScalars.prefix(80) {
        if scalar == "\"" || scalar.value < 0x20 || scalar.value == 0x7F {
            shown += scalar == "\"" ? "\\\"" : "\u{FFFD}"
        } else {
            shown.unicodeScalars.append(scalar)
        }
    }
    return "\"\(shown)\(text.unicodeScalars.count > 80 ? "…" : "")\""
}

import WaymarkBytes

/// Holds rules against one URL, as Apple's systems do.
///
/// Isolation: used by one request, like its budget.
final class AppleMatcher {
    let url: AssociationURL
    private let parser: PatternParser
    private let budget: WorkBudget
    private var readings: [AppleURLReading.Kind: AppleURLReading] = [:]

    private let isASCII: Bool
    private let holdsEscape: Bool
    private let queryHoldsEscape: Bool
    private let holdsUnencoded: Bool

    init(url: AssociationURL, variables: SubstitutionVariables, budget: WorkBudget) {
        self.url = url
        self.budget = budget
        parser = PatternParser(variables: variables, budget: budget)
        budget.spend(url.text.utf8.count * 4)
        isASCII = url.text.utf8.allSatisfy { $0 < 0x80 }
        holdsEscape = url.text.utf8.contains(UInt8(ascii: "%"))
        queryHoldsEscape = url.query?.utf8.contains(UInt8(ascii: "%")) ?? false
        holdsUnencoded = url.text.utf8.contains { !ASCIISet.url.contains($0) }
    }

    /// The result of matching a rule with the URL.
    enum Fit: Hashable, Sendable {
        case fits
        case path, query, fragment
        case item(AssociationComponent.QueryItem, AppleURLReading.Misfit)
        /// The budget was already exhausted.
        case notLookedAt

        var fits: Bool { self == .fits }
    }

    /// - Parameter doubt: the ambiguity whose other reading is used.
    func fit(_ rule: AppleRule, doubt: Ambiguity? = nil) -> Fit {
        guard budget.spend(WorkBudget.Price.medium) else { return .notLookedAt }
        let reading = reading(rule, doubt)
        var fit = Fit.fits
        if let pattern = rule.path, !reading.fitsPath(pattern) {
            fit = .path
        } else if let misfit = misfit(rule.query, reading) {
            fit = misfit
        } else if let pattern = rule.fragment, !reading.fitsFragment(pattern) {
            fit = .fragment
        }
        return budget.isExhausted ? .notLookedAt : fit
    }

    private func misfit(_ query: AppleRule.Query?, _ reading: AppleURLReading) -> Fit? {
        switch query {
        case nil: return nil
        case .text(let pattern): return reading.fitsQuery(pattern) ? nil : .query
        case .items(let dictionary):
            for item in dictionary.items {
                if let misfit = reading.misfit(item) { return .item(item, misfit) }
            }
            return nil
        }
    }

    private func reading(_ rule: AppleRule, _ doubt: Ambiguity?) -> AppleURLReading {
        let kind = AppleURLReading.Kind(
            percentEncoded: rule.percentEncoded, caseSensitive: rule.caseSensitive, doubt: doubt)
        if let known = readings[kind] { return known }
        let made = AppleURLReading(url, kind, parser)
        readings[kind] = made
        return made
    }

    /// The part that decided, as a sentence without a full stop.
    func reason(_ fit: Fit, _ rule: AppleRule) -> String {
        let reading = reading(rule, nil)
        switch fit {
        case .notLookedAt: return "it was not looked at"
        case .path: return "path \(shown(reading.path, url.path)) does not fit \(quoted(rule.path ?? ""))"
        case .fragment:
            return "fragment \(shown(reading.fragment, url.fragment)) does not fit \(quoted(rule.fragment ?? ""))"
        case .query: return "query \(shown(reading.query, url.query)) does not fit \(quoted(text(rule.query) ?? ""))"
        case .item(let item, let misfit):
            let missing = misfit.isMissing ? " (there is no such item)" : ""
            return
                "query item \(quoted(item.name)) is \(quoted(misfit.value ?? "not decodable"))\(missing), which does not fit \(quoted(item.pattern))"
        case .fits:
            var fitting: [String] = []
            if let pattern = rule.path {
                fitting.append("path \(shown(reading.path, url.path)) fits \(quoted(pattern))")
            }
            if let pattern = text(rule.query) {
                fitting.append("query \(shown(reading.query, url.query)) fits \(quoted(pattern))")
            } else if case .items(let dictionary) = rule.query, !dictionary.items.isEmpty {
                fitting.append("query items fit")
            }
            if let pattern = rule.fragment {
                fitting.append("fragment \(shown(reading.fragment, url.fragment)) fits \(quoted(pattern))")
            }
            return fitting.isEmpty ? "it constrains nothing" : fitting.joined(separator: ", ")
        }
    }

    private func shown(_ part: AppleURLReading.Part, _ written: String?) -> String {
        quoted(part.text ?? written ?? "")
    }

    private func text(_ query: AppleRule.Query?) -> String? {
        if case .text(let pattern) = query { pattern } else { nil }
    }
}

// MARK: - Doubts

extension AppleMatcher {
    /// The other readings that change whether the rule matches.
    func doubts(about rule: AppleRule, fits: Bool) -> [Ambiguity] {
        let namesVariable = rule.patterns.contains(where: PatternText.holdsVariable)
        budget.spend(rule.patterns.reduce(0) { $0 + $1.utf8.count } / 2 + WorkBudget.Price.medium)
        return Ambiguity.ofAppleMatching.filter { doubt in
            !budget.isExhausted && applies(doubt, to: rule, namesVariable: namesVariable)
                && fit(rule, doubt: doubt).fits != fits
        }
    }

    /// Whether the other reading can make a difference; an optimisation only.
    private func applies(_ doubt: Ambiguity, to rule: AppleRule, namesVariable: Bool) -> Bool {
        let isPlain = isASCII && (rule.percentEncoded || !holdsEscape)
        switch doubt {
        case .trailingSlash: return rule.path?.utf8.contains { "*?$".utf8.contains($0) } ?? false
        case .leadingMark: return rule.path?.utf8.first == UInt8(ascii: "?")
        case .leadingVariable: return rule.path?.utf8.starts(with: "$(".utf8) ?? false
        case .slashRun: return rule.path != nil && url.path.utf8.starts(with: "//".utf8)
        case .emptyPath: return rule.path?.isEmpty ?? false
        case .queryNameCase: return !rule.caseSensitive && rule.hasItems
        case .encodedItems: return rule.percentEncoded && rule.hasItems && queryHoldsEscape
        case .encodedSeparator: return !rule.percentEncoded && rule.hasItems && queryHoldsEscape
        case .malformedEscape: return !rule.percentEncoded && holdsEscape
        case .unencodedURL: return rule.percentEncoded && holdsUnencoded
        case .utf16Units, .graphemes: return !isPlain
        case .caseBeyondASCII: return !rule.caseSensitive && !isPlain
        case .undefinedVariable, .unclosedVariable, .nestedVariable, .redefinedVariable: return namesVariable
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
    /// Compares scalars: Swift's own comparison treats canonically equivalent texts as equal.
    func isSameText(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

/// A text in quotation marks for a message: on one line, and truncated.
func quoted(_ text: some StringProtocol) -> String { "\"\(shortened(text))\"" }

/// The same without quotation marks.
func shortened(_ text: some StringProtocol, to length: Int = 80) -> String {
    var shown = ""
    var count = 0
    for scalar in text.unicodeScalars {
        guard count < length else { return shown + "…" }
        count += 1
        if scalar == "\"" || scalar.value < 0x20 || scalar.value == 0x7F {
            shown += scalar == "\"" ? "\\\"" : "\u{FFFD}"
        } else {
            shown.unicodeScalars.append(scalar)
        }
    }
    return shown
}

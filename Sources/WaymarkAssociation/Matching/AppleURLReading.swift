import WaymarkBytes
internal import WaymarkJSON

/// A URL as seen by rules of one kind under one reading of the documentation: its parts, decoded if the rules require
/// it, in the numeric form used for matching. Created once for all rules of the kind.
final class AppleURLReading {
    struct Kind: Hashable {
        let percentEncoded: Bool
        let caseSensitive: Bool
        /// The ambiguity whose other reading is used.
        let doubt: Ambiguity?
    }

    /// One part of the URL.
    final class Part {
        /// Nil if it can't be decoded and therefore matches nothing.
        let text: String?
        fileprivate var matcher: PatternMatcher

        init(text: String?, matcher: PatternMatcher) {
            self.text = text
            self.matcher = matcher
        }
    }

    let kind: Kind
    let pattern: PatternReading
    private let url: AssociationURL
    private let parser: PatternParser
    private var budget: WorkBudget { parser.budget }
    private(set) lazy var path = part(url.path.isEmpty ? "/" : url.path) { [kind] in
        PathPattern.text($0, doubt: kind.doubt)
    }
    private(set) lazy var query = part(url.query ?? "")
    private(set) lazy var fragment = part(url.fragment ?? "")
    private lazy var items = readItems()

    init(_ url: AssociationURL, _ kind: Kind, _ parser: PatternParser) {
        self.url = url
        self.kind = kind
        self.parser = parser
        let doubt = kind.doubt
        var pattern = PatternReading()
        pattern.unit = doubt == .utf16Units ? .utf16 : doubt == .graphemes ? .grapheme : .scalar
        pattern.foldsCase = kind.caseSensitive ? .none : doubt == .caseBeyondASCII ? .ascii : .all
        if doubt == .undefinedVariable { pattern.undefined = .isLiteral }
        if doubt == .unclosedVariable { pattern.unclosed = .fitsNothing }
        if doubt == .nestedVariable { pattern.nested = .fitsNothing }
        if doubt == .redefinedVariable { pattern.ownVariablesWin = false }
        self.pattern = pattern
    }

    // MARK: Matching

    func fitsPath(_ pattern: String) -> Bool {
        if pattern.isEmpty, kind.doubt == .emptyPath { return false }
        budget.spend(pattern.utf8.count * 2 + WorkBudget.Price.medium)
        let pattern = PathPattern(pattern, doubt: kind.doubt)
        if fits(pattern.text, path) { return true }
        return pattern.parent.map { fits($0, path) } ?? false
    }

    func fitsQuery(_ pattern: String) -> Bool { fits(pattern, query) }

    func fitsFragment(_ pattern: String) -> Bool { fits(pattern, fragment) }

    private func fits(_ pattern: String, _ part: Part) -> Bool {
        guard part.text != nil else { return false }
        // Fast paths: most rules don't match.
        if pattern == "*" { return true }
        return part.matcher.fits(parser.tokens(pattern, self.pattern))
    }

    /// The first value with that name that does not match; a missing item counts as one without a value.
    ///
    /// - Returns: nil if all match. The inner value is nil if it can't be decoded.
    func misfit(_ item: AssociationComponent.QueryItem) -> Misfit? {
        budget.spend(item.name.utf8.count + WorkBudget.Price.medium)
        let foldsNames = kind.doubt == .queryNameCase && !kind.caseSensitive
        let values = items[ExactText(foldsNames ? item.name.lowercased() : item.name)]
        if item.pattern == "*", values?.allSatisfy({ $0.text != nil }) ?? true { return nil }
        let tokens = parser.tokens(item.pattern, pattern)
        for value in values ?? [missing] {
            var matcher = PatternMatcher(value.units, foldsCase: !kind.caseSensitive, budget: budget)
            guard !budget.isExhausted, value.text != nil, item.pattern == "*" || matcher.fits(tokens) else {
                return Misfit(value: value.text, isMissing: values == nil)
            }
        }
        return nil
    }

    struct Misfit: Hashable, Sendable {
        /// Nil if it can't be decoded.
        let value: String?
        let isMissing: Bool
    }

    // MARK: Decoding

    private func part(_ written: String, normalized: (String) -> String = { $0 }) -> Part {
        budget.spend(written.utf8.count * 4)
        let text = decoded(written)
        let units = text.map { parser.units(normalized($0), pattern) } ?? []
        return Part(text: text, matcher: PatternMatcher(units, foldsCase: !kind.caseSensitive, budget: budget))
    }

    private func decoded(_ text: String) -> String? {
        guard !kind.percentEncoded else {
            return kind.doubt == .unencodedURL ? PercentEncoding.encode(text, allowed: .url) : text
        }
        return PercentEncoding.decodeText(text) ?? (kind.doubt == .malformedEscape ? nil : text)
    }

    private struct Value {
        let text: String?
        let units: [UInt32]
    }

    private var missing: Value { Value(text: "", units: []) }

    private func readItems() -> [ExactText: [Value]] {
        guard var query = url.query else { return [:] }
        let decodesFirst = kind.doubt == .encodedSeparator && !kind.percentEncoded
        if decodesFirst { query = PercentEncoding.decodeText(query) ?? query }
        let foldsNames = kind.doubt == .queryNameCase && !kind.caseSensitive
        var items: [ExactText: [Value]] = [:]
        for (name, value) in QueryItems(query) {
            guard budget.spend((name.utf8.count + (value?.utf8.count ?? 0)) * 4 + WorkBudget.Price.rule) else { break }
            let read: (name: String, value: String?)
            if decodesFirst {
                read = (name, value ?? "")
            } else if kind.doubt == .encodedItems, kind.percentEncoded {
                read = (PercentEncoding.decodeText(name) ?? name, PercentEncoding.decodeText(value ?? "") ?? value)
            } else {
                read = (decoded(name) ?? name, decoded(value ?? ""))
            }
            let units = read.value.map { parser.units($0, pattern) } ?? []
            items[ExactText(foldsNames ? read.name.lowercased() : read.name), default: []]
                .append(Value(text: read.value, units: units))
        }
        return items
    }
}

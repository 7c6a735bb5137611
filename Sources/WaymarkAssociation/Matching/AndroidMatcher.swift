import WaymarkBytes
internal import WaymarkJSON

/// One dynamic rule of Android 15 and later.
struct AndroidRule: Hashable, Sendable {
    var path: String?
    var fragment: String?
    var items: [AssociationComponent.QueryItem] = []
    var excludes = false
    var hasUnknownMember = false

    var hasNoPattern: Bool { path == nil && fragment == nil && items.isEmpty }
}

/// Matches dynamic rules with one URL like Android: decoded, and with a `*` that stops at the first occurrence of the
/// pattern's next character.
///
/// Isolation: used by one request, like its budget.
final class AndroidMatcher {
    let url: AssociationURL
    private let budget: WorkBudget
    private var readings: [Ambiguity?: AndroidURLReading] = [:]

    init(url: AssociationURL, budget: WorkBudget) {
        self.url = url
        self.budget = budget
    }

    /// The result of matching a rule with the URL.
    enum Fit: Hashable, Sendable {
        case fits
        case path, fragment
        case item(AssociationComponent.QueryItem, isMissing: Bool)
        /// The budget was already exhausted.
        case notLookedAt

        var fits: Bool { self == .fits }
    }

    func fit(_ rule: AndroidRule, doubt: Ambiguity? = nil) -> Fit {
        guard budget.spend(WorkBudget.Price.medium) else { return .notLookedAt }
        let reading = reading(doubt)
        var fit = Fit.fits
        if let pattern = rule.path, !reading.fits(reading.path, pattern) {
            fit = .path
        } else if let pattern = rule.fragment, !reading.fits(reading.fragment, pattern) {
            fit = .fragment
        } else if let misfit = misfit(rule.items, reading) {
            fit = misfit
        }
        return budget.isExhausted ? .notLookedAt : fit
    }

    private func misfit(_ items: [AssociationComponent.QueryItem], _ reading: AndroidURLReading) -> Fit? {
        for item in items {
            budget.spend(item.name.utf8.count + WorkBudget.Price.small)
            guard let values = reading.items[ExactText(item.name)] else { return .item(item, isMissing: true) }
            // One matching value is enough.
            guard values.contains(where: { !budget.isExhausted && reading.fits($0, item.pattern) }) else {
                return .item(item, isMissing: false)
            }
        }
        return nil
    }

    private func reading(_ doubt: Ambiguity?) -> AndroidURLReading {
        if let known = readings[doubt] { return known }
        let made = AndroidURLReading(url, doubt, budget)
        readings[doubt] = made
        return made
    }

    /// Ambiguities that can change whether a rule matches.
    static let doubts: [Ambiguity] = [
        .runBeforeWildcard, .itemWithoutEquals, .missingPath, .encodedSeparator, .malformedEscape, .utf16Units,
        .graphemes,
    ]

    /// The part that decided, as a sentence without a full stop.
    func reason(_ fit: Fit, _ rule: AndroidRule) -> String {
        let reading = reading(nil)
        switch fit {
        case .notLookedAt: return "it was not looked at"
        case .path:
            return "path \(quoted(reading.path ?? url.path)) does not fit \(quoted(rule.path ?? ""))"
        case .fragment:
            guard let written = url.fragment else {
                return "there is no fragment, and \(quoted(rule.fragment ?? "")) demands one"
            }
            return "fragment \(quoted(written)) does not fit \(quoted(rule.fragment ?? ""))"
        case .item(let item, isMissing: true): return "there is no query item \(quoted(item.name))"
        case .item(let item, isMissing: false):
            return "no query item \(quoted(item.name)) fits \(quoted(item.pattern))"
        case .fits:
            var fitting: [String] = []
            if let pattern = rule.path { fitting.append("path \(quoted(reading.path ?? "")) fits \(quoted(pattern))") }
            if let pattern = rule.fragment {
                fitting.append("fragment \(quoted(reading.fragment ?? "")) fits \(quoted(pattern))")
            }
            for item in rule.items.prefix(Self.itemsNamed) {
                fitting.append("query item \(quoted(item.name)) fits \(quoted(item.pattern))")
            }
            if rule.items.count > Self.itemsNamed {
                fitting.append("\(rule.items.count - Self.itemsNamed) more query items fit")
            }
            return fitting.isEmpty ? "it constrains nothing" : fitting.joined(separator: ", ")
        }
    }

    /// Maximum number of query items in a message.
    private static let itemsNamed = 10
}

/// A URL as seen by Android's rules under one reading of the documentation, created once for all rules.
final class AndroidURLReading {
    private let url: AssociationURL
    private let doubt: Ambiguity?
    private let budget: WorkBudget
    /// Nil if it can't be decoded.
    private(set) lazy var path = decoded(url.path.isEmpty && doubt == .missingPath ? "/" : url.path)
    /// Nil if there is none, or if it can't be decoded.
    private(set) lazy var fragment = url.fragment.flatMap(decoded)
    /// By name, in the order of the URL; nil for an item without a value.
    private(set) lazy var items = readItems()

    init(_ url: AssociationURL, _ doubt: Ambiguity?, _ budget: WorkBudget) {
        self.url = url
        self.doubt = doubt
        self.budget = budget
    }

    private func decoded(_ text: String) -> String? {
        budget.spend(text.utf8.count * 4)
        return PercentEncoding.decodeText(text) ?? (doubt == .malformedEscape ? nil : text)
    }

    /// Android decodes the query before splitting it.
    private func readItems() -> [ExactText: [String?]] {
        guard let query = url.query else { return [:] }
        var items: [ExactText: [String?]] = [:]
        func add(_ name: String, _ value: String?) {
            budget.spend(WorkBudget.Price.rule)
            items[ExactText(name), default: []].append(value ?? (doubt == .itemWithoutEquals ? "" : nil))
        }
        if doubt == .encodedSeparator {
            for (name, value) in QueryItems(query) {
                add(PercentEncoding.decodeText(name) ?? name, value.map { PercentEncoding.decodeText($0) ?? $0 })
            }
        } else if let decoded = decoded(query) {
            for (name, value) in QueryItems(decoded) { add(name, value) }
        }
        return items
    }

    /// Matches in a single pass over both texts.
    func fits(_ text: String?, _ pattern: String) -> Bool {
        guard let text else { return false }
        let perByte = doubt == .graphemes ? 60 : 6
        guard budget.spend((text.utf8.count + pattern.utf8.count) * perByte + WorkBudget.Price.medium) else {
            return false
        }
        var alphabet = Alphabet(
            unit: doubt == .utf16Units ? .utf16 : doubt == .graphemes ? .grapheme : .scalar, foldsCase: .none)
        let tokens = Self.tokens(pattern, &alphabet)
        let units = alphabet.units(text)
        var index = 0
        for (position, token) in tokens.enumerated() {
            switch token {
            case .anyRun:
                guard position + 1 < tokens.count else { return true }
                if case .literal(let next) = tokens[position + 1] {
                    guard let found = units[index...].firstIndex(of: next) else { return false }
                    index = found
                } else if doubt == .runBeforeWildcard {
                    var matcher = PatternMatcher(Array(units[index...]), budget: budget)
                    return matcher.fits(Array(tokens[position...]))
                }
            default:
                guard index < units.count, token.takes(units[index], foldsCase: false) else { return false }
                index += 1
            }
        }
        return index == units.count
    }

    private static func tokens(_ pattern: String, _ alphabet: inout Alphabet) -> [PatternToken] {
        var tokens: [PatternToken] = []
        var literal = String.UnicodeScalarView()
        for scalar in pattern.unicodeScalars {
            guard scalar == "*" || scalar == "?" else {
                literal.append(scalar)
                continue
            }
            if !literal.isEmpty { tokens += alphabet.units(String(literal)).map(PatternToken.literal) }
            literal = String.UnicodeScalarView()
            if scalar == "?" { tokens.append(.anyOne) } else if tokens.last != .anyRun { tokens.append(.anyRun) }
        }
        return tokens + alphabet.units(String(literal)).map(PatternToken.literal)
    }
}

import WaymarkBytes

/// One pattern of a rule, made ready to be held against those of many other rules: most pairs are told apart by their
/// first or last characters.
final class SubsumptionPattern {
    let text: String
    let bytes: [UInt8]
    /// The number of bytes before the first wildcard or variable.
    private let head: Int
    /// The number of bytes after the last wildcard; 0 if the pattern has a variable.
    private let tail: Int
    let hasVariable: Bool
    private var exact = Forms()
    private var folded = Forms()

    private struct Forms {
        var tokens: [PatternToken]?
        /// Nil if not yet computed; the inner value is nil if there are none.
        var texts: [[UInt32]]??
    }

    init(_ text: String, _ budget: WorkBudget) {
        budget.spend(text.utf8.count * 2 + WorkBudget.Price.medium)
        self.text = text
        bytes = Array(text.utf8)
        let isWildcard = { (byte: UInt8) in byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") }
        let firstWildcard = bytes.firstIndex(where: isWildcard) ?? bytes.count
        let variable = Self.variable(bytes)
        hasVariable = variable != nil
        head = min(firstWildcard, variable ?? bytes.count)
        tail = hasVariable ? 0 : bytes.count - (bytes.lastIndex(where: isWildcard).map { $0 + 1 } ?? 0)
    }

    /// The index of the first `$(`.
    private static func variable(_ bytes: [UInt8]) -> Int? {
        for position in bytes.indices.dropLast() where bytes[position] == UInt8(ascii: "$") {
            if bytes[position + 1] == UInt8(ascii: "(") { return position }
        }
        return nil
    }

    /// The bytes before the first wildcard or variable.
    var beginning: ArraySlice<UInt8> { bytes[..<head] }

    func isSame(as other: SubsumptionPattern) -> Bool { bytes == other.bytes }

    /// Whether the start or the end alone proves that the other pattern matches texts that this one does not.
    func isToldApart(from other: SubsumptionPattern, foldsCase: Bool, _ budget: WorkBudget) -> Bool {
        var looked = 0
        defer { budget.spend(looked / 4 + 4) }
        let known = other.hasVariable ? other.head : other.bytes.count
        while looked < head {
            guard looked < known else { return !other.hasVariable }
            switch Self.differ(bytes[looked], other.bytes[looked], foldsCase) {
            case true?: return true
            case false?: looked += 1
            case nil: return false
            }
        }
        guard tail > 0, !other.hasVariable else { return false }
        var position = 1
        while position <= tail {
            looked += 1
            guard position <= other.bytes.count else { return true }
            switch Self.differ(bytes[bytes.count - position], other.bytes[other.bytes.count - position], foldsCase) {
            case true?: return true
            case false?: position += 1
            case nil: return false
            }
        }
        return false
    }

    /// Nil if two bytes are not enough to decide.
    private static func differ(_ left: UInt8, _ right: UInt8, _ foldsCase: Bool) -> Bool? {
        if left == right { return false }
        guard foldsCase else { return true }
        guard left < 0x80, right < 0x80 else { return nil }
        return !(left.isLetter && right.isLetter && left | 0x20 == right | 0x20)
    }

    func tokens(foldsCase: Bool, _ parser: PatternParser) -> [PatternToken] {
        if let known = foldsCase ? folded.tokens : exact.tokens { return known }
        let read = parser.tokens(text, PatternReading(foldsCase: foldsCase ? .all : .none))
        if foldsCase { folded.tokens = read } else { exact.tokens = read }
        return read
    }

    /// The pattern as texts in which wildcards are special characters; nil if there are too many or it matches nothing.
    func texts(foldsCase: Bool, _ parser: PatternParser) -> [[UInt32]]? {
        if let known = foldsCase ? folded.texts : exact.texts { return known }
        let written = Self.texts(tokens(foldsCase: foldsCase, parser), parser.budget)
        if foldsCase { folded.texts = .some(written) } else { exact.texts = .some(written) }
        return written
    }

    /// Maximum number of texts that a pattern with variables expands to.
    private static let expansionLimit = 32

    private static func texts(_ tokens: [PatternToken], _ budget: WorkBudget) -> [[UInt32]]? {
        var texts: [[UInt32]] = [[]]
        for token in tokens {
            guard budget.spend(texts.count * 2) else { return nil }
            switch token {
            case .literal(let unit): for index in texts.indices { texts[index].append(unit) }
            case .anyOne, .oneOf: for index in texts.indices { texts[index].append(PatternToken.oneUnit) }
            case .anyRun, .code: for index in texts.indices { texts[index].append(PatternToken.runUnit) }
            case .never: return nil
            case .choice(let alternatives):
                guard texts.count * alternatives.count <= expansionLimit, !alternatives.isEmpty else { return nil }
                let written = alternatives.compactMap { Self.texts($0, budget) }.flatMap { $0 }
                let length = texts.reduce(0) { $0 + $1.count } * written.count
                guard budget.spend(length + written.reduce(0) { $0 + $1.count } * texts.count) else { return nil }
                texts = texts.flatMap { text in written.map { text + $0 } }
            }
        }
        return texts
    }
}

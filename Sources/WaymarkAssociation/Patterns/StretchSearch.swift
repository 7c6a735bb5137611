/// Searches for a stretch of single characters in a text, in one pass: bit `i` of the state means that the last `i +
/// 1` characters match the first `i + 1` of the stretch (Baeza-Yates and Gonnet's shift-and).
struct StretchSearch {
    private let length: Int
    /// For each character in the stretch, the bits of its positions; `others` for all other characters.
    private var masks: [UInt32: [UInt64]] = [:]
    private var others: [UInt64]
    private var state: [UInt64]
    private(set) var steps = 0

    /// Nil if the budget does not allow the tables.
    init?(_ stretch: ArraySlice<PatternToken>, foldsCase: Bool, _ budget: WorkBudget) {
        length = stretch.count
        let empty = Array(repeating: UInt64(0), count: (length + 63) / 64)
        others = empty
        state = empty
        var named: Set<UInt32> = []
        for token in stretch {
            switch token {
            case .literal(let unit): named.insert(unit)
            case .oneOf: if !named.contains(0) { named.formUnion(0..<0x80) }
            default: break
            }
        }
        let classes = stretch.count { if case .oneOf = $0 { true } else { false } }
        let cost = length * 4 + classes * 0x80 + named.count * (empty.count + WorkBudget.Price.small)
        guard budget.spend(cost + WorkBudget.Price.medium) else { return nil }
        for unit in named { masks[unit] = empty }
        for (index, token) in stretch.enumerated() {
            let (word, bit) = (index / 64, UInt64(1) << UInt64(index % 64))
            switch token {
            case .literal(let unit):
                masks[unit]?[word] |= bit
            case .anyOne:
                others[word] |= bit
            case .oneOf(let characters):
                for unit in UInt32(0)..<0x80 where characters.contains(unit, foldsCase: foldsCase) {
                    masks[unit]?[word] |= bit
                }
            case .anyRun, .code, .choice, .never:
                break
            }
        }
        // `?` matches every character, including those in the stretch.
        if others.contains(where: { $0 != 0 }) {
            for unit in named where unit != PatternToken.runUnit {
                for word in others.indices { masks[unit]?[word] |= others[word] }
            }
        }
    }

    /// The first end of the stretch if it begins at `start` or later.
    mutating func firstEnd(in text: [UInt32], from start: Int, _ budget: WorkBudget) -> Int? {
        guard length > 0 else { return start }
        let (lastWord, lastBit) = ((length - 1) / 64, UInt64(1) << UInt64((length - 1) % 64))
        for index in start..<text.count {
            // A lookup costs more than processing the words.
            guard budget.spend(state.count + WorkBudget.Price.small / 2) else { return nil }
            steps += state.count
            let unit = text[index]
            if unit == PatternToken.runUnit {
                for word in state.indices { state[word] = 0 }
                continue
            }
            let mask = masks[unit] ?? others
            var carry: UInt64 = 1
            for word in state.indices {
                let moved = state[word] << 1 | carry
                carry = state[word] >> 63
                state[word] = moved & mask[word]
            }
            if state[lastWord] & lastBit != 0 { return index + 1 }
        }
        return nil
    }
}

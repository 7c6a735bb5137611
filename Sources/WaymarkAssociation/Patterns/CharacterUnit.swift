import WaymarkBytes

/// What counts as one character for `?`, which the documentation leaves open beyond ASCII.
enum CharacterUnit: Sendable, Hashable {
    case scalar, utf16, grapheme
}

/// Which letters are compared without case.
enum CaseFolding: Sendable, Hashable {
    case none, ascii, all
}

/// Converts texts to numbers, one per character, so that equal characters have equal numbers. Patterns and the text
/// they are matched with must use the same alphabet.
struct Alphabet {
    let unit: CharacterUnit
    let foldsCase: CaseFolding

    /// The numbers of characters with several scalars, or with canonical equivalents.
    private var clusters: [Character: UInt32] = [:]
    private var nextCluster: UInt32 = 0x11_0000

    init(unit: CharacterUnit, foldsCase: CaseFolding) {
        self.unit = unit
        self.foldsCase = foldsCase
    }

    mutating func units(_ text: some StringProtocol) -> [UInt32] {
        let text = folded(String(text))
        switch unit {
        case .scalar: return text.unicodeScalars.map(\.value)
        case .utf16: return text.utf16.map(UInt32.init)
        case .grapheme: return text.map { number($0) }
        }
    }

    private func folded(_ text: String) -> String {
        switch foldsCase {
        case .none: return text
        case .all: return text.lowercased()
        case .ascii:
            let bytes = text.utf8.map { $0.isCapital ? $0 + 0x20 : $0 }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private mutating func number(_ character: Character) -> UInt32 {
        if let ascii = character.asciiValue, character.unicodeScalars.count == 1 { return UInt32(ascii) }
        if let known = clusters[character] { return known }
        let number = nextCluster
        nextCluster += 1
        clusters[character] = number
        return number
    }
}

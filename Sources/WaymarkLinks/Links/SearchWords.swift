import WaymarkAPI

/// Words as the link search compares them: in lower case, separated by everything that is not a letter, a mark or a
/// digit.
///
/// The words are stored one after the other, so that reading a link's words does not allocate memory for each.
package struct WordList: Sendable, Equatable {
    /// The UTF-8 of all words.
    package private(set) var bytes: [UInt8] = []
    /// Where each word ends in `bytes`.
    package private(set) var ends: [Int] = []

    package init() {}

    package init(_ text: String) { add(text) }

    package var isEmpty: Bool { ends.isEmpty }
    package var count: Int { ends.count }

    package subscript(index: Int) -> ArraySlice<UInt8> { bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]] }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    package mutating func add(_ text: String) {
        var start = bytes.count
        func isOpen() -> Bool { bytes.count > start }
        for scalar in text.unicodeScalars {
            let value = scalar.value
            if value < 0x80 {
                let byte = UInt8(truncatingIfNeeded: value)
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): bytes.append(byte)
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): bytes.append(byte | 0x20)
                default:
                    if isOpen() {
                        ends.append(bytes.count)
                        start = bytes.count
                    }
                }
            } else if Self.isPartOfWord(scalar) {
                // A sigma has another form at the end of a word.
                bytes.append(contentsOf: (value == 0x3C2 ? "σ" : scalar.properties.lowercaseMapping).utf8)
            } else if isOpen() {
                ends.append(bytes.count)
                start = bytes.count
            }
        }
        if isOpen() { ends.append(bytes.count) }
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}

/// The words of a search: a link is found if each of them is the beginning of one of its words.
package struct SearchWords: Sendable, Equatable {
    /// Maximum number of words.
    package static let limit = 16

    /// As given.
    package let text: String
    /// The longest first, because it is usually the rarest.
    package let words: [[UInt8]]

    /// Nil if the text has no words, or more than `limit`.
    package init?(_ text: String) {
        let list = WordList(text)
        guard (1...Self.limit).contains(list.count) else { return nil }
        var words: [[UInt8]] = []
        for index in 0..<list.count where !words.contains(Array(list[index])) { words.append(Array(list[index])) }
        self.text = text
        self.words = words.sorted { $0.count > $1.count }
    }

    /// Whether each word is the beginning of one of these.
    package func areFound(in list: WordList) -> Bool {
        words.allSatisfy { word in
            (0..<list.count).contains { list[$0].starts(with: word) }
        }
    }
}

extension Link {
    /// Adds the words that a search for this link may begin with: those of the slug, the aliases, the labels, the route,
    /// the tags, and the destinations (its own URLs and fallback URLs).
    package func addWords(to list: inout WordList) { content.addWords(of: slug, to: &list) }

    /// Whether a search for these words finds the link.
    package func isFound(by search: SearchWords) -> Bool {
        var list = WordList()
        addWords(to: &list)
        return search.areFound(in: list)
    }
}

extension LinkContent {
    /// The words of a link with this content and this slug.
    package func addWords(of slug: Slug, to list: inout WordList) {
        list.add(slug.text)
        for alias in self.aliases { list.add(alias.slug.text) }
        for label in self.labels.entries { list.add(label.value) }
        if let route = self.route { list.add(route.text) }
        for tag in self.tags { list.add(tag) }
        forEachDestination { list.add($0) }
    }
}

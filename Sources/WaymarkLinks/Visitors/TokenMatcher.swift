import WaymarkBytes

/// Finds all tokens in a text in one pass: an automaton (Aho and Corasick, 1975) whose every step is one look into a table,
/// however many tokens there are. Nothing of it is written at run time.
struct TokenMatcher {
    /// A token that ends in a state.
    private struct Output {
        let meanings: UserAgentMeanings
        let count: UInt8
        let isAtStart: Bool
        let beginsWord: Bool
        let endsWord: Bool
        let beginsField: Bool
        /// The next output of the same state; -1 after the last.
        let next: Int32
    }

    /// The next state, by state and class of the next byte.
    private let steps: [UInt16]
    /// The first output of each state, or -1.
    private let firstOutput: [Int32]
    private let outputs: [Output]
    /// Bytes that occur in no token have class 0.
    private let classes: [UInt8]
    private let classCount: Int
    let stateCount: Int

    /// Of User-Agents.
    static let userAgents = TokenMatcher(TokenPattern.all(SystemTokens.lines) + TokenPattern.all(CrawlerTokens.lines))

    init(_ tokens: [(pattern: TokenPattern, meaning: UserAgentMeaning)]) {
        var classes = [UInt8](repeating: 0, count: 256)
        var classCount = 1
        for byte in Set(tokens.flatMap(\.pattern.bytes)).sorted() {
            classes[Int(byte)] = UInt8(truncatingIfNeeded: classCount)
            if byte.isLowerLetter { classes[Int(byte) - 0x20] = classes[Int(byte)] }
            classCount += 1
        }
        // The trie of all tokens: 0 is its root, and also means "no child", because no edge leads to the root.
        var children = [[UInt16]](repeating: [UInt16](repeating: 0, count: classCount), count: 1)
        var ends: [[Int]] = [[]]
        for (number, token) in tokens.enumerated() {
            var state = 0
            for byte in token.pattern.bytes {
                let kind = Int(classes[Int(byte)])
                if children[state][kind] == 0 {
                    children[state][kind] = UInt16(truncatingIfNeeded: children.count)
                    children.append([UInt16](repeating: 0, count: classCount))
                    ends.append([])
                }
                state = Int(children[state][kind])
            }
            ends[state].append(number)
        }
        // Breadth first: missing edges are those of the longest proper suffix in the trie.
        var suffixes = [Int](repeating: 0, count: children.count)
        var queue = children[0].map(Int.init).filter { $0 != 0 }
        var index = 0
        while index < queue.count {
            let state = queue[index]
            index += 1
            ends[state] += ends[suffixes[state]]
            for kind in 0..<classCount {
                let beside = children[suffixes[state]][kind]
                let child = Int(children[state][kind])
                if child == 0 {
                    children[state][kind] = beside
                } else {
                    suffixes[child] = Int(beside)
                    queue.append(child)
                }
            }
        }
        var outputs: [Output] = []
        var firstOutput: [Int32] = []
        for numbers in ends {
            var next: Int32 = -1
            for number in numbers {
                let pattern = tokens[number].pattern
                outputs.append(
                    Output(
                        meanings: tokens[number].meaning.bit, count: UInt8(truncatingIfNeeded: pattern.bytes.count),
                        isAtStart: pattern.isAtStart, beginsWord: pattern.beginsWord, endsWord: pattern.endsWord,
                        beginsField: pattern.beginsField, next: next))
                next = Int32(truncatingIfNeeded: outputs.count - 1)
            }
            firstOutput.append(next)
        }
        self.steps = children.flatMap { $0 }
        self.firstOutput = firstOutput
        self.outputs = outputs
        self.classes = classes
        self.classCount = classCount
        stateCount = children.count
    }

    /// The meanings of all tokens in a text, and of those in its first comment. Of the fields that name an Android
    /// device, which are the maker's free text, only tokens that begin a field count.
    func meanings(of text: Span<UInt8>) -> UserAgentTokens {
        let places = UserAgentPlaces(text)
        var found = UserAgentTokens()
        var state = 0
        for position in text.indices {
            state = Int(steps[state &* classCount &+ Int(classes[Int(text[position])])])
            var output = Int(firstOutput[state])
            while output >= 0 {
                let token = outputs[output]
                output = Int(token.next)
                let start = position &+ 1 &- Int(token.count)
                if token.isAtStart, start != 0 { continue }
                if token.beginsWord, start > 0, text[start &- 1].isLetter { continue }
                if token.endsWord, position &+ 1 < text.count, text[position &+ 1].isLetter { continue }
                if !token.beginsField, places.device.contains(start) { continue }
                found.all.formUnion(token.meanings)
                if places.comment.contains(start) { found.comment.formUnion(token.meanings) }
            }
        }
        return found
    }
}

/// The meanings of the tokens in one User-Agent.
struct UserAgentTokens: Equatable {
    /// Wherever they are.
    var all: UserAgentMeanings = []
    /// Those in the first comment, where browsers name the system.
    var comment: UserAgentMeanings = []
}

/// A token as the data writes it: letters of any case stand for small ones; `^` ahead of it holds it to the text's start,
/// `|` ahead or behind wants something else than a letter there; `␣` is a space at either end. One that begins with `;`
/// begins a field of a comment, and counts among the fields of an Android device, too.
struct TokenPattern {
    let bytes: [UInt8]
    let isAtStart: Bool
    let beginsWord: Bool
    let endsWord: Bool
    var beginsField: Bool { bytes.first == UInt8(ascii: ";") }

    init(_ text: Substring) {
        var rest = text
        isAtStart = rest.first == "^"
        beginsWord = rest.first == "|"
        if isAtStart || beginsWord { rest.removeFirst() }
        endsWord = rest.count > 1 && rest.last == "|"
        if endsWord { rest.removeLast() }
        bytes = rest.replacing("␣", with: " ").utf8.map(\.lowercased)
    }

    /// All tokens of the lines with their meanings. An invalid line is ignored; a test detects it.
    static func all(_ lines: String) -> [(pattern: TokenPattern, meaning: UserAgentMeaning)] {
        lines.split(separator: "\n").flatMap { line -> [(TokenPattern, UserAgentMeaning)] in
            guard !line.hasPrefix("#"), let colon = line.firstRange(of: ": "),
                let meaning = UserAgentMeaning(line[..<colon.lowerBound])
            else { return [] }
            return line[colon.upperBound...].split(separator: ", ").map { (TokenPattern($0), meaning) }
        }
    }
}

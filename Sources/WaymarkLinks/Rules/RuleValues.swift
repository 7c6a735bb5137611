/// The values in the conditions of a list of rules as bit sets: checking whether one condition covers another only
/// compares a few words, regardless of the number of values.
struct RuleValues {
    /// The member of a condition that values belong to.
    fileprivate enum Subject: Hashable {
        case device, browser, inApp, store, language, country, referrerHost
        case parameter(String)
    }

    /// By the index of the condition.
    private var subjects: [Bits] = []
    private var named: [Bits] = []
    /// The values of the condition's subjects that it does not match.
    private var refused: [Bits] = []

    init(_ conditions: [RuleCondition]) {
        let lists = conditions.map(\.valueLists)
        var numbers: [Subject: Int] = [:]
        /// By subject: each value and its index. Nil represents a parameter that may have any value.
        var values: [[String?: Int]] = []
        for (subject, texts) in lists.joined() {
            let number = numbers[subject, default: numbers.count]
            if number == numbers.count {
                numbers[subject] = number
                values.append([:])
            }
            for text in texts where values[number][text] == nil { values[number][text] = values[number].count }
        }
        // The values of a subject are adjacent.
        let starts = values.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        let narrower = numbers.reduce(into: [Int: [Int]]()) { narrower, subject in
            Self.addNarrower(subject.key, values[subject.value], from: starts[subject.value], to: &narrower)
        }
        for list in lists {
            var subjects = Bits(count: numbers.count)
            var named = Bits(count: starts[values.count])
            var refused = named
            for (subject, texts) in list {
                guard let number = numbers[subject] else { continue }
                subjects.insert(number)
                let indexes = texts.compactMap { text in values[number][text].map { starts[number] + $0 } }
                for index in indexes { named.insert(index) }
                if texts.contains(nil) { continue }
                refused.insert(starts[number]..<starts[number + 1])
                for index in indexes {
                    refused.remove(index)
                    for other in narrower[index] ?? [] { refused.remove(other) }
                }
            }
            self.subjects.append(subjects)
            self.named.append(named)
            self.refused.append(refused)
        }
    }

    /// Whether every visitor that matches the later condition's values matches those of the earlier one.
    func covers(_ later: Int, by earlier: Int) -> Bool {
        subjects[earlier].isSubset(of: subjects[later]) && named[later].isDisjoint(from: refused[earlier])
    }

    /// Adds, for each language or host pattern, the other values it also matches.
    private static func addNarrower(
        _ subject: Subject, _ values: [String?: Int], from start: Int, to narrower: inout [Int: [Int]]
    ) {
        let wider: (String) -> [String]
        switch subject {
        case .language: wider = { $0.languageRanges }
        case .referrerHost: wider = { $0.patternsAbove }
        default: return
        }
        for (text, index) in values {
            for other in text.map(wider) ?? [] {
                if let wide = values[other] { narrower[start + wide, default: []].append(start + index) }
            }
        }
    }

    /// A set of small numbers.
    private struct Bits {
        private var words: [UInt64]

        init(count: Int) { words = Array(repeating: 0, count: (count + 63) / 64) }

        mutating func insert(_ number: Int) { words[number / 64] |= 1 << UInt64(number % 64) }
        mutating func insert(_ numbers: Range<Int>) { for number in numbers { insert(number) } }
        mutating func remove(_ number: Int) { words[number / 64] &= ~(1 << UInt64(number % 64)) }

        func isSubset(of other: Bits) -> Bool { words.indices.allSatisfy { words[$0] & ~other.words[$0] == 0 } }
        func isDisjoint(from other: Bits) -> Bool { words.indices.allSatisfy { words[$0] & other.words[$0] == 0 } }
    }
}

extension RuleCondition {
    /// The values of the condition by subject.
    fileprivate var valueLists: [(RuleValues.Subject, [String?])] {
        let lists: [(RuleValues.Subject, [String?])] = [
            (.device, devices.map(\.rawValue)), (.browser, browsers), (.inApp, inApps), (.language, languages),
            (.country, countries), (.store, stores.map(\.rawValue)),
            (.referrerHost, referrerHosts.map(\.text) + referrerApps.map { ClickField.appPrefix + $0 }),
        ]
        return lists.filter { !$0.1.isEmpty } + query.map { (.parameter($0.name), $0.values ?? [nil]) }
    }
}

extension String {
    /// The shorter language ranges that also match this one.
    fileprivate var languageRanges: [String] {
        utf8.indices.filter { utf8[$0] == UInt8(ascii: "-") }.map { String(self[..<$0]) }
    }

    /// The patterns `*.example.com` that match this host, or all hosts of this pattern.
    fileprivate var patternsAbove: [String] {
        if hasPrefix(ClickField.appPrefix) { return [] }
        // The first label of a pattern is its star.
        return utf8.indices.filter { utf8[$0] == UInt8(ascii: ".") }.dropFirst(hasPrefix("*.") ? 1 : 0).map {
            "*" + String(self[$0...])
        }
    }
}

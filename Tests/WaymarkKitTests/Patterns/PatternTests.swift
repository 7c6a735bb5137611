import Foundation
import Testing

@testable import WaymarkKitCompatibility

@Suite struct PatternTests {
    @Test(arguments: [
        ("[0-9]", "5", true), ("[0-9]", "52", false), ("[0-9]", "a5b", false), ("[0-9]+", "123", true),
        (".*", "abc", true), (".*", "", true), ("", "", true), ("", "a", false), ("[a-z]+", "abc-def", false),
        ("abc", "abc", true), ("a|bc|", "bc", true), ("a|bc|", "", true), ("a|bc", "ab", false),
        ("(ab)*c?", "ababc", true), ("(?:ab){2,3}", "abab", true), ("(?:ab){2,3}", "ab", false),
        ("(?<year>\\d{4})-\\d{2}", "2026-11", true), ("a{0}", "", true), ("a{0}", "a", false), ("a{2,}", "aaaa", true),
        ("a{2}?b*?c+?", "aabbc", true), ("^abc$", "abc", true), ("\\Aabc\\z", "abc", true), ("a^b", "ab", false),
        ("a$b", "ab", false), ("[^a-c]+", "xyz", true), ("[^a-c]", "b", false), ("[-a]+", "-a", true),
        ("[a-]+", "a-", true), ("[\\]\\[]+", "[]", true), ("[.]", ".", true), ("[.]", "a", false), ("\\.", "a", false),
        ("\\w+", "café_1", true), ("\\W", "-", true), ("\\d+", "٣", true), ("\\s", "\u{A0}", true),
        ("\\S+", "a b", false),
        ("\\p{Lu}\\p{L}+", "Érables", true), ("\\P{L}+", "123", true), ("[\\d\\-]+", "1-2", true), (".", "\n", false),
        (".", "\u{2028}", false), (".", "🙂", true), ("(?s).", "\n", true), ("(?i)abc", "aBC", true),
        ("(?i)[a-c]+", "ABC", true), ("(?i)é", "É", true), ("(?is)A.", "a\n", true), ("\\bab\\b", "ab", true),
        ("a\\Bb", "ab", true), ("a\\bb", "ab", false), ("\\x41\\u0042\\x{43}\\U00000044\\t", "ABCD\t", true),
        ("e\u{301}", "\u{E9}", false), ("\\-\\/\\#", "-/#", true), ("a\\n", "a\n", true), ("((a)|(b))+", "abba", true),
        ("[a-cx-z]+", "abxz", true), ("[b-da-c]+", "abcd", true), ("(a*)*", "aaa", true), ("(a*)*", "b", false),
        ("(|a)+", "aa", true), ("[^\\d]", "x", true), ("[\\D]", "1", false),
    ])
    func matchesTheWholeValueOrNot(text: String, value: String, matches: Bool) throws {
        #expect(try Pattern(text).matches(value) == matches)
    }

    @Test(arguments: [
        ("a)", 1), ("(a", 0), ("[a", 0), ("[]", 1), ("[^]", 2), ("a**", 2), ("*a", 0), ("a{2", 1), ("a{x}", 1),
        ("{", 0),
        ("}", 0), ("]", 0), ("a{3,2}", 1), ("a{1001}", 2), ("\\", 0), ("\\1", 0), ("(a)\\k<b>", 3), ("(?=a)", 0),
        ("(?!a)", 0), ("(?<=a)", 0), ("(?<!a)", 0), ("(?>a)", 0), ("(?i:a)", 0), ("a(?i)", 1), ("a++", 2), ("a?+", 2),
        ("[a[b]]", 2), ("[a&&b]", 2), ("[a--b]", 2), ("[b-a]", 2), ("[a-\\d]", 2), ("\\p{Latin}", 0), ("\\pL", 0),
        ("\\q", 0), ("\\x4", 0), ("\\uD800", 0), ("\\x{110000}", 0), ("(?<a", 0), ("(?#a)", 0), ("\\Q*\\E", 0),
    ])
    func saysWhatItDoesNotSupportAndWhere(text: String, offset: Int) {
        #expect {
            try Pattern(text)
        } throws: { error in
            (error as? PatternError)?.offset == offset
        }
    }

    @Test(arguments: [
        "(a+)+b", "(a|a)*b", "(a|aa)+b", "(a*)*b", "([a-z]+)*b", "(.*)*b", "(.*.*.*)*b", "((a{0,30}){0,30})b",
    ])
    func takesStepsInProportionToTheValue(text: String) throws {
        let pattern = try Pattern(text)
        func steps(_ length: Int) -> Int {
            var steps = 0
            #expect(!pattern.matches(String(repeating: "a", count: length), steps: &steps))
            return steps
        }
        let (short, long) = (steps(100), steps(1_000))
        #expect(long < short * 11)
        #expect(long <= 1_001 * (Pattern.sizeLimit + 1))
    }

    @Test(arguments: [
        "(a{1000}){1000}", "((((a{9}){9}){9}){9}){9}", "((){1000}){1000}", "(((){1000}){1000}){1000}",
        "(a?){1000}b{1000}",
        "((a?){100}){100}",
    ])
    func refusesToGrowBeyondItsLimit(text: String) {
        #expect(throws: PatternError.self) { try Pattern(text) }
    }

    @Test func endsAtItsOtherLimits() throws {
        #expect(throws: PatternError.self) { try Pattern(String(repeating: "a", count: 1_001)) }
        #expect(throws: PatternError.self) {
            try Pattern(String(repeating: "(", count: 40) + String(repeating: ")", count: 40))
        }
        let any = try Pattern("a*")
        #expect(any.matches(String(repeating: "a", count: 4_096)))
        #expect(!any.matches(String(repeating: "a", count: 4_097)))
    }

    /// Foundation's expressions, on what both know, are the measure.
    @Test func agreesWithFoundationOnRandomPatterns() throws {
        var generator = SeededGenerator(seed: 6)
        let atoms = ["a", "b", "[ab]", "[^a]", ".", "\\d", "\\w", "1", "(a|b)", "(?:ab|c)", "\\b", "$", "é"]
        let counts = ["", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,}", "*?"]
        var compared = 0
        for _ in 0..<400 {
            var text = ""
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                text += atoms.randomElement(using: &generator) ?? ""
                if !text.hasSuffix("b") || !text.hasSuffix("\\b"), !text.hasSuffix("$") {
                    text += counts.randomElement(using: &generator) ?? ""
                }
                if Int.random(in: 0..<6, using: &generator) == 0 { text += "|" }
            }
            let pattern = try Pattern(text)
            let measure = try NSRegularExpression(pattern: "\\A(?:" + text + ")\\z")
            for _ in 0..<10 {
                let value = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                    ["a", "b", "c", "1", "é", " "].randomElement(using: &generator) ?? ""
                }.joined()
                let range = NSRange(location: 0, length: value.utf16.count)
                let expected = measure.firstMatch(in: value, range: range) != nil
                #expect(pattern.matches(value) == expected, "\(text) on \(value)")
                compared += 1
            }
        }
        #expect(compared == 4_000)
    }

    @Test func `no pattern traps`() {
        var generator = SeededGenerator(seed: 7)
        let pieces = [
            "(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "\\", "^", "$", ".", "a", "-", "&", ",", "1", "p{L}", "<",
            ">",
            "?:", "?<n>", "x41", "u0041", "d", "b", "é", "🙂",
        ]
        var accepted = 0
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
            guard let pattern = try? Pattern(text) else { continue }
            accepted += 1
            _ = pattern.matches(generator.text(upTo: 6))
        }
        #expect(accepted > 500)
    }
}

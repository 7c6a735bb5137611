import Testing

@testable import WaymarkAssociation

/// The matcher against the plainest one that is right, and what it costs.
@Suite struct PatternMatcherTests {
    private static func tokens(_ pattern: String, _ variables: [String: [String]] = [:]) -> [PatternToken] {
        PatternParser(variables: SubstitutionVariables(variables)).tokens(pattern)
    }

    private static func fits(_ text: String, _ pattern: String, _ variables: [String: [String]] = [:]) -> Bool {
        var matcher = PatternMatcher(text.unicodeScalars.map(\.value))
        return matcher.fits(tokens(pattern, variables))
    }

    /// By trying everything; only for short texts.
    private static func slowly(_ text: Substring.UnicodeScalarView, _ pattern: Substring.UnicodeScalarView) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            if slowly(text, pattern.dropFirst()) { return true }
            return !text.isEmpty && slowly(text.dropFirst(), pattern)
        }
        guard let character = text.first else { return false }
        return (first == "?" || first == character) && slowly(text.dropFirst(), pattern.dropFirst())
    }

    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func agreesWithTryingEverything(seed: UInt64) {
        var random = Generator(state: seed)
        var fitting = 0
        for _ in 0..<2_000 {
            let pattern = String(
                (0..<Int.random(in: 0...8, using: &random)).map { _ in "aabb**?".randomElement(using: &random)! })
            let text = String(
                (0..<Int.random(in: 0...10, using: &random)).map { _ in "aab".randomElement(using: &random)! })
            let expected = Self.slowly(Substring(text).unicodeScalars, Substring(pattern).unicodeScalars)
            #expect(Self.fits(text, pattern) == expected, "\(pattern) \(text)")
            // The same by way of a variable, which takes the general road.
            #expect(Self.fits("x" + text, "$(x)" + pattern, ["x": ["y", "x"]]) == expected, "\(pattern) \(text)")
            if expected { fitting += 1 }
        }
        #expect(fitting > 100)
    }

    @Test func findsLongStretches() {
        let stretch = String(repeating: "ab", count: 100)
        #expect(Self.fits("xx" + stretch + "yy", "*" + stretch + "*"))
        #expect(!Self.fits("xx" + stretch.dropLast() + "yy", "*" + stretch + "*"))
        #expect(Self.fits(String(repeating: "a", count: 500) + "b", "*" + String(repeating: "a", count: 130) + "b*"))
        #expect(Self.fits(String(repeating: "a", count: 300), String(repeating: "?", count: 300)))
    }

    static let variables: [(pattern: String, text: String, fits: Bool)] = [
        ("/$(a)/x", "/foo/x", true), ("/$(a)/x", "/foobar/x", true), ("/$(a)/x", "/fo/x", false),
        ("/$(a)$(a)", "/foofoobar", true), ("/*$(a)*z", "/..foobar..z", true), ("$(digit)*$(digit)", "1ab2", true),
        ("$(digit)*$(digit)", "1", false), ("$(region)", "GB", true), ("$(region)", "UK", false),
        ("$(lang)-*", "haw-x", true), ("$(lang)$(lang)", "ende", true), ("$(b)c", "axxbc", true),
        ("$(empty)x", "x", true),
        ("$(none)", "", false), ("*$(region)*", "xxDExx", true),
    ]

    @Test(arguments: variables)
    func triesEveryValueOfAVariable(pattern: String, text: String, fits: Bool) {
        let variables = ["a": ["foo", "foobar"], "b": ["a*b"], "empty": [""], "none": []]
        #expect(Self.fits(text, pattern, variables) == fits)
    }

    /// Patterns that make matchers which try and back off take for ever.
    @Test(arguments: [
        "*" + String(repeating: "a*", count: 40) + "b", String(repeating: "*a", count: 200) + "*b*",
        "*" + String(repeating: "?*", count: 40) + "b", "*aaaaaaaaaaaaaaaaaaaab*", "*$(alpha)*$(alpha)*1",
    ])
    func costsTwiceAsMuchForTwiceTheText(pattern: String) {
        func steps(_ length: Int) -> Int {
            var matcher = PatternMatcher(Array(repeating: 0x61, count: length))
            let fits = matcher.fits(Self.tokens(pattern))
            #expect(!fits)
            return matcher.steps
        }
        let (once, twice) = (steps(8_192), steps(16_384))
        #expect(twice <= 2 * once + 100)
        #expect(once <= 8_192 + 3 * pattern.utf8.count)
    }

    @Test func costsTheSumOfBothWhereBothGrow() {
        func steps(_ length: Int) -> Int {
            let pattern = String(repeating: "*a", count: length / 2) + "*b"
            var matcher = PatternMatcher(Array(repeating: 0x61, count: length))
            let fits = matcher.fits(Self.tokens(pattern))
            #expect(!fits)
            return matcher.steps
        }
        #expect(steps(16_384) <= 2 * steps(8_192) + 100)
    }

    @Test func costsNoMoreThanTheProductWithVariables() {
        func steps(_ length: Int) -> Int {
            let pattern = String(repeating: "*$(v)", count: 50) + "b"
            var matcher = PatternMatcher(Array(repeating: 0x61, count: length))
            let fits = matcher.fits(Self.tokens(pattern, ["v": ["a*a", "aa", "a?a*"]]))
            #expect(!fits)
            return matcher.steps
        }
        let (once, twice) = (steps(8_192), steps(16_384))
        #expect(twice <= 2 * once + 1_000)
        #expect(once < 8_192 * 50)
    }

    /// Patterns that hold all of another's, and such that nearly do.
    @Test(arguments: [
        ("/*", "/a", true), ("/a/*", "/a/b", true), ("/a/*", "/a", true), ("/a/?", "/a/b", true),
        ("/a/b", "/a/?", false),
        ("/a/*/c", "/a/b/*/c", true), ("/a/?*", "/a/*", false), ("/*b*", "/*abc*", true), ("/*abc*", "/*b*", false),
        ("*", "x", true), ("/a*", "/a/*", true), ("/a/*", "/a*", false), ("/buy", "/buy/", true), ("/$(v)", "/y", true),
        ("/?", "/$(v)", true), ("/$(v)", "/?", false), ("/$(digit)", "/$(digit)", true), ("/?", "/$(digit)", true),
    ])
    func tellsWhichPatternHoldsAnother(wider: String, narrower: String, holds: Bool) {
        let cover = RuleSubsumption(variables: SubstitutionVariables(["v": ["x", "y"]]))
        #expect(cover.covers(AppleRule(path: wider), AppleRule(path: narrower)) == holds)
    }
}

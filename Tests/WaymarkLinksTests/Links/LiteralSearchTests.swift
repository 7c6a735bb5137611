import Testing
import WaymarkLinks

@Suite struct LiteralSearchTests {
    @Test(arguments: [
        ("", "", true), ("", "a", true), ("a", "", false), ("a", "a", true), ("ab", "aab", true), ("aab", "aaab", true),
        ("abab", "abacabab", true), ("abab", "abacabaab", false), ("aaab", "aaaaaaaa", false), ("A", "a", false),
        ("\u{E9}", "caf\u{E9}", true), ("e\u{301}", "caf\u{E9}", false), ("%", "50%25", true),
    ])
    func findsLiteralText(sought: String, text: String, isFound: Bool) {
        #expect(LiteralSearch(sought).isFound(in: text) == isFound)
    }

    @Test func findsWhatATrialOfEveryPlaceFinds() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0...24, using: &random)).map { _ in Bool.random(using: &random) ? "a" : "b" }
                .joined()
            let sought = (0..<Int.random(in: 1...6, using: &random)).map { _ in Bool.random(using: &random) ? "a" : "b"
            }.joined()
            let bytes = Array(text.utf8)
            let expected = bytes.indices.contains { bytes[$0...].starts(with: sought.utf8) }
            #expect(LiteralSearch(sought).isFound(in: text) == expected, "\(sought) in \(text)")
        }
    }
}

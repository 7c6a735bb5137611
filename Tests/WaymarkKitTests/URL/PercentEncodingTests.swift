import Testing

@testable import WaymarkKit

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("", ""), ("a", "a"), ("caf%C3%A9", "café"), ("a%2Fb", "a/b"), ("a+b", "a+b"), ("%2B", "+"), ("%2525", "%25"),
        ("%00", "\u{0}"),
        // What does not decode as a whole stays as it is.
        ("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("%41%zz", "%41%zz"), ("%FF", "%FF"), ("%C3", "%C3"), ("a%", "a%"),
        ("%ED%A0%80", "%ED%A0%80"),
    ])
    func decodesOnceOrNotAtAll(text: String, decoded: String) {
        #expect(PercentEncoding.decoded(text) == decoded)
    }

    @Test(arguments: [("a+b", "a b"), ("%2B", "+"), ("+", " "), ("+%zz", " %zz")])
    func readsAPlusAsASpaceWhereAsked(text: String, decoded: String) {
        #expect(PercentEncoding.decoded(text, plusIsSpace: true) == decoded)
    }

    @Test(arguments: [("a b", "a%20b"), ("+", "%2B"), ("é", "%C3%A9"), ("a/b?c#d", "a%2Fb%3Fc%23d"), ("-._~", "-._~")])
    func encodesEverythingThatIsNotUnreserved(text: String, encoded: String) {
        #expect(PercentEncoding.encoded(text) == encoded)
    }

    @Test func decodesWhatItEncoded() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<2_000 {
            let text = generator.text(upTo: 8)
            let decoded = PercentEncoding.decoded(PercentEncoding.encoded(text))
            #expect(Array(decoded.utf8) == Array(text.utf8))
        }
    }
}

import Testing
import WaymarkBytes

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("", ""), ("a", "a"), ("a-b", "a-b"), ("a%20b", "a b"), ("a+b", "a+b"), ("%C3%A9", "é"), ("caf%c3%a9", "café"),
        ("%252F", "%2F"), ("%2f", "/"), ("a%2Fb", "a/b"), ("%2B", "+"), ("%00", "\0"),
    ])
    func decodesOnce(_ encoded: String, _ decoded: String) {
        #expect(PercentEncoding.decodeText(encoded.utf8) == decoded)
        #expect(PercentEncoding.decodeText(encoded) == decoded)
        #expect(PercentEncoding.decodeTextLeniently(encoded.utf8) == decoded)
        #expect(PercentEncoding.decodeWholeText(encoded) == decoded)
    }

    @Test(arguments: [
        ("%", "%"), ("%4", "%4"), ("a%", "a%"), ("a%4", "a%4"), ("%zz", "%zz"), ("%4g", "%4g"), ("%+1", "%+1"),
        ("% 1", "% 1"), ("%%41", "%A"), ("%u0041", "%u0041"), ("%41%zz", "A%zz"),
    ])
    func aMalformedEscapeIsRejectedOrKept(_ encoded: String, _ lenient: String) {
        #expect(PercentEncoding.decode(encoded.utf8) == nil)
        #expect(PercentEncoding.decodeText(encoded) == nil)
        #expect(PercentEncoding.decodeTextLeniently(encoded.utf8) == lenient)
        #expect(PercentEncoding.decodeWholeText(encoded) == encoded)
    }

    @Test(arguments: ["%FF", "%C3", "%ED%A0%80", "a%ff%fe"])
    func `bytes that are not UTF-8 are not text`(_ encoded: String) {
        #expect(PercentEncoding.decode(encoded.utf8) != nil)
        #expect(PercentEncoding.decodeText(encoded) == nil)
        #expect(PercentEncoding.decodeTextLeniently(encoded.utf8).unicodeScalars.contains("\u{FFFD}"))
        #expect(PercentEncoding.decodeWholeText(encoded) == encoded)
    }

    @Test(arguments: [("a+b", "a b"), ("%2B", "+"), ("+", " "), ("a+b%2Bc", "a b+c")])
    func aPlusIsASpaceWhereAsked(_ encoded: String, _ decoded: String) {
        #expect(PercentEncoding.decodeText(encoded, plusIsSpace: true) == decoded)
        #expect(PercentEncoding.decodeTextLeniently(encoded.utf8, plusIsSpace: true) == decoded)
        #expect(PercentEncoding.decodeWholeText(encoded, plusIsSpace: true) == decoded)
    }

    @Test func aPlusIsASpaceBesideAMalformedEscape() {
        #expect(PercentEncoding.decodeTextLeniently("+%zz".utf8, plusIsSpace: true) == " %zz")
        #expect(PercentEncoding.decodeWholeText("+%41%zz", plusIsSpace: true) == " %41%zz")
    }

    @Test(arguments: [
        ("aZ09-._~ +/?&=é\n", "aZ09-._~%20%2B%2F%3F%26%3D%C3%A9%0A"), ("a b", "a%20b"), ("+", "%2B"),
        ("a/b?c#d", "a%2Fb%3Fc%23d"), ("-._~", "-._~"), ("", ""),
    ])
    func encodesAllButTheUnreserved(_ text: String, _ encoded: String) {
        #expect(PercentEncoding.encode(text) == encoded)
    }

    @Test func aWholeURLKeepsItsDelimitersAndEscapes() {
        #expect(PercentEncoding.encode("https://a.b/%20 x|\r\n", allowed: .url) == "https://a.b/%20%20x%7C%0D%0A")
        for byte in UInt8.min...UInt8.max {
            let isAllowed = (0x21...0x7E).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
            #expect(ASCIISet.url.contains(byte) == isAllowed)
            #expect(ASCIISet.unreserved.contains(byte) == byte.isUnreserved)
        }
    }

    @Test func everyByteComesBack() {
        let all = Array(UInt8.min...UInt8.max)
        var encoded: [UInt8] = []
        PercentEncoding.append(all, to: &encoded)
        #expect(encoded.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        #expect(PercentEncoding.decode(encoded) == all)
    }
}

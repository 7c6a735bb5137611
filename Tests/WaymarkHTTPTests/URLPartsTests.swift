import Testing
import WaymarkHTTP

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("", ""), ("a-b", "a-b"), ("a%20b", "a b"), ("a+b", "a+b"), ("%C3%A9", "é"), ("%c3%a9", "é"),
        ("%252F", "%2F"), ("%2f", "/"), ("%00", "\0"),
    ])
    func decodesOnce(_ encoded: String, _ decoded: String) {
        let bytes = Array(encoded.utf8)
        #expect(PercentEncoding.decodeText(bytes.span, whole(bytes)) == decoded)
    }

    @Test(arguments: ["%", "%4", "a%", "a%4", "%zz", "%4g", "%+1", "% 1", "%%41", "%u0041"])
    func decodesNothingMalformed(_ encoded: String) {
        let bytes = Array(encoded.utf8)
        #expect(PercentEncoding.decode(bytes.span, whole(bytes)) == nil)
    }

    @Test func takesPlusForASpaceOnlyWhenAsked() {
        let bytes = Array("a+b%2Bc".utf8)
        #expect(PercentEncoding.decodeText(bytes.span, whole(bytes), plusIsSpace: true) == "a b+c")
        #expect(PercentEncoding.decodeText(bytes.span, whole(bytes)) == "a+b+c")
    }

    @Test func makesNoTextOfWhatIsNotUTF8() {
        let bytes = Array("%ff%fe".utf8)
        #expect(PercentEncoding.decodeText(bytes.span, whole(bytes)) == nil)
        #expect(PercentEncoding.decode(bytes.span, whole(bytes)) == [0xFF, 0xFE])
    }

    @Test func encodesAllButTheUnreserved() {
        #expect(PercentEncoding.encode("aZ09-._~ +/?&=é\n") == "aZ09-._~%20%2B%2F%3F%26%3D%C3%A9%0A")
        #expect(PercentEncoding.encode("/a b/é?x", allowed: .path) == "/a%20b/%C3%A9%3Fx")
        #expect(PercentEncoding.encode("a=b c&d=/?", allowed: .query) == "a=b%20c&d=/?")
        #expect(PercentEncoding.encode("https://a.b/%20 x|\r\n", allowed: .url) == "https://a.b/%20%20x%7C%0D%0A")
    }

    @Test func everyByteComesBack() {
        let all = Array(UInt8.min...UInt8.max)
        var encoded: [UInt8] = []
        PercentEncoding.append(all, to: &encoded)
        #expect(encoded.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        #expect(PercentEncoding.decode(encoded.span, whole(encoded)) == all)
    }
}

@Suite struct QueryPairsTests {
    private func pairs(_ query: String) -> [String] {
        let bytes = Array(query.utf8)
        var pairs = QueryPairs(whole(bytes))
        var found: [String] = []
        while let pair = pairs.next(in: bytes.span) {
            found.append(
                (text(pair.name, in: bytes) ?? "") + (pair.hasValue ? "=" : "!") + (text(pair.value, in: bytes) ?? ""))
        }
        return found
    }

    @Test(arguments: [
        ("", []), ("a=b", ["a=b"]), ("a=b&c=d", ["a=b", "c=d"]), ("a", ["a!"]), ("a=", ["a="]), ("=b", ["=b"]),
        ("&&a=b&&", ["a=b"]), ("a=b=c", ["a=b=c"]), ("a=%26&b=+", ["a=%26", "b=+"]), ("a=b;c=d", ["a=b;c=d"]),
        ("=", ["="]), ("&", []),
    ])
    func walksOverThePairs(_ query: String, _ expected: [String]) {
        #expect(pairs(query) == expected)
    }

    @Test func findsADecodedValueByItsDecodedName() {
        let bytes = Array("x=1&li%6Dit=5+0%21&limit=6&bad=%zz".utf8)
        #expect(QueryPairs.value(of: "limit", in: bytes.span, query: whole(bytes)) == "5 0!")
        #expect(QueryPairs.value(of: "bad", in: bytes.span, query: whole(bytes)) == nil)
        #expect(QueryPairs.value(of: "none", in: bytes.span, query: whole(bytes)) == nil)
        #expect(QueryPairs.value(of: "x", in: bytes.span, query: nil) == nil)
    }
}

@Suite struct PathSegmentsTests {
    @Test(arguments: [
        ("", []), ("/", [""]), ("/a", ["a"]), ("/a/b", ["a", "b"]), ("/a/", ["a", ""]), ("//a", ["", "a"]),
        ("/a%2Fb/c", ["a%2Fb", "c"]),
    ])
    func walksOverTheSegments(_ path: String, _ expected: [String]) {
        let bytes = Array(path.utf8)
        var segments = PathSegments(whole(bytes))
        var found: [String] = []
        while let segment = segments.next(in: bytes.span) { found.append(text(segment, in: bytes) ?? "") }
        #expect(found == expected)
        #expect(segments.rest.isEmpty)
    }

    @Test func givesWhatIsLeft() {
        let bytes = Array("/api/v1/links".utf8)
        var segments = PathSegments(whole(bytes))
        _ = segments.next(in: bytes.span)
        #expect(text(segments.rest, in: bytes) == "/v1/links")
    }
}

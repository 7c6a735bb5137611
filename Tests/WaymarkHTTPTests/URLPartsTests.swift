import Testing
import WaymarkBytes
import WaymarkHTTP

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("x/a%20b/y", "a b"), ("x/a+b/y", "a+b"), ("x/%252F/y", "%2F"), ("x//y", ""), ("x/%4/1y", nil),
        ("x/%ff/y", nil),
    ])
    func decodesARangeOfBytes(_ text: String, _ decoded: String?) {
        let bytes = Array(text.utf8)
        let range = ByteRange(2, bytes.count - 2)
        #expect(PercentEncoding.decodeText(bytes.span, range) == decoded)
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

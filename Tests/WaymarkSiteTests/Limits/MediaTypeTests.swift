import Testing
import WaymarkHTTP

@testable import WaymarkSite

@Suite struct MediaTypeTests {
    @Test(arguments: [
        ("application/json", true), ("application/json;charset=utf-8", true), ("APPLICATION/JSON ", true),
        ("application/merge-patch+json", false), ("application/jsonx", false), ("text/plain", false), ("", false),
    ])
    func knowsJSON(value: String, isJSON: Bool) {
        #expect(MediaType.isJSON(value, allowingMergePatch: false) == isJSON)
    }

    @Test(arguments: [
        ([], false), (["*/*"], false), (["text/html,application/xhtml+xml,*/*;q=0.8"], false),
        (["application/json"], true),
        (["application/problem+json"], true), (["application/json, text/plain, */*"], true),
        (["text/html, application/json"], false), (["APPLICATION/JSON"], true),
        (["application/json, TEXT/HTML"], false),
        (["application/json, text/html;q=0.5"], true), (["text/html, application/json;q=0.9"], false),
        (["application/problem+json, text/html;q=0.9"], true), (["application/json;q=0"], false),
        (["application/json;q=0, */*"], false), (["application/*"], true), (["text/html", "application/json"], false),
        (["text/html;q=0.1", "application/json"], true), (["json"], false), ([""], false), (["text/htm, jjson"], false),
    ])
    func prefersJSONToAPage(accept: [String], prefersJSON: Bool) throws {
        #expect(try Self.ask(accept, MediaType.prefersJSON) == prefersJSON)
    }

    @Test(arguments: [
        ([], false), (["*/*"], false), (["text/csv"], true), (["text/csv, application/json"], false),
        (["text/csv;q=0.9, */*;q=0.1"], true), (["text/csv, application/json;q=0.5"], true),
        (["text/csv;q=0.5, application/json"], false), (["text/csv;q=0"], false), (["application/json"], false),
    ])
    func prefersCSVToJSON(accept: [String], prefersCSV: Bool) throws {
        #expect(try Self.ask(accept, MediaType.prefersCSV) == prefersCSV)
    }

    private static func ask(
        _ accept: [String], _ question: (RequestHead, Span<UInt8>) -> Bool
    ) throws -> Bool {
        let lines = ["GET / HTTP/1.1", "Host: a"] + accept.map { "Accept: \($0)" } + ["", ""]
        let (head, bytes) = (RequestHead(), Array(lines.joined(separator: "\r\n").utf8))
        var parser = RequestParser()
        #expect(parser.parse(bytes.span, into: head) == .head(length: bytes.count))
        return question(head, bytes.span)
    }
}

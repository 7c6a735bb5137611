import Testing
import WaymarkJSON

@testable import waymark

/// Where something is written in a file of links, and under which address the API has it.
@Suite struct CodePlaceTests {
    @Test(arguments: [
        ("X", [1]), ("\nX\n\nX", [2, 4]), ("\r\nX\r\n\r\nX", [2, 4]), ("X\rX\r\nX\n\rX", [1, 2, 3, 5]),
        ("é\n🍏X\n\u{2028}X", [2, 3]), ("XX\nXX", [1, 1, 2, 2]), (String(repeating: "[\n", count: 500) + "X", [501]),
    ])
    func `lines are those of each place alone`(text: String, lines: [Int]) {
        let source = Array(text.utf8)
        let places = source.indices.filter { source[$0] == UInt8(ascii: "X") }.map { CodePlace("a", source, at: $0) }
        #expect(places.map(\.line) == lines)
        #expect(CodePlace.lines(of: places) == lines)
        // Also if they are not in the order of the file.
        #expect(CodePlace.lines(of: places.reversed()) == lines.reversed())
    }

    @Test func `lines begin again in each file`() {
        let (one, two) = (Array("\n\n\nX".utf8), Array("\nX".utf8))
        let places = [CodePlace("a", one, at: 3), CodePlace("b", two, at: 1), CodePlace("a", one, at: 3)]
        #expect(CodePlace.lines(of: places) == [4, 2, 4])
        #expect(CodePlace.lines(of: []) == [])
    }

    @Test(arguments: [
        ("rules[0].when.contry", 4), ("rules[1]", 5), ("rules[1].to.web", 6), ("rules[7].to", 3), ("nothing", 1),
        ("", 1),
        ("é.x", 9),
    ])
    func `a field is found again in the text`(field: String, line: Int) throws {
        let text = [
            "{\"slug\":", "\"x\",", "\"rules\": [", "{\"when\": {\"contry\": \"DE\"}},", "{\"to\":", "{\"web\": 1}}],",
            "\"b\":", "1,", "\"é\": {\"x\": 1}}",
        ].joined(separator: "\r\n")
        let source = Array(text.utf8)
        let offset = CodeField(field).offset(in: try JSONValue(parsing: source))
        #expect(CodePlace("a", source, at: offset).line == line)
    }

    @Test(arguments: [
        ("go.example.com/x", "go.example.com/x"), ("go.example.com/sale/more", "go.example.com/sale%2Fmore"),
        ("go.example.com/a b", "go.example.com/a%20b"), ("go.example.com/100%", "go.example.com/100%25"),
        ("go.example.com/a?b#c", "go.example.com/a%3Fb%23c"), ("go.example.com/é", "go.example.com/%C3%A9"),
        ("localhost/..", "localhost/.."),
    ])
    func `an address is escaped for the API`(address: String, target: String) {
        #expect(CodeApplier.target(of: address) == "/api/v1/links/\(target)")
    }
}

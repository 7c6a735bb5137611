import Testing

@testable import WaymarkService

@Suite struct ClickHouseTextTests {
    @Test(arguments: [
        ("go.example-1_a", "'go.example-1_a'"), ("", "''"), ("' OR 1 --", "'\\x27\\x20OR\\x201\\x20--'"),
        ("\\", "'\\x5c'"),
        ("\\'", "'\\x5c\\x27'"), ("a\u{0}b\n\t", "'a\\x00b\\x0a\\x09'"), ("ü", "'\\xc3\\xbc'"),
        ("(rest)", "'\\x28rest\\x29'"), ("{x:String}%$`\"", "'\\x7bx\\x3aString\\x7d\\x25\\x24\\x60\\x22'"),
    ])
    func `no text ends its literal`(text: String, literal: String) {
        #expect(ClickHouseText.literal(text) == literal)
    }

    @Test func `bytes that are no UTF-8 are numbers`() {
        #expect(ClickHouseText.literal([0xFF, 0xC3, 0x27]) == "'\\xff\\xc3\\x27'")
        let all = ClickHouseText.literal(UInt8.min...UInt8.max)
        #expect(all.dropFirst().dropLast().utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "'") })
    }

    @Test(arguments: [
        ("plain", "plain"), ("a\\tb\\nc\\rd", "a\tb\nc\rd"), ("\\\\n", "\\n"), ("\\'", "'"),
        ("\\0\\b\\f", "\u{0}\u{8}\u{C}"),
        ("end\\", "end"), ("", ""),
    ])
    func `escapes of an answer are undone`(field: String, text: String) {
        #expect(ClickHouseText.value(Array(field.utf8)[...]) == text)
    }

    @Test func `an answer that is no UTF-8 is repaired`() {
        #expect(ClickHouseText.value([0x61, 0xFF, 0x5C, 0x27]) == "a\u{FFFD}'")
    }

    @Test func `rows are read with their numbers`() throws {
        var answer = ClickHouseAnswer(Array("1\ta\n2\t\n".utf8), rowLimit: 2)
        let first = try #require(try answer.next(columns: 2))
        #expect(try first.count(0) == 1)
        #expect(first.text(1) == "a")
        let second = try #require(try answer.next(columns: 2))
        #expect(try second.count(0, below: 3) == 2)
        #expect(second.text(1) == "")
        if try answer.next(columns: 2) != nil { Issue.record("there is no third row") }
    }

    @Test(arguments: [
        "1\t2\n", "1\n1\n1\n", "1", "x\n", "-1\n", "1099511627776\n", "9223372036854775808\n",
        "000000000000000000000\n", " 1\n", "\\N\n", "\n", "<html>\n",
    ])
    func `a wrong answer is a failure`(text: String) {
        #expect(throws: ClickHouseFailure.self) {
            var answer = ClickHouseAnswer(Array(text.utf8), rowLimit: 2)
            while let row = try answer.next(columns: 1) { _ = try row.count(0) }
        }
    }
}

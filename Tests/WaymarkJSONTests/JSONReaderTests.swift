import Testing
import WaymarkJSON

@Suite struct JSONReaderTests {
    @Test(
        arguments: [
            ("null", nil), ("true", true), ("false", false), ("0", 0), ("-0", 0), ("7", 7), ("-12", -12),
            (#""""#, ""), (#""a""#, "a"), ("[]", []), ("{}", [:]), ("[[]]", [[]]),
            (" \t\r\n[ 1 , 2 ]\n", [1, 2]),
            (#"{"a":{"b":[null,true]}}"#, ["a": ["b": [nil, true]]]),
            (#"{"":1}"#, ["": 1]),
            (#"{ "a" : 1 , "b" : 2 }"#, ["a": 1, "b": 2]),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{08}\u{0C}\n\r\t"),
            (#""\u0041\u00e9\u20AC""#, "Aé€"),
            (#""\uD83D\uDE00""#, "😀"), (#""\ud83d\ude00x""#, "😀x"),
            (#""\uDBFF\uDFFF""#, "\u{10FFFF}"), (#""\u0000""#, "\u{0}"), (#""\uFFFF""#, "\u{FFFF}"),
            (#""é€😀""#, "é€😀"), (#""a\nb€""#, "a\nb€"), ("\"\u{7F}\"", "\u{7F}"), ("\"\u{2028}\"", "\u{2028}"),
            (#""\\u0041""#, #"\u0041"#),
        ] as [(String, JSONValue)])
    func reads(text: String, expected: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == expected)
    }

    @Test(arguments: [
        "", " ", "\n", "nul", "nulll", "True", "NULL", "truefalse", "t", "NaN", "-NaN", "Infinity", "-Infinity",
        "undefined", "'a'", "a", "*", "#", "+1", "-", "--1", ".5", "-.5", "1.", "1.e1", "1e", "1e+", "1E-", "01", "-01",
        "00", "1.2.3", "0x10", "1_000", "1 2", "1e1.5", "0e", "１",
        "[", "]", "[1", "[1,", "[1,]", "[,]", "[,1]", "[1,,2]", "[1 2]", "[1}", "[1]]", "[1:2]", "[\"a\",\n", "[/**/1]",
        "// no\n1", "1 // no", "/* no */ 1", "[1]#",
        "{", "}", "{]", #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1,"#, #"{"a":1,}"#, #"{,"a":1}"#, #"{"a":1 "b":2}"#,
        #"{"a" 1}"#, #"{"a"::1}"#, #"{a:1}"#, #"{'a':1}"#, #"{1:1}"#, #"{null:1}"#, #"{"a":1}}"#, #"{"a":1}{}"#,
        #"{"a",1}"#, #"{"a":}"#, #"{"a"}"#, #"{:1}"#,
        #"""#, #""a"#, #""\"#, #""\""#, #""\x41""#, #""\'""#, #""\a""#, #""\0""#, #""\U0041""#, "\"\\\n\"",
        #""\u""#, #""\u1""#, #""\u12""#, #""\u123""#, #""\u123g""#, #""\u+123""#, #""\u 123""#, #""\u{41}""#,
        #""\uD83D""#, #""\uDE00""#, #""\uD83Dx""#, #""\uD83D\n""#, #""\uD83D\uD83D""#, #""\uD83D\u0041""#,
        #""\uDE00\uD83D""#, #""\uDE00\uDE00""#, #""\uD83D\u""#, #""\uD83D\""#, #""\uD83D"#, #"{"\uD83D":1}"#,
        "\"\n\"", "\"\t\"", "\"\u{0}\"", "\"\u{1F}\"", "\u{FEFF}1", "\u{FEFF}", "[1]\u{FEFF}", "\u{A0}1", "1\u{0B}",
        "\u{0C}1", "\u{2028}1", "1\u{0}", "\u{0}",
        #"{"a":1,"a":2}"#, #"{"a":1,"b":2,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"[{"a":null,"a":null}]"#,
    ])
    func refuses(text: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    }

    @Test(
        arguments: [
            [0x22, 0x80, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xE0, 0x80, 0xAF, 0x22],
            [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
            [0x22, 0xF8, 0x88, 0x80, 0x80, 0x80, 0x22],
            [0x22, 0xFF, 0x22], [0x22, 0xE2, 0x82, 0x22], [0x22, 0xE2, 0x82], [0x22, 0xC3, 0x5C, 0x6E, 0xA9, 0x22],
            [0x22, 0x5C, 0x6E, 0xFF, 0x22], [0x22, 0x5C, 0xC3, 0xA9, 0x22], [0xFF], [0xC3, 0xA9],
            [0xFE, 0xFF, 0x00, 0x31],
            [0x31, 0x00], [0xEF, 0xBB, 0xBF, 0x31], [0xEF, 0xBB], [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D],
        ] as [[UInt8]])
    func refusesBytesThatAreNoUTF8(bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
    }

    @Test func namesTheMemberThatStandsTwice() throws {
        let error = try #require(throws: JSONError.self) { try JSONValue(parsing: #"{"slug": "a", "slug": "b"}"#) }
        #expect(error.problem == #"the member "slug" stands twice in one object"#)
        #expect(error.offset == 14)
    }

    @Test func namesALongOrStrangeMemberOnOneShortLine() throws {
        let name = #"\n"# + String(repeating: "x", count: 5_000)
        let error = try #require(throws: JSONError.self) { try JSONValue(parsing: "{\"\(name)\":1,\"\(name)\":2}") }
        #expect(error.problem.hasPrefix(#"the member "\nxxx"#))
        #expect(!error.description.contains("\n"))
        #expect(error.description.utf8.count < 200)
    }

    @Test func findsAMemberThatStandsTwiceAmongMany() throws {
        let members = (0..<5_000).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
        #expect(try JSONValue(parsing: "{\(members)}").object?.count == 5_000)
        #expect(throws: JSONError.self) { try JSONValue(parsing: "{\(members),\"m4999\":0}") }
    }

    /// `é` in one scalar and in two look alike, and are two names.
    @Test func tellsNamesApartThatOnlyLookAlike() throws {
        let value = try JSONValue(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(value["\u{E9}"] == 1)
        #expect(value["e\u{301}"] == 2)
    }

    @Test(arguments: [
        ("", 1, 1, 0), ("[1,\n 2,\n  x]", 3, 3, 10), ("[1,\r\n x]", 2, 2, 6), ("[1,\r x]", 2, 2, 5),
        ("\"é€😀\" x", 1, 7, 12),
        ("{\"a\":1}\n\n]", 3, 1, 9), ("[1,\n2,\n]", 2, 2, 5), ("\"ab", 1, 1, 0), ("[\"a\\x\"]", 1, 4, 3),
        ("\n\"a\u{1}\"", 2, 3, 3), ("{\"a\":1,\n\"a\":2}", 2, 1, 8), ("[01]", 1, 3, 2), ("[1.]", 1, 4, 3),
        ("[\"\\uD800\"]", 1, 3, 2), ("[tru]", 1, 2, 1),
    ])
    func pointsAtTheProblem(text: String, line: Int, column: Int, offset: Int) throws {
        let error = try #require(throws: JSONError.self) { try JSONValue(parsing: text) }
        #expect(error.line == line)
        #expect(error.column == column)
        #expect(error.offset == offset)
        #expect(error.description == "line \(line), column \(column): \(error.problem)")
    }

    @Test(
        arguments: [
            ("", .expectedValue), ("[tru]", .expectedValue), ("{a", .expectedName), ("{\"a\" 1}", .expectedColon),
            ("[1 2]", .expectedComma), ("{\"a\": 1", .expectedComma), ("[1,]", .trailingComma), ("[01]", .number),
            ("[1.]", .number), ("[\"\n\"]", .controlCharacter), ("[\"a", .openString), ("[\"\\x\"]", .escape),
            ("[\"\\u12\"]", .escape), ("[\"\\uD800\"]", .escape), ("{\"a\": 1, \"a\": 2}", .repeatedMember),
            ("{} x", .moreText), ("\u{FEFF}{}", .byteOrderMark), (String(repeating: "[", count: 500), .tooDeep),
        ] as [(String, JSONError.Kind)])
    func namesTheKindOfTheProblem(text: String, kind: JSONError.Kind) throws {
        let error = try #require(throws: JSONError.self) { try JSONValue(parsing: text) }
        #expect(error.kind == kind, "\(error)")
    }

    @Test(
        arguments: [
            ([0x5B, 0x22, 0x61, 0xC3, 0xA9, 0xFF, 0x22, 0x5D], 5, 5), ([0x22, 0x5C, 0x6E, 0xC3, 0x22], 3, 4),
        ] as [([UInt8], Int, Int)])
    func pointsAtTheFirstByteThatIsNoUTF8(bytes: [UInt8], offset: Int, column: Int) throws {
        let error = try #require(throws: JSONError.self) { try JSONValue(parsing: bytes) }
        #expect(error.offset == offset)
        #expect(error.column == column)
        #expect(error.kind == .notUTF8)
    }
}

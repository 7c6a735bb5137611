import Testing
import WaymarkJSON

@Suite struct JSONWriterTests {
    @Test(
        arguments: [
            (nil, "null"), (true, "true"), (-3, "-3"), ("", #""""#), ([], "[]"), ([:], "{}"),
            ([1, [], [:]], "[1,[],{}]"),
            (["b": 1, "a": ["c": nil]], #"{"b":1,"a":{"c":null}}"#),
            ("\"\\/\u{08}\u{0C}\n\r\t", #""\"\\/\b\f\n\r\t""#), ("\u{0}\u{1F}\u{7F}", "\"\\u0000\\u001f\u{7F}\""),
            ("\u{2028}\u{2029}\u{2027}", "\"\\u2028\\u2029\u{2027}\""), ("é€😀", #""é€😀""#),
            ("<a href='&'>", #""<a href='&'>""#),
            (["a\"b": 1], #"{"a\"b":1}"#),
        ] as [(JSONValue, String)])
    func writesCompactly(value: JSONValue, expected: String) throws {
        #expect(value.text() == expected)
        #expect(try JSONValue(parsing: expected) == value)
    }

    @Test func writesForPeople() throws {
        let value: JSONValue = ["a": 1, "b": [true, ["c": "d"], []], "e": [:]]
        let expected = """
            {
              "a": 1,
              "b": [
                true,
                {
                  "c": "d"
                },
                []
              ],
              "e": {}
            }
            """
        #expect(value.text(style: .pretty) == expected)
        #expect(try JSONValue(parsing: expected) == value)
    }

    @Test func writesPieceByPiece() throws {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("slug", "Ab3dE9x")
        writer.member("route", nil as String?)
        writer.member("clicks", 0)
        writer.member("maxClicks", nil as Int?)
        writer.member("disabled", false)
        writer.member("urls", ["web": "https://example.com"] as JSONValue)
        writer.member("metadata", raw: Array(#"{ "coupon": 20.0 }"#.utf8))
        writer.name("tags")
        writer.beginArray()
        writer.string("a")
        writer.raw("1.50".utf8)
        writer.beginObject()
        writer.endObject()
        writer.null()
        writer.endArray()
        writer.endObject()
        let expected =
            #"{"slug":"Ab3dE9x","route":null,"clicks":0,"maxClicks":null,"disabled":false,"#
            + #""urls":{"web":"https://example.com"},"metadata":{ "coupon": 20.0 },"tags":["a",1.50,{},null]}"#
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
        #expect(throws: Never.self) { try JSONValue(parsing: writer.bytes) }
    }

    /// Names of the program's own are written as they are; what others chose is escaped.
    @Test(arguments: [("plain", #"{"plain":"a"}"#), ("a\"b\n", #"{"a\"b\n":"a"}"#), ("é", #"{"é":"a"}"#)])
    func escapesNamesThatSomeoneElseChose(name: String, expected: String) throws {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(given: name, "a")
        writer.endObject()
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
        #expect(try JSONValue(parsing: writer.bytes)[name]?.string == "a")
    }

    @Test func readsBackEveryScalarOfTheBasicPlane() throws {
        let text = String(String.UnicodeScalarView((0...0xFFFF).compactMap { Unicode.Scalar($0 as UInt32) }))
        let value = JSONValue(text)
        #expect(try JSONValue(parsing: value.bytes()) == value)
    }
}

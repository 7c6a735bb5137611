import Testing
import WaymarkJSON

@Suite struct JSONValueTests {
    @Test(arguments: [
        (#"{"a":1,"b":2}"#, #"{ "b": 2.0, "a": 10e-1 }"#), (#""\u0041""#, #""A""#), ("[1,2]", "[ 1, 2 ]"), ("-0", "0"),
        (#"{"x":{"a":[],"b":{}}}"#, #"{"x":{"b":{},"a":[]}}"#), (#""\/""#, #""/""#), (#""\ud83d\ude00""#, #""😀""#),
        (#"{"\u0061":null}"#, #"{"a":null}"#),
    ])
    func `a value equals itself in any spelling`(left: String, right: String) throws {
        let left = try JSONValue(parsing: left)
        let right = try JSONValue(parsing: right)
        #expect(left == right)
        #expect(left.kind == right.kind)
        #expect(left.canonicalBytes == right.canonicalBytes)
    }

    @Test(arguments: [
        ("1", #""1""#), ("null", "false"), ("0", "false"), ("[]", "{}"), ("[1,2]", "[2,1]"), ("[1]", "[1,1]"),
        (#"{"a":1}"#, #"{"a":1,"b":null}"#), (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1}"#, #"{"a":2}"#), (#""a""#, #""A""#),
        ("\"\u{E9}\"", "\"e\u{301}\""), ("{\"\u{E9}\":1}", "{\"e\u{301}\":1}"), (#"["a,b"]"#, #"["a","b"]"#),
        (#""\u0000""#, #""""#), (#"{"a":{"b":1}}"#, #"{"a":{},"b":1}"#),
    ])
    func differsWhereTheMeaningDiffers(left: String, right: String) throws {
        let left = try JSONValue(parsing: left)
        let right = try JSONValue(parsing: right)
        #expect(left != right)
        #expect(left.kind != right.kind)
        #expect(left.canonicalBytes != right.canonicalBytes)
    }

    @Test func sortsCanonicalMembersByTheirScalars() throws {
        let value = try JSONValue(parsing: #"{"b":1,"é":2,"a":3,"B":4,"":5,"ab":6,"😀":7,"｡":8}"#)
        #expect(
            String(decoding: value.canonicalBytes, as: UTF8.self)
                == #"{"":5,"B":4,"a":3,"ab":6,"b":1,"é":2,"｡":8,"😀":7}"#)
        #expect(try JSONValue(parsing: value.canonicalBytes) == value)
    }

    @Test func answersOnlyForItsOwnKind() throws {
        let values: [JSONValue] = [nil, true, 1, "a", [], [:]]
        #expect(values.map(\.isNull) == [true, false, false, false, false, false])
        #expect(values.map { $0.bool != nil } == [false, true, false, false, false, false])
        #expect(values.map { $0.integer != nil } == [false, false, true, false, false, false])
        #expect(values.map { $0.string != nil } == [false, false, false, true, false, false])
        #expect(values.map { $0.array != nil } == [false, false, false, false, true, false])
        #expect(values.map { $0.object != nil } == [false, false, false, false, false, true])
        #expect(values.map(\.noun) == ["null", "a boolean", "a number", "a string", "an array", "an object"])
        #expect(values.allSatisfy { $0["a"] == nil })
    }
}

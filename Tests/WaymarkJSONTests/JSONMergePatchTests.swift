import Testing
import WaymarkJSON

@Suite struct JSONMergePatchTests {
    /// The situations of RFC 7396, appendix A.
    @Test(arguments: [
        (#"{"slug":"x"}"#, #"{"slug":"y"}"#, #"{"slug":"y"}"#),
        (#"{"slug":"x"}"#, #"{"route":"y"}"#, #"{"slug":"x","route":"y"}"#),
        (#"{"slug":"x"}"#, #"{"slug":null}"#, "{}"),
        (#"{"slug":"x","route":"y"}"#, #"{"slug":null}"#, #"{"route":"y"}"#),
        (#"{"tags":["x"]}"#, #"{"tags":"y"}"#, #"{"tags":"y"}"#),
        (#"{"tags":"y"}"#, #"{"tags":["x"]}"#, #"{"tags":["x"]}"#),
        (#"{"urls":{"web":"x","ios":"z"}}"#, #"{"urls":{"web":"y","ios":null}}"#, #"{"urls":{"web":"y"}}"#),
        (#"{"urls":{"web":"x"}}"#, #"{"urls":{"web":"y","mac":null}}"#, #"{"urls":{"web":"y"}}"#),
        (#"{"tags":[{"a":1}]}"#, #"{"tags":[2]}"#, #"{"tags":[2]}"#),
        (#"["x","y"]"#, #"["z",null]"#, #"["z",null]"#),
        (#"{"slug":"x"}"#, #"["y"]"#, #"["y"]"#),
        (#"{"slug":"x"}"#, "null", "null"),
        (#"{"slug":"x"}"#, #""text""#, #""text""#),
        (#"{"clicks":null}"#, #"{"slug":1}"#, #"{"clicks":null,"slug":1}"#),
        ("[1,2]", #"{"slug":"x","route":null}"#, #"{"slug":"x"}"#),
        ("{}", #"{"a":{"b":{"c":null,"d":1}}}"#, #"{"a":{"b":{"d":1}}}"#),
        (#"{"a":7}"#, #"{"a":{"b":null}}"#, #"{"a":{}}"#),
        (#"{"a":1}"#, "{}", #"{"a":1}"#),
    ])
    func merges(target: String, patch: String, expected: String) throws {
        let result = JSONMergePatch.apply(try JSONValue(parsing: patch), to: try JSONValue(parsing: target))
        #expect(result.text() == expected)
    }

    @Test func leavesNumbersThatItDoesNotTouchAsWritten() throws {
        let target = try JSONValue(parsing: #"{"price":1.10,"weight":{"kilograms":2.50}}"#)
        let result = JSONMergePatch.apply(["weight": ["unit": "kg"]], to: target)
        #expect(result.text() == #"{"price":1.10,"weight":{"kilograms":2.50,"unit":"kg"}}"#)
    }

    @Test func makesAnObjectWhereThereWasNothing() {
        #expect(JSONMergePatch.apply(["a": 1, "b": nil], to: nil) == ["a": 1])
    }
}

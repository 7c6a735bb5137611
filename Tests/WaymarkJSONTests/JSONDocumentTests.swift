import Testing
import WaymarkJSON

@Suite struct JSONDocumentTests {
    @Test func keepsTheTextOfEveryPart() throws {
        let document = try JSONDocument(#"{ "metadata" : { "a": 1.0,  "\u0062":"\/" } , "n":-0.50e+1, "t": [ ] }"#)
        let root = document.root
        #expect(text(of: root["metadata"], in: document) == #"{ "a": 1.0,  "\u0062":"\/" }"#)
        #expect(text(of: root["metadata"]?["a"], in: document) == "1.0")
        #expect(text(of: root["metadata"]?["b"], in: document) == #""\/""#)
        #expect(text(of: root["n"], in: document) == "-0.50e+1")
        #expect(text(of: root["t"], in: document) == "[ ]")
        #expect(text(of: root, in: document)?.utf8.count == document.source.count)
    }

    @Test func writesWhatHasNoText() throws {
        let document = try JSONDocument("[ ]")
        #expect(text(of: ["a": [1]], in: document) == #"{"a":[1]}"#)
    }

    @Test func knowsWhereValuesAndNamesStand() throws {
        let document = try JSONDocument("{\n  \"listen\": [\n    \"é\", 5\n  ]\n}")
        let member = try #require(document.root.object?.members.first)
        #expect(document.position(of: member).description == "line 2, column 3")
        #expect(document.position(of: member.value).description == "line 2, column 13")
        let second = try #require(member.value.array?.last)
        #expect(document.position(of: second).description == "line 3, column 10")
    }

    private func text(of value: JSONValue?, in document: JSONDocument) -> String? {
        value.map { String(decoding: document.text(of: $0), as: UTF8.self) }
    }

    @Test func keepsTheLastOfSeveralMembersOfOneNameWhereAsked() throws {
        let text = Array(#"{"a": 1, "b": {"c": 1, "c": 2}, "a": 3}"#.utf8)
        let document = try JSONDocument(keepingRepeatedMembersOf: text)
        #expect(document.root["a"]?.integer == 3)
        #expect(document.root["b"]?["c"]?.integer == 2)
        #expect(document.root.object?.count == 2)
        #expect(document.repeatedMembers.map(\.name) == ["c", "a"])
        #expect(document.repeatedMembers.map(\.nameRange.lowerBound) == [23, 32])
        #expect(throws: JSONError.self) { try JSONDocument(text) }
        #expect(try JSONDocument(Array("{}".utf8)).repeatedMembers.isEmpty)
    }

    @Test func keepsTheFirstOfSeveralMembersWhereAsked() throws {
        let text = Array(#"{"a": 1, "b": {"c": 1, "c": 2}, "a": 3}"#.utf8)
        let document = try JSONDocument(keepingFirstOfRepeatedMembersOf: text)
        #expect(document.root["a"]?.integer == 1)
        #expect(document.root["b"]?["c"]?.integer == 1)
        #expect(document.root.object?.count == 2)
        #expect(document.repeatedMembers.map(\.nameRange.lowerBound) == [23, 32])
    }
}

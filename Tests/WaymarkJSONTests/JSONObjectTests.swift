import Testing
import WaymarkJSON

@Suite struct JSONObjectTests {
    /// Sizes on both sides of the one from which names are looked up in a table.
    @Test(arguments: [0, 1, 2, 15, 16, 17, 18, 100])
    func findsEveryMemberAndKeepsTheirOrder(count: Int) {
        var object = JSONObject()
        for number in 0..<count { object["m\(number)"] = JSONValue(number) }
        #expect(object.count == count)
        #expect(object.isEmpty == (count == 0))
        #expect(object.members.map(\.name) == (0..<count).map { "m\($0)" })
        #expect((0..<count).allSatisfy { object["m\($0)"] == JSONValue($0) })
        #expect(object["m\(count)"] == nil)
    }

    @Test(arguments: [3, 16, 17, 18, 50])
    func staysRightWhenMembersGoAndChange(count: Int) {
        var object = JSONObject()
        for number in 0..<count { object["m\(number)"] = JSONValue(number) }
        object["m1"] = nil
        object["m0"] = "first"
        object["absent"] = nil
        object["new"] = true
        #expect(object.members.map(\.name) == ["m0"] + (2..<count).map { "m\($0)" } + ["new"])
        #expect(object["m0"] == "first")
        #expect(object["m1"] == nil)
        #expect(object["m2"] == 2)
        #expect(object["new"] == true)
    }

    @Test func keepsTheLastOfTwoLiteralsWithOneName() {
        let object: JSONObject = ["a": 1, "b": 2, "a": 3]
        #expect(object == ["b": 2, "a": 3])
        #expect(object.members.map(\.name) == ["a", "b"])
    }
}

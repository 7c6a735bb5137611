import Testing
import WaymarkAPI

@Suite struct BatchBodyTests {
    @Test func readsEachLinkOnItsOwn() throws {
        let batch = try BatchRequest(json: Array(#"[{"slug": "a"}, {"slug": 1}, 5]"#.utf8))
        #expect(batch.links.count == 3)
        #expect(try batch.links[0].get().slug == "a")
        #expect(throws: BodyError.invalid([FieldProblem(field: "slug", problem: "must be a string, not a number")])) {
            try batch.links[1].get()
        }
        #expect(throws: BodyError.invalid([FieldProblem(field: "body", problem: "must be an object, not a number")])) {
            try batch.links[2].get()
        }
    }

    @Test func refusesMoreThanAThousand() throws {
        func body(_ count: Int) -> [UInt8] {
            Array("[\(repeatElement("{}", count: count).joined(separator: ","))]".utf8)
        }
        #expect(try BatchRequest(json: body(1_000)).links.count == 1_000)
        #expect(throws: BodyError.self) { try BatchRequest(json: body(1_001)) }
    }

    @Test func refusesWhatIsNoArray() {
        let error = #expect(throws: BodyError.self) { try BatchRequest(json: Array("{}".utf8)) }
        #expect(error?.problem.status == 422)
    }
}

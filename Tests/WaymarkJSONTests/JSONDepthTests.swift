import Testing
import WaymarkJSON

@Suite struct JSONDepthTests {
    @Test(arguments: [1, 2, 32, 128])
    func readsAsDeepAsTheLimitAndNoDeeper(limit: Int) throws {
        #expect(throws: Never.self) { try JSONValue(parsing: nested(limit), depthLimit: limit) }
        let error = try #require(throws: JSONError.self) {
            try JSONValue(parsing: nested(limit + 1), depthLimit: limit)
        }
        #expect(error.offset == limit)
    }

    @Test func allowsThirtyTwoLevelsUnlessTold() {
        #expect(throws: Never.self) { try JSONValue(parsing: nested(32)) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: nested(33)) }
    }

    @Test func countsObjectsLikeArrays() {
        #expect(throws: Never.self) { try JSONValue(parsing: #"{"a":[{}]}"#, depthLimit: 3) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: #"{"a":[{}]}"#, depthLimit: 2) }
    }

    @Test func doesNotCountNeighbours() {
        let text = "[" + Array(repeating: "[{}]", count: 1_000).joined(separator: ",") + "]"
        #expect(throws: Never.self) { try JSONValue(parsing: text, depthLimit: 3) }
    }

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":", "[[],"])
    func refusesAMegabyteOfOpenBrackets(piece: String) {
        let text = Array(String(repeating: piece, count: (1 << 20) / piece.utf8.count).utf8)
        #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: text, depthLimit: .max) }
    }

    @Test func takesALimitBelowOneForOne() {
        #expect(throws: Never.self) { try JSONValue(parsing: "[]", depthLimit: .min) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: "[[]]", depthLimit: .min) }
    }

    private func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
}

import Testing
import WaymarkAPI

@Suite struct KeyBodyTests {
    @Test func readsAndWrites() throws {
        let body = KeyRequest(name: "phone", app: "shop", scopes: ["resolve"], expiresAt: "2027-01-01T00:00:00Z")
        #expect(try KeyRequest(json: body.json) == body)
    }

    @Test func namesWhatIsMissing() {
        let error = #expect(throws: BodyError.self) { try KeyRequest(json: Array(#"{"scope": "all"}"#.utf8)) }
        #expect(error?.problem.errors.map(\.field) == ["name", "scopes", "scope"])
    }

    @Test func showsTheKeyOnlyWhereItIsGiven() {
        let answer = KeyResponse(
            id: "k1", key: nil, name: "phone", app: nil, scopes: ["resolve"], createdAt: "2026-01-01T00:00:00Z",
            expiresAt: nil)
        #expect(
            String(decoding: KeyResponse.list([answer]), as: UTF8.self)
                == #"{"keys":[{"id":"k1","name":"phone","app":null,"scopes":["resolve"],"#
                + #""createdAt":"2026-01-01T00:00:00Z","expiresAt":null,"lastUsedAt":null,"platform":null,"person":null}]}"#
        )
    }
}

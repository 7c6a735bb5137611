import Foundation
import Testing
import WaymarkAPI

@testable import WaymarkKit

@Suite struct ErrorTests {
    /// A gateway that puts the request into its problem would put the key into logs.
    @Test func describesNoProblemThatContainsTheKey() async throws {
        let problem = Problem(.scopeMissing, "The header was Bearer wm_0123456789abcdefghijklmnopqrstuv.")
        let client = try WaymarkClient.standIn(StandInTransport(faults: [.answers(StandInTransport.refusal(problem))]))
        let failure = await #expect(throws: WaymarkClientError.self) {
            try await client.resolve(.clickID("c1"))
        }
        #expect(failure == .unexpectedAnswer(status: 403, retryAfter: nil))
    }

    @Test func saysWhatTheServiceSaid() {
        let problem = Problem(
            .invalidFields, "A route that no template has needs the scope links.",
            errors: [FieldProblem(field: "route", problem: "has no template")])
        let error: any Error = WaymarkClientError.refused(problem, retryAfter: nil)
        let words = error.localizedDescription
        #expect(words.contains("A route that no template has needs the scope links."))
        #expect(words.contains("route has no template"))
        #expect("\(error)".contains(problem.detail))
    }

    @Test(arguments: [
        (DeeplinkingError.duplicateRoute("a/:b"), "The route 'a/:b' is mapped already."),
        (.missingRouteParameters(["id", "x"]), "The route's parameters id, x are missing."),
    ])
    func saysWhatWentWrongInTheApp(error: DeeplinkingError, words: String) {
        #expect((error as any Error).localizedDescription == words)
    }

    @Test(arguments: ["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]"])
    func namesTheOptionForAServiceOnTheDevice(service: String) throws {
        let error = #expect(throws: WaymarkClientError.self) {
            try WaymarkClient(service: service, key: "wm_0123", storage: MemoryStorage())
        }
        #expect(error?.localizedDescription.contains("ClientOptions.allowsPlainLoopback") == true)
        #expect(error?.localizedDescription.contains("wm_0123") == false)
    }

    /// As `UInt128` computes it, so that requests stored by an earlier version keep their keys.
    @Test(arguments: ["", "a", #"{"smartlink":"https://go.example.com/x"}"#])
    func fingerprintsAreFNV1aWith128Bits(body: String) {
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        for byte in Array("/api/v1/resolve".utf8) + [0] + Array(body.utf8) {
            hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
        }
        #expect(RequestFingerprint.of("/api/v1/resolve", Array(body.utf8)) == String(hash, radix: 16))
    }

    /// Keys in apps can be extracted: no message may lead to one that may do more.
    @Test func missingScopeNamesWhatToDoInstead() {
        let refused = WaymarkClientError.refused(Problem(.scopeMissing, "It needs the scope links."), retryAfter: nil)
        #expect(refused.recoverySuggestion?.contains("add a template") == true)
        #expect(WaymarkClientError.offline.recoverySuggestion == nil)
    }
}

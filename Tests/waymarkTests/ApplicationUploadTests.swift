import Synchronization
import Testing
import WaymarkClient
import WaymarkJSON

@testable import waymark

/// What `waymark apps init --url` sends, and what it makes of the responses.
@Suite struct ApplicationUploadTests {
    /// Answers each method with one status, and records the methods.
    private final class ScriptedAPI: API {
        private let statuses: [String: Int]
        private let recorded = Mutex<[String]>([])

        init(_ statuses: [String: Int]) { self.statuses = statuses }

        var methods: [String] { recorded.withLock { $0 } }

        func send(_ request: APIRequest) async throws -> HTTPResponse {
            recorded.withLock { $0.append(request.method) }
            return HTTPResponse(status: statuses[request.method] ?? 500, body: [])
        }

        func close() async {}
    }

    @Test(
        arguments: [
            (404, 201, false, nil, ["GET", "PUT"]),
            // Another request created the application in between.
            (404, 200, false, 1, ["GET", "PUT"]),
            (404, 409, false, 1, ["GET", "PUT"]),
            (200, 200, false, 2, ["GET"]), (503, 201, false, 1, ["GET"]),
            (200, 200, true, nil, ["PUT"]), (404, 201, true, nil, ["PUT"]),
        ] as [(Int, Int, Bool, Int32?, [String])])
    func reportsEveryReplacementWithoutForce(
        get: Int, put: Int, replaces: Bool, failure: Int32?, methods: [String]
    ) async {
        let server = ScriptedAPI(["GET": get, "PUT": put])
        var status: Int32?
        do {
            try await ApplicationUpload(id: "shop", document: ["name": JSONValue("Shop")], replaces: replaces)
                .send(to: server)
        } catch {
            status = (error as? CommandFailure)?.status
        }
        #expect(status == failure)
        #expect(server.methods == methods)
    }
}

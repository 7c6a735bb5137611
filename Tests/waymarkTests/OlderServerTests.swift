import Foundation
import Testing
import WaymarkClient
import WaymarkTestSupport

@testable import waymark

/// Link tests against a server that can't be asked about variants.
@Suite struct OlderServerTests {
    private struct OlderServer: API {
        func send(_ request: APIRequest) async throws -> HTTPResponse {
            let problem = #"{"errors": [{"field": "variant", "problem": "is not a known field"}], "detail": "d"}"#
            return HTTPResponse(status: 422, body: Array(problem.utf8))
        }

        func close() async {}
    }

    @Test func `a test of a variant is refused`() async throws {
        let folder = try TemporaryFolder()
        let text = """
            {"links": [{"slug": "x", "app": "shop", "domain": "go.example.com", "urls": {"web": "https://a.example/"},
              "expect": [{"as": "linux", "variant": "b", "leadsTo": "https://a.example/"}]}]}
            """
        try Data(text.utf8).write(to: folder.url.appendingPathComponent("x.json"))
        let files = try CodeFiles(at: folder.url.path)
        await #expect {
            _ = try await LinkTests(api: OlderServer()).outcomes(files)
        } throws: { error in
            let failure = error as? CommandFailure
            return failure?.status == 2 && failure?.message.contains("the server is older than this program") == true
        }
    }
}

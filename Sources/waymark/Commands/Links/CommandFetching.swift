import Foundation
import WaymarkHTTP
import WaymarkImports

/// Asks services' interfaces with the command line's own client.
struct CommandFetching: HTTPFetching {
    private let client = HTTPClient(patience: 60, bodyLimit: 32 << 20)

    func get(_ url: String, fields: [(name: String, value: String)]) async throws -> FetchedAnswer {
        do {
            let request = HTTPClient.Request(url: url, fields: fields + [("User-Agent", "waymark/\(Version.text)")])
            let answer = try await client.answer(to: request)
            guard !answer.isCutOff else { throw SourceError("the answer is too large") }
            return FetchedAnswer(
                status: answer.response.status, body: answer.response.body,
                retryAfter: answer.response["Retry-After"].flatMap { Int($0) })
        } catch let failure as HTTPClient.Failure {
            throw SourceError(failure.sentence)
        }
    }

    func pause(seconds: Int) async throws {
        if seconds >= 5 { Exit.line("the service asks to wait for \(seconds) s") }
        try await Task.sleep(for: .seconds(seconds))
    }
}

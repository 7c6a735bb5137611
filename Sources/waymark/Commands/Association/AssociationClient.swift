import WaymarkAssociation
import WaymarkHTTP
import WaymarkTLS

/// Fetches one file over HTTP, without following redirects.
struct AssociationClient {
    struct Answer: Sendable {
        var status: Int
        var contentType: String?
        var location: String?
        var body: [UInt8]
        var seconds: Double
    }

    enum Outcome: Sendable {
        case answered(Answer)
        case failed(LintRule, String)
    }

    private let client: HTTPClient

    /// - Parameter patience: time limit of a fetch, in seconds.
    init(patience: Int) {
        // One byte above the limit, to detect files that are too long.
        client = HTTPClient(patience: patience, bodyLimit: AssociationLint.sizeLimit + 1)
    }

    func get(_ address: String, as agent: String) async -> Outcome {
        let started = ContinuousClock.now
        let request = HTTPClient.Request(
            url: address, fields: [("User-Agent", agent), ("Accept", "application/json")])
        do {
            let response = try await client.answer(to: request).response
            return .answered(
                Answer(
                    status: response.status, contentType: response["Content-Type"], location: response["Location"],
                    body: response.body, seconds: (ContinuousClock.now - started) / .seconds(1)))
        } catch {
            return .failed(Self.rule(error), error.sentence)
        }
    }

    private static func rule(_ failure: HTTPClient.Failure) -> LintRule {
        switch failure {
        case .url, .name: .fetchName
        case .connection(.encryption(_), _): .fetchTLS
        case .connection, .unreadable, .address, .body: .fetchConnection
        }
    }
}

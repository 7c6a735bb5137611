import Foundation
import WaymarkHTTP

/// A running server, by URL and key. The key is only sent to that server: no redirect is followed.
struct RemoteAPI: API {
    private let base: String
    private let key: String
    private let client = HTTPClient(patience: 30, bodyLimit: 256 << 20)

    init(url: String, key: String) throws {
        var base = url
        while base.hasSuffix("/") { base.removeLast() }
        guard let parsed = URL(string: base), let scheme = parsed.scheme, ["http", "https"].contains(scheme),
            parsed.host() != nil
        else { throw CommandFailure.usage("--url: \"\(url)\" is not allowed; give an http or https URL") }
        guard !key.isEmpty, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandFailure.usage("--key: a key has visible ASCII characters only")
        }
        self.base = base
        self.key = key
    }

    func send(_ request: APIRequest) async throws -> APIResponse {
        var message = HTTPClient.Request(method: request.method, url: base + request.target, body: request.body)
        message.fields = [("Authorization", "Bearer \(key)"), ("Accept", "application/json")]
        if request.body != nil { message.fields.append(("Content-Type", "application/json")) }
        do {
            let answer = try await client.answer(to: message)
            guard !answer.isCutOff else { throw CommandFailure.failed("\(base): the answer is too large") }
            guard !(300..<400).contains(answer.response.status) else {
                let location = answer.response["Location"].map { " to \($0)" } ?? ""
                throw CommandFailure.usage(
                    "\(base) redirects\(location); give --url the server itself: the key is sent to no other")
            }
            return APIResponse(status: answer.response.status, body: answer.response.body)
        } catch let failure as HTTPClient.Failure {
            if case .unreadable = failure { throw CommandFailure.usage("\(base): \(failure.sentence)") }
            throw CommandFailure.failed("\(base): \(failure.sentence)")
        }
    }

    func close() async {}
}

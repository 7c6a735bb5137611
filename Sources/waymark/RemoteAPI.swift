import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A running server, by URL and key.
struct RemoteAPI: API {
    private let base: String
    private let key: String
    private let session: URLSession

    init(url: String, key: String) throws {
        var base = url
        while base.hasSuffix("/") { base.removeLast() }
        guard let parsed = URL(string: base), let scheme = parsed.scheme, ["http", "https"].contains(scheme),
            parsed.host() != nil
        else { throw CommandFailure.usage("--url: \"\(url)\" is not allowed; give an http or https URL") }
        self.base = base
        self.key = key
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 30
        session = URLSession(configuration: configuration)
    }

    func send(_ request: APIRequest) async throws -> APIAnswer {
        guard let url = URL(string: base + request.target) else {
            throw CommandFailure.usage("\(request.target) is not a path")
        }
        var message = URLRequest(url: url)
        message.httpMethod = request.method
        message.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        if let body = request.body {
            message.httpBody = Data(body)
            message.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        do {
            let (data, response) = try await session.data(for: message)
            guard let status = (response as? HTTPURLResponse)?.statusCode else {
                throw CommandFailure.failed("\(base): no HTTP answer")
            }
            return APIAnswer(status: status, body: Array(data))
        } catch let error as URLError {
            throw CommandFailure.failed("\(base): \(error.localizedDescription)")
        }
    }

    func close() async {
        session.invalidateAndCancel()
    }
}

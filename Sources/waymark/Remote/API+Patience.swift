import WaymarkClient

extension API {
    /// Sends a request again while the server's limits delay it.
    ///
    /// - Parameter wait: Done after each delay.
    /// - Returns: The last response, which may still be 429.
    func sendPatiently(
        _ request: APIRequest, wait: () async throws -> Void = {}
    ) async throws -> HTTPResponse {
        for _ in 0..<60 {
            let answer = try await send(request)
            guard answer.status == 429, let seconds = answer.retryAfter else { return answer }
            try await Task.sleep(for: .seconds(min(max(seconds, 1), 10)))
            try await wait()
        }
        return try await send(request)
    }
}

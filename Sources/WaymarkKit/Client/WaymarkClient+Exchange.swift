extension WaymarkClient {
    /// Sends a request to another interface of the service, with the client's key, limits and retries. The request
    /// must have the same effect if it is sent again.
    ///
    /// - Returns: the response of the last attempt, whatever its status, because not all interfaces have problems of
    ///   RFC 9457.
    package func exchange(_ path: String, _ body: [UInt8]) async throws(WaymarkClientError) -> TransportResponse {
        try await sender.exchange(path, body)
    }
}

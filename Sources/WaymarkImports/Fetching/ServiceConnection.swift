package import WaymarkClient

/// How an import reaches another service.
package struct ServiceConnection: Sendable {
    private let client: any HTTPSending
    private let timeout: Int
    private let bodyLimit: Int
    private let isStopped: @Sendable () -> Bool
    private let onPause: @Sendable (_ seconds: Int) async throws -> Void

    /// - Parameters:
    ///   - timeout: of each request, in seconds.
    ///   - bodyLimit: of each response, in bytes.
    ///   - isStopped: whether the import was stopped: pauses then end, and no further request is sent.
    ///   - pause: waits. Default: looks five times a second whether the import was stopped.
    package init(
        _ client: any HTTPSending, timeout: Int = 60, bodyLimit: Int = 8 << 20,
        isStopped: @escaping @Sendable () -> Bool = { false },
        pause: (@Sendable (_ seconds: Int) async throws -> Void)? = nil
    ) {
        self.client = client
        self.timeout = timeout
        self.bodyLimit = bodyLimit
        self.isStopped = isStopped
        onPause =
            pause ?? { seconds in
                let end = ContinuousClock.now + .seconds(seconds)
                while ContinuousClock.now < end {
                    if isStopped() { throw CancellationError() }
                    try await Task.sleep(for: .milliseconds(200))
                }
            }
    }

    func pause(seconds: Int) async throws { try await onPause(seconds) }

    /// - Throws: `HTTPFailure`, or `CancellationError` if the import was stopped.
    func get(_ url: String, fields: [(name: String, value: String)]) async throws -> HTTPResponse {
        if isStopped() { throw CancellationError() }
        let request = HTTPRequest(url, fields: fields, timeout: timeout, bodyLimit: bodyLimit)
        // The first of two: a service may take as long as it likes to answer.
        let (results, continuation) = AsyncStream.makeStream(of: Result<HTTPResponse, any Error>.self)
        let (client, isStopped) = (client, isStopped)
        Task {
            // Keeps the import, and with it its place, until its last request has ended.
            defer { withExtendedLifetime(isStopped) {} }
            do {
                continuation.yield(.success(try await client.response(to: request)))
            } catch {
                continuation.yield(.failure(error))
            }
        }
        let watch = Task {
            while !isStopped() { try await Task.sleep(for: .milliseconds(200)) }
            continuation.yield(.failure(CancellationError()))
        }
        defer { watch.cancel() }
        for await result in results { return try result.get() }
        throw CancellationError()
    }
}

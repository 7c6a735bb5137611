import Synchronization
import WaymarkClient

/// How commands wait while a server's limit on requests delays them.
struct Patience: Sendable {
    let sleep: @Sendable (Duration) async throws -> Void
    /// Called before a request is delayed.
    let note: @Sendable (String) -> Void

    /// Notes it once, however many requests are delayed.
    static let standard = Patience {
        try await Task.sleep(for: $0)
    } note: { text in
        let isFirst = isNoted.withLock { isNoted in
            defer { isNoted = true }
            return !isNoted
        }
        if isFirst { StandardError.write(text) }
    }

    private static let isNoted = Mutex(false)

    static let retries = 60
    static let delay = "the server's limit on requests (429) delays this; waiting until it lets more through"
    static let failure = CommandFailure.failed(
        "the server's limit on requests (429) holds this up; try again later, or raise the limit there")
}

extension API {
    /// Sends a request again while the server's limits delay it.
    ///
    /// - Parameter wait: Done after each delay.
    /// - Throws: `CommandFailure` if the server refuses it for too long, or does not say when it may be sent again.
    func sendPatiently(
        _ request: APIRequest, _ patience: Patience = .standard, wait: () async throws -> Void = {}
    ) async throws -> HTTPResponse {
        var delays = 0
        while true {
            let answer = try await send(request)
            guard answer.status == 429 else { return answer }
            guard let seconds = answer.retryAfter, delays < Patience.retries else { throw Patience.failure }
            if delays == 0 { patience.note(Patience.delay) }
            delays += 1
            try await patience.sleep(.seconds(min(max(seconds, 1), 10)))
            try await wait()
        }
    }
}

import Synchronization
import WaymarkClient

/// Sends requests at the pace that hosts and settings allow.
final class PoliteSender: Sendable {
    enum Outcome {
        case response(HTTPResponse)
        case failure(HTTPFailure)
        /// Not sent, because others are before it for longer than the caller waits.
        case late
        /// Not sent, because the host has asked to wait longer than the caller does.
        case paused
    }

    /// Requests for one URL: what fails now and then does not fail three times.
    static let tries = 3
    /// Milliseconds before the second try, and twice as many before the third.
    private static let backOff: Int64 = 2_000
    /// The longest wait for a host, in milliseconds: a walk that waits keeps others from being walked.
    private static let patience: Int64 = 60_000
    /// Of a request, in seconds.
    private static let timeout = 15

    private let settings: VerificationSettings
    private let policy: HostPolicy
    private let metrics: VerificationMetrics
    private let now: @Sendable () -> Int64

    init(_ settings: VerificationSettings, metrics: VerificationMetrics, now: @escaping @Sendable () -> Int64) {
        self.settings = settings
        policy = HostPolicy(interval: settings.hostInterval)
        self.metrics = metrics
        self.now = now
    }

    /// Waits before another try.
    ///
    /// - Parameter attempt: the first is 0.
    /// - Returns: whether there is time for it.
    func waitForTry(_ attempt: Int, until end: Int64) async -> Bool {
        let wait = attempt > 0 ? Self.backOff << (attempt - 1) : 0
        guard now() + wait < end, !Task.isCancelled else { return false }
        if wait > 0 { await settings.pause(wait) }
        return !Task.isCancelled
    }

    func send(
        _ url: String, _ method: String = "GET", to target: HTTPTarget, bodyLimit: Int = 4_096, until end: Int64
    ) async -> Outcome {
        let start = now()
        switch policy.reserve(target.authority, at: start, patience: min(Self.patience, max(0, end - start))) {
        case .late: return .late
        case .paused: return .paused
        case .after(let wait): if wait > 0 { await settings.pause(wait) }
        }
        // The host may have asked to wait meanwhile.
        guard !policy.isPaused(target.authority, at: now()), !Task.isCancelled else { return .paused }
        metrics.requests.add(1, ordering: .relaxed)
        let rest = max(1, (end - now()) / 1_000)
        let request = HTTPRequest(
            url, method: method, fields: [("Accept", "*/*")], timeout: Int(min(Int64(Self.timeout), rest)),
            bodyLimit: bodyLimit)
        do throws(HTTPFailure) {
            let response = try await settings.client.response(to: request)
            if response.status == 429 || response.status == 503 && response.retryAfter != nil {
                policy.pause(target.authority, until: now() + Int64(response.retryAfter ?? 60) * 1_000)
            }
            return .response(response)
        } catch {
            return .failure(error)
        }
    }
}

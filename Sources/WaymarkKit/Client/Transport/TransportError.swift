/// Why there is no answer.
public enum TransportError: Error, Sendable, Hashable {
    /// The device has no network, or may not use it. Nothing was sent.
    case offline
    /// The time limit has passed. The service may have acted on the request.
    case timedOut
    /// The service could not be reached: no such host, nobody listening, or the connection broke. Where it broke the
    /// service may have acted on the request. The text is for logs.
    case unreachable(String)
    /// The service did not prove who it is (TLS). The text is for logs.
    case notTrusted(String)
    /// The answer's body is longer than its limit.
    case answerTooLarge
    /// Whoever waited was cancelled.
    case cancelled
}

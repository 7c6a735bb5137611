/// Who carries one request to the service and brings the answer back.
///
/// `URLSessionTransport` does for apps; tests and apps with a network stack of their own give another. An implementation
/// - follows no redirect: an answer with status 3xx is an answer (the key must not go to another address);
/// - fails with `timedOut` when the request's time limit has passed, and with `answerTooLarge` as soon as the answer's body
///   is longer than its limit, without keeping the rest;
/// - stops, with `cancelled`, when the task that waits is cancelled;
/// - sends once: retrying is the client's business.
///
/// It is called from any task, also by several at once.
public protocol HTTPTransport: Sendable {
    /// Sends the request and returns the answer, whatever its status.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}

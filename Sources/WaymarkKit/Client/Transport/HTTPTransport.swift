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

/// One request to the service. Its description leaves values of fields and the body out, because one is the key and the
/// other may be private.
public struct TransportRequest: Sendable, Equatable {
    /// The method; the client uses `POST` only.
    public var method: String
    /// The whole address.
    public var url: String
    /// The header fields that are to be sent, by name.
    public var fields: [String: String]
    /// The body as it is to be sent.
    public var body: [UInt8]
    /// How long the exchange may take, from the first connection attempt to the last byte of the answer.
    public var timeLimit: Duration
    /// How many bytes of body the answer may have.
    public var answerLimit: Int

    /// A request as given.
    public init(
        method: String = "POST", url: String, fields: [String: String], body: [UInt8], timeLimit: Duration,
        answerLimit: Int
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.timeLimit = timeLimit
        self.answerLimit = answerLimit
    }
}

extension TransportRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method and address.
    public var description: String { "\(method) \(url)" }
    /// As `description`.
    public var debugDescription: String { description }
    /// Only what `description` says, so that `dump` shows no key.
    public var customMirror: Mirror { Mirror(self, children: ["method": method, "url": url]) }
}

/// An answer, whoever gave it.
public struct TransportResponse: Sendable, Equatable {
    /// The HTTP status.
    public var status: Int
    /// The body, whole.
    public var body: [UInt8]
    private var fields: [String: String]

    /// - Parameter fields: the header fields by name; case does not count.
    public init(status: Int, fields: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.body = body
        self.fields = Dictionary(fields.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    }

    /// The header field of that name, without regard to case; nil where the answer has none.
    public func field(_ name: String) -> String? { fields[name.lowercased()] }
}

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

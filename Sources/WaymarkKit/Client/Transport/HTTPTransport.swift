/// Sends one request to the service and returns the response.
///
/// Apps use `URLSessionTransport`; tests and apps with their own network stack provide another. An implementation
/// - follows no redirects: a 3xx response is returned as it is (the key must not be sent to another address);
/// - fails with `timedOut` when the request's time limit has passed, and with `answerTooLarge` as soon as the
///   response body exceeds its limit, without reading the rest;
/// - stops with `cancelled` when the calling task is cancelled;
/// - sends once: the client retries.
///
/// It may be called from any task, concurrently.
public protocol HTTPTransport: Sendable {
    /// Sends the request and returns the response, whatever its status.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}

/// One request to the service. Its description omits header values and the body, because they contain the key and
/// private data.
public struct TransportRequest: Sendable, Equatable {
    /// The method: `POST`, or `GET` without a body for `WaymarkClient.check(_:)`.
    public var method: String
    /// The absolute URL.
    public var url: String
    /// The header fields by name.
    public var fields: [String: String]
    /// The body.
    public var body: [UInt8]
    /// The time limit of the exchange, from the first connection attempt to the last byte of the response.
    public var timeLimit: Duration
    /// The maximum size of the response body in bytes.
    public var answerLimit: Int

    /// Creates a request.
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
    /// Method and URL.
    public var description: String { "\(method) \(url)" }
    /// Same as `description`.
    public var debugDescription: String { description }
    /// Only method and URL, so that `dump` does not show the key.
    public var customMirror: Mirror { Mirror(self, children: ["method": method, "url": url]) }
}

/// A response from any transport.
public struct TransportResponse: Sendable, Equatable {
    /// The HTTP status.
    public var status: Int
    /// The complete body.
    public var body: [UInt8]
    private var fields: [String: String]

    /// - Parameter fields: the header fields by name, ignoring case.
    public init(status: Int, fields: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.body = body
        self.fields = Dictionary(fields.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    }

    /// The value of a header field, ignoring the name's case; nil if absent.
    public func field(_ name: String) -> String? { fields[name.lowercased()] }
}

/// Why a request got no response.
public enum TransportError: Error, Sendable, Hashable {
    /// The device has no network, or the app may not use it. Nothing was sent.
    case offline
    /// The time limit has passed. The service may have processed the request.
    case timedOut
    /// The service could not be reached (unknown host, connection refused), or the connection broke. If it broke, the
    /// service may have processed the request. The text is for logs.
    case unreachable(String)
    /// The server's TLS certificate was not trusted. The text is for logs.
    case notTrusted(String)
    /// The response body exceeds its limit.
    case answerTooLarge
    /// The calling task was cancelled.
    case cancelled
}

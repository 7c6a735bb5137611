public import Foundation
public import WaymarkAPI

/// Why a request to the service failed.
public enum WaymarkClientError: Error, Sendable, Equatable {
    /// The service rejected the request with a problem (RFC 9457): its `known` type, status, a message, and for
    /// status 422 the invalid fields. `retryAfter` is the time to wait before another request.
    case refused(Problem, retryAfter: Duration?)
    /// The response is not from this service or this version: a redirect, a proxy's page, or an unreadable body. A
    /// 2xx status means that the body was invalid.
    case unexpectedAnswer(status: Int, retryAfter: Duration?)
    /// The device has no network. Nothing was sent.
    case offline
    /// The last attempt timed out. The service may have processed the request; repeating it is safe.
    case timedOut
    /// The last attempt could not reach the service, or the connection broke. The text is for logs.
    case unreachable(String)
    /// The server's TLS certificate was not trusted. The text is for logs.
    case notTrusted(String)
    /// The response body exceeds `ClientOptions.answerLimit`.
    case answerTooLarge
    /// The calling task was cancelled. The service may have processed the request; repeating it is safe.
    case cancelled
    /// The service's URL is invalid, or not one the key may be sent to. The text gives the reason.
    case invalidAddress(String)
    /// The key is empty or contains invalid characters.
    case invalidKey

    /// The problem in the service's response; nil for other errors.
    public var problem: Problem? {
        if case .refused(let problem, _) = self { problem } else { nil }
    }

    /// The HTTP status of the answer; nil without one.
    var status: Int? {
        switch self {
        case .refused(let problem, _): problem.status
        case .unexpectedAnswer(let status, _): status
        default: nil
        }
    }

    /// The service's `Retry-After`; nil if it sent none.
    public var retryAfter: Duration? {
        switch self {
        case .refused(_, let retryAfter), .unexpectedAnswer(_, let retryAfter): retryAfter
        default: nil
        }
    }

    /// The error's name in diagnostics, explanations and the storage: `refused`, `offline` and so on.
    package var code: String {
        switch self {
        case .refused: "refused"
        case .unexpectedAnswer: "unexpectedAnswer"
        case .offline: "offline"
        case .timedOut: "timedOut"
        case .unreachable: "unreachable"
        case .notTrusted: "notTrusted"
        case .answerTooLarge: "answerTooLarge"
        case .cancelled: "cancelled"
        case .invalidAddress: "invalidAddress"
        case .invalidKey: "invalidKey"
        }
    }

    /// Whether the same request may succeed later.
    public var isTransient: Bool {
        switch self {
        case .offline, .timedOut, .unreachable, .cancelled: true
        case .refused(let problem, _): Self.transientStatuses.contains(problem.status)
        case .unexpectedAnswer(let status, _): Self.transientStatuses.contains(status)
        case .notTrusted, .answerTooLarge, .invalidAddress, .invalidKey: false
        }
    }

    /// Whether an immediate retry makes sense; it does not without a network.
    var isWorthRetrying: Bool {
        isTransient && self != .offline && self != .cancelled
    }

    /// Whether the service has answered the request for good, so that it will not be repeated with the same key.
    var isFinal: Bool {
        switch self {
        case .refused(let problem, _):
            // The same request may succeed with another key or by another caller.
            !isTransient && problem.status != 401 && problem.status != 403
        default: false
        }
    }

    private static let transientStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]

    init(_ error: TransportError) {
        self =
            switch error {
            case .offline: .offline
            case .timedOut: .timedOut
            case .unreachable(let words): .unreachable(words)
            case .notTrusted(let words): .notTrusted(words)
            case .answerTooLarge: .answerTooLarge
            case .cancelled: .cancelled
            }
    }
}

extension WaymarkClientError: LocalizedError, CustomStringConvertible {
    /// One sentence without a full stop, with the service's message. It never contains the key.
    public var description: String {
        switch self {
        case .refused(let problem, _):
            "the service refused: \(problem.title)\(Self.words(of: problem)) (\(problem.status), \(problem.type))"
        case .unexpectedAnswer(let status, _): "an answer with status \(status) that is not the service's"
        case .offline: "there is no network"
        case .timedOut: "there was no answer in time"
        case .unreachable(let words): "the service could not be reached: \(words)"
        case .notTrusted(let words): "the service is not to be trusted: \(words)"
        case .answerTooLarge: "the answer is too long"
        case .cancelled: "the request was cancelled"
        case .invalidAddress(let words): "the service's address can't be used: \(words)"
        case .invalidKey: "the key is empty or has characters that no key has"
        }
    }

    /// The description as a sentence, for `localizedDescription`. It is in English and meant for developers.
    public var errorDescription: String? { description.sentence }

    /// What to do if the key lacks a scope: keys in apps can be extracted, so they get no more than `resolve` and
    /// `create`. Nil for other errors.
    public var recoverySuggestion: String? {
        guard problem?.known == .scopeMissing else { return nil }
        return "A key in an app has the scopes resolve and create only. For a route without a template, add a template "
            + "with this route to the application; for a URL of another host, add the host to its destinations."
    }

    /// The detail and the first few field errors.
    private static func words(of problem: Problem) -> String {
        let fields = problem.errors.prefix(3).map { $0.field.isEmpty ? $0.problem : "\($0.field) \($0.problem)" }
        let words = [problem.detail].filter { !$0.isEmpty && $0 != problem.title } + fields
        return words.isEmpty ? "" : ": " + words.joined(separator: "; ")
    }
}

extension String {
    /// The text with an initial capital and a final full stop.
    var sentence: String {
        prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".")
    }
}

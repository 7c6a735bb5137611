public import Foundation
public import WaymarkAPI

/// Why the service did not do what it was asked.
public enum WaymarkClientError: Error, Sendable, Equatable {
    /// The service said no, with a problem (RFC 9457): its `known` kind, status, a sentence, and for status 422 what is
    /// wrong with which field. `retryAfter` is how long it wants to be left alone.
    case refused(Problem, retryAfter: Duration?)
    /// What answered is not this service, or not this version: a redirect, a proxy's page, a text that does not fit.
    /// A status of 2xx is one whose body made no sense.
    case unexpectedAnswer(status: Int, retryAfter: Duration?)
    /// The device has no network. Nothing was sent.
    case offline
    /// There was no answer in time, at the last attempt either. The service may have acted; asking again is safe.
    case timedOut
    /// The service could not be reached, at the last attempt either, or the connection broke. The text is for logs.
    case unreachable(String)
    /// The service did not prove who it is (TLS). The text is for logs.
    case notTrusted(String)
    /// The answer is longer than `ClientOptions.answerLimit`.
    case answerTooLarge
    /// Whoever waited was cancelled. The service may have acted; asking again is safe.
    case cancelled
    /// The service's address is none that a key may be sent to. The text says why.
    case invalidAddress(String)
    /// The key is empty or holds characters that no key has.
    case invalidKey

    /// The problem that the service answered with; nil where it did not get that far.
    public var problem: Problem? {
        if case .refused(let problem, _) = self { problem } else { nil }
    }

    /// How long the service wants to be left alone; nil where it did not say.
    public var retryAfter: Duration? {
        switch self {
        case .refused(_, let retryAfter), .unexpectedAnswer(_, let retryAfter): retryAfter
        default: nil
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

    /// Whether sending again at once makes sense: without a network it does not.
    var isWorthRetrying: Bool {
        isTransient && self != .offline && self != .cancelled
    }

    /// Whether the service has said its last word on the request, so that it will not be asked with the same key again.
    var isFinal: Bool {
        switch self {
        case .refused(let problem, _):
            // With another key, or for another caller, the same request may do.
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
    /// One sentence without its full stop, with what the service said. No key stands in it.
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

    /// The description as a sentence: what `localizedDescription` shows. It is English and meant for developers.
    public var errorDescription: String? { description.sentence }

    /// The detail, and what is wrong with the first few fields.
    private static func words(of problem: Problem) -> String {
        let fields = problem.errors.prefix(3).map { $0.field.isEmpty ? $0.problem : "\($0.field) \($0.problem)" }
        let words = [problem.detail].filter { !$0.isEmpty && $0 != problem.title } + fields
        return words.isEmpty ? "" : ": " + words.joined(separator: "; ")
    }
}

extension String {
    /// With a capital at the beginning and one full stop at the end.
    var sentence: String {
        prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".")
    }
}

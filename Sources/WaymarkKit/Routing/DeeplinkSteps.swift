/// A filter or target as the app gave it: one that ends at once, or one that waits.
enum DeeplinkStep<Result: Sendable> {
    case immediate(@MainActor (Deeplink) -> Result)
    case waiting(@MainActor (Deeplink) async -> Result)
}

/// How far a link has come when filters, handlers and the target were called.
enum DeeplinkProgress {
    /// Whether the target has run.
    case ended(Bool)
    /// A filter or the target waits; the task returns whether the target has run.
    case waiting(Task<Bool, Never>)

    /// Whether the target has run, once that is known.
    var outcome: Bool {
        get async {
            switch self {
            case .ended(let wasOpened): wasOpened
            case .waiting(let task): await task.value
            }
        }
    }

    /// What a caller that does not wait learns: whether the link was opened, or may be.
    var isOpenedOrWaiting: Bool {
        switch self {
        case .ended(let wasOpened): wasOpened
        case .waiting: true
        }
    }
}

/// The first outcome of a request: its answer, or the end of the time limit. It is not bound to the main
/// actor: an answer that is there in time must not be late because the app is busy.
final class OpeningRace<Answer: Sendable>: Sendable {
    private let continuation: LockedValue<CheckedContinuation<Answer?, Never>?>

    init(_ continuation: CheckedContinuation<Answer?, Never>) {
        self.continuation = LockedValue(continuation)
    }

    /// Only the first call counts.
    func end(_ answer: Answer?) {
        let continuation = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        continuation?.resume(returning: answer)
    }
}

import Synchronization

/// Counts of a server's connections by state at one moment, and the memory they hold beyond the objects themselves.
package struct ConnectionStateCounts: Sendable, Equatable {
    /// In the transport's handshake.
    package var shakingHands = 0
    /// Between two requests, or before the first.
    package var idle = 0
    package var readingHead = 0
    package var readingBody = 0
    /// Waiting for a task's response.
    package var answering = 0
    /// Waiting for the client to take a response, or for the next piece of one.
    package var writing = 0
    /// In a lingering close.
    package var lingering = 0
    /// Bytes of requests and responses that connections hold: the allocated capacity, not only the used part.
    package var heldBytes = 0

    package init() {}

    /// All values, in the order of the members.
    var values: [Int] {
        get { [shakingHands, idle, readingHead, readingBody, answering, writing, lingering, heldBytes] }
        set {
            (shakingHands, idle, readingHead, readingBody) = (newValue[0], newValue[1], newValue[2], newValue[3])
            (answering, writing, lingering, heldBytes) = (newValue[4], newValue[5], newValue[6], newValue[7])
        }
    }

    mutating func add(_ other: ConnectionStateCounts) {
        shakingHands += other.shakingHands
        idle += other.idle
        readingHead += other.readingHead
        readingBody += other.readingBody
        answering += other.answering
        writing += other.writing
        lingering += other.lingering
        heldBytes += other.heldBytes
    }

    mutating func count(_ connection: Connection) {
        heldBytes += connection.heldBytes
        switch connection.phase {
        case .handshake: shakingHands += 1
        case .lingering: lingering += 1
        case .closed: break
        default:
            if connection.output.isBlocked { return writing += 1 }
            switch connection.phase {
            case .head: if connection.input.isEmpty { idle += 1 } else { readingHead += 1 }
            case .body, .skipping: readingBody += 1
            case .answering, .passing: answering += 1
            default: writing += 1
            }
        }
    }
}

extension Connection {
    /// Bytes it holds beyond this turn.
    var heldBytes: Int {
        var held = input.capacity + output.bytes.capacity + (exchange?.body.capacity ?? 0)
        if case .bytes(let bytes) = output.body { held += bytes.capacity }
        return held
    }
}

/// Waits for one value from a loop. A loop that has stopped drops its work, and this object with it: then the value
/// is nil.
final class LoopReply<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value?, Never>?>

    init(_ continuation: CheckedContinuation<Value?, Never>) {
        self.continuation = Mutex(continuation)
    }

    deinit {
        give(nil)
    }

    func give(_ value: Value?) {
        let continuation = continuation.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: value)
    }
}

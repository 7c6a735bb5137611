import Synchronization

/// Bounds the requests to all endpoints together: each is a thread. The first request of each lane of an endpoint needs
/// no place, so endpoints that hang leave the others theirs.
final class RequestLimit: Sendable {
    private let places: Mutex<Int>

    init(_ count: Int) { places = Mutex(count) }

    /// False if all places are taken.
    func take() -> Bool {
        places.withLock { places in
            guard places > 0 else { return false }
            places -= 1
            return true
        }
    }

    func giveBack() { places.withLock { $0 += 1 } }
}

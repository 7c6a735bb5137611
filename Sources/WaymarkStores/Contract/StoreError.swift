/// Why a store operation failed; never contains SQL or values.
package enum StoreError: Error, Sendable, Hashable {
    /// Not reachable, locked or read-only, as the text explains. May be temporary.
    case unavailable(String)
    /// The disk of the database has no room: reads work, nothing can be written until somebody frees space.
    case full(String)
    /// The stored data is invalid: a damaged or newer database.
    case corrupt(String)
    /// Nothing was changed, because a connected server of an earlier version could not read it.
    case upgradePending(UpgradePending)

    package static let diskFull = StoreError.full("the disk that holds the database is full")

    package var sentence: String {
        switch self {
        case .unavailable(let sentence), .full(let sentence), .corrupt(let sentence): sentence
        case .upgradePending(let pending): pending.sentence
        }
    }

    package var isFull: Bool {
        if case .full = self { true } else { false }
    }

    /// Whether the same call may succeed later.
    package var mayPass: Bool {
        if case .corrupt = self { false } else { true }
    }

    /// The same error, whose sentence begins with the name of the database.
    package func naming(_ name: String) -> StoreError {
        switch self {
        case .unavailable(let sentence): .unavailable("\(name): \(sentence)")
        case .full(let sentence): .full("\(name): \(sentence)")
        case .corrupt(let sentence): .corrupt("\(name): \(sentence)")
        case .upgradePending: self
        }
    }
}

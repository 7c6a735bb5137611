/// Why a store operation failed; never contains SQL or values.
package enum StoreError: Error, Sendable, Hashable {
    /// Not reachable, locked, full or read-only, as the text explains. May be temporary.
    case unavailable(String)
    /// The stored data is invalid: a damaged or newer database.
    case corrupt(String)
    /// Nothing was changed, because a connected server of an earlier version could not read it.
    case upgradePending(UpgradePending)
}

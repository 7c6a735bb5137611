/// Why a store could not answer; never holds SQL or values.
package enum StoreError: Error, Sendable, Hashable {
    /// Not reachable, locked, full, read-only: the sentence says which. May pass.
    case unavailable(String)
    /// What is stored can't be understood: a damaged or newer database.
    case corrupt(String)
}

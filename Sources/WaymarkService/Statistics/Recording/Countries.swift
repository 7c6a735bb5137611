import Synchronization
package import WaymarkLinks

/// Looks up visitors' countries in the operator's data. Unknown until `use`.
package final class Countries: Sendable {
    /// - Parameter subscriber: as in `Click`.
    package typealias Lookup = @Sendable (_ subscriber: UInt64) -> CountryCode?

    private let lookup = Mutex<Lookup?>(nil)

    package init() {}

    package var current: Lookup? { lookup.withLock { $0 } }

    package func use(_ lookup: Lookup?) { self.lookup.withLock { $0 = lookup } }
}

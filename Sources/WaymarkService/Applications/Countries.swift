import Synchronization
package import WaymarkLinks

/// In which country visitors are, by what the operator gives for it. Nothing is known until `use`.
package final class Countries: Sendable {
    /// - Parameter subscriber: as of `Click`.
    package typealias Lookup = @Sendable (_ subscriber: UInt64) -> CountryCode?

    private let lookup = Mutex<Lookup?>(nil)

    package var current: Lookup? { lookup.withLock { $0 } }

    package func use(_ lookup: Lookup?) { self.lookup.withLock { $0 = lookup } }
}

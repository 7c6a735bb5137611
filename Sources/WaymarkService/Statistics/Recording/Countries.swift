package import WaymarkLinks

/// Looks up visitors' countries in the operator's data. Unknown until `use`.
package final class Countries: Sendable {
    /// - Parameter subscriber: as in `Click`.
    package typealias Lookup = @Sendable (_ subscriber: UInt64) -> CountryCode?

    private let lookup = Published<Lookup?>(nil)

    package init() {}

    package var current: Lookup? { lookup.current }

    package func use(_ lookup: Lookup?) { self.lookup.publish(self.lookup.ticket()) { _ in .some(lookup) } }

    /// For one event loop, which takes no lock and counts no reference that another one counts.
    package func makeView() -> View { View(lookup) }

    package struct View {
        private let source: Published<Lookup?>
        private var generation: UInt64?
        private var lookup: Lookup?

        fileprivate init(_ source: Published<Lookup?>) { self.source = source }

        package mutating func country(of subscriber: UInt64) -> CountryCode? {
            let newest = source.generation
            if newest != generation {
                generation = newest
                lookup = source.current.map(Self.ownLookup)
            }
            return lookup?(subscriber)
        }

        /// A closure of this loop's own around the one that all share.
        private static func ownLookup(_ shared: @escaping Lookup) -> Lookup {
            { subscriber in shared(subscriber) }
        }
    }
}

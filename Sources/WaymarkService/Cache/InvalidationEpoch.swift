public import Synchronization

/// A counter of invalidations since the process started.
///
/// An event loop checks the sources of its own tables only if this has changed: those are rarely in the CPU's caches,
/// but this counter is.
///
/// Writers mark a value as stale before they move the counter, so a reader that sees the old number has at worst the
/// value from a moment before; and they move it before the change is acknowledged.
@usableFromInline
package final class InvalidationEpoch: Sendable {
    /// One per process, because the tables derived from a value are not known here.
    package static let shared = InvalidationEpoch()

    @usableFromInline let count = Atomic<Int>(0)

    private init() {}

    @inlinable package var current: Int { count.load(ordering: .acquiring) }

    func move() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }
}

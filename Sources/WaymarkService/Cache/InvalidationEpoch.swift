public import Synchronization

/// How often something in memory has become stale since the process began.
///
/// An event loop looks at its own tables with each visit and at what they are made from only when this has moved: out of
/// many links each is mostly far from the processor, and this number near.
///
/// Whoever makes something stale marks it first and moves the number then, so that who sees the number as it was has at
/// worst the link of the moment before; and moves it before the change is answered.
@usableFromInline
package final class InvalidationEpoch: Sendable {
    /// One for the process: which tables were made from what is not known here.
    package static let shared = InvalidationEpoch()

    @usableFromInline let count = Atomic<Int>(0)

    private init() {}

    @inlinable package var current: Int { count.load(ordering: .acquiring) }

    func move() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }
}

package import Synchronization
package import WaymarkLinks

/// The clicks of one event loop between two flushes: a ring with one writer and one reader.
///
/// `record` is only ever called by the loop that owns the buffer. It takes no lock, never waits and allocates nothing;
/// a click for which there is no room is dropped and counted.
///
/// `@unchecked Sendable` because the memory behind `ring` is shared on purpose: the writer writes a place before it
/// moves `written` past it (releasing), the reader reads it only after it saw that (acquiring), and the writer comes
/// back to the place only after the reader has moved `read` past it. `ClickCounter` makes sure of the single reader.
package final class ClickBuffer: @unchecked Sendable {
    /// Holds a click in the places from `read` up to `written`, and nothing in the others.
    @usableFromInline let ring: UnsafeMutablePointer<Click>
    @usableFromInline let mask: Int
    @usableFromInline let written = Atomic<Int>(0)
    @usableFromInline let read = Atomic<Int>(0)
    /// Of those that are or were in the ring, the clicks of people.
    @usableFromInline let personCount = Atomic<Int>(0)
    @usableFromInline let droppedCount = Atomic<Int>(0)
    @usableFromInline let wake: @Sendable () -> Void

    /// - Parameters:
    ///   - capacity: rounded up to a power of two.
    ///   - wake: called on the loop's thread each time the ring has become half full.
    init(capacity: Int, wake: @escaping @Sendable () -> Void) {
        var size = 2
        while size < capacity { size *= 2 }
        ring = .allocate(capacity: size)
        mask = size - 1
        self.wake = wake
    }

    deinit {
        drain { _ in }
        ring.deallocate()
    }

    /// Clicks of people and programs for which there was no room.
    package var dropped: Int { droppedCount.load(ordering: .relaxed) }

    /// Clicks of people for which there was room, so far.
    package var recorded: Int { personCount.load(ordering: .relaxed) }

    /// Records one click. Only on the owning loop's thread.
    package func record(_ click: Click) {
        guard let place = claim() else { return }
        place.initialize(to: click)
        commit(isPersons: click.isPersons)
    }

    /// Where the next click is to be made in place, before `commit`; nil where there is no room, and the click is counted
    /// as dropped. Only on the owning loop's thread.
    @inlinable @inline(__always)
    package func claim() -> UnsafeMutablePointer<Click>? {
        let place = written.load(ordering: .relaxed)
        guard place &- read.load(ordering: .acquiring) <= mask else {
            droppedCount.wrappingAdd(1, ordering: .relaxed)
            return nil
        }
        return ring + (place & mask)
    }

    /// Hands the click over that was made in the place from `claim`.
    @inlinable @inline(__always)
    package func commit(isPersons: Bool) {
        if isPersons {
            // Only this thread writes it.
            personCount.store(personCount.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        }
        let place = written.load(ordering: .relaxed)
        written.store(place &+ 1, ordering: .releasing)
        if place &- read.load(ordering: .relaxed) == mask / 2 { wake() }
    }

    /// Hands out what was recorded so far. One caller at a time.
    func drain(_ each: (Click) -> Void) {
        let end = written.load(ordering: .acquiring)
        var place = read.load(ordering: .relaxed)
        while place != end {
            each((ring + (place & mask)).move())
            place &+= 1
        }
        read.store(end, ordering: .releasing)
    }
}

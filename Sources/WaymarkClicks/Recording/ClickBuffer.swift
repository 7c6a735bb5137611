public import Synchronization
public import WaymarkLinks

/// The clicks of one event loop between two flushes: a ring with one writer and one reader.
///
/// `record` is only ever called by the loop that owns the buffer. It takes no lock, never waits and allocates nothing;
/// a click for which there is no room is dropped and counted.
///
/// Safety: `@unchecked Sendable` because the memory behind `ring` is shared on purpose: the writer writes a place before it
/// moves `written` past it (releasing), the reader reads it only after it saw that (acquiring), and the writer comes
/// back to the place only after the reader has moved `read` past it. `ClickCounter` makes sure of the single reader. Every
/// index is masked below the capacity.
@safe
@usableFromInline
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

    /// How many clicks may lie in the ring before its reader is woken: few enough that reading them takes less than half a
    /// millisecond, because on a busy machine it is the loop or its clients that wait meanwhile.
    @usableFromInline let wakeCount: Int

    /// - Parameters:
    ///   - capacity: rounded up to a power of two.
    ///   - wake: called on the loop's thread each time so many clicks lie in the ring.
    init(capacity: Int, wakeCount: Int = 2_048, wake: @escaping @Sendable () -> Void) {
        var size = 2
        while size < capacity { size *= 2 }
        // A click takes a line of the processor's cache, and should not lie on two.
        unsafe ring = unsafe UnsafeMutableRawPointer.allocate(
            byteCount: size * MemoryLayout<Click>.stride, alignment: 64
        )
        .bindMemory(to: Click.self, capacity: size)
        mask = size - 1
        self.wakeCount = min(wakeCount, size / 2)
        self.wake = wake
    }

    deinit {
        drain { _ in }
        unsafe ring.deallocate()
    }

    /// Clicks of people and programs for which there was no room.
    package var dropped: Int { droppedCount.load(ordering: .relaxed) }

    /// Clicks of people for which there was room, so far.
    package var recorded: Int { personCount.load(ordering: .relaxed) }

    /// Records one click. Only on the owning loop's thread.
    ///
    /// - Parameter click: consumed, because a copy counts references.
    @inlinable @inline(__always)
    package func record(_ click: consuming Click) {
        let slot = written.load(ordering: .relaxed)
        guard slot &- read.load(ordering: .acquiring) <= mask else {
            droppedCount.wrappingAdd(1, ordering: .relaxed)
            return
        }
        if click.isPersons {
            // Only this thread writes it.
            personCount.store(personCount.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        }
        unsafe (ring + (slot & mask)).initialize(to: consume click)
        written.store(slot &+ 1, ordering: .releasing)
        if slot &- read.load(ordering: .relaxed) &+ 1 == wakeCount { wake() }
    }

    /// Hands out what was recorded so far, in its order: at once, or in two parts where it goes beyond the ring's end. One
    /// caller at a time.
    func drain(_ each: (Span<Click>) -> Void) {
        let end = written.load(ordering: .acquiring)
        var slot = read.load(ordering: .relaxed)
        while slot != end {
            let clicks = unsafe UnsafeMutableBufferPointer(
                start: ring + (slot & mask), count: min(end &- slot, mask &+ 1 &- slot & mask))
            unsafe each(clicks.span)
            unsafe clicks.deinitialize()
            slot &+= clicks.count
        }
        read.store(end, ordering: .releasing)
    }
}

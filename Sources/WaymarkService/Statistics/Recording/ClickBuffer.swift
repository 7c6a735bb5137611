public import Synchronization
public import WaymarkLinks

/// The clicks of one event loop between two flushes: a ring with one writer and one reader.
///
/// `record` must only be called by the loop that owns the buffer. It takes no lock, never waits and does not allocate,
/// unless the ring is full: then the loop empties it itself, because on a busy machine the reader may come too late.
///
/// Safety: `@unchecked Sendable` because the memory of `ring` is shared: the writer writes a slot before it moves
/// `written` past it (releasing), the reader reads it only after it saw that (acquiring), and the writer reuses the
/// slot only after the reader has moved `read` past it. `ClickCounter` ensures that there is a single reader. Every
/// index is masked below the capacity.
@safe
@usableFromInline
package final class ClickBuffer: @unchecked Sendable {
    /// The slots from `read` up to `written` have clicks, the others are empty.
    @usableFromInline let ring: UnsafeMutablePointer<Click>
    @usableFromInline let mask: Int
    @usableFromInline let written = Atomic<Int>(0)
    @usableFromInline let read = Atomic<Int>(0)
    /// Human clicks on links recorded so far.
    @usableFromInline let personCount = Atomic<Int>(0)
    @usableFromInline let wake: @Sendable () -> Void
    private let empty: @Sendable (ClickBuffer) -> Void

    /// The number of clicks at which the reader is woken: few enough to be read in less than half a millisecond,
    /// because on a busy machine the loop or its clients wait meanwhile.
    @usableFromInline let wakeCount: Int

    /// - Parameters:
    ///   - capacity: rounded up to a power of two.
    ///   - wake: called on the loop's thread each time this many clicks are in the ring.
    ///   - empty: called on the loop's thread with this buffer if the ring is full; must drain it.
    init(
        capacity: Int, wakeCount: Int = 2_048, wake: @escaping @Sendable () -> Void,
        empty: @escaping @Sendable (ClickBuffer) -> Void
    ) {
        var size = 2
        while size < capacity { size *= 2 }
        // A click has the size of a cache line and must be aligned to one.
        unsafe ring = unsafe UnsafeMutableRawPointer.allocate(
            byteCount: size * MemoryLayout<Click>.stride, alignment: 64
        )
        .bindMemory(to: Click.self, capacity: size)
        mask = size - 1
        self.wakeCount = min(wakeCount, size / 2)
        self.wake = wake
        self.empty = empty
    }

    deinit {
        drain { _ in }
        unsafe ring.deallocate()
    }

    /// Human clicks on links recorded so far.
    package var recorded: Int { personCount.load(ordering: .relaxed) }

    /// Records one click. Must be called on the owning loop's thread.
    ///
    /// - Parameter click: consumed, because a copy would count references.
    @inlinable @inline(__always)
    package func record(_ click: consuming Click) {
        let slot = written.load(ordering: .relaxed)
        if slot &- read.load(ordering: .acquiring) > mask { makeRoom() }
        if click.isCounted {
            // Only written by this thread.
            personCount.store(personCount.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        }
        unsafe (ring + (slot & mask)).initialize(to: consume click)
        written.store(slot &+ 1, ordering: .releasing)
        if slot &- read.load(ordering: .relaxed) &+ 1 == wakeCount { wake() }
    }

    @usableFromInline @inline(never)
    func makeRoom() {
        empty(self)
        // The reader is gone, as after the end of the service.
        if written.load(ordering: .relaxed) &- read.load(ordering: .acquiring) > mask { drain { _ in } }
    }

    /// Passes on all clicks so far in order: at once, or in two parts if they wrap around the ring's end. One caller
    /// at a time.
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

public import Synchronization

/// A table of counters, all 0 at first, that only increase (or also decrease, if their owner does that).
///
/// There are two ways to write, and the owner must use only one for each counter: `addAlone` by a single thread, a
/// plain load and store without a locked instruction; `add` by any thread. Any thread may read; the values are not a
/// consistent snapshot. The table occupies whole cache lines, so that tables of different threads don't cause false
/// sharing.
///
/// `@unchecked Sendable` because the memory behind the pointer contains only atomics. `@safe` because every access is
/// checked against `count`.
@safe @usableFromInline
package final class CounterTable: @unchecked Sendable {
    @usableFromInline package let count: Int
    @usableFromInline let counters: UnsafeMutablePointer<Atomic<Int>>

    /// - Parameter count: number of counters, at least one.
    package init(count: Int) {
        precondition(count > 0, "a table has at least one counter")
        self.count = count
        let line = 128
        let size = (count * MemoryLayout<Atomic<Int>>.stride + line - 1) / line * line
        // unsafe because the memory is managed manually: freed only in deinit.
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: line)
        unsafe counters = memory.bindMemory(to: Atomic<Int>.self, capacity: count)
        for slot in 0..<count { unsafe (counters + slot).initialize(to: Atomic(0)) }
    }

    deinit {
        // unsafe because the memory is managed manually; an Atomic<Int> needs no deinitialization.
        unsafe counters.deallocate()
    }

    /// Adds to a counter that only this thread writes.
    @inlinable @inline(__always)
    package func addAlone(_ amount: Int, at slot: Int) {
        precondition(slot >= 0 && slot < count, "no such counter")
        // unsafe because it goes through a pointer, within the bounds checked above.
        let value = unsafe counters[slot].load(ordering: .relaxed)
        unsafe counters[slot].store(value &+ amount, ordering: .relaxed)
    }

    /// Adds to a counter from any thread.
    package func add(_ amount: Int, at slot: Int) {
        precondition(slot >= 0 && slot < count, "no such counter")
        // unsafe because it goes through a pointer, within the bounds checked above.
        unsafe counters[slot].wrappingAdd(amount, ordering: .relaxed)
    }

    @inlinable
    package subscript(slot: Int) -> Int {
        precondition(slot >= 0 && slot < count, "no such counter")
        // unsafe because it goes through a pointer, within the bounds checked above.
        return unsafe counters[slot].load(ordering: .relaxed)
    }

    /// All values, in order.
    package var values: [Int] { (0..<count).map { self[$0] } }
}

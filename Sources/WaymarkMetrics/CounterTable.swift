public import Synchronization

/// A row of counters that only ever grow (or, where their owner says so, shrink again), all 0 at first.
///
/// Two ways to write, and it is the owner who keeps to one of them for each counter: `addAlone` by one thread only, a
/// plain load and store without a locked instruction; `add` by any. Anybody may read; the figures of one moment need not
/// fit together. The row begins and ends on lines of the processor's cache of its own, so that no two threads' rows
/// slow each other down.
///
/// `@unchecked Sendable` because the memory behind the pointer is nothing but atomics. `@safe` because every access is
/// checked against `count`.
@safe @usableFromInline
package final class CounterTable: @unchecked Sendable {
    @usableFromInline package let count: Int
    @usableFromInline let counters: UnsafeMutablePointer<Atomic<Int>>

    /// - Parameter count: how many counters there are; at least one.
    package init(count: Int) {
        precondition(count > 0, "a table has at least one counter")
        self.count = count
        let line = 128
        let size = (count * MemoryLayout<Atomic<Int>>.stride + line - 1) / line * line
        // unsafe because manual memory is: freed in deinit and nowhere else.
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: line)
        unsafe counters = memory.bindMemory(to: Atomic<Int>.self, capacity: count)
        for slot in 0..<count { unsafe (counters + slot).initialize(to: Atomic(0)) }
    }

    deinit {
        // unsafe because manual memory is; an Atomic<Int> has nothing of its own to let go of.
        unsafe counters.deallocate()
    }

    /// Adds to a counter that no other thread ever writes to.
    @inlinable @inline(__always)
    package func addAlone(_ amount: Int, at slot: Int) {
        precondition(slot >= 0 && slot < count, "no such counter")
        // unsafe because it goes through a pointer, within the bounds that were just checked.
        let value = unsafe counters[slot].load(ordering: .relaxed)
        unsafe counters[slot].store(value &+ amount, ordering: .relaxed)
    }

    /// Adds to a counter from any thread.
    package func add(_ amount: Int, at slot: Int) {
        precondition(slot >= 0 && slot < count, "no such counter")
        // unsafe because it goes through a pointer, within the bounds that were just checked.
        unsafe counters[slot].wrappingAdd(amount, ordering: .relaxed)
    }

    @inlinable
    package subscript(slot: Int) -> Int {
        precondition(slot >= 0 && slot < count, "no such counter")
        // unsafe because it goes through a pointer, within the bounds that were just checked.
        return unsafe counters[slot].load(ordering: .relaxed)
    }

    /// All of them, one after the other.
    package var values: [Int] { (0..<count).map { self[$0] } }
}

import Synchronization

/// A value read by many threads and rarely replaced: applications, keys.
///
/// Event loops don't take the lock: they have the value in a `PublishedView` and compare `generation`, which is one
/// atomic load.
package final class Published<Value: Sendable>: Sendable {
    /// The order of one read of the store among all; taken before the read begins.
    package struct Ticket: Sendable { fileprivate let number: UInt64 }

    private struct State {
        var value: Value
        var lastTicket: UInt64 = 0
        var publishedTicket: UInt64 = 0
    }

    private let state: Mutex<State>
    private let counter = Atomic<UInt64>(0)

    package init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// Incremented by every publication.
    package var generation: UInt64 { counter.load(ordering: .acquiring) }

    package var current: Value { state.withLock { $0.value } }

    /// Must be called before the store is read for a value to publish.
    package func ticket() -> Ticket {
        state.withLock { state in
            state.lastTicket += 1
            return Ticket(number: state.lastTicket)
        }
    }

    /// Publishes a value read after `ticket` was taken, unless a later read has already been published. `make`
    /// returns nil if the current value is equal.
    ///
    /// Without the tickets a periodic refresh could bring a revoked key back:
    ///
    ///     refresh                         revocation
    ///     reads the keys (K is there)
    ///                                     deletes K, reads the keys, publishes, answers 204
    ///     publishes: K is accepted again
    ///
    /// With tickets, the refresh has the older ticket and is dropped. A dropped caller may rely on the published
    /// value: it was read after a later ticket, so after everything that the caller had committed.
    @discardableResult
    package func publish(_ ticket: Ticket, _ make: (_ current: Value) -> Value?) -> Bool {
        state.withLock { state in
            guard ticket.number >= state.publishedTicket else { return false }
            state.publishedTicket = ticket.number
            guard let value = make(state.value) else { return false }
            state.value = value
            counter.wrappingAdd(1, ordering: .releasing)
            return true
        }
    }
}

/// One event loop's copy of a published value; confined to its thread.
package struct PublishedView<Value: Sendable> {
    private let source: Published<Value>
    private var generation: UInt64
    private var value: Value

    package init(_ source: Published<Value>) {
        self.source = source
        // The generation first: a value published in between is then read twice rather than missed.
        generation = source.generation
        value = source.current
    }

    /// The newest value; only takes the lock if there was a publication since the last call.
    package mutating func current() -> Value {
        let newest = source.generation
        if newest != generation {
            value = source.current
            generation = newest
        }
        return value
    }
}

import Synchronization

/// A value that many threads read and few replace: applications, keys.
///
/// Event loops don't take the lock: they keep the value in a `PublishedView` and ask `generation` whether there is a
/// newer one, which is one atomic load.
package final class Published<Value: Sendable>: Sendable {
    /// The place of one read of the store in the order of all of them; taken before the read begins.
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

    /// Moves with every publication; never goes back.
    package var generation: UInt64 { counter.load(ordering: .acquiring) }

    package var current: Value { state.withLock { $0.value } }

    /// To be taken before the store is read for a value to publish.
    package func ticket() -> Ticket {
        state.withLock { state in
            state.lastTicket += 1
            return Ticket(number: state.lastTicket)
        }
    }

    /// Publishes what was read after `ticket` was taken, unless a later read has been published already. `make` gives
    /// nil where the current value says the same.
    ///
    /// Without the tickets a periodic refresh could bring a revoked key back:
    ///
    ///     refresh                         revocation
    ///     reads the keys (K is there)
    ///                                     deletes K, reads the keys, publishes, answers 204
    ///     publishes: K is accepted again
    ///
    /// With them the refresh holds the older ticket and is passed over. Whoever is passed over may rely on what is
    /// published: it was read after a later ticket, so after everything that the passed-over one had committed.
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

/// One event loop's own copy of a published value; thread-confined.
package struct PublishedView<Value: Sendable> {
    private let source: Published<Value>
    private var generation: UInt64
    private var value: Value

    package init(_ source: Published<Value>) {
        self.source = source
        // The generation first: a value published in between is then fetched once more, never missed.
        generation = source.generation
        value = source.current
    }

    /// The newest value; takes the lock only where there was a publication since the last call.
    package mutating func current() -> Value {
        let newest = source.generation
        if newest != generation {
            value = source.current
            generation = newest
        }
        return value
    }
}

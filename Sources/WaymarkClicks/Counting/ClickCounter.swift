import Synchronization
package import WaymarkLinks
package import WaymarkStores

/// Clicks on their way to the store.
///
/// Loops record into buffers of their own. `gather` empties these: people's clicks become one number for each link,
/// which `flush` writes down, and all clicks go on to the journal where records are kept. While the store is away the
/// numbers are kept: one batch as it was sent, because the store may have it already, and everything after it.
package final class ClickCounter: Sendable {
    private struct Batch {
        let write: WriteID
        var links: ArraySlice<ClickCounts.Entry>
    }

    private struct State {
        var buffers: [ClickBuffer] = []
        /// The links that people clicked since they were last added up, once for each click. So that what adds up runs over
        /// its table in one go: looked up with each click by itself, the table is far from the processor.
        var people: [LinkID] = []
        var pending = ClickCountTable()
        /// Links whose clicks are being written down, or are in `unsettled`.
        var underway = 0
        /// Sent, and not known to be written. Nothing else is sent before it is.
        var unsettled: Batch?
        var dropped = 0
        /// Clicks that came by another way than a buffer.
        var direct = 0

        mutating func take(_ clicks: Span<Click>, pendingLimit: Int) {
            for index in clicks.indices where clicks[index].isPersons { people.append(clicks[index].link) }
            if people.count >= ClickCounter.peopleLimit { addUp(pendingLimit) }
        }

        mutating func addUp(_ pendingLimit: Int) {
            for id in people { add(1, of: id, pendingLimit) }
            people.removeAll(keepingCapacity: true)
        }

        mutating func add(_ count: Int, of id: LinkID, _ pendingLimit: Int) {
            let hasRoom = pending.links + underway < pendingLimit || pending[id] > 0
            if hasRoom { pending.add(count, of: id) } else { dropped += count }
        }
    }

    /// From so many on they are added up: half a megabyte, and at most a ring's worth more.
    private static let peopleLimit = 65_536
    /// Links in one transaction, so that other writers get their turn.
    private static let batchSize = 2_000
    private let store: any LinkStore
    private let writes: WriteIDs
    private let bufferCapacity: Int
    private let pendingLimit: Int
    /// Nil where clicks are counted only.
    private let recordWriter: ClickRecordWriter?
    private let state = Mutex(State())
    private let mutex = AsyncMutex()

    package init(
        store: any LinkStore, writes: WriteIDs, bufferCapacity: Int, pendingLimit: Int,
        recordWriter: ClickRecordWriter? = nil
    ) {
        self.store = store
        self.writes = writes
        self.bufferCapacity = bufferCapacity
        self.pendingLimit = pendingLimit
        self.recordWriter = recordWriter
    }

    /// A buffer for one event loop; it is drained for as long as the counter lives.
    package func makeBuffer() -> ClickBuffer {
        let buffer = ClickBuffer(capacity: bufferCapacity) { [weak self] in
            guard let self else { return }
            // Only empties the ring; writing down waits for the timer.
            Task(priority: .utility) { self.gather() }
        }
        state.withLock { $0.buffers.append(buffer) }
        return buffer
    }

    /// Records a click from any thread.
    package func record(_ click: Click) {
        let one = CollectionOfOne(click)
        state.withLock { state in
            if click.isPersons { state.direct += 1 }
            state.take(one.span, pendingLimit: pendingLimit)
        }
        recordWriter?.withInbox { $0.take(one.span) }
    }

    /// People's clicks taken so far, those included that were dropped later.
    package var recorded: Int {
        state.withLock { state in state.buffers.reduce(state.direct) { $0 + $1.recorded } }
    }

    /// Clicks that were lost because a buffer or the table of waiting links was full.
    package var dropped: Int {
        state.withLock { state in
            state.addUp(pendingLimit)
            return state.buffers.reduce(state.dropped) { $0 + $1.dropped }
        }
    }

    /// Links whose clicks wait to be written down.
    package var pendingLinks: Int {
        state.withLock { state in
            state.addUp(pendingLimit)
            return state.pending.links + state.underway
        }
    }

    /// Writes down every click recorded before the call; where the store fails, what it did not take stays.
    package func flush() async throws(StoreError) {
        try await mutex.withTurn { () async throws(StoreError) in
            self.gather()
            if let batch = self.state.withLock({ $0.unsettled }) { try await self.send(batch) }
            // In the order of the links, so that each transaction writes to one part of the store.
            var rest = self.takeAll()[...]
            while !rest.isEmpty {
                let batch = Batch(write: self.writes.next(), links: rest.prefix(Self.batchSize))
                rest = rest.dropFirst(batch.links.count)
                do throws(StoreError) {
                    try await self.send(batch)
                } catch {
                    self.keep(batch, andPutBack: rest)
                    throw error
                }
            }
        }
    }

    private func send(_ batch: Batch) async throws(StoreError) {
        try await store.addClicks(ClickCounts(rising: batch.links), as: batch.write)
        writes.settle(batch.write)
        state.withLock { state in
            state.unsettled = nil
            state.underway -= batch.links.count
        }
    }

    /// Empties the loops' buffers. Under the lock, because a buffer has only one reader at a time.
    package func gather() {
        state.withLock { state in
            guard let recordWriter else {
                for buffer in state.buffers {
                    buffer.drain { state.take($0, pendingLimit: pendingLimit) }
                }
                return
            }
            recordWriter.withInbox { inbox in
                for buffer in state.buffers {
                    buffer.drain { clicks in
                        state.take(clicks, pendingLimit: pendingLimit)
                        inbox.take(clicks)
                    }
                }
            }
        }
    }

    private func takeAll() -> [ClickCounts.Entry] {
        state.withLock { state in
            state.addUp(pendingLimit)
            state.underway = state.pending.links
            return state.pending.takeAll()
        }
    }

    private func keep(_ batch: Batch, andPutBack links: ArraySlice<ClickCounts.Entry>) {
        state.withLock { state in
            // A copy, because the slice would hold on to everything that was taken.
            state.unsettled = Batch(write: batch.write, links: Array(batch.links)[...])
            state.underway = batch.links.count
            for (id, count) in links { state.add(count, of: id, pendingLimit) }
        }
    }
}

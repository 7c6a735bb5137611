import Synchronization
package import WaymarkLinks
package import WaymarkStores

/// Counts clicks and passes them on to the store.
///
/// Loops record into their own buffers. `gather` empties these: human clicks are counted per link for `flush` to
/// write, and all clicks go to the record writer, if there is one. While the store is unavailable the counts are
/// kept: one batch as it was sent, because the store may already have it, and all later ones.
package final class ClickCounter: Sendable {
    private struct Batch {
        let write: WriteID
        var links: ArraySlice<ClickCounts.Entry>
        var free: [LinkID: Int] = [:]

        init(write: WriteID, links: ArraySlice<ClickCounts.Entry>, free: [LinkID: Int]) {
            self.write = write
            self.links = links
            if free.isEmpty { return }
            for (id, _) in links { self.free[id] = free[id] }
        }
    }

    private struct State {
        var buffers: [ClickBuffer] = []
        /// The link of each human click since they were last added up. Adding them up in one go keeps the table in
        /// the CPU's caches, unlike a lookup per click.
        var people: [LinkID] = []
        var pending = ClickCountTable()
        /// Of pending clicks or of such that are still in a buffer: how many used up nothing of `maxClicks`.
        var free: [LinkID: Int] = [:]
        /// The number of links whose clicks are being written or are in `unsettled`.
        var underway = 0
        /// Sent, but not known to be written. Nothing else is sent before it is settled.
        var unsettled: Batch?
        var dropped = 0
        /// Clicks recorded without a buffer.
        var direct = 0
        /// The clicks of each link since they were last taken; nil if nobody watches.
        var watched: [LinkID: ClickCount]?

        mutating func take(_ clicks: Span<Click>, pendingLimit: Int) {
            for index in clicks.indices where clicks[index].isCounted { people.append(clicks[index].link) }
            if people.count >= ClickCounter.peopleLimit { addUp(pendingLimit) }
            if watched != nil { watch(clicks) }
        }

        /// Clicks on further links are left out while nobody takes the counts.
        mutating func watch(_ clicks: Span<Click>) {
            guard watched?.count ?? 0 < ClickCounter.watchedLimit else { return }
            for index in clicks.indices where !clicks[index].link.isOfLongLinks {
                let isPersons = clicks[index].isPersons
                watched?[clicks[index].link, default: ClickCount()] +=
                    isPersons ? ClickCount(people: 1) : ClickCount(bots: 1)
            }
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

    /// The number at which they are added up: half a megabyte, plus at most the clicks of one ring.
    private static let peopleLimit = 65_536
    /// Links whose clicks are counted for watchers at a time, plus at most those of one ring.
    private static let watchedLimit = 100_000
    /// Links per transaction, so that other writers get their turn.
    private static let batchSize = 2_000
    private let store: any LinkStore
    private let writes: WriteIDs
    private let bufferCapacity: Int
    private let pendingLimit: Int
    /// Nil if clicks are only counted.
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

    /// Creates a buffer for one event loop; it is drained as long as the counter exists.
    package func makeBuffer() -> ClickBuffer {
        let buffer = ClickBuffer(capacity: bufferCapacity) { [weak self] in
            guard let self else { return }
            // Only empties the ring; the timer triggers the write.
            Task(priority: .utility) { self.gather() }
        } empty: { [weak self] in
            self?.gather(only: $0)
        }
        state.withLock { $0.buffers.append(buffer) }
        return buffer
    }

    /// Records a click from any thread.
    package func record(_ click: Click) {
        let one = CollectionOfOne(click)
        state.withLock { state in
            if click.isCounted { state.direct += 1 }
            state.take(one.span, pendingLimit: pendingLimit)
        }
        recordWriter?.withInbox { $0.take(one.span) }
    }

    /// Notes that a click, recorded afterwards, uses up nothing of its link's `maxClicks`. Beyond the links that may wait,
    /// it is forgotten.
    package func noteFree(_ link: LinkID) {
        state.withLock { state in
            if state.free.count < pendingLimit || state.free[link] != nil { state.free[link, default: 0] += 1 }
        }
    }

    /// Starts or stops counting clicks for `takeWatched`.
    package func watch(_ isWatching: Bool) {
        state.withLock { $0.watched = isWatching ? $0.watched ?? [:] : nil }
    }

    /// The clicks of people and bots of each link since the last call; empty if nobody watches.
    package func takeWatched() -> [LinkID: ClickCount] {
        gather()
        return state.withLock { state in
            guard let watched = state.watched else { return [:] }
            state.watched = [:]
            return watched
        }
    }

    /// Human clicks on links so far, including those dropped later.
    package var recorded: Int {
        state.withLock { state in state.buffers.reduce(state.direct) { $0 + $1.recorded } }
    }

    /// Clicks lost because the table of waiting links was full.
    package var dropped: Int {
        state.withLock { state in
            state.addUp(pendingLimit)
            return state.dropped
        }
    }

    /// The number of links whose clicks wait to be written.
    package var pendingLinks: Int {
        state.withLock { state in
            state.addUp(pendingLimit)
            return state.pending.links + state.underway
        }
    }

    /// Writes all clicks recorded before the call; if the store fails, the rest stays queued.
    package func flush() async throws(StoreError) {
        try await mutex.withTurn { () async throws(StoreError) in
            self.gather()
            if let batch = self.state.withLock({ $0.unsettled }) { try await self.send(batch) }
            // Sorted by link, so that each transaction writes to one part of the store.
            let (links, free) = self.takeAll()
            var rest = links[...]
            while !rest.isEmpty {
                let batch = Batch(write: self.writes.next(), links: rest.prefix(Self.batchSize), free: free)
                rest = rest.dropFirst(batch.links.count)
                do throws(StoreError) {
                    try await self.send(batch)
                } catch {
                    self.keep(batch, andPutBack: rest, free)
                    throw error
                }
            }
        }
    }

    private func send(_ batch: Batch) async throws(StoreError) {
        try await store.addClicks(ClickCounts(rising: batch.links, free: batch.free), as: batch.write)
        writes.settle(batch.write)
        state.withLock { state in
            state.unsettled = nil
            state.underway -= batch.links.count
        }
    }

    /// Empties the loops' buffers. Under the lock, because a buffer must have only one reader at a time.
    ///
    /// - Parameter only: the buffer of the calling loop, which must not wait for those of others.
    package func gather(only buffer: ClickBuffer? = nil) {
        state.withLock { state in
            let buffers = buffer.map { [$0] } ?? state.buffers
            guard let recordWriter else {
                for buffer in buffers {
                    buffer.drain { state.take($0, pendingLimit: pendingLimit) }
                }
                return
            }
            recordWriter.withInbox { inbox in
                for buffer in buffers {
                    buffer.drain { clicks in
                        state.take(clicks, pendingLimit: pendingLimit)
                        inbox.take(clicks)
                    }
                }
            }
        }
    }

    private func takeAll() -> ([ClickCounts.Entry], free: [LinkID: Int]) {
        var taken = ClickCountTable()
        let free = state.withLock { state in
            state.addUp(pendingLimit)
            swap(&taken, &state.pending)
            state.underway = taken.links
            var free: [LinkID: Int] = [:]
            for (id, count) in state.free {
                let taken = min(count, taken[id])
                guard taken > 0 else { continue }
                free[id] = taken
                state.free[id] = count > taken ? count - taken : nil
            }
            return free
        }
        // Sorted without the lock, for which a loop with a full buffer would wait.
        return (taken.takeAll(), free)
    }

    private func keep(
        _ batch: Batch, andPutBack links: ArraySlice<ClickCounts.Entry>, _ free: [LinkID: Int]
    ) {
        state.withLock { state in
            // Copied, because the slice would retain everything taken.
            state.unsettled = Batch(write: batch.write, links: Array(batch.links)[...], free: batch.free)
            state.underway = batch.links.count
            for (id, count) in links {
                state.add(count, of: id, pendingLimit)
                if let count = free[id] { state.free[id, default: 0] += count }
            }
        }
    }
}

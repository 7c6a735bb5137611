import Synchronization
import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

/// Clicks by second and link, on all servers of a database, for callers that watch them. Without one, nothing is counted, and
/// servers pass nothing on to each other.
package final class LiveClicks: Sendable {
    /// The clicks of one second, and those of other servers that arrived during it.
    package struct Second: Sendable {
        package struct Link: Sendable {
            package var application: ApplicationID
            package var domain: HostName
            package var slug: Slug
            package var count: ClickCount
        }

        /// Its end.
        package var end: Timestamp
        /// The most clicks of people first.
        package var links: [Link]
    }

    /// Every second from the call of `watch` on, with or without clicks.
    package struct Watch: Sendable {
        package let seconds: AsyncStream<Second>
        fileprivate let continuation: AsyncStream<Second>.Continuation

        /// Ends the stream.
        package func cancel() { continuation.finish() }
    }

    private struct Watcher {
        let continuation: AsyncStream<Second>.Continuation
        let key: String
        let reach: ApplicationReach
    }

    private struct Address {
        var link: Second.Link
        /// The second in which it was read.
        var readIn: Int
    }

    private struct State {
        var watchers: [Int: Watcher] = [:]
        var lastWatcher = 0
        var timer: RepeatingTimer?
        var isStopped = false
        /// Seconds that have ended.
        var second = 0
        /// Of links that had clicks lately.
        var addresses: [LinkID: Address] = [:]
        /// What other servers watch, and the last second in which they do.
        var elsewhere: [LiveClicksMessage.Subject: Int] = [:]
        /// The clicks that other servers counted since the last second.
        var received: [LinkID: ClickCount] = [:]
        /// Whether messages are on their way.
        var isSending = false
    }

    /// Watchers of a server at a time.
    package static let watcherLimit = 32
    /// Those of one key.
    package static let keyLimit = 4
    /// Links of a second and a watcher; those with the most clicks are kept.
    package static let linkLimit = 500
    /// Addresses that are kept between seconds, and links of other servers in a second.
    private static let addressLimit = 100_000
    /// Links that are looked up in a second. Of more, any, so that an application with many links hides no other's for long.
    private static let lookupLimit = 1_000
    /// Lookups at the same time.
    private static let lookups = 32
    /// Seconds after which an address is read again: the link may have been renamed.
    private static let addressAge = 60
    /// Seconds between two messages about what this server watches, and those for which one holds.
    private static let watchInterval = 3
    private static let watchDuration = 10
    /// Applications that other servers may watch at the same time.
    private static let elsewhereLimit = 64
    /// Seconds that a slow watcher may be behind before it misses some.
    private static let secondsAhead = 10

    private let clicks: ClickCounter
    private let store: any LinkStore
    private let interval: Duration?
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())

    init(
        clicks: ClickCounter, store: any LinkStore, interval: Duration?, now: @escaping @Sendable () -> Timestamp
    ) {
        self.clicks = clicks
        self.store = store
        self.interval = interval
        self.now = now
    }

    /// Nil if there are too many watchers. Ends with `stop`, or without a reference to it.
    ///
    /// - Parameter reach: the applications whose clicks are watched.
    package func watch(_ reach: ApplicationReach, for key: KeyIdentity) -> Watch? {
        let (seconds, continuation) = AsyncStream.makeStream(
            of: Second.self, bufferingPolicy: .bufferingNewest(Self.secondsAhead))
        let number: Int? = state.withLock { state in
            guard !state.isStopped, state.watchers.count < Self.watcherLimit,
                state.watchers.values.count(where: { $0.key == key.id }) < Self.keyLimit
            else { return nil }
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = Watcher(
                continuation: continuation, key: key.id, reach: reach)
            begin(&state)
            return state.lastWatcher
        }
        guard let number else { return nil }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        send(watchMessages)
        return Watch(seconds: seconds, continuation: continuation)
    }

    private func begin(_ state: inout State) {
        guard state.timer == nil else { return }
        clicks.watch(true)
        state.timer = interval.map { RepeatingTimer(every: $0) { [weak self] in await self?.endSecond() } }
    }

    private func remove(_ number: Int) {
        state.withLock { state in
            state.watchers[number] = nil
            return endIfUnwatched(&state)
        }?.cancel()
    }

    private func endIfUnwatched(_ state: inout State) -> RepeatingTimer? {
        guard state.watchers.isEmpty, state.elsewhere.isEmpty else { return nil }
        clicks.watch(false)
        state.addresses = [:]
        state.received = [:]
        return state.timer.take()
    }

    /// Ends all streams.
    func stop() {
        let (watchers, timer) = state.withLock { state in
            state.isStopped = true
            return (Array(state.watchers.values), state.timer.take())
        }
        timer?.cancel()
        for watcher in watchers { watcher.continuation.finish() }
    }

    /// Takes a message of another server.
    package func receive(_ text: String) {
        switch LiveClicksMessage(text) {
        case .watch(let subjects):
            state.withLock { state in
                guard !state.isStopped else { return }
                for subject in subjects
                where state.elsewhere[subject] != nil || state.elsewhere.count < Self.elsewhereLimit {
                    state.elsewhere[subject] = state.second + Self.watchDuration
                }
                begin(&state)
            }
        case .counts(let counts):
            state.withLock { state in
                guard !state.watchers.isEmpty else { return }
                for (id, count) in counts where state.received[id] != nil || state.received.count < Self.addressLimit {
                    state.received[id, default: ClickCount()] += count
                }
            }
        case nil: break
        }
    }

    /// Passes the clicks since the last call on to all watchers, also those of other servers.
    package func endSecond() async {
        let own = clicks.takeWatched()
        let (second, received) = state.withLock { state in
            state.second += 1
            state.elsewhere = state.elsewhere.filter { $0.value >= state.second }
            defer { state.received = [:] }
            return (state.second, state.received)
        }
        let all = own.merging(received) { own, other in
            var sum = own
            sum += other
            return sum
        }
        let links = await addresses(of: all, in: second)
        let (watchers, elsewhere, timer) = state.withLock { state in
            (Array(state.watchers.values), Array(state.elsewhere.keys), endIfUnwatched(&state))
        }
        timer?.cancel()
        var messages = second % Self.watchInterval == 1 ? watchMessages : []
        if !elsewhere.isEmpty { messages += countMessages(own, links, for: elsewhere) }
        send(messages)
        let sorted = Self.sorted(all)
        for (reach, watchers) in Dictionary(grouping: watchers, by: \.reach) {
            let shown = Self.busiest(sorted, links, of: reach).map { id, count in
                var link = links[id]!
                link.count = count
                return link
            }
            for watcher in watchers { watcher.continuation.yield(Second(end: now(), links: shown)) }
        }
    }

    private static func sorted(_ counts: [LinkID: ClickCount]) -> [(id: LinkID, count: ClickCount)] {
        counts.map { ($0, $1) }.sorted {
            ($1.count.people, $1.count.bots, $0.id.rawValue) < ($0.count.people, $0.count.bots, $1.id.rawValue)
        }
    }

    /// Those of some applications whose address is known, with the most clicks.
    private static func busiest(
        _ counts: [(id: LinkID, count: ClickCount)], _ links: [LinkID: Second.Link], of reach: ApplicationReach
    ) -> [(id: LinkID, count: ClickCount)] {
        var found: [(id: LinkID, count: ClickCount)] = []
        for entry in counts {
            guard let link = links[entry.id], reach.contains(link.application) else { continue }
            found.append(entry)
            if found.count == linkLimit { break }
        }
        return found
    }

    // MARK: Other servers

    /// Empty if nobody watches here.
    private var watchMessages: [String] {
        let subjects = state.withLock {
            Set($0.watchers.values.flatMap { LiveClicksMessage.Subject.all(in: $0.reach) })
        }
        return subjects.isEmpty ? [] : [LiveClicksMessage.watch(subjects.prefix(Self.elsewhereLimit))]
    }

    private func countMessages(
        _ own: [LinkID: ClickCount], _ links: [LinkID: Second.Link], for subjects: [LiveClicksMessage.Subject]
    ) -> [String] {
        let sorted = Self.sorted(own)
        var chosen: [LinkID: ClickCount] = [:]
        for subject in subjects {
            for (id, count) in Self.busiest(sorted, links, of: subject.reach) { chosen[id] = count }
        }
        return LiveClicksMessage.counts(chosen)
    }

    /// Leaves messages out while the last ones are on their way: they are worth nothing later.
    private func send(_ messages: [String]) {
        guard !messages.isEmpty, store.isShared else { return }
        let isFree = state.withLock { state in
            defer { state.isSending = true }
            return !state.isSending
        }
        guard isFree else { return }
        Task(priority: .utility) {
            for message in messages { try? await store.send(message) }
            state.withLock { $0.isSending = false }
        }
    }

    // MARK: Addresses

    /// Without links that do not exist, and those that can't be looked up in this second.
    private func addresses(of counts: [LinkID: ClickCount], in second: Int) async -> [LinkID: Second.Link] {
        var (found, unknown, old) = state.withLock { state in
            var found: [LinkID: Second.Link] = [:]
            var (unknown, old): ([LinkID], [LinkID]) = ([], [])
            for id in counts.keys {
                guard let known = state.addresses[id] else {
                    unknown.append(id)
                    continue
                }
                found[id] = known.link
                if second - known.readIn >= Self.addressAge { old.append(id) }
            }
            return (found, unknown, old)
        }
        if unknown.count > Self.lookupLimit { unknown.shuffle() }
        let due = (unknown + old).prefix(Self.lookupLimit)
        let read = await withTaskGroup(of: (LinkID, Second.Link?)?.self) { [store] group in
            var rest = due
            var read: [(LinkID, Second.Link?)] = []
            func addNext() {
                guard let id = rest.popFirst() else { return }
                group.addTask {
                    do throws(StoreError) {
                        return (id, Second.Link(try await store.link(id)))
                    } catch {
                        return nil
                    }
                }
            }
            for _ in 0..<Self.lookups { addNext() }
            for await result in group {
                if let result { read.append(result) }
                addNext()
            }
            return read
        }
        for (id, link) in read { found[id] = link }
        state.withLock { state in
            if state.addresses.count + read.count > Self.addressLimit { state.addresses = [:] }
            for (id, link) in read { state.addresses[id] = link.map { Address(link: $0, readIn: second) } }
        }
        return found
    }
}

extension LiveClicks.Second.Link {
    fileprivate init?(_ link: Link?) {
        guard let link else { return nil }
        self.init(application: link.application, domain: link.domain, slug: link.slug, count: ClickCount())
    }
}

import Synchronization
import WaymarkBytes
import WaymarkClicks
package import WaymarkLinks
package import WaymarkStores

/// Clicks by second and link, for callers that watch them. Without one, nothing is counted.
package final class LiveClicks: Sendable {
    /// The clicks of one second.
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

    private struct State {
        var watchers: [Int: AsyncStream<Second>.Continuation] = [:]
        var lastWatcher = 0
        var timer: RepeatingTimer?
        var isStopped = false
        /// Addresses of links that had clicks lately.
        var links: [LinkID: Second.Link] = [:]
    }

    /// Watchers of a server at a time.
    package static let watcherLimit = 32
    /// Links of a second; those with the most clicks are kept.
    package static let linkLimit = 500
    /// Addresses that are kept between seconds; renames are noticed once there are more.
    private static let addressLimit = 5_000
    /// Seconds that a slow watcher may be behind before it misses some.
    private static let secondsAhead = 10

    private let clicks: ClickCounter
    private let store: any LinkStore
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())

    init(clicks: ClickCounter, store: any LinkStore, now: @escaping @Sendable () -> Timestamp) {
        self.clicks = clicks
        self.store = store
        self.now = now
    }

    /// Nil if there are too many watchers. Ends with `stop`, or without a reference to it.
    package func watch() -> Watch? {
        let (seconds, continuation) = AsyncStream.makeStream(
            of: Second.self, bufferingPolicy: .bufferingNewest(Self.secondsAhead))
        let number: Int? = state.withLock { state in
            guard !state.isStopped, state.watchers.count < Self.watcherLimit else { return nil }
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = continuation
            if state.timer == nil {
                clicks.watch(true)
                state.timer = RepeatingTimer(every: .seconds(1)) { [weak self] in await self?.endSecond() }
            }
            return state.lastWatcher
        }
        guard let number else { return nil }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        return Watch(seconds: seconds, continuation: continuation)
    }

    private func remove(_ number: Int) {
        let timer = state.withLock { state -> RepeatingTimer? in
            state.watchers[number] = nil
            guard state.watchers.isEmpty else { return nil }
            clicks.watch(false)
            state.links = [:]
            return state.timer.take()
        }
        timer?.cancel()
    }

    /// Ends all streams.
    func stop() {
        let watchers = state.withLock { state in
            state.isStopped = true
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher.finish() }
    }

    /// Passes the clicks since the last call on to all watchers.
    package func endSecond() async {
        let counts = clicks.takeWatched().sorted {
            ($1.value.people, $1.value.bots, $0.key.rawValue) < ($0.value.people, $0.value.bots, $1.key.rawValue)
        }
        var second = Second(end: now(), links: [])
        for (id, count) in counts.prefix(Self.linkLimit) {
            guard var link = await address(of: id) else { continue }
            link.count = count
            second.links.append(link)
        }
        let watchers = state.withLock { Array($0.watchers.values) }
        for watcher in watchers { watcher.yield(second) }
    }

    /// Nil for a link that does not exist, or while the store is unavailable.
    private func address(of id: LinkID) async -> Second.Link? {
        if let known = state.withLock({ $0.links[id] }) { return known }
        guard let link = try? await store.link(id) else { return nil }
        let found = Second.Link(
            application: link.application, domain: link.domain, slug: link.slug, count: ClickCount())
        state.withLock { state in
            if state.links.count >= Self.addressLimit { state.links = [:] }
            state.links[id] = found
        }
        return found
    }
}

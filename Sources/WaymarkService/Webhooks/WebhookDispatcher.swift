package import Logging
import Synchronization
package import WaymarkClient
package import WaymarkLinks
package import WaymarkStores

/// Turns the events of the outbox into messages, and sends them. Each server runs one; the one that holds the
/// database's lock does the work.
package final class WebhookDispatcher: Sendable {
    /// In milliseconds. A committed event is on its way after `interval` at the latest.
    private static let interval: Int64 = 200
    /// While there is no endpoint.
    private static let idleInterval: Int64 = 2_000
    /// Events that become messages in a turn.
    private static let batch = 500
    private static let purgeBatch = 2_000
    /// How long messages and their deliveries are kept, in milliseconds: 30 days.
    package static let retention: Int64 = 30 * 24 * 60 * 60 * 1_000
    private static let purgeInterval: Int64 = 60_000
    private static let secondInterval: Int64 = 1_000
    private static let countInterval: Int64 = 10_000
    private static let arrangementInterval: Int64 = 600_000
    /// Deliveries in a transaction, and in a turn, so that others are not kept waiting.
    private static let arrangementPage = 200
    private static let dropPage = 1_000
    private static let excessLimit = 100_000

    /// What the dispatcher needs of the server.
    package struct Environment: Sendable {
        package var client: any HTTPSending
        /// The JSON of an event's message.
        package var body: @Sendable (OutboxEvent) -> [UInt8]
        /// Writes clicks that have not been recorded yet, if an endpoint subscribes to them.
        package var flushClicks: @Sendable () async -> Void
        package var sha256: @Sendable ([UInt8]) -> [UInt8]
        package var now: @Sendable () -> Timestamp
        /// The time up to which things are deleted because of their age; nil if nothing is. Default: `now`.
        package var deletionTime: @Sendable () -> Timestamp?
        /// Messages that wait for an endpoint; of more, the oldest `link.clicked` are dropped.
        package var backlog = 1_000_000
        /// Requests beyond the first of each lane of an endpoint.
        package var furtherRequests = 128
        /// Those that secrets of endpoints are sealed with.
        package var metadataKeys: MetadataKeyRing

        package init(
            client: any HTTPSending, body: @escaping @Sendable (OutboxEvent) -> [UInt8],
            flushClicks: @escaping @Sendable () async -> Void, sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
            now: @escaping @Sendable () -> Timestamp, metadataKeys: MetadataKeyRing
        ) {
            self.client = client
            self.body = body
            self.flushClicks = flushClicks
            self.sha256 = sha256
            self.now = now
            deletionTime = now
            self.metadataKeys = metadataKeys
        }
    }

    package let metrics = WebhookMetrics()
    private let store: any WebhookStore
    private let environment: Environment
    private let logger: Logger
    private let context: EndpointSender.Context
    /// Part of message ids.
    private let number = UInt64.random(in: .min ... .max)
    private let state = Mutex(State())
    private let bell = WakeBell()

    private struct State {
        var senders: [String: EndpointSender] = [:]
        var task: Task<Void, Never>?
        var isFailing = false
        var hasAddedTypes = false
        var unreadable: Set<String> = []
        var lastSecond: Int64 = 0
        var lastPurge: Int64 = 0
        var lastCount: Int64 = 0
        var lastArrangement: Int64 = 0
        /// How far the deliveries of endpoints are arranged; those that are not here are.
        var arranged: [String: DeliveryPlace] = [:]
        /// How many deliveries beyond the backlog endpoints had at the last count, less those that were dropped.
        var excess: [String: Int] = [:]
        /// Endpoints of which clicks were dropped after the last count.
        var overfull: Set<String> = []
    }

    package init(store: any WebhookStore, environment: Environment, logger: Logger) {
        self.store = store
        self.environment = environment
        self.logger = logger
        context = EndpointSender.Context(
            store: store, client: environment.client, signature: WebhookSignature(sha256: environment.sha256),
            metrics: metrics, now: environment.now,
            metadataKeys: environment.metadataKeys, limit: RequestLimit(environment.furtherRequests))
    }

    package func start() {
        let task = Task(priority: .utility) { [self] in
            while !Task.isCancelled {
                let start = ContinuousClock.now
                let pause = await turn()
                let rest = Duration.milliseconds(pause) - (ContinuousClock.now - start)
                await bell.wait(milliseconds: max(1, Int64(rest / .milliseconds(1))))
            }
        }
        state.withLock { $0.task = task }
    }

    /// Ends the loop. Attempts that are under way are waited for at most two seconds: the others are repeated after the
    /// next start.
    package func stop() async {
        let (task, senders) = state.withLock { ($0.task.take(), Array($0.senders.values)) }
        task?.cancel()
        for sender in senders { sender.stop() }
        bell.ring()
        await task?.value
        // The last turn may have started further ones.
        for sender in state.withLock({ Array($0.senders.values) }) { sender.stop() }
        let end = ContinuousClock.now + .seconds(2)
        while isSending, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(10)) }
    }

    /// Ends the pause of an endpoint that has changed, and takes the next turn soon.
    package func resume(_ id: String) {
        state.withLock { $0.senders[id] }?.resume()
        bell.ring()
    }

    /// Whether deliveries are under way.
    var isSending: Bool { state.withLock { $0.senders.values.contains { $0.isRunning } } }

    /// - Returns: Milliseconds until the next turn.
    func turn() async -> Int64 {
        do throws(StoreError) {
            let webhooks = try await store.endpoints()
            reportUnreadable(webhooks)
            guard !webhooks.isEmpty else {
                state.withLock { $0.senders = [:] }
                metrics.noteNothingWaits()
                if try await store.holdsDispatch() {
                    // Events for endpoints that are gone.
                    while !Task.isCancelled, try await distribute() != nil {}
                    try await purge()
                }
                settle()
                return Self.idleInterval
            }
            if !state.withLock({ $0.hasAddedTypes }) {
                try await store.addNewTypesToEndpoints()
                state.withLock { $0.hasAddedTypes = true }
            }
            let isSecond = isDue(\.lastSecond, every: Self.secondInterval)
            if isSecond, webhooks.contains(where: { $0.activeTypes.contains(.linkClicked) }) {
                await environment.flushClicks()
            }
            if try await store.holdsDispatch() {
                // The rest in the next second.
                if isSecond { _ = try await store.reportExpiredLinks(at: environment.now(), limit: Self.batch) }
                try await send(news: distribute() ?? [])
                try await purge()
                let isCounting = isDue(\.lastCount, every: Self.countInterval)
                if isCounting { try await countExcess(webhooks) }
                try await dropClicks()
                if isCounting {
                    let waiting = try await store.waitingDeliveries(limit: WebhookMetrics.waitingLimit)
                    metrics.waiting.store(waiting, ordering: .relaxed)
                    metrics.oldestDue.store(try await oldestDue()?.rawValue ?? 0, ordering: .relaxed)
                }
                try await arrange(webhooks)
            } else {
                metrics.noteNothingWaits()
                // As soon as this server is the dispatcher.
                state.withLock { $0.lastArrangement = 0 }
            }
            settle()
        } catch {
            raise(error)
        }
        return Self.interval
    }

    /// Nil if everything that is due was sent.
    private func oldestDue() async throws(StoreError) -> Timestamp? {
        let event = try await store.outbox(limit: 1).first?.event.at
        return try await [event, store.firstDue()].compactMap(\.self).filter { $0 < environment.now() }.min()
    }

    /// Makes messages of the first events in the outbox. The others wait there: distributing more than can be sent only
    /// adds writes, for which changes have to wait.
    ///
    /// - Returns: The ids of the endpoints that have new messages; nil if there were no events.
    private func distribute() async throws(StoreError) -> Set<String>? {
        let events = try await store.outbox(limit: Self.batch)
        guard !events.isEmpty else { return nil }
        // Read afterwards: these are all that the events were written for.
        let webhooks = try await store.endpoints()
        let messages = events.map { number, event in
            OutgoingMessage(
                number: number, id: OutgoingMessage.id(number, dispatcher: self.number), type: event.type,
                at: event.at, orderKey: event.orderKey(number), body: environment.body(event),
                webhooks: webhooks.filter { $0.receives(event) }.map(\.id))
        }
        try await store.distribute(messages, at: environment.now())
        return Set(messages.flatMap(\.webhooks))
    }

    private func send(news: Set<String>) async throws(StoreError) {
        let due = Set(try await store.dueEndpoints(at: environment.now()))
        guard !due.isEmpty else { return }
        for webhook in try await store.endpoints() where due.contains(webhook.id) && webhook.unreadable == nil {
            let sender = state.withLock { state in
                if let known = state.senders[webhook.id] { return known }
                let sender = EndpointSender(id: webhook.id, context: context)
                state.senders[webhook.id] = sender
                return sender
            }
            sender.start(webhook, hasNews: news.contains(webhook.id)) { [weak self] hasSent, error in
                if let error { self?.raise(error) }
                // Else what is due waits for an earlier message: it would ring again at once.
                if hasSent { self?.bell.ring() }
            }
        }
    }

    /// Repairs the order of what waits, a page of each endpoint at a time: servers of earlier versions may have written
    /// of it, or been the dispatcher.
    private func arrange(_ webhooks: [Webhook]) async throws(StoreError) {
        var failure: StoreError?
        if isDue(\.lastArrangement, every: Self.arrangementInterval) {
            state.withLock { $0.arranged = .init(uniqueKeysWithValues: webhooks.map { ($0.id, .first) }) }
        }
        for (id, place) in state.withLock({ $0.arranged }) where !Task.isCancelled {
            do throws(StoreError) {
                let next = try await store.arrangeDeliveries(to: id, after: place, limit: Self.arrangementPage)
                state.withLock { $0.arranged[id] = next }
            } catch {
                // This page again in the next turn, but the other endpoints now.
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private func countExcess(_ webhooks: [Webhook]) async throws(StoreError) {
        var excess: [String: Int] = [:]
        for webhook in webhooks where !Task.isCancelled {
            let count = try await store.excessDeliveries(
                to: webhook.id, beyond: environment.backlog, limit: Self.excessLimit)
            if count > 0 { excess[webhook.id] = count }
        }
        state.withLock { state in
            state.excess = excess
            state.overfull.formIntersection(excess.keys)
        }
    }

    /// A page of each endpoint at a time; the others in the next turns.
    private func dropClicks() async throws(StoreError) {
        for (id, excess) in state.withLock({ $0.excess }) where !Task.isCancelled {
            let page = min(excess, Self.dropPage)
            let count = try await store.dropClicks(to: id, count: page)
            metrics.dropped.add(count, ordering: .relaxed)
            let isNew = state.withLock { state in
                // Fewer: all that is left are changes.
                state.excess[id] = count < page || count == excess ? nil : excess - count
                return count > 0 && state.overfull.insert(id).inserted
            }
            guard isNew else { continue }
            logger.warning(
                "over \(environment.backlog) messages wait for the webhook \(id): its oldest link.clicked are dropped"
            )
        }
    }

    private func purge() async throws(StoreError) {
        guard isDue(\.lastPurge, every: Self.purgeInterval) else { return }
        guard let time = environment.deletionTime() else { return }
        let end = time.advanced(byMilliseconds: -Self.retention)
        while !Task.isCancelled, try await store.purgeDeliveries(before: end, limit: Self.purgeBatch) {}
    }

    private func isDue(_ last: WritableKeyPath<State, Int64>, every interval: Int64) -> Bool {
        let now = environment.now().rawValue
        return state.withLock { state in
            // The clock may have been set back.
            guard abs(now - state[keyPath: last]) >= interval else { return false }
            state[keyPath: last] = now
            return true
        }
    }

    /// Logs each endpoint once. Its messages wait until it can be read, or is deleted.
    private func reportUnreadable(_ webhooks: [Webhook]) {
        let unreadable = Set(webhooks.lazy.filter { $0.unreadable != nil }.map(\.id))
        let new = state.withLock { state in
            defer { state.unreadable = unreadable }
            return unreadable.subtracting(state.unreadable)
        }
        for id in new.sorted() {
            logger.error(
                "the webhook \(id) can't be read: it is damaged, or of a later version; delete it, or upgrade this server"
            )
        }
    }

    private func raise(_ error: StoreError) {
        let isNew = state.withLock { state in
            defer { state.isFailing = true }
            return !state.isFailing
        }
        if isNew { logger.warning("webhooks wait for the store: \(error)") }
    }

    private func settle() {
        let wasFailing = state.withLock { state in
            defer { state.isFailing = false }
            return state.isFailing
        }
        if wasFailing { logger.notice("webhooks are sent again") }
    }
}

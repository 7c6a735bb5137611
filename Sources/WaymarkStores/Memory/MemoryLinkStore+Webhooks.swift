package import WaymarkLinks

extension MemoryLinkStore: WebhookStore {
    package var webhooks: any WebhookStore { self }

    package func endpoints() async throws(StoreError) -> [Webhook] { try withState { $0.webhooks } }

    package func endpoint(_ id: String) async throws(StoreError) -> Webhook? {
        try withState { state in state.webhooks.first { $0.id == id } }
    }

    package func insert(
        _ webhook: Webhook, limit: Int, applicationLimit: Int
    ) async throws(StoreError) -> Bool {
        try withState { state in
            if let id = webhook.application {
                guard state.applications[id] != nil,
                    state.webhooks.count(where: { $0.application == id }) < applicationLimit
                else { return false }
            }
            guard state.webhooks.count < limit else { return false }
            state.webhooks.append(webhook)
            if webhook.activeTypes.contains(.linkExpired) {
                state.expiryReport = state.expiryReport ?? webhook.createdAt
            }
            return true
        }
    }

    package func updateWebhook(
        _ id: String, event: OutboxEvent?, _ change: @escaping @Sendable (inout Webhook) -> Bool
    ) async throws(StoreError) -> Webhook? {
        try withState { state in
            guard let index = state.webhooks.firstIndex(where: { $0.id == id }) else { return nil }
            guard change(&state.webhooks[index]) else { return nil }
            if let event { state.publish(event) }
            return state.webhooks[index]
        }
    }

    package func deleteWebhook(_ id: String) async throws(StoreError) -> Bool {
        try withState { state in
            state.deliveries[id] = nil
            let count = state.webhooks.count
            state.webhooks.removeAll { $0.id == id }
            return state.webhooks.count < count
        }
    }

    package func holdsDispatch() async throws(StoreError) -> Bool { true }

    package func publish(_ events: [OutboxEvent]) async throws(StoreError) {
        try withState { state in for event in events { state.publish(event) } }
    }

    package func outbox(limit: Int) async throws(StoreError) -> [(number: Int64, event: OutboxEvent)] {
        try withState { Array($0.outbox.prefix(limit)) }
    }

    package func distribute(_ messages: [OutgoingMessage], at now: Timestamp) async throws(StoreError) {
        try withState { state in
            for message in messages {
                guard let index = state.outbox.firstIndex(where: { $0.number == message.number }) else { continue }
                state.outbox.remove(at: index)
                state.insert(message, at: now)
            }
        }
    }

    package func send(
        _ message: OutgoingMessage, to webhook: String, at now: Timestamp
    ) async throws(StoreError) -> String? {
        try withState { state in
            guard state.webhooks.contains(where: { $0.id == webhook }) else { return nil }
            state.lastEvent += 1
            var message = message
            message.number = state.lastEvent
            message.id += "_\(message.number)"
            message.webhooks = [webhook]
            state.insert(message, at: now)
            return message.id
        }
    }

    package func reportExpiredLinks(at now: Timestamp, limit: Int) async throws(StoreError) -> Bool {
        try withState { state in
            guard state.webhooks.contains(where: { $0.activeTypes.contains(.linkExpired) }) else {
                state.expiryReport = nil
                return false
            }
            defer { state.expiryReport = max(state.expiryReport ?? now, now) }
            guard let last = state.expiryReport else { return false }
            let expired = state.links.values.compactMap { link in
                link.content.expiresAt.flatMap { $0 > last && $0 <= now ? (end: $0, link: link) : nil }
            }
            for (end, link) in expired.sorted(by: { $0.end < $1.end }) { state.report(.linkExpired, link, at: end, []) }
            return false
        }
    }

    package func dueEndpoints(at now: Timestamp) async throws(StoreError) -> [String] {
        try withState { state in
            state.webhooks.filter { webhook in
                webhook.disabled == nil
                    && (state.deliveries[webhook.id] ?? [:]).values.contains { delivery in
                        delivery.state == .waiting && delivery.nextAttempt.map { $0 <= now } ?? false
                    }
            }
            .map(\.id)
        }
    }

    package func dueDeliveries(
        to webhook: String, at now: Timestamp, limit: Int
    ) async throws(StoreError) -> [DueDelivery] {
        try withState { state in
            (state.deliveries[webhook] ?? [:]).values
                .filter { delivery in delivery.state == .waiting && delivery.nextAttempt.map { $0 <= now } ?? false }
                .sorted { ($0.nextAttempt ?? now, $0.number) < ($1.nextAttempt ?? now, $1.number) }
                .prefix(limit)
                .map {
                    DueDelivery(
                        number: $0.number, messageID: $0.messageID, body: state.messages[$0.number] ?? [],
                        attempts: $0.attempts, round: state.rounds[webhook]?[$0.number] ?? 0)
                }
        }
    }

    package func record(
        _ results: [DeliveryResult], of webhook: String, failingSince: Timestamp?
    ) async throws(StoreError) {
        try withState { state in
            for result in results {
                state.deliveries[webhook]?[result.number]?.state = result.state
                state.deliveries[webhook]?[result.number]?.nextAttempt = result.nextAttempt
                state.deliveries[webhook]?[result.number]?.attempts = result.attempts
                state.rounds[webhook, default: [:]][result.number] = result.round
            }
            guard let index = state.webhooks.firstIndex(where: { $0.id == webhook }) else { return }
            state.webhooks[index].failingSince = failingSince
        }
    }

    package func deliveries(
        to webhook: String, before number: Int64?, state: WebhookDelivery.State?, limit: Int
    ) async throws(StoreError) -> [WebhookDelivery] {
        try withState { memory in
            (memory.deliveries[webhook] ?? [:]).values
                .filter { ($0.number < number ?? .max) && (state == nil || $0.state == state) }
                .sorted { $0.number > $1.number }.prefix(limit).map { $0 }
        }
    }

    package func replay(
        to webhook: String, messages: [String], at now: Timestamp
    ) async throws(StoreError) -> Int {
        try withState { state in
            let numbers = (state.deliveries[webhook] ?? [:]).values.filter { messages.contains($0.messageID) }.map(
                \.number)
            state.replay(numbers, to: webhook, at: now)
            return numbers.count
        }
    }

    package func replay(
        to webhook: String, since start: Timestamp, after number: Int64?, limit: Int, at now: Timestamp
    ) async throws(StoreError) -> (count: Int, last: Int64?) {
        try withState { state in
            let numbers = (state.deliveries[webhook] ?? [:]).values
                .filter { $0.at >= start && $0.number > number ?? .min }.map(\.number).sorted().prefix(limit)
            state.replay(Array(numbers), to: webhook, at: now)
            return (numbers.count, numbers.count == limit ? numbers.last : nil)
        }
    }

    package func purgeDeliveries(before end: Timestamp, limit: Int) async throws(StoreError) -> Bool {
        try withState { state in
            var old: Set<Int64> = []
            for (webhook, deliveries) in state.deliveries {
                for delivery in deliveries.values where delivery.at < end {
                    state.deliveries[webhook]?[delivery.number] = nil
                    old.insert(delivery.number)
                }
            }
            for number in old { state.messages[number] = nil }
            return false
        }
    }

    package func waitingDeliveries(limit: Int) async throws(StoreError) -> Int {
        try withState { state in
            let waiting = state.deliveries.values.reduce(0) { $0 + $1.values.count { $0.state == .waiting } }
            return state.outbox.count + waiting
        }
    }

    package func firstDue() async throws(StoreError) -> Timestamp? {
        try withState { state in
            state.webhooks.filter { $0.disabled == nil }.flatMap { webhook in
                (state.deliveries[webhook.id] ?? [:]).values.filter { $0.state == .waiting }.compactMap(\.nextAttempt)
            }.min()
        }
    }
}

extension MemoryLinkState {
    mutating func report(
        _ type: EventType, _ link: Link, at now: Timestamp, _ attributes: @autoclosure () -> [OutboxEvent.Attribute]
    ) {
        publish(OutboxEvent(type, link, at: now, attributes()))
    }

    mutating func publish(_ event: OutboxEvent) {
        guard webhooks.contains(where: { $0.receives(event) }) else { return }
        lastEvent += 1
        outbox.append((lastEvent, event))
    }

    fileprivate mutating func replay(_ numbers: [Int64], to webhook: String, at now: Timestamp) {
        for number in numbers {
            deliveries[webhook]?[number]?.state = .waiting
            deliveries[webhook]?[number]?.nextAttempt = now
            rounds[webhook]?[number] = 0
        }
    }

    fileprivate mutating func insert(_ message: OutgoingMessage, at now: Timestamp) {
        messages[message.number] = message.body
        for webhook in message.webhooks where webhooks.contains(where: { $0.id == webhook }) {
            deliveries[webhook, default: [:]][message.number] = WebhookDelivery(
                number: message.number, messageID: message.id, type: message.type, at: message.at, state: .waiting,
                nextAttempt: now, attempts: [])
        }
    }
}

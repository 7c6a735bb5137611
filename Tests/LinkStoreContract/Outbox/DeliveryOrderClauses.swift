import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let deliveryOrder = [
        LinkStoreContract("gives the first delivery of each link until it is over") { store in
            let id = try await store.distributed([
                (1, .linkCreated), (1, .linkUpdated), (2, .linkCreated), (0, .keyCreated),
            ])
            try expect(try await store.due(id), is: [1, 3, 4])
            try expect(try await store.due(id), is: [1, 3, 4])
            try expect(try await store.waitingTimes(of: id), is: [Sample.now, Sample.now, nil, Sample.now])
            // A failure that is repeated holds its link, one that is given up does not.
            try await store.end(1, of: id, as: .waiting)
            try await store.end(3, of: id, as: .failed)
            try expect(try await store.due(id), is: [4])
            try expect(try await store.due(id, at: Sample.after(60)), is: [4, 1])
            try await store.end(1, of: id)
            try expect(try await store.due(id), is: [2, 4])
            try await store.end(2, of: id)
            try await store.end(4, of: id)
            try expect(try await store.webhooks.dueEndpoints(at: Sample.after(99)), is: [])
        },
        LinkStoreContract("finds other links behind those that wait") { store in
            let busy = (1...300).map { _ in (link: Int64(1), type: EventType.linkUpdated) }
            let id = try await store.distributed(busy + [(2, .linkCreated), (3, .linkCreated)])
            try expect(try await store.due(id, limit: 3), is: [1, 301, 302])
            try await store.end(1, of: id, as: .waiting)
            try expect(try await store.due(id, limit: 3), is: [301, 302])
            for number in [301, 302] as [Int64] { try await store.end(number, of: id) }
            // Nothing is due, though 299 deliveries wait.
            try expect(try await store.webhooks.dueEndpoints(at: Sample.after(59)), is: [])
            try expect(try await store.webhooks.firstDue(), is: Sample.after(60))
        },
        LinkStoreContract("keeps clicks in a lane of their own, without an order") { store in
            let id = try await store.distributed([
                (0, .linkClicked), (0, .keyCreated), (0, .linkClicked), (0, .keyRevoked),
            ])
            try expect(try await store.due(id), is: [2])
            try expect(try await store.due(id, in: .clicks), is: [1, 3])
            try await store.end(1, of: id, as: .waiting)
            try expect(try await store.due(id, in: .clicks), is: [3])
            try await store.end(3, of: id)
            let sent = try await store.webhooks.deliveries(to: id, before: nil, state: .delivered, limit: 9)
            try expect(
                try await store.webhooks.replay(to: id, messages: sent.map(\.messageID), at: Sample.after(2)), is: 1)
            try expect(try await store.due(id, in: .clicks, at: Sample.after(2)), is: [3])
        },
        LinkStoreContract("keeps the order of messages that are sent again") { store in
            let id = try await store.distributed([
                (1, .linkCreated), (1, .linkUpdated), (1, .linkUpdated), (2, .linkCreated),
            ])
            for number in [1, 2, 4] as [Int64] { try await store.end(number, of: id) }
            try expect(try await store.due(id), is: [3])
            let all = try await store.webhooks.deliveries(to: id, before: nil, state: nil, limit: 9)
            _ = try await store.webhooks.replay(to: id, messages: [all[3].messageID], at: Sample.now)
            try expect(try await store.due(id), is: [1])
            try await store.end(1, of: id)
            try expect(try await store.due(id), is: [3])
            _ = try await store.webhooks.replay(to: id, since: Sample.now, after: nil, limit: 9, at: Sample.now)
            try expect(try await store.due(id), is: [1, 4])
            for number in [1, 2, 3] as [Int64] {
                try expect(try await store.due(id), is: [number, 4])
                try await store.end(number, of: id)
            }
            try expect(try await store.due(id), is: [4])
        },
        LinkStoreContract("leaves the state of an endpoint with another URL") { store in
            let id = try await store.distributed([(1, .linkCreated)])
            let due = try await store.webhooks.dueDeliveries(to: id, in: .changes, at: Sample.now, limit: 1)
            let result = DeliveryResult(
                number: due[0].number, orderKey: due[0].orderKey, state: .delivered, nextAttempt: nil, attempts: [],
                round: 1)
            try await store.webhooks.record([result], of: id, at: "https://old.example.com/", failingSince: Sample.now)
            try expect(try await store.webhooks.endpoint(id)?.failingSince, is: nil)
            try expect(try await store.due(id), is: [])
        },
        LinkStoreContract("keeps what others stored of a delivery during an attempt") { store in
            let webhooks = store.webhooks
            let id = try await store.distributed([(1, .linkCreated), (1, .linkUpdated), (1, .linkDeleted)])
            let first = try await webhooks.dueDeliveries(to: id, in: .changes, at: Sample.now, limit: 1)
            try await store.end(first, of: id)
            // Another server sent it, too, and comes too late.
            try await store.end(first, of: id, as: .waiting)
            try expect(try await store.due(id, at: Sample.after(99)), is: [2])
            try await store.end(2, of: id, as: .waiting)
            let second = try await webhooks.dueDeliveries(to: id, in: .changes, at: Sample.after(60), limit: 1)
            let waiting = try await webhooks.deliveries(to: id, before: nil, state: .waiting, limit: 9)
            try expect(
                try await webhooks.replay(to: id, messages: waiting.map(\.messageID), at: Sample.after(70)), is: 2)
            // What waits for it goes on waiting.
            try await store.end(second, of: id, as: .failed)
            try expect(try await store.due(id, at: Sample.after(99)), is: [2])
        },
        LinkStoreContract("sends what waited for a message that is deleted by its age") { store in
            let webhooks = store.webhooks
            let id = try await store.distributed([(1, .linkCreated)])
            try await webhooks.publish([OutboxEvent(.linkUpdated, of: nil, at: Sample.after(5))])
            let (number, _) = try require(try await webhooks.outbox(limit: 1).first)
            let later = OutgoingMessage(
                number: number, id: OutgoingMessage.id(number, dispatcher: 7), type: .linkUpdated,
                at: Sample.after(5), orderKey: 1, body: [], webhooks: [id])
            try await webhooks.distribute([later], at: Sample.now)
            try expect(try await store.due(id), is: [1])
            while try await webhooks.purgeDeliveries(before: Sample.after(1), limit: 2) {}
            try expect(try await store.due(id), is: [number])
        },
        LinkStoreContract("drops the oldest clicks beyond the backlog, never a change") { store in
            let clicks = (1...6).map { _ in (link: Int64(0), type: EventType.linkClicked) }
            let id = try await store.distributed([(1, .linkCreated)] + clicks + [(1, .linkUpdated), (2, .linkCreated)])
            let webhooks = store.webhooks
            for (backlog, excess) in [(9, 0), (6, 3), (1, 5)] {
                try expect(try await webhooks.excessDeliveries(to: id, beyond: backlog, limit: 5), is: excess)
            }
            try expect(try await webhooks.dropClicks(to: id, count: 2), is: 2)
            try expect(try await webhooks.dropClicks(to: id, count: 1), is: 1)
            try expect(try await webhooks.excessDeliveries(to: id, beyond: 6, limit: 5), is: 0)
            try expect(try await store.due(id, in: .clicks), is: [5, 6, 7])
            try expect(try await webhooks.dropClicks(to: id, count: 9), is: 3)
            try expect(try await webhooks.dropClicks(to: id, count: 9), is: 0)
            try expect(try await webhooks.waitingDeliveries(limit: 99), is: 3)
            try expect(try await store.due(id), is: [1, 9])
        },
        LinkStoreContract("finds deliveries arranged as they were distributed") { store in
            let events = (0..<20).map { (link: Int64($0 % 4), type: EventType.linkUpdated) }
            let id = try await store.distributed(events)
            let due = try await store.due(id)
            var place: DeliveryPlace? = .first
            var pages = 0
            while let last = place {
                place = try await store.webhooks.arrangeDeliveries(to: id, after: last, limit: 3)
                pages += 1
            }
            try expect(pages, is: 7)
            try expect(due, is: [1, 2, 3, 4])
            try expect(try await store.due(id), is: due)
            try expect(
                try await store.webhooks.arrangeDeliveries(to: "none", after: .first, limit: 3) == nil, is: true)
        },
    ]
}

extension LinkStore {
    /// Adds an endpoint, and messages of links with these numbers, which are numbered from 1 and due at `Sample.now`.
    func distributed(_ events: [(link: Int64, type: EventType)]) async throws -> String {
        try await addApplication()
        let id = try await subscribe("*")
        try await webhooks.publish(events.map { OutboxEvent($0.type, of: nil, at: Sample.now) })
        let messages = try await webhooks.outbox(limit: events.count)
        try expect(messages.map(\.number), is: Array(1...Int64(events.count)))
        try await webhooks.distribute(
            zip(messages, events).map { message, event in
                OutgoingMessage(
                    number: message.number, id: OutgoingMessage.id(message.number, dispatcher: 7), type: event.type,
                    at: Sample.now, orderKey: event.link, body: [], webhooks: [id])
            }, at: Sample.now)
        return id
    }

    /// Numbers of deliveries that are due.
    func due(
        _ webhook: String, in lane: DeliveryLane = .changes, at now: Timestamp = Sample.now, limit: Int = 99
    ) async throws -> [Int64] {
        try await webhooks.dueDeliveries(to: webhook, in: lane, at: now, limit: limit).map(\.number)
    }

    /// Stores that a delivery is over, whichever it is.
    func end(_ number: Int64, of webhook: String, as state: WebhookDelivery.State = .delivered) async throws {
        for lane in DeliveryLane.allCases {
            let due = try await webhooks.dueDeliveries(to: webhook, in: lane, at: Sample.after(99), limit: 999)
            try await end(due.filter { $0.number == number }, of: webhook, as: state)
        }
    }

    /// The newest first.
    func waitingTimes(of webhook: String) async throws -> [Timestamp?] {
        try await webhooks.deliveries(to: webhook, before: nil, state: .waiting, limit: 99).map(\.nextAttempt)
    }
}

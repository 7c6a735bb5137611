import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let deliveries = [
        LinkStoreContract("keeps endpoints as they were given") { store in
            try await store.addApplication()
            let id = try await store.subscribe("link.*", "key.created", application: "shop")
            let changed = try await store.webhooks.updateWebhook(id, event: nil) { webhook in
                webhook.name = "Billing \u{1F600}"
                webhook.managedBy = "links \u{1F600}"
                webhook.secrets.append(Webhook.Secret(stored: [1, 2, 3], expiresAt: Sample.after(9)))
                webhook.disabled = .gone
                webhook.failingSince = Sample.after(3)
                return true
            }
            try expect(try await store.webhooks.endpoints(), is: [try require(changed)])
            try expect(changed?.name, is: "Billing \u{1F600}")
            try expect(try await store.webhooks.updateWebhook(id, event: nil) { _ in false }, is: nil)
            try expect(try await store.webhooks.updateWebhook("none", event: nil) { _ in true }, is: nil)
            var webhook = try require(changed)
            webhook.id = "wh_2"
            try expect(try await store.webhooks.insert(webhook, limit: 1), is: false)
            webhook.application = try Sample.application("gone")
            try expect(try await store.webhooks.insert(webhook, limit: 10), is: false)
        },
        LinkStoreContract("makes one delivery of a message for each endpoint") { store in
            let webhooks = store.webhooks
            try await store.addApplication()
            let first = try await store.subscribe("*")
            let second = try await store.subscribe("*")
            for slug in ["a", "b", "c"] { _ = try await store.added(Sample.draft(slug)) }
            let messages = try await store.messages(to: [first, second])
            try await webhooks.distribute(messages, at: Sample.after(1))
            // Another server was the dispatcher, too.
            try await webhooks.distribute(messages, at: Sample.after(1))
            try expect(try await webhooks.outbox(limit: 10).count, is: 0)
            try expect(try await webhooks.dueEndpoints(at: Sample.now), is: [])
            try expect(Set(try await webhooks.dueEndpoints(at: Sample.after(1))), is: [first, second])
            try expect(try await webhooks.waitingDeliveries(limit: 100), is: 6)
            try expect(try await webhooks.firstDue(), is: Sample.after(1))
            let due = try await webhooks.dueDeliveries(to: second, in: .changes, at: Sample.after(1), limit: 2)
            try expect(due.map(\.messageID), is: messages.prefix(2).map(\.id))
            try expect(due.map(\.body), is: messages.prefix(2).map(\.body))
            try expect(
                try await webhooks.dueDeliveries(to: second, in: .changes, at: Sample.now, limit: 2).count, is: 0)
        },
        LinkStoreContract("keeps the attempts of deliveries and when the next one is due") { store in
            let webhooks = store.webhooks
            let id = try await store.delivered("a", "b", "c")
            let due = try await webhooks.dueDeliveries(to: id, in: .changes, at: Sample.after(1), limit: 10)
            let success = WebhookDelivery.Attempt(
                at: Sample.after(2), status: 200, error: nil, milliseconds: 7, answer: Array("ok".utf8))
            let failure = WebhookDelivery.Attempt(
                at: Sample.after(3), status: nil, error: "can't be reached", milliseconds: 15_000, answer: [])
            try await webhooks.record(
                [
                    DeliveryResult(
                        number: due[0].number, orderKey: due[0].orderKey, state: .delivered, nextAttempt: nil,
                        attempts: [success], round: 1),
                    DeliveryResult(
                        number: due[1].number, orderKey: due[1].orderKey, state: .waiting,
                        nextAttempt: Sample.after(60), attempts: [failure], round: 1),
                    DeliveryResult(
                        number: due[2].number, orderKey: due[2].orderKey, state: .failed, nextAttempt: nil,
                        attempts: [failure, failure], round: 1),
                ], of: id, at: "https://example.com/\(id)", failingSince: Sample.after(3))
            try expect(try await webhooks.endpoints().map(\.failingSince), is: [Sample.after(3)])
            try expect(
                try await webhooks.dueDeliveries(to: id, in: .changes, at: Sample.after(59), limit: 10).count, is: 0)
            let later = try await webhooks.dueDeliveries(to: id, in: .changes, at: Sample.after(60), limit: 10)
            try expect(later.map(\.number), is: [due[1].number])
            try expect(later[0].attempts, is: [failure])
            try expect(later[0].round, is: 1)
            let all = try await webhooks.deliveries(to: id, before: nil, state: nil, limit: 10)
            try expect(all.map(\.state), is: [.failed, .waiting, .delivered])
            try expect(all.map(\.nextAttempt), is: [nil, Sample.after(60), nil])
            try expect(all.map(\.attempts), is: [[failure, failure], [failure], [success]])
            try expect(
                try await webhooks.deliveries(to: id, before: all[0].number, state: nil, limit: 1), is: [all[1]])
            try expect(try await webhooks.deliveries(to: id, before: nil, state: .delivered, limit: 9), is: [all[2]])
        },
        LinkStoreContract("sends messages again by id and by time") { store in
            let webhooks = store.webhooks
            let id = try await store.delivered("a", "b", "c")
            let due = try await webhooks.dueDeliveries(to: id, in: .changes, at: Sample.after(1), limit: 10)
            try await store.end(due, of: id)
            try expect(
                try await webhooks.replay(
                    to: id, messages: [due[1].messageID, due[1].messageID, "msg_x_1", "nonsense"], at: Sample.after(5)),
                is: 1)
            let again = try await webhooks.dueDeliveries(to: id, in: .changes, at: Sample.after(5), limit: 10)
            try expect(again.map(\.messageID), is: [due[1].messageID])
            try expect(again[0].round, is: 0)
            func replayed(_ id: String, since start: Timestamp, limit: Int) async throws -> [Int] {
                var pages: [Int] = []
                var last: Int64?
                repeat {
                    let page = try await webhooks.replay(
                        to: id, since: start, after: last, limit: limit, at: Sample.after(6))
                    pages.append(page.count)
                    last = page.last
                } while last != nil
                return pages
            }
            try expect(try await replayed(id, since: Sample.after(1), limit: 9), is: [0])
            try expect(try await replayed("none", since: Sample.now, limit: 9), is: [0])
            try expect(try await replayed(id, since: Sample.now, limit: 2), is: [2, 1])
            try expect(
                try await webhooks.dueDeliveries(to: id, in: .changes, at: Sample.after(6), limit: 9).count, is: 3)
        },
        LinkStoreContract("lists failed deliveries") { store in
            let webhooks = store.webhooks
            let id = try await store.delivered("a", "b", "c")
            let due = try await webhooks.dueDeliveries(to: id, in: .changes, at: Sample.after(1), limit: 10)
            let states: [WebhookDelivery.State] = [.failed, .delivered, .failed]
            for (due, state) in zip(due, states) { try await store.end([due], of: id, as: state) }
            let failed = try await webhooks.deliveries(to: id, before: nil, state: .failed, limit: 9)
            try expect(failed.map(\.number), is: [due[2].number, due[0].number])
            let next = try await webhooks.deliveries(to: id, before: due[2].number, state: .failed, limit: 9)
            try expect(next.map(\.number), is: [due[0].number])
        },
        LinkStoreContract("sends a message to one endpoint only") { store in
            let webhooks = store.webhooks
            let id = try await store.subscribe("link.created")
            let other = try await store.subscribe("*")
            let message = OutgoingMessage(
                number: 0, id: "msg_t", type: .webhookTest, at: Sample.now, orderKey: 0, body: [1], webhooks: [])
            let sent = try require(try await webhooks.send(message, to: id, at: Sample.now))
            try expect(
                try await webhooks.dueDeliveries(to: id, in: .changes, at: Sample.now, limit: 9).map(\.messageID),
                is: [sent])
            try expect(try await webhooks.dueDeliveries(to: other, in: .changes, at: Sample.now, limit: 9).count, is: 0)
            try expect(try await webhooks.send(message, to: "none", at: Sample.now), is: nil)
            try expect(try await webhooks.replay(to: id, messages: [sent], at: Sample.now), is: 1)
        },
        LinkStoreContract("deletes old messages, and deliveries to endpoints that are gone") { store in
            let webhooks = store.webhooks
            let id = try await store.delivered("a", "b", "c")
            while try await webhooks.purgeDeliveries(before: Sample.now, limit: 2) {}
            try expect(try await webhooks.deliveries(to: id, before: nil, state: nil, limit: 9).count, is: 3)
            while try await webhooks.purgeDeliveries(before: Sample.after(1), limit: 2) {}
            try expect(try await webhooks.deliveries(to: id, before: nil, state: nil, limit: 9).count, is: 0)
            _ = try await store.added(Sample.draft("d"))
            try await webhooks.distribute(try await store.messages(to: [id]), at: Sample.now)
            _ = try await webhooks.deleteWebhook(id)
            while try await webhooks.purgeDeliveries(before: Sample.now, limit: 2) {}
            try expect(try await webhooks.waitingDeliveries(limit: 9), is: 0)
            try expect(try await webhooks.firstDue(), is: nil)
        },
    ]
}

extension LinkStore {
    /// Stores that deliveries are over.
    func end(
        _ due: [DueDelivery], of webhook: String, as state: WebhookDelivery.State = .delivered
    ) async throws {
        try await webhooks.record(
            due.map { due in
                DeliveryResult(
                    number: due.number, orderKey: due.orderKey, state: state,
                    nextAttempt: state == .waiting ? Sample.after(60) : nil, attempts: [],
                    round: due.round + 1)
            }, of: webhook, at: "https://example.com/\(webhook)", failingSince: nil)
    }

    /// Messages of all events in the outbox.
    fileprivate func messages(to webhooks: [String]) async throws -> [OutgoingMessage] {
        try await self.webhooks.outbox(limit: 100).map { number, event in
            OutgoingMessage(
                number: number, id: OutgoingMessage.id(number, dispatcher: 7), type: event.type, at: event.at,
                orderKey: event.orderKey(number), body: Array("body \(number)".utf8), webhooks: webhooks)
        }
    }

    /// Adds an endpoint, links, and deliveries of their events, due a second after `Sample.now`.
    fileprivate func delivered(_ slugs: String...) async throws -> String {
        try await addApplication()
        let id = try await subscribe("link.created")
        for slug in slugs { _ = try await added(Sample.draft(slug)) }
        try await webhooks.distribute(try await messages(to: [id]), at: Sample.after(1))
        return id
    }
}

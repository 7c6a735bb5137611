import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let outbox = [
        LinkStoreContract("writes the event of each change of a link with the change") { store in
            try await store.addApplication()
            try await store.subscribe("*")
            let link = try await store.added(Sample.redeemable("a", limit: 2))
            var content = link.content
            content.note = "new"
            _ = try await store.update(
                link.id, expecting: nil, to: LinkChange(content: content, metadata: .keep), at: Sample.after(1))
            _ = try await store.rename(link.id, expecting: nil, to: try Sample.slug("b"), by: nil, at: Sample.after(2))
            _ = try await store.redeem(
                link.id, at: Sample.after(3), taking: true, ignoringMaxClicks: false, idempotency: nil)
            _ = try await store.record([Sample.event("1", .open, link.id)], at: Sample.after(4))
            _ = try await store.record([Sample.event("2", .install, link.id)], at: Sample.after(5))
            _ = try await store.delete([LinkRemoval(id: link.id, expecting: nil, at: Sample.after(6))])
            let events = try await store.webhooks.outbox(limit: 100).map(\.event)
            try expect(
                events.map(\.type),
                is: [
                    .linkCreated, .linkUpdated, .linkUpdated, .linkRedeemed, .appOpened, .appInstalled, .linkDeleted,
                ])
            try expect(events.map(\.at), is: (0...6).map { Sample.after($0) })
            try expect(events.map(\.application), is: events.map { _ in link.application })
            try expect(events[0].link, is: link)
            try expect(events[1].link?.content.note, is: "new")
            try expect(events[1].attributes, is: [.init("changed", .list(["note"]))])
            try expect(events[2].link?.slug.text, is: "b")
            try expect(events[3].link?.redeemed, is: 1)
            try expect(events[6].link?.slug.text, is: "b")
        },
        LinkStoreContract("writes no event that has no subscriber") { store in
            try await store.addApplication()
            try await store.addApplication("other", domains: ["other.example.com"])
            _ = try await store.added(Sample.draft("before"))
            try await store.subscribe("link.deleted", "app.*")
            try await store.subscribe("link.created", application: "other")
            let link = try await store.added(Sample.draft("a"))
            _ = try await store.record([Sample.event("1", .open, link.id)], at: Sample.now)
            _ = try await store.added(Sample.draft("b", application: "other", host: "other.example.com"))
            let events = try await store.webhooks.outbox(limit: 100).map(\.event)
            try expect(events.map(\.type), is: [.appOpened, .linkCreated])
            let webhooks = try await store.webhooks.endpoints()
            for webhook in webhooks {
                _ = try await store.webhooks.updateWebhook(webhook.id, event: nil) { webhook in
                    webhook.disabled = .manual
                    return true
                }
            }
            _ = try await store.delete(link.id, expecting: nil)
            try expect(try await store.webhooks.outbox(limit: 100).count, is: 2)
            for webhook in webhooks { try expect(try await store.webhooks.deleteWebhook(webhook.id), is: true) }
            try expect(try await store.webhooks.deleteWebhook(webhooks[0].id), is: false)
            _ = try await store.added(Sample.draft("c"))
            try expect(try await store.webhooks.outbox(limit: 100).count, is: 2)
        },
        LinkStoreContract("writes no event of a change that was not made") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 1))
            let key = Sample.redeemKey("once")
            _ = try await store.redeem(
                link.id, at: Sample.now, taking: true, ignoringMaxClicks: false, idempotency: key)
            try await store.subscribe("*")
            _ = try await store.redeem(
                link.id, at: Sample.now, taking: true, ignoringMaxClicks: false, idempotency: key)
            _ = try await store.redeem(
                link.id, at: Sample.now, taking: true, ignoringMaxClicks: false, idempotency: nil)
            _ = try await store.create([try Sample.draft("a")], idempotency: nil)
            _ = try await store.update(
                link.id, expecting: 7, to: LinkChange(content: link.content, metadata: .keep), at: Sample.now)
            _ = try await store.delete(link.id, expecting: 7)
            _ = try await store.delete(LinkID(rawValue: 999), expecting: nil)
            try expect(try await store.webhooks.outbox(limit: 100).count, is: 0)
        },
        LinkStoreContract("reports a link whose last click is reserved, once") { store in
            try await store.addApplication()
            try await store.subscribe("link.exhausted")
            var content = try Sample.content(web: "https://shop.example.com/a")
            content.maxClicks = 3
            content.note = "whole"
            let link = try await store.added(Sample.draft("a", content: content))
            for count in [2, 1, 1] { _ = try await store.reserveClicks(link.id, upTo: count, as: Sample.write()) }
            let events = try await store.webhooks.outbox(limit: 100).map(\.event)
            try expect(events.map(\.type), is: [.linkExhausted])
            try expect(events[0].link?.content, is: content)
            try expect(events[0].at, is: Sample.now)
        },
        LinkStoreContract("reports clicks of at most a second and a hundred in each event") { store in
            try await store.addApplication()
            try await store.subscribe("link.clicked")
            let link = try await store.added(Sample.draft("a"))
            var history = ClickHistory(seed: 9)
            // Visitors who must not be profiled are recorded by the hour.
            let hour = Sample.now.seconds / 3_600 * 3_600
            let blocks = [(250, hour), (3, hour + 3_600)].map { clicks, second in
                history.block(link, second: second, clicks: clicks, within: 1)
            }
            for _ in 1...2 { try await store.clickRecords.append(blocks) }
            let events = try await store.webhooks.outbox(limit: 100).map(\.event)
            try expect(events.map(\.clicks.count), is: [100, 100, 50, 3])
            let platforms = events.flatMap(\.clicks).map { $0.profile[.platform] }
            try expect(Set(platforms).contains("iphone"), "clicks have their properties")
            try expect(events.allSatisfy { $0.clicks.allSatisfy { $0.slug == link.slug } }, "clicks name their link")
            try expect(events.allSatisfy { $0.application == link.application }, "every event has the application")
        },
        LinkStoreContract("reports expired links once") { store in
            try await store.addApplication()
            for (slug, end) in [("early", 5), ("first", 20), ("second", 21), ("third", 22), ("late", 60)] {
                var content = try Sample.content(web: "https://shop.example.com/")
                content.expiresAt = Sample.after(Int64(end))
                _ = try await store.added(Sample.draft(slug, content: content))
            }
            let webhooks = store.webhooks
            try expect(try await webhooks.reportExpiredLinks(at: Sample.after(9), limit: 2), is: false)
            // From its creation on, in pieces.
            try await store.subscribe("link.expired")
            while try await webhooks.reportExpiredLinks(at: Sample.after(30), limit: 2) {}
            try expect(try await webhooks.reportExpiredLinks(at: Sample.after(30), limit: 2), is: false)
            let events = try await webhooks.outbox(limit: 100).map(\.event)
            try expect(events.map { $0.link?.slug.text }, is: ["early", "first", "second", "third"])
            try expect(events.map(\.at), is: [5, 20, 21, 22].map { Sample.after($0) })
        },
        LinkStoreContract("writes the event of a key with the key") { store in
            try await store.subscribe("key.*")
            func event(_ type: EventType) -> OutboxEvent { OutboxEvent(type, of: nil, at: Sample.now) }
            let key = StoredKey(
                id: "k1", name: "app", digest: [1], application: nil, scopes: [.read], createdAt: Sample.now)
            var same = key
            same.id = "k2"
            try expect(try await store.insert(key, reporting: event(.keyCreated)), is: true)
            try expect(try await store.insert(same, reporting: event(.keyCreated)), is: false)
            try expect(try await store.deleteKey("k2", reporting: event(.keyRevoked)), is: false)
            try expect(try await store.deleteKey("k1", reporting: event(.keyRevoked)), is: true)
            try expect(
                try await store.webhooks.outbox(limit: 100).map(\.event.type), is: [.keyCreated, .keyRevoked])
        },
    ]
}

extension LinkStore {
    /// Adds an endpoint.
    @discardableResult
    func subscribe(_ events: String..., application: String? = nil) async throws -> String {
        let id = "wh_\(try await webhooks.endpoints().count + 1)"
        let webhook = Webhook(
            id: id, application: try application.map { try Sample.application($0) }, url: "https://example.com/\(id)",
            name: nil, events: events, secrets: [Webhook.Secret(stored: Array(0..<32))], createdAt: Sample.now)
        try expect(try await webhooks.insert(webhook, limit: 10), is: true)
        return id
    }
}

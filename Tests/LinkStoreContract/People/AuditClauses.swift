import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    private static func call(at seconds: Int64 = 0, key: String = "k1", person: String? = nil) -> AuditCall {
        AuditCall(
            AuditActor(
                .key, person: person.map { AuditActor.Party(id: $0, name: "Ana \u{1F600}\0") },
                key: AuditActor.Party(id: key, name: "Key")), from: .public, at: Sample.after(seconds))
    }

    private static func entries(_ store: any LinkStore, _ query: AuditQuery = AuditQuery(limit: 100)) async throws
        -> [String]
    {
        try await store.audit.auditEntries(query).entries.map { String(decoding: $0, as: UTF8.self) }
    }

    static let audit = [
        LinkStoreContract("writes an entry with each change of a link that a call makes") { store in
            try await store.addApplication()
            // What no call makes has none.
            let silent = try await store.added(Sample.draft("silent"))
            try expect(try await entries(store), is: [])
            try await AuditCall.$current.withValue(call()) {
                let link = try await store.added(Sample.draft("a", metadata: #"{"coupon":"hidden"}"#))
                var content = link.content
                content.title = "New"
                let change = LinkChange(content: content, metadata: .set(Array(#"{"coupon":"hidden2"}"#.utf8)))
                _ = try await store.update(link.id, expecting: nil, to: change, at: Sample.after(1))
                _ = try await store.update(link.id, expecting: 1, to: change, at: Sample.after(1))
                _ = try await store.rename(
                    link.id, expecting: nil, to: Sample.slug("b"), by: nil, at: Sample.after(2))
                _ = try await store.delete(link.id, expecting: nil, at: Sample.after(3))
                _ = try await store.delete(link.id, expecting: nil, at: Sample.after(3))
                // Taken.
                _ = try await store.create([Sample.draft("silent")], idempotency: nil)
            }
            let found = try await entries(store)
            try expect(found.count, is: 4)
            for (entry, action) in zip(found, ["link.deleted", "link.renamed", "link.changed", "link.created"]) {
                try expect(entry.contains(#""action":"\#(action)""#), "\(entry) is \(action)")
                try expect(!entry.contains("hidden"), "\(entry) has no metadata")
                try expect(entry.contains(#""app":"shop""#), "\(entry) names the application")
            }
            try expect(found[1].contains(#""before":{"slug":"a"},"after":{"slug":"b"}"#), found[1])
            try expect(
                found[2].contains(#""before":{"hasMetadata":true},"after":{"title":"New","hasMetadata":true}"#),
                found[2])
            try expect(found[3].contains(#""object":{"type":"link","id":"go.example.com/a"}"#), found[3])
            try expect(found[3].contains(#""before":null,"after":{"urls":"#), found[3])
            _ = silent
        },
        LinkStoreContract("writes one entry for a call with several transactions") { store in
            try await store.addApplication()
            try await AuditCall.$current.withValue(call()) {
                var after = AuditValues()
                after.add("links", 4)
                try await AuditCall.recordingOnce(of: try Sample.application(), after: after) {
                    _ = try await store.create([Sample.draft("a"), Sample.draft("b")], idempotency: nil)
                    _ = try await store.create([Sample.draft("a")], idempotency: nil)
                    _ = try await store.create([Sample.draft("c"), Sample.draft("d")], idempotency: nil)
                }
            }
            let found = try await entries(store)
            try expect(found.count, is: 1)
            try expect(found[0].contains(#""object":{"type":"links","id":null}"#), found[0])
            try expect(found[0].contains(#""after":{"links":4}"#), found[0])
            // Nothing changed: no entry.
            try await AuditCall.$current.withValue(call()) {
                try await AuditCall.recordingOnce(of: nil, after: AuditValues()) {
                    _ = try await store.create([Sample.draft("a")], idempotency: nil)
                }
            }
            try expect(try await entries(store).count, is: 1)
        },
        LinkStoreContract("writes entries of applications, keys, people and endpoints") { store in
            try await AuditCall.$current.withValue(call(person: "p1")) {
                let document = #"F{"name":"Shop","firebase":{"apiKeys":["hidden"]}}"#
                _ = try await store.put(try Sample.stored(document: document), expecting: nil) { _ in true }
                _ = try await store.put(
                    try Sample.stored(document: document.replacing("Shop", with: "Store")), expecting: nil
                ) { _ in true }
                // One that is put again as it is has no entry.
                _ = try await store.put(
                    try Sample.stored(document: document.replacing("Shop", with: "Store")), expecting: nil
                ) { _ in true }
                _ = try await store.put(try Sample.stored(document: document), expecting: 9) { _ in true }
                let key = StoredKey(
                    id: "k2", name: "CI", digest: Array(repeating: 7, count: 32), application: try Sample.application(),
                    scopes: [.links], createdAt: Sample.now)
                _ = try await store.insert(key)
                _ = try await store.deleteKey("k2")
                _ = try await store.deleteKey("k2")
                let person = Person(
                    id: "p2", name: "Bo",
                    memberships: [Membership(application: try Sample.application(), role: .viewer)],
                    createdAt: Sample.now)
                _ = try await store.people.insert(person, inviting: nil)
                _ = try await store.people.changePerson("p2") { person in
                    var changed = person
                    changed.email = "bo@example.com"
                    return changed
                }
                _ = try await store.people.changePerson("p2") { _ in nil }
                _ = try await store.people.deletePerson("p2")
                let webhook = Webhook(
                    id: "wh_1", application: nil, url: "https://hidden:hidden@example.com/hook?token=hidden", name: nil,
                    events: ["link.*"], secrets: [Webhook.Secret(stored: Array("hidden".utf8))],
                    createdAt: Sample.now)
                _ = try await store.webhooks.insert(webhook, limit: 9)
                _ = try await store.webhooks.updateWebhook("wh_1", event: nil) {
                    $0.name = "Hook"
                    return true
                }
                _ = try await store.webhooks.updateWebhook("wh_1", event: nil) {
                    $0.secrets = [Webhook.Secret(stored: Array("hidden2".utf8))]
                    return true
                }
                _ = try await store.webhooks.updateWebhook("wh_1", event: nil) { _ in false }
                _ = try await store.webhooks.updateWebhook("wh_1", event: nil) { _ in true }
                _ = try await store.webhooks.deleteWebhook("wh_1")
                _ = try await store.deleteApplication(try Sample.application(), expecting: nil)
            }
            let found = try await entries(store)
            let actions = [
                "application.deleted", "webhook.deleted", "webhook.rotated", "webhook.changed", "webhook.created",
                "person.deleted", "person.changed", "person.created", "key.revoked", "key.created",
                "application.changed", "application.created",
            ]
            try expect(found.count, is: actions.count)
            for (entry, action) in zip(found, actions) {
                try expect(entry.contains(#""action":"\#(action)""#), "\(entry) is \(action)")
                try expect(!entry.contains("hidden"), "\(entry) has no secret")
                try expect(entry.contains(#""person":{"id":"p1","name":"Ana"#), "\(entry) says who")
            }
            try expect(found[10].contains(#""before":{"name":"Shop"},"after":{"name":"Store"}"#), found[10])
            try expect(found[6].contains(#""before":{"email":null},"after":{"email":"bo@example.com"}"#), found[6])
        },
        LinkStoreContract("finds entries by who, what, where and when, in pages") { store in
            for index in 0..<30 {
                let number = Int64(index)
                let caller = call(
                    at: number / 2, key: index % 2 == 0 ? "k1" : "k2", person: index % 3 == 0 ? "p1" : nil)
                let application = try Sample.application(index % 5 == 0 ? "shop" : "news")
                let entry = AuditEntry(
                    index % 2 == 0 ? .linkCreated : .keyCreated, AuditObject(.link, "\(index)"),
                    of: index % 7 == 0 ? nil : application, by: caller)
                try await store.audit.record(entry)
            }
            func numbers(_ change: (inout AuditQuery) -> Void) async throws -> [Int] {
                var query = AuditQuery(limit: 4)
                change(&query)
                var found: [Int] = []
                var pages = 0
                repeat {
                    let page = try await store.audit.auditEntries(query)
                    found += page.entries.compactMap { entry in
                        let text = String(decoding: entry, as: UTF8.self)
                        guard let start = text.firstRange(of: #""type":"link","id":""#)?.upperBound else { return nil }
                        return Int(text[start...].prefix { $0 != "\"" })
                    }
                    query.after = page.next
                    pages += 1
                    if pages == 3 {
                        // Newer ones don't move the pages.
                        try await store.audit.record(
                            AuditEntry(.linkDeleted, AuditObject(.links, nil), of: nil, by: call(at: 99)))
                    }
                } while query.after != nil && pages < 50
                return found
            }
            let all = Array((0..<30).reversed())
            try expect(try await numbers { _ in }, is: all)
            try expect(try await numbers { $0.key = "k1" }, is: all.filter { $0 % 2 == 0 })
            try expect(try await numbers { $0.person = "p1" }, is: all.filter { $0 % 3 == 0 })
            try expect(try await numbers { $0.action = "key.created" }, is: all.filter { $0 % 2 == 1 })
            try expect(try await numbers { $0.action = "key." }, is: all.filter { $0 % 2 == 1 })
            let shop = try Sample.application()
            try expect(
                try await numbers { $0.applications = [shop] }, is: all.filter { $0 % 5 == 0 && $0 % 7 != 0 })
            let both = [shop, try Sample.application("news")]
            try expect(try await numbers { $0.applications = both }, is: all.filter { $0 % 7 != 0 })
            try expect(try await numbers { $0.applications = [] }, is: [])
            try expect(
                try await numbers {
                    $0.from = Sample.after(2)
                    $0.to = Sample.after(4)
                }, is: [7, 6, 5, 4])
            try expect(try await store.audit.purgeAudit(before: Sample.after(5), limit: 4), is: 4)
            try expect(try await store.audit.purgeAudit(before: Sample.after(5), limit: 100), is: 6)
            try expect(try await numbers { _ in }, is: all.filter { $0 >= 10 })
        },
        LinkStoreContract("bounds what an entry has of a large object") { store in
            try await store.addApplication()
            try await AuditCall.$current.withValue(call()) {
                var content = try Sample.content(web: "https://shop.example.com/")
                content.note = String(repeating: "\u{E9}", count: 1_000)
                content.tags = (0..<20).map { "tag\($0)" + String(repeating: "x", count: 40) }
                content.queryParameters = Dictionary(
                    uniqueKeysWithValues: (0..<50).map { ("name\($0)", String(repeating: "y", count: 90)) })
                _ = try await store.added(Sample.draft("a", content: content))
            }
            let found = try await entries(store)
            try expect(found.count, is: 1)
            try expect(found[0].utf8.count < AuditValues.limit + 1_000, "the entry has \(found[0].utf8.count) bytes")
            try expect(found[0].contains("bytes)"), found[0])
        },
        LinkStoreContract("reports entries to their subscribers only") { store in
            try await store.addApplication()
            _ = try await store.subscribe("*")
            try await AuditCall.$current.withValue(call()) {
                _ = try await store.added(Sample.draft("a"))
                try expect(try await store.webhooks.outbox(limit: 99).map(\.event.type), is: [.linkCreated])
                _ = try await store.subscribe("audit.recorded")
                _ = try await store.added(Sample.draft("b"))
                _ = try await store.insert(
                    StoredKey(
                        id: "k2", name: "CI", digest: Array(repeating: 7, count: 32), application: nil, scopes: [],
                        createdAt: Sample.now))
            }
            let events = try await store.webhooks.outbox(limit: 99).map(\.event)
            let audited = events.filter { $0.type == .auditRecorded }
            let reported = audited.compactMap { event -> String? in
                if case .text(let text)? = event.attributes.first?.value { text } else { nil }
            }
            // The endpoint itself, too.
            try expect(reported.count, is: 3)
            let found = try await entries(store)
            try expect(Set(reported).isSubset(of: found), "events have the entries as they are stored")
        },
    ]
}

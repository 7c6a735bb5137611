import WaymarkBytes
package import WaymarkClient
package import WaymarkLinks
package import WaymarkStores

/// The management of endpoints, independent of HTTP.
package struct WebhookService: Sendable {
    /// Endpoints of a database.
    package static let limit = 250
    /// Of one application, so that none takes the others' share.
    package static let applicationLimit = 25
    /// How long a replaced secret still signs, in milliseconds: 24 hours.
    package static let overlap: Int64 = 24 * 60 * 60 * 1_000
    private static let secretBytes = 32
    /// Messages in a transaction.
    private static let replayPage = 2_000
    private static let idLength = 16

    package struct Change: Sendable {
        package var url: String?
        package var events: [String]?
        /// `.some(nil)` removes it.
        package var name: String??
        /// `.some(nil)` removes it.
        package var managedBy: String??
        package var disabled: Bool?

        package init() {}

        fileprivate var need: FormatNeed? { Webhook.need(managedBy: managedBy ?? nil) }
    }

    private let store: any WebhookStore
    private let client: any HTTPSending
    private let metadataKeys: MetadataKeyRing
    private let now: @Sendable () -> Timestamp
    private let randomBytes: @Sendable (Int) -> [UInt8]
    private let wake: @Sendable (_ id: String) -> Void

    /// - Parameters:
    ///   - metadataKeys: They also seal the secrets of endpoints.
    ///   - wake: Called after changes of an endpoint that the dispatcher should see soon.
    package init(
        store: any WebhookStore, client: any HTTPSending, metadataKeys: MetadataKeyRing,
        now: @escaping @Sendable () -> Timestamp, randomBytes: @escaping @Sendable (Int) -> [UInt8],
        wake: @escaping @Sendable (_ id: String) -> Void
    ) {
        self.store = store
        self.client = client
        self.metadataKeys = metadataKeys
        self.now = now
        self.randomBytes = randomBytes
        self.wake = wake
    }

    /// Why a URL can't be an endpoint; nil if it can.
    package func problem(withURL url: String) async -> String? {
        switch await client.obstacle(to: url) {
        // The name may resolve later, and is checked again at each attempt.
        case .name?:
            HTTPTarget(url)?.isSecure == true
                ? nil : "must be https, or have an address in a network of webhooks.allowedNetworks"
        case let failure: failure?.fieldProblem
        }
    }

    /// - Returns: The endpoint, and its secret, for the only time; nil if there are too many.
    package func create(
        url: String, events: [String], name: String?, managedBy: String? = nil, application: ApplicationID?
    ) async throws(StoreError) -> (webhook: Webhook, secret: String)? {
        let key = randomBytes(Self.secretBytes)
        let id = "wh_" + Base62.random(length: Self.idLength, bytes: randomBytes)
        let webhook = Webhook(
            id: id, application: application, url: url, name: name, events: events,
            secrets: [Webhook.Secret(key: key, of: id, sealedWith: metadataKeys.current)], createdAt: now(),
            managedBy: managedBy)
        guard
            try await store.insert(webhook, limit: Self.limit, applicationLimit: Self.applicationLimit)
        else { return nil }
        wake(webhook.id)
        return (webhook, WebhookSignature.text(ofKey: key))
    }

    /// The endpoints that may be seen, the oldest first.
    package func list(for reach: ApplicationReach) async throws(StoreError) -> [Webhook] {
        try await store.endpoints().filter { reach.contains($0.application) }
    }

    /// Nil if there is none that may be seen.
    package func find(_ id: String, for reach: ApplicationReach) async throws(StoreError) -> Webhook? {
        // Whatever a path may have named: databases don't take every character.
        guard id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let found = try await store.endpoint(id),
            reach.contains(found.application)
        else {
            return nil
        }
        return found
    }

    package func change(_ id: String, _ change: Change) async throws(StoreError) -> Webhook? {
        let changed = try await store.updateWebhook(id, event: nil, need: change.need) { webhook in
            if let url = change.url, url != webhook.url {
                webhook.url = url
                // The new address has not failed.
                webhook.failingSince = nil
            }
            if let events = change.events { webhook.events = events }
            if let name = change.name { webhook.name = name }
            if let managedBy = change.managedBy { webhook.managedBy = managedBy }
            if let disabled = change.disabled {
                if !disabled { webhook.failingSince = nil }
                webhook.disabled = disabled ? webhook.disabled ?? .manual : nil
            }
            return true
        }
        wake(id)
        return changed
    }

    package func delete(_ id: String) async throws(StoreError) -> Bool { try await store.deleteWebhook(id) }

    /// Gives an endpoint a new secret; the present one signs beside it for a day.
    package func rotate(_ id: String) async throws(StoreError) -> String? {
        let key = randomBytes(Self.secretBytes)
        let now = now()
        let secret = Webhook.Secret(key: key, of: id, sealedWith: metadataKeys.current)
        let changed = try await store.updateWebhook(id, event: nil) { webhook in
            var former = webhook.secrets.first
            former?.expiresAt = now.advanced(byMilliseconds: Self.overlap)
            webhook.secrets = [secret] + (former.map { [$0] } ?? [])
            return true
        }
        return changed == nil ? nil : WebhookSignature.text(ofKey: key)
    }

    /// Sends a message of type `webhook.test`.
    ///
    /// - Parameter body: Of the message.
    /// - Returns: Its id; nil if there is no such endpoint.
    package func test(_ id: String, body: ([OutboxEvent.Attribute]) -> [UInt8]) async throws(StoreError) -> String? {
        let now = now()
        let message = OutgoingMessage(
            number: 0, id: "msg_" + Base62.random(length: Self.idLength, bytes: randomBytes), type: .webhookTest,
            at: now, orderKey: 0, body: body([.init("id", id)]), webhooks: [id])
        guard let sent = try await store.send(message, to: id, at: now) else { return nil }
        wake(id)
        return sent
    }

    package func deliveries(
        to id: String, before number: Int64?, state: WebhookDelivery.State?, limit: Int
    ) async throws(StoreError) -> [WebhookDelivery] {
        try await store.deliveries(to: id, before: number, state: state, limit: limit)
    }

    /// - Returns: The number of messages that are sent again.
    package func replay(_ id: String, messages: [String]) async throws(StoreError) -> Int {
        defer { wake(id) }
        return try await store.replay(to: id, messages: messages, at: now())
    }

    /// - Returns: The number of messages that are sent again: those of events from `start` on.
    package func replay(_ id: String, since start: Timestamp) async throws(StoreError) -> Int {
        defer { wake(id) }
        let now = now()
        var count = 0
        var last: Int64?
        repeat {
            let page = try await store.replay(to: id, since: start, after: last, limit: Self.replayPage, at: now)
            count += page.count
            last = page.last
        } while last != nil
        return count
    }
}

package import WaymarkLinks

/// Endpoints, the outbox of events, and their deliveries: a part of `LinkStore`.
///
/// A change writes its event into the outbox in its own transaction if an endpoint subscribes to it. The dispatcher, of
/// which there is one per database, turns each event into a message and a delivery for each endpoint, and records the
/// results.
///
/// Throws: `StoreError` only.
package protocol WebhookStore: Sendable {
    // MARK: Endpoints

    /// All endpoints, the oldest first.
    func endpoints() async throws(StoreError) -> [Webhook]
    func endpoint(_ id: String) async throws(StoreError) -> Webhook?
    /// - Returns: False if there are `limit` already, or `applicationLimit` of the same application, or if the
    ///   application does not exist.
    func insert(_ webhook: Webhook, limit: Int, applicationLimit: Int) async throws(StoreError) -> Bool
    /// Changes an endpoint, in one transaction with an event.
    ///
    /// - Parameters:
    ///   - need: Of what the change adds.
    ///   - change: Returns false to leave it as it is.
    /// - Returns: The endpoint after the change; nil if it does not exist or was left as it is.
    func updateWebhook(
        _ id: String, event: OutboxEvent?, need: FormatNeed?, _ change: @escaping @Sendable (inout Webhook) -> Bool
    ) async throws(StoreError) -> Webhook?
    /// Subscribes endpoints to the types that their patterns name and that the version which stored them did not know.
    func addNewTypesToEndpoints() async throws(StoreError)
    /// Deletes an endpoint; its deliveries are removed by `purgeDeliveries`.
    func deleteWebhook(_ id: String) async throws(StoreError) -> Bool

    // MARK: Outbox

    /// Whether this server is the one that dispatches: it is until its connection to the database ends.
    func holdsDispatch() async throws(StoreError) -> Bool
    /// Adds events of no other change, if they have a subscriber.
    func publish(_ events: [OutboxEvent]) async throws(StoreError)
    /// The oldest events, in their order. Those that this version can't read stay.
    func outbox(limit: Int) async throws(StoreError) -> [(number: Int64, event: OutboxEvent)]
    /// Moves events out of the outbox: each becomes a message with its deliveries. Those that are no longer there are
    /// ignored.
    func distribute(_ messages: [OutgoingMessage], at now: Timestamp) async throws(StoreError)
    /// Adds `link.expired` for links that expired until `now`, and have not been reported.
    ///
    /// - Returns: Whether there may be more.
    func reportExpiredLinks(at now: Timestamp, limit: Int) async throws(StoreError) -> Bool

    // MARK: Deliveries

    /// The ids of the endpoints that are not disabled and have due deliveries.
    func dueEndpoints(at now: Timestamp) async throws(StoreError) -> [String]
    /// Deliveries of a lane that are due, the one that is due longest first. Of the lane of changes only those before
    /// which no other with the same order key waits, so those that are returned may be sent at once.
    func dueDeliveries(
        to webhook: String, in lane: DeliveryLane, at now: Timestamp, limit: Int
    ) async throws(StoreError) -> [DueDelivery]
    /// Stores the attempts, and the endpoint's state with them. Deliveries that are over, or whose attempts are counted
    /// differently by now, stay as they are: another server, or a replay, has changed them. What waited for a delivery
    /// that is over can be sent from then on.
    ///
    /// - Parameters:
    ///   - url: Where the attempts went. If the endpoint has another one by now, its state is left as it is.
    ///   - failingSince: Of the endpoint.
    func record(
        _ results: [DeliveryResult], of webhook: String, at url: String, failingSince: Timestamp?
    ) async throws(StoreError)
    /// Repairs the lanes and holds of waiting deliveries, which servers of earlier versions leave wrong. Idempotent.
    ///
    /// - Parameter place: Of the last delivery of the page before.
    /// - Returns: Where to go on; nil at the end.
    func arrangeDeliveries(
        to webhook: String, after place: DeliveryPlace, limit: Int
    ) async throws(StoreError) -> DeliveryPlace?
    /// How many more than `backlog` deliveries to an endpoint wait, counted up to `limit`.
    func excessDeliveries(to webhook: String, beyond backlog: Int, limit: Int) async throws(StoreError) -> Int
    /// Deletes the oldest deliveries of clicks that wait. Their requests may be under way.
    ///
    /// - Returns: How many there were.
    func dropClicks(to webhook: String, count: Int) async throws(StoreError) -> Int
    /// The newest first.
    ///
    /// - Parameter number: The last one of the page before; nil for the first page.
    func deliveries(
        to webhook: String, before number: Int64?, state: WebhookDelivery.State?, limit: Int
    ) async throws(StoreError) -> [WebhookDelivery]
    /// Sends messages with these ids again, whatever their state.
    ///
    /// - Returns: Their number.
    func replay(to webhook: String, messages: [String], at now: Timestamp) async throws(StoreError) -> Int
    /// Sends messages of events from `start` on again, whatever their state: at most `limit` in one transaction.
    ///
    /// - Parameter number: Of the last message of the page before; nil for the first page.
    /// - Returns: The number of messages, and of the last one; nil if there are no more.
    func replay(
        to webhook: String, since start: Timestamp, after number: Int64?, limit: Int, at now: Timestamp
    ) async throws(StoreError) -> (count: Int, last: Int64?)
    /// Creates a message for one endpoint only, whose id gets the message's number at its end.
    ///
    /// - Returns: The whole id; nil if there is no such endpoint.
    func send(_ message: OutgoingMessage, to webhook: String, at now: Timestamp) async throws(StoreError) -> String?
    /// Deletes messages of events before the time with their deliveries, and deliveries to endpoints that are gone.
    ///
    /// - Parameter limit: Of the rows that are deleted.
    /// - Returns: Whether there may be more.
    func purgeDeliveries(before: Timestamp, limit: Int) async throws(StoreError) -> Bool
    /// Deliveries that wait, of all endpoints, counted up to `limit`; and events in the outbox.
    func waitingDeliveries(limit: Int) async throws(StoreError) -> Int
    /// When the delivery that waits longest for its attempt was due, or will be; nil if none waits. Endpoints that are
    /// disabled don't count.
    func firstDue() async throws(StoreError) -> Timestamp?
}

/// An event as it is sent.
package struct OutgoingMessage: Sendable {
    /// Of the event in the outbox; 0 for one that was never there.
    package var number: Int64
    package var id: String
    package var type: EventType
    package var at: Timestamp
    /// Of the event: messages to an endpoint with the same key are sent in their order.
    package var orderKey: Int64
    package var body: [UInt8]
    /// The ids of the endpoints that receive it.
    package var webhooks: [String]

    package init(
        number: Int64, id: String, type: EventType, at: Timestamp, orderKey: Int64, body: [UInt8], webhooks: [String]
    ) {
        self.number = number
        self.id = id
        self.type = type
        self.at = at
        self.orderKey = orderKey
        self.body = body
        self.webhooks = webhooks
    }
}

package struct DueDelivery: Sendable {
    package var number: Int64
    package var orderKey: Int64
    package var messageID: String
    package var body: [UInt8]
    package var attempts: [WebhookDelivery.Attempt]
    /// Attempts since it was last replayed.
    package var round: Int

    package init(
        number: Int64, orderKey: Int64, messageID: String, body: [UInt8], attempts: [WebhookDelivery.Attempt],
        round: Int
    ) {
        self.number = number
        self.orderKey = orderKey
        self.messageID = messageID
        self.body = body
        self.attempts = attempts
        self.round = round
    }
}

package struct DeliveryResult: Sendable {
    package var number: Int64
    /// Of its delivery.
    package var orderKey: Int64
    package var state: WebhookDelivery.State
    package var nextAttempt: Timestamp?
    /// All, with the last one.
    package var attempts: [WebhookDelivery.Attempt]
    /// With the last one.
    package var round: Int

    package init(
        number: Int64, orderKey: Int64, state: WebhookDelivery.State, nextAttempt: Timestamp?,
        attempts: [WebhookDelivery.Attempt], round: Int
    ) {
        self.number = number
        self.orderKey = orderKey
        self.state = state
        self.nextAttempt = nextAttempt
        self.attempts = attempts
        self.round = round
    }
}

extension OutgoingMessage {
    private static let prefix = "msg_"

    /// A message's id: random bits of the dispatcher that made it, so that a database restored from a backup does not
    /// repeat ids, and the message's number.
    package static func id(_ number: Int64, dispatcher: UInt64) -> String {
        "\(prefix)\(String(dispatcher, radix: 36))_\(number)"
    }

    /// Nil for text that is no id.
    package static func number(ofID id: String) -> Int64? {
        guard id.hasPrefix(prefix), let separator = id.lastIndex(of: "_") else { return nil }
        return Int64(id[id.index(after: separator)...])
    }
}

extension WebhookStore {
    /// A change that every program reads.
    package func updateWebhook(
        _ id: String, event: OutboxEvent?, _ change: @escaping @Sendable (inout Webhook) -> Bool
    ) async throws(StoreError) -> Webhook? {
        try await updateWebhook(id, event: event, need: nil, change)
    }

    /// `insert` without a limit of its application.
    package func insert(_ webhook: Webhook, limit: Int) async throws(StoreError) -> Bool {
        try await insert(webhook, limit: limit, applicationLimit: .max)
    }
}

internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

extension WriteSession {
    /// Adds an event of a link to the outbox if it has a subscriber.
    func report(
        _ type: EventType, _ link: Link, at now: Timestamp, _ attributes: @autoclosure () -> [OutboxEvent.Attribute]
    ) throws {
        guard try subscriptions().includes(type, of: link.application) else { return }
        add(OutboxEvent(type, link, at: now, attributes()))
    }

    func publish(_ events: [OutboxEvent]) throws {
        for event in events where try subscriptions().includes(event.type, of: event.application) { add(event) }
    }

    func add(_ event: OutboxEvent) { pendingEvents.append(event.encoded) }

    /// Before the commit. Several rows in a statement, because SQLite reads and writes the last number for each statement, which
    /// costs more than a row.
    func writePendingEvents() throws {
        var rest = pendingEvents[...]
        while !rest.isEmpty {
            let count = rest.count < Self.eventsAtOnce ? 1 : Self.eventsAtOnce
            let rows = (1...count).map { "(?\($0))" }.joined(separator: ", ")
            let insertion = try RawStatement("INSERT INTO outbox (event) VALUES " + rows, database)
            for (index, event) in zip(Int32(1)..., rest.prefix(count)) { insertion.bind(index, event) }
            try insertion.run()
            rest = rest.dropFirst(count)
        }
        pendingEvents = []
    }

    /// Read once per transaction. Most databases have no endpoint: then it is one lookup in an empty table.
    func subscriptions() throws -> EventSubscriptions {
        if let knownSubscriptions { return knownSubscriptions }
        var subscriptions = EventSubscriptions()
        if try RawStatement("SELECT id FROM webhook LIMIT 1", database).isThere() {
            let rows = try database.rows("SELECT DISTINCT application, types FROM webhook WHERE types <> 0") { row in
                (try row.optionalText(0), try row.number(1))
            }
            for (application, types) in rows {
                subscriptions.add(EventTypes(rawValue: types), of: application.flatMap { ApplicationID($0) })
            }
        }
        knownSubscriptions = subscriptions
        return subscriptions
    }

    /// Adds `link.clicked` for the clicks of new blocks, at most `OutboxEvent.clickLimit` clicks in each event.
    func reportClicks(_ added: [ClickBlock]) throws {
        var blocks: [ApplicationID: [(block: ClickBlock, link: Link)]] = [:]
        for block in added {
            guard let link = try database.readableLink(block.key.link) else { continue }
            blocks[link.application, default: []].append((block, link))
        }
        for (application, blocks) in blocks { try publish(OutboxEvent.clicks(of: blocks, application)) }
    }
}

import WaymarkJSON

/// Stores events until the service confirms them. The event is in the storage when `append(_:now:)` returns.
struct EventQueue: Sendable {
    private let waiting: StoredState<WaitingEvents>
    private let countLimit: Int
    /// In seconds.
    private let ageLimit: Int

    init(storage: any ClientStorage, countLimit: Int, ageLimit: Int) {
        waiting = StoredState(storage)
        self.countLimit = max(1, countLimit)
        self.ageLimit = max(0, ageLimit)
    }

    var isEmpty: Bool { waiting.value.events.isEmpty }

    var counts: EventCounts {
        let value = waiting.value
        return EventCounts(waiting: value.events.count, dropped: value.dropped, refused: value.refused)
    }

    func append(_ event: LinkEvent, now: Int) {
        waiting.update { waiting in
            guard !waiting.events.contains(where: { $0.id == event.id }) else { return }
            waiting.events.append(event)
            trim(&waiting, now: now)
        }
    }

    /// The oldest events that have not expired.
    func batch(_ size: Int, now: Int) -> [LinkEvent] {
        waiting.update { waiting in
            trim(&waiting, now: now)
            return Array(waiting.events.prefix(size))
        }
    }

    func confirm(_ events: [LinkEvent]) {
        remove(events, isRefused: false)
    }

    func giveUp(_ events: [LinkEvent]) {
        remove(events, isRefused: true)
    }

    private func remove(_ events: [LinkEvent], isRefused: Bool) {
        let ids = Set(events.map(\.id))
        waiting.update { waiting in
            let before = waiting.events.count
            waiting.events.removeAll { ids.contains($0.id) }
            if isRefused { waiting.refused = waiting.refused &+ (before - waiting.events.count) }
        }
    }

    private func trim(_ waiting: inout WaitingEvents, now: Int) {
        waiting.trim(count: countLimit, notBefore: now.subtractingReportingOverflow(ageLimit).partialValue)
    }
}

/// Events not yet confirmed by the service, oldest first, and how many were given up.
struct WaitingEvents: StoredValue {
    static let name = "events"

    var events: [LinkEvent] = []
    var dropped = 0
    var refused = 0

    init() {}

    init?(_ json: JSONValue) {
        guard let elements = json["events"]?.array else { return nil }
        events = elements.compactMap(LinkEvent.init)
        guard events.count == elements.count else { return nil }
        dropped = max(0, json["dropped"]?.integer ?? 0)
        refused = max(0, json["refused"]?.integer ?? 0)
    }

    var json: JSONValue {
        var object = JSONObject()
        object["events"] = JSONValue(events.map(\.json))
        object["dropped"] = JSONValue(dropped)
        object["refused"] = JSONValue(refused)
        return JSONValue(object)
    }

    mutating func add(_ later: WaitingEvents) {
        events += later.events
        dropped = dropped &+ later.dropped
        refused = refused &+ later.refused
    }

    /// Gives up expired events, and the oldest ones above the limit.
    mutating func trim(count: Int, notBefore moment: Int) {
        let before = events.count
        events.removeAll { $0.at < moment }
        events.removeFirst(max(0, events.count - count))
        dropped = dropped &+ (before - events.count)
    }
}

/// The number of events by outcome.
public struct EventCounts: Sendable, Hashable {
    /// Not yet confirmed by the service.
    public var waiting: Int
    /// Dropped since the installation because there were too many or they were too old.
    public var dropped: Int
    /// Dropped since the installation because the service rejected them.
    public var refused: Int

    /// Creates counts.
    public init(waiting: Int, dropped: Int, refused: Int) {
        self.waiting = waiting
        self.dropped = dropped
        self.refused = refused
    }
}

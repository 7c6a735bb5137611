import WaymarkJSON

/// The events that the service has not confirmed, oldest first, and how many were given up.
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

    /// Gives up what is too old, and the oldest of what is too much.
    mutating func trim(count: Int, notBefore moment: Int) {
        let before = events.count
        events.removeAll { $0.at < moment }
        events.removeFirst(max(0, events.count - count))
        dropped = dropped &+ (before - events.count)
    }
}

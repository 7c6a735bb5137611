/// Keeps events until the service has confirmed them. An event is in the storage when `append(_:now:)` returns.
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
            waiting.events.append(event)
            trim(&waiting, now: now)
        }
    }

    /// The oldest events that are still worth sending.
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

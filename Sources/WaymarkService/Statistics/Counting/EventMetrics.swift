package import WaymarkLinks
import WaymarkMetrics

/// Events reported by apps since the process started.
package final class EventMetrics: Sendable {
    private let counters = CounterTable(count: AppEvent.Kind.allCases.count * EventOutcome.allCases.count)

    package init() {}

    package func add(_ kind: AppEvent.Kind, _ outcome: EventOutcome) {
        counters.add(1, at: Self.index(kind, outcome))
    }

    package func count(_ kind: AppEvent.Kind, _ outcome: EventOutcome) -> Int {
        counters[Self.index(kind, outcome)]
    }

    private static func index(_ kind: AppEvent.Kind, _ outcome: EventOutcome) -> Int {
        let row = AppEvent.Kind.allCases.firstIndex(of: kind) ?? 0
        return row * EventOutcome.allCases.count + (EventOutcome.allCases.firstIndex(of: outcome) ?? 0)
    }
}

/// Results of claims of deferred deep links since the process started.
package final class ClaimMetrics: Sendable {
    package enum Ending: String, Sendable, CaseIterable { case referrer, clipboard, unmatched }
    private let counters = CounterTable(count: Ending.allCases.count)

    package init() {}

    package func add(_ ending: Ending) { counters.add(1, at: Ending.allCases.firstIndex(of: ending) ?? 0) }

    package func count(_ ending: Ending) -> Int { counters[Ending.allCases.firstIndex(of: ending) ?? 0] }
}

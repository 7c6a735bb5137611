package import WaymarkMetrics

/// How one loop's requests were answered: by route and status, by lane, and how long it took.
///
/// Only the loop writes. On the redirect path that is two additions, and one request in `readySampling` is timed.
package final class RequestFigures: Sendable {
    /// Which way a request went.
    package enum Lane: Int, CaseIterable, Sendable {
        /// The handler had the answer ready.
        case ready
        /// Decided on the loop.
        case loop
        /// Made by a task, which may have waited for something.
        case waiting
    }

    /// Of the ready lane one request in so many is timed, because reading the clock twice costs as much as half of the
    /// parsing.
    package static let readySampling = 64

    private static let firstStatus = 100
    private static let statuses = 500

    let routes: [RequestRoute]
    private let answers: CounterTable
    private let lanes = CounterTable(count: Lane.allCases.count)
    private let durations = Lane.allCases.map { _ in Histogram(.durations) }

    init(routes: [RequestRoute]) {
        self.routes = routes
        answers = CounterTable(count: routes.count * Self.statuses)
    }

    /// One answer has been made.
    ///
    /// - Parameter route: below the count of routes.
    @inline(__always)
    func count(_ status: Int, route: Int) {
        answers.addAlone(1, at: route &* Self.statuses &+ (status &- Self.firstStatus))
    }

    /// One ready answer has been given.
    @inline(__always)
    func countReady(_ status: Int, route: Int) {
        count(status, route: route)
        count(.ready)
    }

    /// Whether the next ready answer is one of those that are timed.
    @inline(__always)
    var isReadyTimed: Bool { lanes[Lane.ready.rawValue] & (Self.readySampling - 1) == 0 }

    @inline(__always)
    func count(_ lane: Lane) { lanes.addAlone(1, at: lane.rawValue) }

    /// From the complete head to the answer.
    func time(_ nanoseconds: Int, _ lane: Lane) { durations[lane.rawValue].recordAlone(nanoseconds) }

    /// A request has been answered, so long after its head was complete.
    func note(_ nanoseconds: Int, _ lane: Lane) {
        count(lane)
        time(nanoseconds, lane)
    }

    /// What all routes and statuses came to so far.
    var total: RequestTotals {
        var total = RequestTotals()
        for (number, route) in routes.enumerated() {
            for status in 0..<Self.statuses {
                let count = answers[number * Self.statuses + status]
                if count > 0 {
                    total.answers.append(.init(route: route, status: status + Self.firstStatus, count: count))
                }
            }
        }
        total.lanes = lanes.values
        total.durations = durations.map(\.figures)
        return total
    }
}

/// `RequestFigures` of one or several loops at one moment.
package struct RequestTotals: Sendable, Equatable {
    package struct Answers: Sendable, Equatable {
        package let route: RequestRoute
        package let status: Int
        package fileprivate(set) var count: Int
    }

    /// Those that there were, in the order of the routes and then of the statuses.
    package fileprivate(set) var answers: [Answers] = []
    fileprivate(set) var lanes = RequestFigures.Lane.allCases.map { _ in 0 }
    fileprivate(set) var durations = RequestFigures.Lane.allCases.map { _ in HistogramFigures(.durations) }

    package init() {}

    package func count(_ lane: RequestFigures.Lane) -> Int { lanes[lane.rawValue] }
    package func durations(_ lane: RequestFigures.Lane) -> HistogramFigures { durations[lane.rawValue] }

    /// Answers by the first digit of their status: 1xx at position 0 to 5xx at position 4.
    package var classes: [Int] {
        answers.reduce(into: [0, 0, 0, 0, 0]) { $0[min(max($1.status / 100, 1), 5) - 1] += $1.count }
    }

    mutating func add(_ other: RequestTotals) {
        for more in other.answers {
            if let place = answers.firstIndex(where: { $0.status == more.status && $0.route == more.route }) {
                answers[place].count += more.count
            } else {
                answers.append(more)
            }
        }
        for place in lanes.indices { lanes[place] += other.lanes[place] }
        for place in durations.indices { durations[place].add(other.durations[place]) }
    }
}

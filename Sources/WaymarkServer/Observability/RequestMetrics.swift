package import WaymarkMetrics

/// How one loop's requests were answered: by route and status, by source of the response, and by duration.
///
/// Only the loop writes. On the redirect path that is two additions, and one request in `readySampling` is timed.
package final class RequestMetrics: Sendable {
    /// The source of a response.
    package enum ServedFrom: Int, CaseIterable, Sendable {
        /// The handler had the response cached.
        case ready
        /// Decided on the loop.
        case loop
        /// Produced by a task, which may have waited.
        case waiting
    }

    /// One in this many cached responses is timed, because reading the clock twice costs half as much as parsing.
    package static let readySampling = 64

    private static let firstStatus = 100
    private static let statuses = 500

    let routes: [RequestRoute]
    private let answers: CounterTable
    private let servedFromCounts = CounterTable(count: ServedFrom.allCases.count)
    private let durations = ServedFrom.allCases.map { _ in Histogram(.durations) }

    init(routes: [RequestRoute]) {
        self.routes = routes
        answers = CounterTable(count: routes.count * Self.statuses)
    }

    /// Counts one response.
    ///
    /// - Parameter route: below the number of routes.
    @inline(__always)
    func count(_ status: Int, route: Int) {
        answers.addAlone(1, at: route &* Self.statuses &+ (status &- Self.firstStatus))
    }

    /// Counts one cached response.
    @inline(__always)
    func countCached(_ status: Int, route: Int) {
        count(status, route: route)
        count(.ready)
    }

    /// Whether the next cached response is timed.
    @inline(__always)
    var isCachedRouteTimed: Bool { servedFromCounts[ServedFrom.ready.rawValue] & (Self.readySampling - 1) == 0 }

    @inline(__always)
    func count(_ servedFrom: ServedFrom) { servedFromCounts.addAlone(1, at: servedFrom.rawValue) }

    /// Records the time from the complete head to the response.
    func time(_ nanoseconds: Int, _ servedFrom: ServedFrom) { durations[servedFrom.rawValue].recordAlone(nanoseconds) }

    /// Counts and times a response; the time starts at the complete head.
    func note(_ nanoseconds: Int, _ servedFrom: ServedFrom) {
        count(servedFrom)
        time(nanoseconds, servedFrom)
    }

    /// The totals of all routes and statuses so far.
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
        total.servedFromCounts = servedFromCounts.values
        total.durations = durations.map(\.metrics)
        return total
    }
}

/// `RequestMetrics` of one or several loops at one moment.
package struct RequestTotals: Sendable, Equatable {
    package struct Answers: Sendable, Equatable {
        package let route: RequestRoute
        package let status: Int
        package fileprivate(set) var count: Int
    }

    /// The counts that are not zero, ordered by route, then by status.
    package fileprivate(set) var answers: [Answers] = []
    fileprivate(set) var servedFromCounts = RequestMetrics.ServedFrom.allCases.map { _ in 0 }
    fileprivate(set) var durations = RequestMetrics.ServedFrom.allCases.map { _ in HistogramMetrics(.durations) }

    package init() {}

    package func count(_ servedFrom: RequestMetrics.ServedFrom) -> Int { servedFromCounts[servedFrom.rawValue] }
    package func durations(_ servedFrom: RequestMetrics.ServedFrom) -> HistogramMetrics {
        durations[servedFrom.rawValue]
    }

    /// Responses by the first digit of their status: 1xx at index 0 to 5xx at index 4.
    package var classes: [Int] {
        answers.reduce(into: [0, 0, 0, 0, 0]) { $0[min(max($1.status / 100, 1), 5) - 1] += $1.count }
    }

    mutating func add(_ other: RequestTotals) {
        for more in other.answers {
            if let index = answers.firstIndex(where: { $0.status == more.status && $0.route == more.route }) {
                answers[index].count += more.count
            } else {
                answers.append(more)
            }
        }
        for index in servedFromCounts.indices { servedFromCounts[index] += other.servedFromCounts[index] }
        for index in durations.indices { durations[index].add(other.durations[index]) }
    }
}

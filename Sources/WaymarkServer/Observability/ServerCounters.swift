package import Synchronization
import WaymarkHTTP
package import WaymarkMetrics

/// The counters of one event loop since the server started.
///
/// Only the loop writes, so a count is a plain load and store: no locked instruction, no shared cache line. Any
/// thread may read; the values are not a consistent snapshot.
package final class ServerCounters: Sendable {
    package let connectionsAccepted = Atomic<Int>(0)
    package let connectionsOpen = Atomic<Int>(0)
    /// Rejected: the server was full, the address had reached its limit, or descriptors had run out.
    package let connectionsRefused = Atomic<Int>(0)
    /// The part of `connectionsRefused` whose address had reached its limit.
    package let connectionsRefusedByAddress = Atomic<Int>(0)
    /// Idle connections that were closed to make room for new ones.
    package let connectionsEvicted = Atomic<Int>(0)
    /// Requests answered with 503, because too many were waiting or their bodies would have taken too much memory.
    package let requestsShed = Atomic<Int>(0)
    /// Accepts that failed because the process or the system was out of descriptors or memory.
    package let acceptFailures = Atomic<Int>(0)
    package let bytesReceived = Atomic<Int>(0)
    package let bytesSent = Atomic<Int>(0)
    /// Connections closed because a deadline passed.
    package let timeouts = Atomic<Int>(0)
    let requests: RequestMetrics
    /// Indexed by the numbers of `ParseErrorReason`.
    let refusals = CounterTable(count: ParseErrorReason.names.count)
    /// How long work queued on the loop waited for its turn.
    let delays = Histogram(.durations)
    /// The connections' states at the last sample, in the order of `ConnectionStateCounts.values`.
    private let connectionStates = CounterTable(count: ConnectionStateCounts().values.count)

    init(routes: [RequestRoute] = [.none]) {
        requests = RequestMetrics(routes: routes)
    }

    func publish(_ fresh: ConnectionStateCounts) {
        for (index, value) in fresh.values.enumerated() {
            connectionStates.addAlone(value - connectionStates[index], at: index)
        }
    }

    /// As last sampled.
    var currentConnectionStates: ConnectionStateCounts {
        var current = ConnectionStateCounts()
        current.values = connectionStates.values
        return current
    }

    /// Adds without a read-modify-write instruction, because the loop is the only writer.
    @inline(__always)
    static func add(_ amount: Int, to counter: borrowing Atomic<Int>) {
        counter.store(counter.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }
}

/// The counters of all loops of a server, summed at one moment.
package struct ServerStatistics: Sendable, Equatable {
    package var connectionsAccepted = 0
    package var connectionsOpen = 0
    package var connectionsRefused = 0
    package var connectionsRefusedByAddress = 0
    package var connectionsEvicted = 0
    package var requestsShed = 0
    package var acceptFailures = 0
    package var bytesReceived = 0
    package var bytesSent = 0
    package var timeouts = 0
    package var requests = RequestTotals()
    /// Indexed by the numbers of `ParseErrorReason`.
    package var refusals = ParseErrorReason.names.map { _ in 0 }
    package var delays = HistogramMetrics(.durations)
    /// The connections' states at the last sample.
    package var connectionStates = ConnectionStateCounts()

    package init() {}

    /// Responses by the first digit of their status: 1xx at index 0 to 5xx at index 4.
    package var responses: [Int] { requests.classes }

    mutating func add(_ counters: ServerCounters) {
        connectionsAccepted += counters.connectionsAccepted.load(ordering: .relaxed)
        connectionsOpen += counters.connectionsOpen.load(ordering: .relaxed)
        connectionsRefused += counters.connectionsRefused.load(ordering: .relaxed)
        connectionsRefusedByAddress += counters.connectionsRefusedByAddress.load(ordering: .relaxed)
        connectionsEvicted += counters.connectionsEvicted.load(ordering: .relaxed)
        requestsShed += counters.requestsShed.load(ordering: .relaxed)
        acceptFailures += counters.acceptFailures.load(ordering: .relaxed)
        bytesReceived += counters.bytesReceived.load(ordering: .relaxed)
        bytesSent += counters.bytesSent.load(ordering: .relaxed)
        timeouts += counters.timeouts.load(ordering: .relaxed)
        requests.add(counters.requests.total)
        for index in refusals.indices { refusals[index] += counters.refusals[index] }
        delays.add(counters.delays.metrics)
        connectionStates.add(counters.currentConnectionStates)
    }
}

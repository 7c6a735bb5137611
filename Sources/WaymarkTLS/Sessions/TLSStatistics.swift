import Synchronization

/// How handshakes ended. The figures of one moment need not fit together.
package struct TLSStatistics: Sendable, Equatable {
    /// Complete handshakes of one version of the protocol.
    package struct Completed: Sendable, Equatable {
        package var full = 0
        /// Continued from a ticket.
        package var resumed = 0
    }

    package var tls12 = Completed()
    package var tls13 = Completed()
    private var counts = [Int](repeating: 0, count: TLSFailure.allCases.count)

    /// Handshakes that came to nothing, or never were any, for one reason.
    package subscript(failure: TLSFailure) -> Int {
        get { counts[failure.index] }
        set { counts[failure.index] = newValue }
    }

    /// Complete ones, resumed ones among them.
    package var handshakes: Int { tls12.full + tls13.full + resumptions }
    package var resumptions: Int { tls12.resumed + tls13.resumed }
    /// Begun and not completed.
    package var failures: Int { counts.reduce(0, +) - plaintext }
    /// Connections that spoke HTTP in clear.
    package var plaintext: Int { self[.plaintext] }
}

/// What the sessions of all loops count. Once for each connection, so that sharing cache lines costs nothing that shows.
final class TLSCounters: Sendable {
    private struct Completed: ~Copyable, Sendable {
        let full = Atomic<Int>(0)
        let resumed = Atomic<Int>(0)

        func count(isResumed: Bool) {
            if isResumed {
                resumed.add(1, ordering: .relaxed)
            } else {
                full.add(1, ordering: .relaxed)
            }
        }

        var metrics: TLSStatistics.Completed {
            TLSStatistics.Completed(
                full: full.load(ordering: .relaxed), resumed: resumed.load(ordering: .relaxed))
        }
    }

    private let tls12 = Completed()
    private let tls13 = Completed()
    private let failures = Mutex([Int](repeating: 0, count: TLSFailure.allCases.count))

    func countHandshake(isTLS13: Bool, isResumed: Bool) {
        if isTLS13 {
            tls13.count(isResumed: isResumed)
        } else {
            tls12.count(isResumed: isResumed)
        }
    }

    func count(_ failure: TLSFailure) {
        failures.withLock { $0[failure.index] += 1 }
    }

    var statistics: TLSStatistics {
        var statistics = TLSStatistics()
        statistics.tls12 = tls12.metrics
        statistics.tls13 = tls13.metrics
        let failures = failures.withLock { $0 }
        for failure in TLSFailure.allCases { statistics[failure] = failures[failure.index] }
        return statistics
    }
}

import Synchronization

/// The results of handshakes. The values are not a consistent snapshot.
package struct TLSStatistics: Sendable, Equatable {
    /// Complete handshakes of one protocol version.
    package struct Completed: Sendable, Equatable {
        package var full = 0
        /// Resumed with a ticket.
        package var resumed = 0
    }

    package var tls12 = Completed()
    package var tls13 = Completed()
    private var counts = [Int](repeating: 0, count: TLSFailure.allCases.count)

    /// Failed handshakes, and connections without one, for one reason.
    package subscript(failure: TLSFailure) -> Int {
        get { counts[failure.index] }
        set { counts[failure.index] = newValue }
    }

    /// Complete handshakes, including resumed ones.
    package var handshakes: Int { tls12.full + tls13.full + resumptions }
    package var resumptions: Int { tls12.resumed + tls13.resumed }
    /// Begun and not completed.
    package var failures: Int { counts.reduce(0, +) - plaintext }
    /// Connections that sent plain HTTP.
    package var plaintext: Int { self[.plaintext] }
}

/// Counters shared by the sessions of all loops. Updated once per connection, so the shared cache lines don't matter.
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

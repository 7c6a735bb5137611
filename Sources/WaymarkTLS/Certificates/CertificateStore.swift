import Synchronization

/// The certificates of a running service. Safe to use from any thread.
package final class CertificateStore: Sendable {
    private let table: Mutex<CertificateTable>
    let counters = TLSCounters()

    package init(_ table: CertificateTable) {
        self.table = Mutex(table)
    }

    /// What new connections get.
    package var current: CertificateTable { table.withLock { $0 } }

    /// Gives new connections these certificates; those that are open keep what they have.
    package func use(_ fresh: CertificateTable) {
        table.withLock { $0 = fresh }
    }

    /// How handshakes ended, since the start.
    package var statistics: TLSStatistics {
        counters.statistics
    }
}

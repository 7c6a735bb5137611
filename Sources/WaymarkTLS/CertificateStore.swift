package import Synchronization

/// The certificates of a running service. Safe to use from any thread.
package final class CertificateStore: Sendable {
    private let table: Mutex<CertificateTable>
    package let counters = TLSCounters()

    package init(_ table: CertificateTable) {
        self.table = Mutex(table)
    }

    /// What new connections get.
    package var current: CertificateTable { table.withLock { $0 } }

    /// Gives new connections these certificates; those that are open keep what they have.
    package func use(_ fresh: CertificateTable) {
        table.withLock { $0 = fresh }
    }
}

/// How handshakes ended, since the start.
package final class TLSCounters: Sendable {
    /// Complete ones, resumed ones among them.
    package let handshakes = Atomic<Int>(0)
    package let resumptions = Atomic<Int>(0)
    package let failures = Atomic<Int>(0)
    /// Connections that spoke HTTP in clear.
    package let plaintext = Atomic<Int>(0)
}

package import Synchronization

/// The certificates of a running service, and its ticket keys. Safe to use from any thread.
package final class CertificateStore: Sendable {
    private let table: Mutex<CertificateTable>
    private let ticketKeys: TicketKeys
    package let counters = TLSCounters()

    /// - Parameter files: one pair at least; see `CertificateTable`.
    package init(_ files: [CertificateFiles], ticketKeys: TicketKeys = TicketKeys()) throws(CertificateError) {
        self.ticketKeys = ticketKeys
        table = Mutex(try CertificateTable(files, ticketKeys: ticketKeys))
    }

    /// What new connections get.
    package var current: CertificateTable { table.withLock { $0 } }

    /// Reads certificates again. New connections get them; those that are open keep what they have.
    ///
    /// - Throws: where any of them can't be used; nothing has changed then.
    package func reload(_ files: [CertificateFiles]) throws(CertificateError) {
        let fresh = try CertificateTable(files, ticketKeys: ticketKeys)
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

import Logging
import Synchronization
import WaymarkTLS

/// The certificates of the TLS listeners: those of the files, and those that an authority has issued.
///
/// Either changes without the other: files when the configuration is read again or they are replaced, issued ones when they
/// are renewed. Safe to use from any thread.
final class ListenerCertificates: Sendable {
    let store: CertificateStore
    /// Nil: no authority is configured.
    let challenges: ChallengeCertificates?
    private let ticketKeys: TicketKeys
    private let logger: Logger
    /// Held while tables are made, so that the last one in use has the newest of both.
    private let issued = Mutex<[IssuedCertificate]>([])

    /// Nil if the configuration has neither certificates nor an authority.
    ///
    /// - Throws: `CommandFailure` in one line, with the setting and the file.
    init?(_ configuration: Configuration, logger: Logger) throws {
        challenges = configuration.acme == nil ? nil : ChallengeCertificates()
        ticketKeys = TicketKeys()
        self.logger = logger
        guard let table = try configuration.certificateTable(keys: ticketKeys, challenges: challenges) else {
            return nil
        }
        store = CertificateStore(table)
    }

    /// Reads the files of a configuration, without using them.
    ///
    /// - Throws: `CommandFailure`; then nothing has changed.
    func read(_ configuration: Configuration) throws -> CertificateTable? {
        try configuration.certificateTable(keys: ticketKeys, challenges: challenges)
    }

    /// Uses the certificates from files of this table, which `read` has returned.
    func use(_ files: CertificateTable) { issued.withLock { use(files, $0) } }

    func use(_ certificates: [IssuedCertificate]) {
        issued.withLock { issued in
            issued = certificates
            use(store.current, certificates)
        }
    }

    private func use(_ files: CertificateTable, _ issued: [IssuedCertificate]) {
        do throws(CertificateError) {
            let table = try files.with(issued: issued)
            for error in table.refused { logger.error("the certificate of \(error) and is not used") }
            store.use(table)
        } catch {
            logger.error("can't use the new certificates; still using the old ones: \(error)")
        }
    }

    func warn() {
        let table = store.current
        for entry in table.entries where entry.secondsLeft < 14 * 86_400 {
            let days = entry.secondsLeft / 86_400
            let state = entry.secondsLeft < 0 ? "has expired" : "expires in \(days) \(days == 1 ? "day" : "days")"
            logger.warning("the certificate \(entry.files.certificate) \(state)")
        }
        for entry in table.entries where entry.isStapleExpired {
            logger.warning("the OCSP staple \(entry.files.ocspStaple ?? "") has expired and is not used")
        }
    }
}

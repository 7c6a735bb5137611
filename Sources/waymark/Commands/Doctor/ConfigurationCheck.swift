import Foundation
import WaymarkBytes
import WaymarkHTTP
import WaymarkServer
import WaymarkSockets
import WaymarkStores

/// What the configuration of the server alone shows.
enum ConfigurationCheck {
    /// - Parameter shortage: from `DescriptorBudget`; nil: there are enough descriptors.
    static func openFiles(shortage: String?, descriptors: Int?, connections: Int) -> DoctorFinding {
        guard let descriptors else { return .skipped(.openFiles, "the limit of open files is unknown") }
        guard let shortage else {
            return .ok(.openFiles, "\(descriptors) for limits.connections of \(connections)")
        }
        return .finding(
            .openFiles, shortage, fix: "raise LimitNOFILE of the unit or ulimit -n, or lower limits.connections")
    }

    /// Whether an authority can reach a listener that answers its challenges (RFC 8555 section 8.3, RFC 8737).
    static func acme(isConfigured: Bool, tls: [ListeningEndpoint], plain: [ListeningEndpoint]) -> DoctorFinding? {
        guard isConfigured else { return nil }
        func isLoopback(_ address: HostAndPort) -> Bool {
            IPAddress(address.host)?.isLoopback ?? (address.host.lowercased() == "localhost")
        }
        func answers(_ listeners: [ListeningEndpoint], _ port: UInt16) -> Bool {
            listeners.contains { listener in
                guard case .network(let address) = listener else { return false }
                return address.port == port && !isLoopback(address)
            }
        }
        func mayAnswer(_ listeners: [ListeningEndpoint]) -> Bool {
            listeners.contains { listener in
                guard case .network(let address) = listener else { return true }
                return !isLoopback(address)
            }
        }
        if answers(tls, 443) { return .ok(.acme, "tlsListen answers on port 443 (tls-alpn-01)") }
        if answers(plain, 80) { return .ok(.acme, "a listener answers on port 80 (http-01)") }
        if mayAnswer(tls) || mayAnswer(plain) {
            return .ok(.acme, "needs port 443 forwarded to tlsListen, or port 80 to a plain listener")
        }
        return .finding(
            .acme, "acme is set, but no listener answers on port 443 or 80, or on another address than loopback",
            fix:
                "set tlsListen to 0.0.0.0:443, or listen on 0.0.0.0:80 or let a proxy forward /.well-known/acme-challenge"
        )
    }
}

extension Configuration {
    /// Results of the checks that need only the configuration, and those of the database and its disk.
    func doctorFindings() -> [DoctorFinding] {
        var folder: String?
        if case .file(let path) = self.database { folder = (path as NSString).deletingLastPathComponent }
        let budget = DescriptorBudget(threads: self.threads)
        var findings = [
            DiskCheck.finding(folder.flatMap { DiskCheck.observe($0.isEmpty ? "." : $0) }),
            DatabaseCheck.finding(self.database),
            ConfigurationCheck.openFiles(
                shortage: budget.shortage(of: self.limits), descriptors: budget.descriptors,
                connections: self.limits.connections),
        ]
        let challenge = ConfigurationCheck.acme(
            isConfigured: self.acme != nil, tls: self.tlsListen.map(\.endpoint), plain: plainListeners.map(\.endpoint))
        if let challenge { findings.append(challenge) }
        return findings
    }

    /// Whether a listener for plain HTTP is on this port.
    func listens(onPort port: UInt16) -> Bool { plainListeners.contains { $0.port == port } }

    private var plainListeners: [ListenSetting] { self.listen + (self.secureRedirect?.listen ?? []) }
}

/// Whether the database can be opened, and has this version's tables.
enum DatabaseCheck {
    static func finding(_ database: DatabaseURL) -> DoctorFinding {
        if case .memory = database {
            return .finding(
                .database, "\(database.text) is lost when the server stops",
                fix: "name a file or a PostgreSQL database in database")
        }
        if case .file(let path) = database, !mayRead(path) {
            return .finding(
                .database, "\(database.text) may not be read by this user", fix: "run doctor as the service's user")
        }
        guard !database.isMissing else {
            return .finding(
                .database, "\(database.text) does not exist",
                fix: "name the configuration with --config; waymark serve creates the database")
        }
        do {
            let archive = try database.archive(.reading)
            archive.close()
        } catch {
            let reason = (error as? CommandFailure)?.message ?? "\(error)"
            return .finding(
                .database, reason,
                fix:
                    "start this version's server once, which upgrades the database, or see docs/operations/troubleshooting.md"
            )
        }
        // Only after closing: the check would release SQLite's locks of this process.
        let isServed = database.isLocked ? ", and a server has it open" : ""
        return .ok(.database, "\(database.text) opens and has this version's tables\(isServed)")
    }

    /// False if a permission is missing, on the file or on a folder above it; true if the file does not exist.
    private static func mayRead(_ path: String) -> Bool {
        // Safety: the path is lent as a C string for the call, which only reads it.
        unsafe access(path, R_OK) == 0 || errno != EACCES
    }
}

import Foundation
import WaymarkBytes
import WaymarkHTTP
import WaymarkServer
import WaymarkSockets
import WaymarkStores

/// What the configuration of the server alone shows.
enum ConfigurationCheck {
    /// - Parameters:
    ///   - served: how many descriptors the running server may have open; nil: none answers, and this process is
    ///     judged, which may have another limit.
    static func openFiles(threads: Int, limits: ServerLimits, served: Int?) -> DoctorFinding {
        let budget =
            served.map { DescriptorBudget(threads: threads, descriptors: $0) } ?? DescriptorBudget(threads: threads)
        guard let descriptors = budget.descriptors else {
            return .skipped(.openFiles, "the limit of open files is unknown")
        }
        guard let shortage = budget.shortage(of: limits) else {
            let process =
                served == nil
                ? "no server answers; this process may open \(descriptors)" : "the server may open \(descriptors)"
            return .ok(.openFiles, "\(process), for limits.connections of \(limits.connections)")
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
    ///
    /// - Parameter servedDescriptors: how many descriptors the running server may have open; nil: none answers.
    func doctorFindings(servedDescriptors: Int?) -> [DoctorFinding] {
        var folder: String?
        if case .file(let path) = self.database { folder = path.folderOfPath }
        var findings = [
            DiskCheck.finding(folder.flatMap { DiskCheck.observe($0) }),
            DatabaseCheck.finding(self.database),
            ConfigurationCheck.openFiles(threads: self.threads, limits: self.limits, served: servedDescriptors),
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
            let archive = try database.archive(.beside)
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

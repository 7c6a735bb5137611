import Foundation
import Logging
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkSite
import WaymarkSockets
import WaymarkTLS

/// A started service: store, links, site and server, from the first listener to the last flushed click.
actor RunningService {
    private let assembly: ServiceAssembly
    private let site: Site
    private let server: Server
    private let accessLog: AccessLogFile
    private let certificates: CertificateStore?
    private let ticketKeys: TicketKeys
    private var watch: CertificateWatch
    private var watching: Task<Void, Never>?
    private let logger: Logger
    private var configuration: Configuration
    private let manager: ServiceManager
    private var signsOfLife: Task<Void, Never>?

    private init(
        assembly: ServiceAssembly, site: Site, server: Server, accessLog: AccessLogFile,
        certificates: CertificateStore?, ticketKeys: TicketKeys, watch: CertificateWatch, logger: Logger,
        configuration: Configuration, manager: ServiceManager
    ) {
        self.assembly = assembly
        self.site = site
        self.server = server
        self.accessLog = accessLog
        self.certificates = certificates
        self.ticketKeys = ticketKeys
        self.watch = watch
        self.logger = logger
        self.configuration = configuration
        self.manager = manager
    }

    /// - Throws: `CommandFailure`; nothing is left running then, and nothing was logged.
    static func start(_ configuration: Configuration) async throws -> RunningService {
        StandardErrorLog.set(configuration.logLevel)
        LoggingSystem.bootstrap { _ in StandardErrorLog() }
        let logger = Logger(label: "waymark")
        let ticketKeys = TicketKeys()
        // Before the files are read: a change in between is seen as one then.
        let watch = CertificateWatch(configuration.certificates)
        let certificates = try configuration.certificateTable(keys: ticketKeys).map { CertificateStore($0) }
        let assembly = try await ServiceAssembly(configuration, logger: logger)

        var options = SiteOptions()
        options.publicFolder = configuration.publicFolder
        options.hasAdminListener = configuration.adminListen != nil
        options.callerLimits = configuration.callerLimits
        options.redirectCacheBytes = max(1 << 20, configuration.cacheBytes / 4 / configuration.threads)
        let site = Site(service: assembly.service, options: options, logger: logger)
        let accessLog = AccessLogFile()

        let server: Server
        do throws(ServerError) {
            let settings = serverConfiguration(configuration, certificates, accessLog)
            server = try await Server.start(settings) { site.makeHandler(loop: $0) }
        } catch {
            await assembly.close()
            throw CommandFailure.failed(error.description)
        }
        site.observe { server.statistics }
        let running = RunningService(
            assembly: assembly, site: site, server: server, accessLog: accessLog, certificates: certificates,
            ticketKeys: ticketKeys, watch: watch, logger: logger, configuration: configuration,
            manager: ServiceManager())
        do {
            try await running.begin()
        } catch {
            await running.stop()
            throw error
        }
        return running
    }

    private static func serverConfiguration(
        _ configuration: Configuration, _ certificates: CertificateStore?, _ accessLog: AccessLogFile
    ) -> ServerConfiguration {
        var listeners = configuration.listen.map { ServerConfiguration.Listener($0) }
        if let certificates, !configuration.tlsListen.isEmpty {
            let transport = ServerConfiguration.Listener.tls(certificates, loops: configuration.threads)
            listeners += configuration.tlsListen.map { ServerConfiguration.Listener($0, transport: transport) }
        }
        if let admin = configuration.adminListen { listeners.append(.init(admin, role: .admin)) }
        var server = ServerConfiguration(listeners: listeners)
        server.trustedProxies = configuration.trustedProxies
        server.inheritedSockets = InheritedSockets(environment: ProcessInfo.processInfo.environment)
        server.threads = configuration.threads
        server.eventLoop = configuration.eventLoop
        let scope: AccessLogScope = configuration.accessLog ? .all : .waiting
        server.accessLog = { _ in accessLog.makeLog(scope) }
        return server
    }

    /// What follows once the addresses are taken, so that a start that fails leaves no key behind.
    private func begin() async throws {
        do throws(StoreError) {
            if let key = try await assembly.service.keys.makeFirstAdminKey() {
                // On standard output and nowhere else: logs are kept, and this is shown once.
                print("Admin key, shown this once: \(key.text)")
                flushStandardOutput()
            }
        } catch {
            throw CommandFailure(error)
        }
        assembly.service.startTimers()
        if let changes = assembly.store.changesByOthers {
            // Ends with the stream, which ends when the store is closed.
            Task { [service = assembly.service] in await service.follow(changes) }
        }
        for listener in server.listeners {
            let scheme = listener.isSecure ? "https" : "http"
            let place = listener.path.map { "unix:\($0) (\(scheme))" } ?? "\(scheme)://\(listener.address)"
            logger.info("listening on \(place)\(listener.role == .admin ? " for operators" : "")")
        }
        if let certificates {
            warn(of: certificates.current)
            watching = Task { [weak self] in
                while (try? await Task.sleep(for: CertificateWatch.interval)) != nil { await self?.checkCertificates() }
            }
        }
        logger.warning("metadata is stored as it was sent: encryption at rest is not configured")
        manager.ready("Serving")
        if let interval = manager.signOfLifeInterval {
            signsOfLife = Task { [server, manager] in
                repeat {
                    server.touchLoops { manager.signOfLife() }
                } while (try? await Task.sleep(for: interval)) != nil
            }
        }
    }

    /// Reads certificates again where a file of theirs has changed. A bad one is logged, and the old one stays.
    private func checkCertificates() {
        guard let certificates, watch.hasChanged(configuration.certificates) else { return }
        do {
            guard let table = try configuration.certificateTable(keys: ticketKeys) else { return }
            certificates.use(table)
            logger.info("certificates read again, \(table.entries.count) in use")
            warn(of: table)
        } catch let failure as CommandFailure {
            logger.error("the new certificates are refused, the old ones stay: \(failure.message)")
        } catch {
            logger.error("the new certificates are refused, the old ones stay: \(error)")
        }
    }

    private func warn(of table: CertificateTable) {
        for entry in table.entries where entry.secondsLeft < 14 * 86_400 {
            let days = entry.secondsLeft / 86_400
            let state = entry.secondsLeft < 0 ? "has expired" : "expires in \(days) \(days == 1 ? "day" : "days")"
            logger.warning("the certificate \(entry.files.certificate) \(state)")
        }
        for key in CertificateWatch.exposedKeys(configuration.certificates) {
            logger.warning("the private key \(key) can be read by every user of this machine")
        }
    }

    /// Reads configuration, applications and certificates again. A bad one is logged, and the old one stays.
    func reload(_ read: () throws -> Configuration) async {
        manager.reloading()
        defer { manager.ready("Serving") }
        do {
            let fresh = try read()
            let definitions = try ApplicationsFile.read(fresh.applicationsFile)
            let watch = CertificateWatch(fresh.certificates)
            let table = try fresh.certificateTable(keys: ticketKeys)
            try await ServiceAssembly.apply(definitions, from: fresh, to: assembly.service)
            StandardErrorLog.set(fresh.logLevel)
            site.reload()
            site.use(fresh.callerLimits)
            let waiting = configuration.needingRestart(comparedTo: fresh)
            configuration = fresh
            if let certificates, let table {
                certificates.use(table)
                self.watch = watch
                warn(of: table)
            }
            logger.info("configuration read again, \(definitions.count) applications")
            if !waiting.isEmpty {
                logger.warning("these hold from the next start on: \(waiting.joined(separator: ", "))")
            }
        } catch let failure as CommandFailure {
            logger.error("the new configuration is refused, the old one stays: \(failure.message)")
        } catch {
            logger.error("the new configuration is refused, the old one stays: \(error)")
        }
    }

    /// Finishes what was begun, writes down what waits, and closes the store.
    func stop() async {
        manager.stopping()
        watching?.cancel()
        site.beginDraining()
        await server.drain()
        await assembly.close()
        accessLog.flush()
        signsOfLife?.cancel()
        logger.info("stopped")
    }
}

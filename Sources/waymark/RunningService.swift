import Logging
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkSite
import WaymarkSockets

/// A started service: store, links, site and server, from the first listener to the last flushed click.
actor RunningService {
    private let assembly: ServiceAssembly
    private let site: Site
    private let server: Server
    private let accessLog: AccessLogFile
    private let logger: Logger
    private var configuration: Configuration

    private init(
        assembly: ServiceAssembly, site: Site, server: Server, accessLog: AccessLogFile, logger: Logger,
        configuration: Configuration
    ) {
        self.assembly = assembly
        self.site = site
        self.server = server
        self.accessLog = accessLog
        self.logger = logger
        self.configuration = configuration
    }

    /// - Throws: `CommandFailure`; nothing is left running then, and nothing was logged.
    static func start(_ configuration: Configuration) async throws -> RunningService {
        StandardErrorLog.set(configuration.logLevel)
        LoggingSystem.bootstrap { _ in StandardErrorLog() }
        let logger = Logger(label: "waymark")
        let assembly = try await ServiceAssembly(configuration, logger: logger)

        var options = SiteOptions()
        options.publicFolder = configuration.publicFolder
        options.hasAdminListener = configuration.adminListen != nil
        options.redirectCacheBytes = max(1 << 20, configuration.cacheBytes / 4 / configuration.threads)
        let site = Site(service: assembly.service, options: options, logger: logger)
        let accessLog = AccessLogFile()

        let server: Server
        do throws(ServerError) {
            server = try await Server.start(serverConfiguration(configuration, accessLog)) { loop in
                site.makeHandler(loop: loop)
            }
        } catch {
            await assembly.close()
            throw CommandFailure.failed(error.description)
        }
        site.observe { server.statistics }
        let running = RunningService(
            assembly: assembly, site: site, server: server, accessLog: accessLog, logger: logger,
            configuration: configuration)
        do {
            try await running.begin()
        } catch {
            await running.stop()
            throw error
        }
        return running
    }

    private static func serverConfiguration(
        _ configuration: Configuration, _ accessLog: AccessLogFile
    ) -> ServerConfiguration {
        var listeners = configuration.listen.map { ServerConfiguration.Listener($0) }
        if let admin = configuration.adminListen { listeners.append(.init(admin, role: .admin)) }
        var server = ServerConfiguration(listeners: listeners)
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
        for listener in server.listeners {
            logger.info("listening on http://\(listener.address)\(listener.role == .admin ? " for operators" : "")")
        }
        logger.warning("metadata is stored as it was sent: encryption at rest is not configured")
    }

    /// Reads configuration and applications again. A bad one is logged, and the old one stays.
    func reload(_ read: () throws -> Configuration) async {
        do {
            let fresh = try read()
            let definitions = try ApplicationsFile.read(fresh.applicationsFile)
            try await ServiceAssembly.apply(definitions, from: fresh, to: assembly.service)
            StandardErrorLog.set(fresh.logLevel)
            site.reload()
            let waiting = configuration.needingRestart(comparedTo: fresh)
            configuration = fresh
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
        site.beginDraining()
        await server.drain()
        await assembly.close()
        accessLog.flush()
        logger.info("stopped")
    }
}

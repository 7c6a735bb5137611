import Foundation
import Logging
import WaymarkACME
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkSite
import WaymarkSockets
import WaymarkStores
import WaymarkTLS

/// A started service: store, links, site and server, from the first listener to the last flushed click.
actor RunningService {
    private let assembly: ServiceAssembly
    private let site: Site
    private let server: Server
    private let accessLog: AccessLogFile
    private let certificates: ListenerCertificates?
    /// Nil: no authority is configured.
    private let renewal: CertificateRenewal?
    private var watch: CertificateWatch
    private var watching: Task<Void, Never>?
    private var watchingPressure: Task<Void, Never>?
    private var pressure = PressureWatch()
    private let descriptors: DescriptorBudget
    private let reloads: ReloadMetrics
    private let logger: Logger
    private var configuration: Configuration
    /// As it was at the start: what of it needs a restart holds until then.
    private let running: Configuration
    private let manager: ServiceManager
    private var watchdog: Task<Void, Never>?
    private var waiting: Task<Void, Never>?
    private var refreshing: Task<Void, Never>?
    /// Why the service can't continue; nil if it can.
    private(set) var failure: CommandFailure?
    private let onFailure: @Sendable () -> Void

    private init(
        assembly: ServiceAssembly, site: Site, server: Server, accessLog: AccessLogFile,
        certificates: ListenerCertificates?, renewal: CertificateRenewal?, watch: CertificateWatch, logger: Logger,
        configuration: Configuration, descriptors: DescriptorBudget, reloads: ReloadMetrics,
        manager: ServiceManager,
        onFailure: @escaping @Sendable () -> Void
    ) {
        self.onFailure = onFailure
        self.descriptors = descriptors
        self.reloads = reloads
        self.assembly = assembly
        self.site = site
        self.server = server
        self.accessLog = accessLog
        self.certificates = certificates
        self.renewal = renewal
        self.watch = watch
        self.logger = logger
        self.configuration = configuration
        running = configuration
        self.manager = manager
    }

    /// - Parameter onFailure: called when `failure` is set after the start: the service must be stopped.
    /// - Throws: `CommandFailure`; then nothing is running and nothing was logged.
    static func start(
        _ configuration: Configuration, onFailure: @escaping @Sendable () -> Void
    ) async throws -> RunningService {
        StandardErrorLog.set(configuration.logLevel, configuration.logFormat)
        LoggingSystem.bootstrap { _ in StandardErrorLog() }
        let logger = Logger(label: "waymark")
        // Created before the files are read, so that a later change is detected.
        let watch = CertificateWatch(configuration.certificates)
        let certificates = try ListenerCertificates(configuration, logger: logger)
        let assembly = try await ServiceAssembly(configuration, logger: logger, isPatient: true) {
            logger.notice("\($0)")
        }
        var renewal: CertificateRenewal?
        if let acme = configuration.acme, let certificates {
            renewal = CertificateRenewal(acme, configuration, assembly, certificates, logger: logger)
            // Ready before the first handshake. While the store is away there is none to show.
            do {
                try await renewal?.refresh()
            } catch {
                logger.warning("stored certificates can't be read yet: \(error.reason)")
            }
        }

        var options = SiteOptions()
        options.publicFolder = configuration.publicFolder ?? Configuration.adjacentPublicFolder
        if configuration.publicFolder == nil, let folder = options.publicFolder {
            logger.notice("the files of the folder \(folder) are served, not those of the executable")
        }
        options.isDemo = configuration.isDemo
        options.hasAdminListener = configuration.adminListen != nil
        options.unplannedLinks = configuration.assistants.unplannedLinks
        options.plainNetworks = PeerNetworks(configuration.dashboard.plainNetworks)
        options.provider = try configuration.oidc?.provider(
            allowing: configuration.webhooks.allowedNetworks, now: { WallClock.milliseconds() / 1_000 })
        options.keySignIn = configuration.dashboard.keySignIn
        options.proxySignInField = configuration.proxySignIn?.header
        options.callerLimits = configuration.callerLimits
        options.countryField = configuration.countryHeader
        if let redirect = configuration.secureRedirect {
            options.secureRedirect = redirect.options(certificates?.store)
        }
        if let certificates {
            options.certificates = ServedDomains(
                certificates: certificates, renewal: renewal,
                additionalHosts: configuration.acme?.hosts.map(\.text) ?? [])
        }
        // The other half is for links.
        options.visitCacheBytes = max(1 << 20, configuration.cacheBytes / 2 / configuration.threads)
        let site = Site(
            service: assembly.service, background: assembly.background, options: options, logger: logger)
        let abandoned = assembly.background.imports.removeAbandonedFiles()
        if abandoned > 0 { logger.notice("deleted \(abandoned.counted("file")) of interrupted imports") }
        // Of no use if the store is not available: reading them does the same.
        try? await assembly.background.imports.settle()
        let accessLog: AccessLogFile
        do {
            accessLog = try AccessLogFile(path: configuration.accessLogFile)
        } catch {
            await assembly.close()
            throw error
        }

        let descriptors = DescriptorBudget(threads: configuration.threads)
        let server: Server
        do throws(ServerError) {
            var settings = serverConfiguration(configuration, certificates?.store, accessLog)
            settings.onUnknownProxy = {
                logger.warning(
                    "requests come through a proxy on this machine that trustedProxies does not name: all of its clients share the limits of its address"
                )
            }
            // Without an address of their own operators are clients like others.
            settings.descriptors = configuration.adminListen == nil ? nil : descriptors.descriptors
            settings.limits = descriptors.applied(to: configuration.limits)
            server = try await Server.start(settings) { site.makeHandler() }
        } catch {
            await assembly.close()
            throw CommandFailure.failed(error.description)
        }
        site.observe { server.statistics }
        let reloads = ReloadMetrics()
        site.observe(accessLog.families + reloads.families + (renewal?.families ?? []))
        if let certificates, !configuration.tlsListen.isEmpty {
            site.observeTLS { [renewal] in TLSMetrics(certificates.store, renewal) }
        }
        let running = RunningService(
            assembly: assembly, site: site, server: server, accessLog: accessLog, certificates: certificates,
            renewal: renewal, watch: watch, logger: logger, configuration: configuration,
            descriptors: descriptors, reloads: reloads,
            manager: ServiceManager(), onFailure: onFailure)
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
        if let redirect = configuration.secureRedirect {
            listeners += redirect.listen.map { ServerConfiguration.Listener($0, role: .redirect) }
        }
        if let admin = configuration.adminListen { listeners.append(.init(admin, role: .admin)) }
        if let path = configuration.database.ownerSocketPath {
            var owner = ServerConfiguration.Listener(.unix(path: path, mode: 0o600), role: .owner)
            owner.isOptional = true
            listeners.append(owner)
        }
        var server = ServerConfiguration(listeners: listeners)
        server.trustedProxies = configuration.trustedProxies
        server.forwardedFields = configuration.forwardedFields
        server.identifiedPaths = Site.identifiedPaths
        server.inheritedSockets = InheritedSockets(environment: ProcessInfo.processInfo.environment)
        server.threads = configuration.threads
        server.eventLoop = configuration.eventLoop
        server.strictTransportSecurity = configuration.strictTransportSecurity
        server.routes = Site.requestRoutes
        if let scope = configuration.accessLog.scope {
            let format = configuration.accessLogFormat
            server.accessLog = { _ in accessLog.makeLog(scope, format) }
        }
        return server
    }

    /// Runs after the addresses are bound, so that a failed start does not create a key.
    private func begin() async throws {
        // Notices that come while certificates are read are one more reading.
        let (notices, notice) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        if let renewal {
            // A new domain gets its certificate at once.
            assembly.service.applications.onChange { notice.yield() }
            refreshing = Task { for await _ in notices { try? await renewal.refresh() } }
        }
        // Before the address is logged, so that no client knows it yet.
        if let port = chosenPort, let base = WebURL("http://localhost:\(port)") {
            try? await assembly.service.applications.use(defaultBaseURL: base)
        }
        if let absence = assembly.absence {
            logger.warning("the store is unavailable, and nothing can be served yet; retrying: \(absence.sentence)")
            waiting = Task { await waitForStore() }
        } else {
            do throws(StoreError) {
                try await beginServing()
            } catch {
                throw CommandFailure(error)
            }
        }
        if let changes = assembly.store.changesByOthers {
            // Ends with the stream, when the store is closed.
            Task { [service = assembly.service] in await service.follow(changes) { notice.yield() } }
        }
        for listener in server.listeners {
            let scheme = listener.isSecure ? "https" : "http"
            let purpose =
                switch listener.role {
                case .public: ""
                case .admin: " for operators"
                case .redirect: " to send to HTTPS"
                case .owner: " for commands"
                }
            let location = listener.path.map { "unix:\($0) (\(scheme))" } ?? "\(scheme)://\(listener.address)"
            logger.info("listening on \(location)\(purpose)")
        }
        for problem in server.unbound {
            logger.warning("waymark keys, links and apps need --url beside this server: \(problem)")
        }
        let domain = assembly.service.applications.directory.current.applications.lazy
            .compactMap(\.application.domains.first).first
        if let origin = configuration.operatorOrigin(server.listeners, domain: domain?.text) {
            site.use(operatorOrigin: origin)
        }
        if let certificates {
            certificates.warn()
            warnOfExposedKeys()
            watching = Task { [weak self] in
                while (try? await Task.sleep(for: CertificateWatch.interval)) != nil { await self?.checkCertificates() }
            }
        }
        if let shortage = descriptors.shortage(of: configuration.limits) { logger.warning("\(shortage)") }
        watchingPressure = Task { [weak self] in
            while (try? await Task.sleep(for: PressureWatch.interval)) != nil { await self?.reportPressure() }
        }
        if configuration.metadataKeys.isEmpty {
            logger.warning("metadata is stored as it was sent: encryption at rest is not configured (metadataKeys)")
        }
        warnOfExposedMetadataKeys()
        warnOfBlockedDestinations()
        manager.ready("Serving")
        ProgramPages.release()
        if let interval = manager.signOfLifeInterval {
            watchdog = Task { [server, manager] in
                repeat {
                    server.touchLoops { manager.signOfLife() }
                } while (try? await Task.sleep(for: interval)) != nil
            }
        }
    }

    /// The port that the kernel has chosen where the configuration has 0, if smart links on localhost have it.
    private var chosenPort: UInt16? {
        guard configuration.listen.lazy.compactMap(\.port).first == 0 else { return nil }
        return server.listeners.first { $0.role == .public && !$0.isSecure && $0.path == nil }?.address.port
    }

    private func beginServing() async throws(StoreError) {
        if configuration.isDemo {
            try await DemoClicks(now: Timestamp(rawValue: WallClock.milliseconds())).fill(assembly.store)
            logger.notice("this is a demonstration: links and clicks are made up, and nothing is stored")
        } else if let key = try await assembly.service.keys.makeFirstAdminKey() {
            FirstAdminKey(text: key.text).show(in: configuration.stateFolder(), logger: logger)
        }
        assembly.service.startTimers()
        assembly.background.start()
        site.watchStore()
        site.observeAssociationFiles()
        renewal?.start()
    }

    /// Retries until the store can be read. Other errors, such as a rejected applications file, end the service as
    /// they would have prevented its start.
    private func waitForStore() async {
        do {
            let definitions = try ApplicationsFile.read(configuration.applicationsFile)
            while try await ServiceAssembly.load(
                assembly.service, in: assembly.store, definitions, from: configuration, isPatient: true) != nil
            {
                try await Task.sleep(for: .milliseconds(.random(in: 250...500)))
            }
            try await beginServing()
            logger.notice("the store is there")
        } catch is CancellationError {
            return
        } catch let error as StoreError {
            // It became unavailable again before the first key was created.
            logger.warning("the store is waited for: \(error.sentence)")
            return await waitForStore()
        } catch {
            failure = error as? CommandFailure ?? .failed("\(error)")
            onFailure()
        }
    }

    /// Reloads certificates whose files have changed. An invalid one is logged, and the old one is kept.
    private func checkCertificates() {
        guard let certificates, watch.hasChanged(configuration.certificates) else { return }
        do {
            guard let table = try certificates.read(configuration) else { return }
            certificates.use(table)
            logger.info("reloaded certificates: \(table.entries.count) in use")
            certificates.warn()
            warnOfExposedKeys()
        } catch let failure as CommandFailure {
            logger.error("the new certificates are refused, the old ones stay: \(failure.message)")
        } catch {
            logger.error("the new certificates are refused, the old ones stay: \(error)")
        }
    }

    private func reportPressure() {
        for line in pressure.look(server.statistics) { logger.warning("\(line)") }
    }

    private func warnOfExposedKeys() {
        for key in CertificateWatch.exposedKeys(configuration.certificates) {
            logger.warning("the private key \(key) can be read by every user of this machine")
        }
    }

    private func warnOfBlockedDestinations() {
        guard configuration.blockedHostsFile != nil else { return }
        for sentence in ServiceAssembly.blockedDestinations(of: assembly.service) { logger.warning("\(sentence)") }
    }

    private func warnOfExposedMetadataKeys() {
        for key in configuration.metadataKeys where key.isExposed {
            logger.warning(
                "the metadata key \"\(key.id)\" in \(key.file ?? "") can be read by every user of this machine")
        }
    }

    /// Reloads configuration, applications and certificates. An invalid one is logged, and the old one is kept.
    func reload(_ read: () throws -> Configuration) async {
        manager.reloading()
        var isTaken = false
        defer {
            reloads.note(isSuccessful: isTaken)
            manager.ready("Serving")
        }
        // First, and whatever becomes of the rest: rotated logs are compressed and deleted.
        if let reopened = try? AccessLogFile.Opened(configuration.accessLogFile) { accessLog.use(reopened) }
        do {
            let fresh = try read()
            let definitions = try ApplicationsFile.read(fresh.applicationsFile)
            let blockedHosts = try BlockedHostsFile.read(fresh.blockedHostsFile)
            let countries = try CountryFileSetting.lookup(fresh.countryFile)
            let watch = CertificateWatch(fresh.certificates)
            let table = try certificates?.read(fresh)
            try await ServiceAssembly.check(fresh.metadataKeys, in: assembly.store)
            // By now everything has been validated except what only the store can check. The store comes first of the
            // changes, and a rejection by it changes nothing.
            let logFile = try AccessLogFile.Opened(fresh.accessLogFile)
            try await ServiceAssembly.apply(definitions, from: fresh, to: assembly.service)
            try await ServiceAssembly.use(fresh.metadataKeys, in: assembly.store)
            try await assembly.service.applications.block(blockedHosts)
            assembly.service.countries.use(countries)
            if fresh.accessLogFile != configuration.accessLogFile { accessLog.use(logFile) }
            StandardErrorLog.set(fresh.logLevel, fresh.logFormat)
            site.reload()
            site.use(fresh.callerLimits)
            let waiting = running.needingRestart(comparedTo: fresh)
            if configuration.limits != fresh.limits {
                server.use(descriptors.applied(to: fresh.limits))
                if let shortage = descriptors.shortage(of: fresh.limits) { logger.warning("\(shortage)") }
            }
            configuration = fresh
            isTaken = true
            warnOfExposedMetadataKeys()
            warnOfBlockedDestinations()
            if let certificates, let table {
                certificates.use(table)
                self.watch = watch
                certificates.warn()
                warnOfExposedKeys()
            }
            try? await renewal?.retryNow()
            let file = fresh.applicationsFile.map { ", \(definitions.count.counted("application")) in \($0)" } ?? ""
            logger.info("configuration read again\(file)")
            if !waiting.isEmpty {
                logger.warning("changed, takes effect after a restart: \(waiting.joined(separator: ", "))")
            }
        } catch let failure as CommandFailure {
            logger.error("configuration rejected, the previous one remains in effect: \(failure.message)")
        } catch let error as StoreError {
            logger.error("configuration rejected, the previous one remains in effect: \(error.sentence)")
        } catch {
            logger.error("configuration rejected, the previous one remains in effect: \(error)")
        }
    }

    /// Completes running requests, writes buffered data, and closes the store.
    func stop() async {
        manager.stopping()
        watching?.cancel()
        watchingPressure?.cancel()
        waiting?.cancel()
        refreshing?.cancel()
        site.beginDraining()
        async let importsEnd: Void = assembly.background.imports.stop()
        await server.drain()
        await importsEnd
        await renewal?.stop()
        await site.endObserving()
        await assembly.close()
        accessLog.flush()
        watchdog?.cancel()
        logger.info("stopped")
    }

    /// Speeds up a running `stop` by closing the remaining connections. Returns their number.
    func forceStop() async -> Int {
        await server.closeAll()
    }
}

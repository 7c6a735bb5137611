package import Logging
import Synchronization
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
package import WaymarkMetrics
package import WaymarkServer
package import WaymarkService
import WaymarkStores

/// The HTTP interface of the service, shared by all event loops.
///
///     let site = Site(service: service, background: background, options: options, logger: logger)
///     let server = try await Server.start(configuration) { site.makeHandler() }
///     site.observe { server.statistics }
///
/// Safe to use from any thread.
package final class Site: Sendable {
    package let service: LinkService
    let options: SiteOptions
    let logger: Logger
    let router: Router<SiteRoute>
    let files: PublicFiles
    let compression = CompressionCache()
    /// Association files in the public folder, which take precedence over those made from applications.
    let overrides: Published<AssociationOverrides>
    /// Fetches and versions of association files.
    let observer: AssociationObserver
    let callers: CallerGate
    let passwordTries = PasswordTries()
    let firebaseAnswers = FirebaseAnswers()
    let hokoTemplates = HokoTemplateIndexes()
    let background: BackgroundWork
    let uploads: ImportUploads
    package var imports: Imports { background.imports }
    var webhooks: WebhookService { background.webhooks }
    var certificates: any DomainCertificates { options.certificates ?? NoCertificates() }
    /// Why the store can't be used, if it can't; checked by one caller at a time, at most four times a second.
    let readiness = SharedResponse<StoreError?>(
        "waymark.readiness", lifetime: { _ in 250_000_000 },
        fallback: (.unavailable("the store did not answer in time"), after: 2_000_000_000))
    /// Looks at the store, so that metrics follow it without requests for `/readyz`.
    private let storeTimer = Mutex<RepeatingTimer?>(nil)
    /// `/metrics`, rendered by one request at a time and reused long enough that rendering takes at most a twentieth of
    /// a core, however often it is requested.
    let metrics = SharedResponse<Metrics.Rendered>("waymark.metrics", lifetime: { min($0 * 20, 1_000_000_000) })
    private let isDraining = Atomic<Bool>(false)
    private let further = Mutex<[MetricFamily<Void>]>([])
    private let statistics = Mutex<(@Sendable () -> ServerStatistics)?>(nil)
    private let origin = Mutex("")
    private let tlsFigures = Mutex<(@Sendable () -> TLSMetrics)?>(nil)

    /// - Parameter background: of the same service, which starts and stops it.
    package init(service: LinkService, background: BackgroundWork, options: SiteOptions, logger: Logger) {
        self.service = service
        self.background = background
        uploads = ImportUploads(background.imports.settings)
        self.options = options
        self.logger = logger
        callers = CallerGate(options.callerLimits, options.rateLimiter)
        var router = Router<SiteRoute>()
        for (index, route) in Self.routes.enumerated() {
            var route = route
            route.number = index + 1
            for segments in route.spellings { router.add(route.method, segments, to: route) }
        }
        self.router = router
        files = PublicFiles(folder: options.publicFolder, compression: compression, logger: logger)
        let found = options.publicFolder.map { AssociationOverrides(folder: $0) } ?? AssociationOverrides()
        found.lint(to: logger)
        overrides = Published(found)
        observer = AssociationObserver(
            service.associationFiles, service.applications.directory, overrides, service.dependencies, logger: logger)
        background.verifier.use { [weak self] link, now in self.flatMap { LinkInspection(link, on: $0, at: now) } }
    }

    /// The routes for the route numbers of its handlers. Visits of links are quiet; health and metrics are
    /// probes.
    package static let requestRoutes =
        [RequestRoute.none]
        + routes.map {
            RequestRoute(
                method: $0.method.name, path: $0.path.text, isQuiet: $0.access.isVisit, isProbe: $0.access.isProbe)
        }

    /// The prefix of paths whose responses have an `X-Request-ID`.
    package static let identifiedPaths = "/api/"

    /// The route number of visits of links.
    static let visitRoute = requestRoutes.firstIndex { $0.isQuiet } ?? 0

    /// The number of the route of this kind.
    static func route(_ kind: OpenRoute) -> Int { openRoutes[kind] ?? visitRoute }

    private static let openRoutes = Dictionary(
        routes.enumerated().compactMap { index, route -> (OpenRoute, Int)? in
            guard case .open(let kind) = route.access else { return nil }
            return (kind, index + 1)
        }, uniquingKeysWith: { first, _ in first })

    /// Makes the handler for one event loop; must be called on that loop, after the service has loaded.
    package func makeHandler() -> any RequestHandler {
        SiteHandler(self)
    }

    /// Rereads the files of the public folder (SIGHUP).
    package func reload() {
        files.reload()
        guard let folder = options.publicFolder else { return }
        let ticket = overrides.ticket()
        let fresh = AssociationOverrides(folder: folder)
        if fresh != overrides.current { fresh.lint(to: logger) }
        overrides.publish(ticket) { $0 == fresh ? nil : fresh }
    }

    /// Sets the origin at which this machine's browsers reach the dashboard, such as `http://127.0.0.1:8080`. Commands on the owner's
    /// socket don't know it.
    package func use(operatorOrigin: String) { origin.withLock { $0 = operatorOrigin } }

    var operatorOrigin: String { origin.withLock(\.self) }

    /// Replaces callers' limits.
    package func use(_ limits: CallerLimits) { callers.use(limits) }

    /// From now on, `/readyz` returns 503.
    package func beginDraining() {
        isDraining.store(true, ordering: .releasing)
        storeTimer.withLock { $0 = nil }
    }

    /// Sets the source of the server's metrics.
    package func observe(_ source: @escaping @Sendable () -> ServerStatistics) {
        statistics.withLock { $0 = source }
    }

    /// Adds further metrics, which belong neither to the server nor to the service.
    package func observe(_ families: [MetricFamily<Void>]) {
        further.withLock { $0 = families }
    }

    var furtherMetrics: [MetricFamily<Void>] { further.withLock { $0 } }

    /// Sets the source of TLS metrics, which are otherwise missing.
    package func observeTLS(_ source: @escaping @Sendable () -> TLSMetrics) {
        tlsFigures.withLock { $0 = source }
    }

    var currentTLSFigures: TLSMetrics? { tlsFigures.withLock { $0 }?() }

    var currentStatistics: ServerStatistics {
        statistics.withLock { $0 }?() ?? ServerStatistics()
    }

    var now: Timestamp { service.dependencies.now() }

    /// Whether the service is ready, provided that the store is.
    var mayBeReady: Bool {
        !isDraining.load(ordering: .acquiring) && service.isLoaded && !service.storeHealth.isAway
    }

    /// Why the store can't be used; nil if it can. Waits for it two seconds at most.
    func storeFailure() async -> StoreError? {
        await readiness.value { [service] in await service.storeWatch.look() }
    }

    /// From now on, looks at the store every few seconds.
    package func watchStore() {
        let timer = RepeatingTimer(every: service.configuration.storeCheckInterval) { [weak self] in
            _ = await self?.storeFailure()
        }
        storeTimer.withLock { $0 = timer }
        Task { _ = await storeFailure() }
    }

    /// From now on, records which versions of association files are served.
    package func observeAssociationFiles() { observer.start() }

    /// Writes the last fetches of association files; must be called after the last response.
    package func endObserving() async { await observer.stop() }

    /// - Parameter body: compared as parsed JSON.
    func idempotencyKey(
        _ value: String, _ key: KeyIdentity, _ endpoint: String, _ body: JSONDocument
    ) -> IdempotencyKey {
        idempotencyKey(value, key, endpoint, canonical: body.canonicalBytes)
    }

    /// - Parameter body: the canonical text of all bodies that are equal as parsed JSON.
    func idempotencyKey(
        _ value: String, _ key: KeyIdentity, _ endpoint: String, canonical body: [UInt8]
    ) -> IdempotencyKey {
        // With a password a digest of the body alone would tell who reads the store whether a guess is right.
        let secret = body.contains(Array("\"password\":".utf8)) ? Array(value.utf8) : []
        return IdempotencyKey(
            value, key: key, endpoint: endpoint, canonicalBody: body + secret, sha256: service.dependencies.sha256)
    }
}

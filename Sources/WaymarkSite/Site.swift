package import Logging
import Synchronization
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
package import WaymarkMetrics
package import WaymarkServer
package import WaymarkService

/// The HTTP face of the service: everything that it answers, for all event loops.
///
///     let site = Site(service: service, options: options, logger: logger)
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
    /// Association files that stand in the public folder, in front of those made from applications.
    let overrides: Published<AssociationOverrides>
    let callers: CallerGate
    let firebaseAnswers = FirebaseAnswers()
    /// Whether the store answers, asked at most once at a time and four times a second.
    let readiness = SharedResponse<Bool>(
        "waymark.readiness", lifetime: { _ in 250_000_000 }, fallback: (false, after: 2_000_000_000))
    /// `/metrics`, made at most once at a time, and given again for so long that making it takes a twentieth of one core at
    /// most, however often it is asked for.
    let metrics = SharedResponse<Metrics.Rendered>("waymark.metrics", lifetime: { min($0 * 20, 1_000_000_000) })
    private let isDraining = Atomic<Bool>(false)
    private let further = Mutex<[MetricFamily<Void>]>([])
    private let statistics = Mutex<(@Sendable () -> ServerStatistics)?>(nil)
    private let tlsFigures = Mutex<(@Sendable () -> TLSMetrics)?>(nil)

    package init(service: LinkService, options: SiteOptions, logger: Logger) {
        self.service = service
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
        let found = AssociationOverrides(folder: options.publicFolder)
        found.lint(to: logger)
        overrides = Published(found)
    }

    /// What the route numbers of its handlers stand for. Visits of links are the quiet ones.
    package static let requestRoutes =
        [RequestRoute.none]
        + routes.map {
            RequestRoute(method: $0.method.name, path: $0.path.text, isQuiet: $0.access.isVisit)
        }

    /// How the paths begin whose answers have an `X-Request-ID`.
    package static let identifiedPaths = "/api/"

    /// The number of visits of links.
    static let visitRoute = requestRoutes.firstIndex { $0.isQuiet } ?? 0

    /// The number of the route that answers so.
    static func route(_ kind: OpenRoute) -> Int { openRoutes[kind] ?? visitRoute }

    private static let openRoutes = Dictionary(
        routes.enumerated().compactMap { index, route -> (OpenRoute, Int)? in
            guard case .open(let kind) = route.access else { return nil }
            return (kind, index + 1)
        }, uniquingKeysWith: { first, _ in first })

    /// The handler of one event loop; to be called on that loop, after the service has loaded.
    package func makeHandler() -> any RequestHandler {
        SiteHandler(self)
    }

    /// Reads again what was read from the public folder at the start (SIGHUP).
    package func reload() {
        files.reload()
        let ticket = overrides.ticket()
        let fresh = AssociationOverrides(folder: options.publicFolder)
        if fresh != overrides.current { fresh.lint(to: logger) }
        overrides.publish(ticket) { $0 == fresh ? nil : fresh }
    }

    /// Holds callers to other limits from now on.
    package func use(_ limits: CallerLimits) { callers.use(limits) }

    /// From now on `/readyz` says no.
    package func beginDraining() { isDraining.store(true, ordering: .releasing) }

    /// Where `/metrics` gets the server's figures from.
    package func observe(_ source: @escaping @Sendable () -> ServerStatistics) {
        statistics.withLock { $0 = source }
    }

    /// What `/metrics` shows besides: figures that belong neither to the server nor to the service.
    package func observe(_ families: [MetricFamily<Void>]) {
        further.withLock { $0 = families }
    }

    var furtherMetrics: [MetricFamily<Void>] { further.withLock { $0 } }

    /// Where `/metrics` gets the figures of TLS from; without it there are none.
    package func observeTLS(_ source: @escaping @Sendable () -> TLSMetrics) {
        tlsFigures.withLock { $0 = source }
    }

    var currentTLSFigures: TLSMetrics? { tlsFigures.withLock { $0 }?() }

    var currentStatistics: ServerStatistics {
        statistics.withLock { $0 }?() ?? ServerStatistics()
    }

    var now: Timestamp { service.dependencies.now() }

    /// Whether nothing speaks against being ready but what the store may say.
    var mayBeReady: Bool {
        !isDraining.load(ordering: .acquiring) && service.isLoaded && !service.storeHealth.isAway
    }

    /// Whether the store answers, within two seconds.
    func storeAnswers() async -> Bool {
        await readiness.value { [service, logger] in
            do {
                try await service.ping()
                return true
            } catch {
                logger.warning("not ready: \(error)")
                return false
            }
        }
    }

    /// - Parameter body: compared as parsed JSON.
    func idempotencyKey(
        _ value: String, _ key: KeyIdentity, _ endpoint: String, _ body: JSONDocument
    ) -> IdempotencyKey {
        idempotencyKey(value, key, endpoint, canonical: body.canonicalBytes)
    }

    /// - Parameter body: the one text of all bodies that are equal as parsed JSON.
    func idempotencyKey(
        _ value: String, _ key: KeyIdentity, _ endpoint: String, canonical body: [UInt8]
    ) -> IdempotencyKey {
        IdempotencyKey(
            value, key: key, endpoint: endpoint, canonicalBody: body, sha256: service.dependencies.sha256)
    }
}

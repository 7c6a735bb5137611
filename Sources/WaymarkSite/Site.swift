package import Logging
import Synchronization
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
package import WaymarkServer
package import WaymarkService

/// The HTTP face of the service: everything that it answers, for all event loops.
///
///     let site = Site(service: service, options: options, logger: logger)
///     let server = try await Server.start(configuration) { site.makeHandler(loop: $0) }
///     site.observe { server.statistics }
///
/// Safe to use from any thread.
package final class Site: Sendable {
    package let service: LinkService
    let options: SiteOptions
    let logger: Logger
    let router: Router<SiteRoute>
    /// Nil where the folder can't be opened: then there are no pages.
    let files: StaticFiles?
    /// Association files that stand in the public folder, in front of those made from applications.
    let overrides: Published<AssociationOverrides>
    let callers: CallerGate
    private let isDraining = Atomic<Bool>(false)
    private let statistics = Mutex<(@Sendable () -> ServerStatistics)?>(nil)

    package init(service: LinkService, options: SiteOptions, logger: Logger) {
        self.service = service
        self.options = options
        self.logger = logger
        callers = CallerGate(options.callerLimits, options.rateLimiter)
        var router = Router<SiteRoute>()
        for route in Self.routes { router.add(route.method, route.path.segments, to: route) }
        self.router = router
        files = try? StaticFiles(root: options.publicFolder)
        overrides = Published(AssociationOverrides(folder: options.publicFolder))
    }

    /// The handler of one event loop; to be called on that loop, after the service has loaded.
    package func makeHandler(loop: Int) -> any RequestHandler {
        SiteHandler(self)
    }

    /// Reads again what was read from the public folder at the start (SIGHUP).
    package func reload() {
        let ticket = overrides.ticket()
        let fresh = AssociationOverrides(folder: options.publicFolder)
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

    var currentStatistics: ServerStatistics {
        statistics.withLock { $0 }?() ?? ServerStatistics()
    }

    var now: Timestamp { service.surroundings.now() }

    /// Whether the store answers and the server is not about to stop.
    func isReady() async -> Bool {
        guard !isDraining.load(ordering: .acquiring) else { return false }
        do {
            try await service.ping()
            return true
        } catch {
            logger.warning("not ready: \(error)")
            return false
        }
    }

    /// - Parameter body: compared as parsed JSON.
    func idempotencyKey(_ value: String, _ key: KeyIdentity, _ endpoint: String, _ body: JSONValue) -> IdempotencyKey {
        IdempotencyKey(
            value, key: key, endpoint: endpoint, canonicalBody: body.canonicalBytes,
            sha256: service.surroundings.sha256)
    }
}

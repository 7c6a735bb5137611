import Foundation
import Logging
import Synchronization
import WaymarkLinks
import WaymarkSQLite
import WaymarkServer
import WaymarkService
import WaymarkSite
import WaymarkSockets
import WaymarkStores
import WaymarkTLS

/// The whole service in this process: an SQLite store in memory, everything else as it is served. One event loop, and a
/// second one that writes an access log.
struct BenchmarkSite {
    static let adminKey = "wm_0123456789abcdefghijABCDEFGHIJ0123456789"
    static let host = "go.example.com"
    static let longLinkHost = "promo.example.com"

    let service: LinkService
    let site: Site
    let plain: Server
    let logging: Server

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(eventLoop: EventLoopKind) async throws {
        let (service, site) = try await Self.makeSite(Self.dependencies)
        service.startTimers()

        var settings = ServerConfiguration(listeners: [.init(HostAndPort(host: "127.0.0.1", port: 0))])
        settings.eventLoop = eventLoop
        settings.routes = Site.requestRoutes
        settings.limits.requestsPerConnection = .max
        // Nothing of the probe's is to be among what a request costs.
        settings.probeInterval = .seconds(3_600)
        plain = try await Server.start(settings) { site.makeHandler() }
        settings.accessLog = { _ in LineSink() }
        logging = try await Server.start(settings) { site.makeHandler() }
        self.service = service
        self.site = site
    }

    /// A server with more event loops.
    func startLoops(_ count: Int) async throws -> Server {
        var settings = ServerConfiguration(listeners: [.init(HostAndPort(host: "127.0.0.1", port: 0))])
        settings.threads = count
        settings.routes = Site.requestRoutes
        settings.limits.requestsPerConnection = .max
        settings.probeInterval = .seconds(3_600)
        return try await Server.start(settings) { [site] in site.makeHandler() }
    }

    /// The service with its application, and without servers and timers.
    static func makeSite(_ dependencies: ServiceDependencies) async throws -> (LinkService, Site) {
        let quiet = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        var configuration = ServiceConfiguration()
        configuration.adminKey = KeyText(adminKey)
        let service = LinkService(
            store: try SQLiteLinkStore(path: ":memory:"), configuration: configuration, dependencies: dependencies,
            readApplication: { ApplicationDocument.application($0) }, logger: quiet)
        try await service.load()
        try await put(application, service)
        let background = BackgroundWork(of: service, message: EventMessage.body, logger: quiet)
        return (service, Site(service: service, background: background, options: SiteOptions(), logger: quiet))
    }

    /// Adds the application that serves long links. Without it, other requests don't pay for long links, and those that
    /// create a link need not name their application.
    func serveLongLinks() async throws { try await Self.put(Self.promotion, service) }

    private static func put(_ application: String, _ service: LinkService) async throws {
        guard case .definitions(let definitions) = ApplicationsFile.read(Array("[\(application)]".utf8)) else {
            throw Failure(description: "the application can't be read")
        }
        for definition in definitions { _ = try await service.applications.put(definition, expecting: nil) }
    }

    /// Those of a server.
    static var dependencies: ServiceDependencies {
        var dependencies = ServiceDependencies(
            now: { Timestamp(rawValue: WallClock.milliseconds()) }, randomBytes: { SecureRandom.bytes(count: $0) },
            sha256: { SHA256.digest(of: $0) })
        dependencies.coarseNow = { Timestamp(rawValue: WallClock.recentMilliseconds()) }
        dependencies.yieldToOthers = { _ = sched_yield() }
        return dependencies
    }

    /// The same in every run: the clock stands still, and random bytes repeat.
    static var repeatableSurroundings: ServiceDependencies {
        let random = Mutex<UInt64>(7)
        return ServiceDependencies(
            now: { Timestamp(seconds: 1_795_000_000) },
            randomBytes: { count in
                (0..<count).map { _ in
                    random.withLock {
                        $0 = LinkGenerator.mixed($0)
                        return UInt8(truncatingIfNeeded: $0)
                    }
                }
            },
            sha256: { SHA256.digest(of: $0) })
    }

    func stop() async {
        await plain.drain()
        await logging.drain()
        await service.stop()
    }

    /// Takes lines as a log does that has much to write: copies them, and lets go of all of them now and then.
    private final class LineSink: AccessLog {
        let scope = AccessLogScope.all
        private var bytes: [UInt8] = []

        init() { bytes.reserveCapacity(1 << 20) }

        func write(_ line: Span<UInt8>) {
            if bytes.count + line.count > 1 << 20 { bytes.removeAll(keepingCapacity: true) }
            for index in line.indices { bytes.append(line[index]) }
        }
    }

    private static let application = """
        {"id": "shop", "name": "Shop", "domains": ["go.example.com"], "baseURL": "https://go.example.com",
         "ios": {"appIDs": ["ABCDE12345.com.example.shop"], "urlScheme": "shop", "appStoreID": "123456789"},
         "android": {"package": "com.example.shop", "urlScheme": "shop", "sha256CertFingerprints": []},
         "web": {"baseURL": "https://shop.example.com"},
         "templates": [{"name": "product", "route": "products/:product_id",
           "urls": {"web": "https://shop.example.com/products/:product_id",
                    "ios": {"link": "shop://products/:product_id", "fallback": "store"},
                    "android": {"link": "shop://products/:product_id", "fallback": "store"}}}]}
        """
    private static let promotion = """
        {"id": "promo", "name": "Promo", "domains": ["promo.example.com"], "baseURL": "https://promo.example.com",
         "ios": {"appIDs": ["ABCDE12345.com.example.promo"], "urlScheme": "promo", "appStoreID": "123456789"},
         "android": {"package": "com.example.promo", "urlScheme": "promo", "sha256CertFingerprints": []},
         "web": {"baseURL": "https://shop.example.com"}, "firebase": {"enabled": true, "longLinks": true}}
        """
}

import Logging
import Testing
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkSQLite
import WaymarkServer
import WaymarkService
import WaymarkSite
import WaymarkSockets
import WaymarkStores
import WaymarkTLS

/// A site over an SQLite store in memory, with the shop applied and an admin key, and a client that asks it.
struct SiteFixture: Sendable {
    static let adminKey = "wm_0123456789abcdefghijklmnopqrstuvwxyzABCDEF"

    let site: Site
    let client: any TestClient
    let clock: TestClock

    var service: LinkService { site.service }

    /// Runs the test against a fresh site, and stops the server behind it.
    static func run(
        _ transportKind: TransportKind, applications: [String] = [shop], options: SiteOptions = options(),
        background: BackgroundWork.Settings = BackgroundWork.Settings(), role: ListenerRole = .public,
        adminKey: String? = SiteFixture.adminKey, store: (any LinkStore)? = nil,
        test: (SiteFixture) async throws -> Void
    ) async throws {
        let clock = TestClock()
        var configuration = ServiceConfiguration()
        configuration.adminKey = adminKey.flatMap { KeyText($0) }
        configuration.liveClicksInterval = nil
        var dependencies = ServiceDependencies(
            now: { clock.now }, randomBytes: { SecureRandom.bytes(count: $0) }, sha256: { SHA256.digest(of: $0) })
        dependencies.derivePasswordKey = { password, salt, parameters in
            Scrypt.key(
                of: password, salt: salt, costBits: parameters.costBits, blockSize: parameters.blockSize,
                parallelism: parameters.parallelism, count: LinkPassword.keyCount)
        }
        let store = try store ?? SQLiteLinkStore(path: ":memory:")
        let service = LinkService(
            store: store, documents: (store as? any SealingStore).map { SealedDocuments($0) },
            configuration: configuration, dependencies: dependencies,
            readApplication: { ApplicationDocument.application($0) },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await service.load()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let site = Site(
            service: service,
            background: BackgroundWork(of: service, background, message: EventMessage.body, logger: logger),
            options: options,
            logger: logger)
        switch transportKind {
        case .inProcess:
            let fixture = SiteFixture(
                site: site, client: CheckingClient(site: site, inner: InProcessClient(site, role: role), role: role),
                clock: clock)
            try await fixture.apply(applications)
            try await test(fixture)
        case .socket:
            var server = ServerConfiguration(listeners: [.init(HostAndPort(host: "127.0.0.1", port: 0), role: role)])
            server.eventLoop = .standard
            server.routes = Site.requestRoutes
            let running = try await Server.start(server) { site.makeHandler() }
            site.observe { running.statistics }
            let port = try #require(running.listeners.first?.address.port)
            let fixture = SiteFixture(
                site: site, client: CheckingClient(site: site, inner: SocketClient(port: port), role: role),
                clock: clock)
            do {
                try await fixture.apply(applications)
                try await test(fixture)
            } catch {
                await running.drain()
                throw error
            }
            await running.drain()
        }
        await service.stop()
    }

    /// The repository's own public folder; sign-in over plain HTTP under any host.
    static func options() -> SiteOptions {
        var options = SiteOptions()
        options.plainNetworks = PeerNetworks(["127.0.0.0/8", "::1"].compactMap { NetworkPrefix($0) })
        options.publicFolder = #filePath.components(upTo: "/Tests/") + "/Public"
        return options
    }

    /// The same with limits for loopback too, whose buckets never refill: how fast the machine is decides nothing.
    static func limitedOptions() -> SiteOptions {
        var options = options()
        options.callerLimits.exemptsLoopback = false
        options.rateLimiter = RateLimiter(clock: { 0 })
        return options
    }

    private func apply(_ applications: [String]) async throws {
        for text in applications {
            guard case .definitions(let definitions) = ApplicationsFile.read(Array("[\(text)]".utf8)) else {
                Issue.record("the application is not valid: \(ApplicationsFile.read(Array("[\(text)]".utf8)))")
                return
            }
            for definition in definitions {
                _ = try await service.applications.put(definition, expecting: nil)
            }
        }
    }

    // MARK: Asking

    func call(
        _ method: String, _ target: String, _ body: String? = nil, key: String? = adminKey, host: String = "api.test",
        headers: [(String, String)] = []
    ) async throws -> TestAnswer {
        var all = headers
        if let key { all.append(("Authorization", "Bearer \(key)")) }
        if body != nil, !headers.contains(where: { $0.0 == "Content-Type" }) {
            all.append(("Content-Type", "application/json"))
        }
        return try await client.send(
            TestRequest(method, target, host: host, headers: all, body: body.map { Array($0.utf8) }))
    }

    func visit(
        _ target: String, as agent: String = Agent.windows, host: String = "go.example.com", method: String = "GET",
        headers: [(String, String)] = []
    ) async throws -> TestAnswer {
        try await client.send(
            TestRequest(method, target, host: host, headers: [("User-Agent", agent)] + headers))
    }

    /// Creates a link and gives its answer.
    func create(_ body: String, key: String = adminKey) async throws -> JSONValue {
        let answer = try await call("POST", "/api/v1/links", body, key: key)
        try #require(answer.status == 201, "\(answer.text)")
        return answer.json
    }

    /// The links of all pages of a listing: one ends early on a busy machine.
    ///
    /// - Parameter each: Called with each page.
    func links(_ query: String, each: (TestAnswer) -> Void = { _ in }) async throws -> [JSONValue] {
        var links: [JSONValue] = []
        var cursor: String?
        repeat {
            let page = try await call("GET", "/api/v1/links?\(query)" + (cursor.map { "&cursor=\($0)" } ?? ""))
            try #require(page.status == 200, "\(query): \(page.text)")
            each(page)
            links += page.json["links"]?.array ?? []
            cursor = page.json["cursor"]?.string
        } while cursor != nil
        return links
    }

    func slugs(_ query: String) async throws -> [String] {
        try await links(query).compactMap { $0["slug"]?.string }
    }

    func key(_ scopes: [String], app: String? = nil) async throws -> String {
        let app = app.map { ",\"app\":\"\($0)\"" } ?? ""
        let list = scopes.map { "\"\($0)\"" }.joined(separator: ",")
        let answer = try await call("POST", "/api/v1/keys", "{\"name\":\"test\",\"scopes\":[\(list)]\(app)}")
        try #require(answer.status == 201, "\(answer.text)")
        return try #require(answer.json["key"]?.string)
    }
}

extension String {
    fileprivate func components(upTo mark: String) -> String {
        guard let range = firstRange(of: mark) else { return self }
        return String(self[..<range.lowerBound])
    }
}

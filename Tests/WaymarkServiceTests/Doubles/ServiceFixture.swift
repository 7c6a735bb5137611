import Logging
import Synchronization
import Testing
import WaymarkLinks
import WaymarkService
import WaymarkStores

/// A service on an SQLite store in memory, with time and randomness in the test's hand.
struct ServiceFixture: Sendable {
    let store: WatchedStore
    let clock = ManualClock()
    let random = FixedRandom()
    let service: LinkService

    init(configuration: ServiceConfiguration = ServiceConfiguration()) throws {
        store = try WatchedStore()
        service = Self.service(on: store, configuration: configuration, clock: clock, random: random)
    }

    /// Another server on the same store.
    func neighbour(
        _ configuration: ServiceConfiguration? = nil, clickHouse: ClickHouseReader? = nil
    ) -> LinkService {
        Self.service(
            on: store, configuration: configuration ?? service.configuration, clock: clock, random: random,
            clickHouse: clickHouse)
    }

    private static func service(
        on store: WatchedStore, configuration: ServiceConfiguration, clock: ManualClock, random: FixedRandom,
        clickHouse: ClickHouseReader? = nil
    ) -> LinkService {
        var dependencies = ServiceDependencies(
            now: { clock.now }, randomBytes: { random.bytes($0) }, sha256: { digest($0) })
        dependencies.uptime = { clock.now.rawValue }
        dependencies.clickHouse = clickHouse
        return LinkService(
            store: store, configuration: configuration, dependencies: dependencies,
            readApplication: { ApplicationFixtures.shared.application($0) }, logger: Logger(label: "test"))
    }

    /// 32 bytes that depend on every byte given; what the service needs of SHA-256 as far as tests go.
    static func digest(_ bytes: [UInt8]) -> [UInt8] {
        (0..<4).flatMap { (lane: UInt64) -> [UInt8] in
            var hash = 0xCBF2_9CE4_8422_2325 &+ lane
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            return (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) }
        }
    }

    /// A workshop that serves `shop` on go.example.com.
    static func withShop(configuration: ServiceConfiguration = ServiceConfiguration()) async throws -> ServiceFixture {
        let fixture = try ServiceFixture(configuration: configuration)
        try await fixture.service.load()
        try await fixture.put(try application("shop", domains: ["go.example.com"]))
        return fixture
    }

    @discardableResult
    func put(_ application: Application, expecting: Int? = nil) async throws -> ApplicationPut {
        try await service.applications.put(ApplicationFixtures.shared.definition(application), expecting: expecting)
    }

    func create(
        _ slug: String? = nil, in application: String = "shop", on domain: String = "go.example.com",
        _ content: LinkContent = LinkContent(), metadata: String? = nil
    ) async throws -> Link {
        let creation = try creation(slug, in: application, on: domain, content, metadata: metadata)
        guard case .done(let outcomes) = try await service.create([creation]), case .created(let link) = outcomes.first
        else {
            Issue.record("the link was not created")
            throw StoreError.unavailable("not created")
        }
        return link
    }

    func creation(
        _ slug: String? = nil, in application: String = "shop", on domain: String = "go.example.com",
        _ content: LinkContent = LinkContent(), metadata: String? = nil, identity: [UInt8]? = nil
    ) throws -> NewLink {
        NewLink(
            application: try #require(ApplicationID(application)), domain: try host(domain),
            slug: try slug.map { try #require(Slug($0)) }, content: content, metadata: metadata.map { Array($0.utf8) },
            identity: identity)
    }

    func key(_ value: String, body: String = "{}") -> IdempotencyKey {
        IdempotencyKey(
            value, key: KeyIdentity(id: "k", name: "k", Grant(application: nil, scopes: [.links])), endpoint: "links",
            canonicalBody: Array(body.utf8), sha256: Self.digest)
    }
}

/// Applications by a made-up document each: the service takes what reads documents from outside.
final class ApplicationFixtures: Sendable {
    static let shared = ApplicationFixtures()
    private let applications = Mutex<[Application]>([])

    func definition(_ application: Application) -> ApplicationDefinition {
        applications.withLock { applications in
            let index = applications.firstIndex(of: application) ?? applications.count
            if index == applications.count { applications.append(application) }
            return ApplicationDefinition(application: application, document: Array("{\(index)}".utf8))
        }
    }

    func application(_ document: [UInt8]) -> Application? {
        Int(String(decoding: document.dropFirst().dropLast(), as: UTF8.self)).flatMap { index in
            applications.withLock { $0.indices.contains(index) ? $0[index] : nil }
        }
    }
}

func host(_ text: String) throws -> HostName { try #require(HostName(text)) }
func slug(_ text: String) throws -> Slug { try #require(Slug(text)) }

func application(
    _ id: String, domains: [String] = [], baseURL: String? = nil, openHost: String? = nil, routes: [String] = [],
    redirectStatus: Int = 302
) throws -> Application {
    Application(
        id: try #require(ApplicationID(id)), name: id, domains: try domains.map(host),
        baseURL: try baseURL.map { try #require(WebURL($0)) },
        templates: try routes.map { Template(name: $0, route: try #require(Route($0)), urls: [:]) },
        redirectStatus: redirectStatus, openHost: try openHost.map(host))
}

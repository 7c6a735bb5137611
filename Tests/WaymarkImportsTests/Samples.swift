import Synchronization
import WaymarkImports
import WaymarkJSON
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

/// Pieces of a text, as a file gives them.
func pieces(_ bytes: [UInt8], of size: Int = 7) -> PieceReader {
    var rest = bytes[...]
    return {
        defer { rest = rest.dropFirst(size) }
        return Array(rest.prefix(size))
    }
}

func pieces(_ text: String, of size: Int = 7) -> PieceReader { pieces(Array(text.utf8), of: size) }

func file(_ text: String) -> ForeignFile { ForeignFile(name: "links.csv") { pieces(text) } }

extension LinkSource {
    func all() async throws -> [SourceRow] {
        var rows: [SourceRow] = []
        while true {
            let batch = try await next()
            guard !batch.isEmpty else { return rows }
            rows += batch
        }
    }
}

/// An SQLite store in memory as a target.
struct MemoryTarget: ImportTarget {
    let store: any LinkStore
    var now: Timestamp { Timestamp(seconds: 1_800_000_000) }

    init(_ application: Application) async throws {
        store = try SQLiteLinkStore(path: ":memory:")
        _ = try await store.put(
            StoredApplication(
                id: application.id, domains: application.domains, document: []), expecting: nil
        ) { _ in true }
    }

    func find(_ domain: HostName, _ slug: Slug) async throws -> Link? { try await store.link(domain, slug) }

    func create(_ links: [NewLink]) async throws -> [CreationOutcome] {
        let named = links.enumerated().map { index, link in
            var link = link
            link.slug = link.slug ?? Slug("made\(index)")
            // As the service hashes it.
            if link.password != nil {
                link.content.password = LinkPassword(
                    salt: Array(repeating: 1, count: LinkPassword.saltCount),
                    key: Array(repeating: 2, count: LinkPassword.keyCount))
            }
            return link
        }
        guard case .done(let outcomes) = try await store.create(named, idempotency: nil) else { return [] }
        return outcomes
    }
}

/// Counts the links of each transaction.
struct CountingTarget: ImportTarget {
    private let target: MemoryTarget
    let sizes = Shared<[Int]>([])
    var now: Timestamp { target.now }

    init(_ application: Application) async throws { target = try await MemoryTarget(application) }

    func find(_ domain: HostName, _ slug: Slug) async throws -> Link? { try await target.find(domain, slug) }

    func create(_ links: [NewLink]) async throws -> [CreationOutcome] {
        sizes.withLock { $0.append(links.reduce(0) { $0 + $1.addresses.count }) }
        return try await target.create(links)
    }
}

final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    func withLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result { value.withLock(body) }
}

enum Shop {
    static let host = HostName("go.example.com")!

    static func application(
        schemes: [URLScheme] = [URLScheme("shop")!], firebase: FirebaseSettings? = nil
    ) -> Application {
        Application(
            id: ApplicationID("shop")!, name: "Shop", domains: [host],
            ios: IOSIdentity(urlScheme: schemes.first, appStoreID: "123456789"),
            android: AndroidIdentity(package: "com.example.shop", urlScheme: schemes.first),
            webBaseURL: WebURL("https://shop.example.com"), firebase: firebase)
    }

    static let identities = FirebaseSettings(
        isEnabled: false, bundleIDs: ["com.example.shop"], packages: ["com.example.shop"])

    static func preparation(_ application: Application = application(), domain: HostName? = nil) -> ImportPreparation {
        ImportPreparation(
            application, domains: application.domains, firebaseIdentities: identities, smartlinkHosts: nil,
            domain: domain
        ) { bytes in Array(bytes.suffix(32)) }
    }
}

extension LinkImport {
    /// Runs, and gives every result.
    func results(_ source: any LinkSource) async throws -> [ImportResult] {
        var results: [ImportResult] = []
        _ = try await run(from: source) { results += $0 }
        return results
    }
}

extension Shop {
    static let second = HostName("s.example.com")!

    /// Of an application with these domains.
    static func results(
        _ text: String, _ service: ForeignService = .bitly, domains: [HostName] = [host], domain: HostName? = nil,
        isDryRun: Bool = false, into target: MemoryTarget? = nil
    ) async throws -> [ImportResult] {
        let application = application(domains)
        let preparation = ImportPreparation(application, domains: domains, smartlinkHosts: nil, domain: domain) {
            Array($0.suffix(32))
        }
        var memory = target
        if memory == nil { memory = try await MemoryTarget(application) }
        let source = try await service.links(in: [file(text)])
        return try await LinkImport(into: memory!, preparation, isDryRun: isDryRun).results(source)
    }

    static func application(_ domains: [HostName]) -> Application {
        Application(
            id: ApplicationID("shop")!, name: "Shop", domains: domains,
            webBaseURL: WebURL("https://shop.example.com"))
    }
}

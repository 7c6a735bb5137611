import Testing
import WaymarkLinks
import WaymarkStores

/// Fills stores with links that nobody looks at closely.
enum SampleLinks {
    static let now = Timestamp(rawValue: 1_763_000_000_000)

    static func draft(_ slug: String, metadata: Int = 0, redeemLimit: Int = 0) throws -> NewLink {
        var content = LinkContent()
        content.urls[.web] = URLEntry(
            link: try #require(URLPattern("https://shop.example.com/products/\(slug)")), fallback: nil)
        content.redeemLimit = redeemLimit
        return NewLink(
            application: try #require(ApplicationID("shop")), domain: try #require(HostName("go.example.com")),
            slug: try #require(Slug(slug)), content: content,
            metadata: metadata > 0 ? Array(repeating: 32, count: metadata) : nil, createdAt: now)
    }

    static func addApplication(to store: any LinkStore) async throws {
        let application = StoredApplication(
            id: try #require(ApplicationID("shop")), domains: [], document: Array("{}".utf8))
        _ = try await store.put(application, expecting: nil) { _ in true }
    }

    static func add(_ count: Int, to store: any LinkStore) async throws {
        try await addApplication(to: store)
        _ = try await store.create((0..<count).map { try draft("fill\($0)") }, idempotency: nil)
    }
}

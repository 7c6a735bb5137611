import Synchronization
import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

extension LinkService {
    /// A slug derived from a text: the same on every server, and unpredictable without the store's secret.
    package func derivedSlug(
        of text: String, for application: ApplicationID, on domain: HostName
    ) async throws(StoreError) -> Slug {
        let secret = try await derivedSlugSecret()
        let digest = dependencies.sha256(
            secret + Digest.of("slug", application.text, domain.text, text, sha256: dependencies.sha256))
        var bytes = digest[...]
        let characters = Base62.random(length: 16) { count in
            if bytes.count < count { bytes += digest }
            defer { bytes = bytes.dropFirst(count) }
            return Array(bytes.prefix(count))
        }
        guard let slug = Slug(characters) else { throw .corrupt("a slug could not be derived") }
        return slug
    }

    private func derivedSlugSecret() async throws(StoreError) -> [UInt8] {
        if let known = slugSecret.withLock({ $0 }) { return known }
        let randomBytes = dependencies.randomBytes
        let secret = try await store.secret("derived-slugs", make: { randomBytes(32) })
        slugSecret.withLock { $0 = secret }
        return secret
    }
}

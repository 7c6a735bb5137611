import Synchronization
package import WaymarkLinks
package import WaymarkStores

extension LinkService {
    package func extra(_ name: String, of id: ApplicationID) async throws(StoreError) -> ApplicationExtra? {
        try await store.extras.extra(name, of: id)
    }

    /// - Parameter content: nil removes it.
    package func changeExtra(
        _ name: String, of id: ApplicationID, to content: [UInt8]?, expecting: Int?
    ) async throws(StoreError) -> ExtraChange {
        try await store.extras.changeExtra(name, of: id, to: content, expecting: expecting)
    }

    /// The logo in an application's QR codes. While the store is away, that of the last time, so that codes of cached links
    /// are still drawn.
    package func logo(of id: ApplicationID) async -> [UInt8]? {
        do throws(StoreError) {
            let logo = try await store.extras.extra(ApplicationExtra.logo, of: id)?.content
            knownLogos.withLock { $0[id] = logo }
            return logo
        } catch {
            return knownLogos.withLock { $0[id] }
        }
    }
}

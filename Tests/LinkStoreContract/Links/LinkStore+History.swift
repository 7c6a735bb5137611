package import WaymarkLinks
package import WaymarkStores

extension LinkStore {
    /// The changes of a link that changed something, newest first, without what they replaced.
    package func history(of id: LinkID) async throws(StoreError) -> [LinkHistoryEntry] {
        try await changes(of: id, through: .max, limit: 1_000).filter { !$0.fields.isEmpty }.map { entry in
            var entry = entry
            entry.former = nil
            return entry
        }
    }
}

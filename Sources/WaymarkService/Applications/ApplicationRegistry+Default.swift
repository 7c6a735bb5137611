import WaymarkLinks
package import WaymarkStores

extension ApplicationRegistry {
    /// Marks a store that has had applications: the default application is created only once, so that a deleted one
    /// is not created again.
    package static let usedSecret = "applications-used"

    /// Creates the application of the first links if the store has none.
    ///
    /// Must be called at startup while the store has no secret `usedSecret`; several servers may do so concurrently.
    /// The mark is set after the application was created, so the next start makes up for an interrupted one.
    package func makeDefault(_ definition: ApplicationDefinition) async throws(StoreError) {
        if directory.current.applications.isEmpty {
            // Expects that there is none: another server may have created it, or a user may have put their own.
            _ = try await store.put(
                stored(definition, from: .firstStart), expecting: 0, check: { _ in true })
        }
        _ = try await store.secret(Self.usedSecret, make: { [1] })
        try await removeUnusedDefault()
        try await refresh()
    }

    /// Removes the default application once there are others, unless it has links or a user has replaced it.
    func removeUnusedDefault() async throws(StoreError) {
        let stored = try await store.applications()
        guard stored.count > 1,
            let unclaimed = stored.first(where: { ApplicationRecord(stored: $0.document).origin == .firstStart })
        else { return }
        // Fails if a link or a change has been made meanwhile.
        _ = try await store.deleteApplication(unclaimed.id, expecting: unclaimed.version)
    }
}

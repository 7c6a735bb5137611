#if PostgreSQL
    import LinkStoreContract
    import WaymarkTestSupport
    import SealingTestSupport
    import Testing
    import WaymarkLinks
    import WaymarkStores
    import WaymarkPostgres

    /// The contract, over a real PostgreSQL: each clause in a database of its own.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"), .serialized)
    struct PostgresContractTests {
        @Test(arguments: LinkStoreContract.all)
        func holdsTheContract(clause: LinkStoreContract) async throws {
            let store = try PostgresLinkStore(url: PostgresServer.shared.get().database())
            do {
                try await clause.hold(for: store)
            } catch {
                Issue.record(error)
            }
            await store.close()
        }

        @Test(arguments: LinkStoreContract.all)
        func holdsTheContractWithSealedMetadata(clause: LinkStoreContract) async throws {
            let store = try PostgresLinkStore(
                url: PostgresServer.shared.get().database(), metadataKeys: SealingKeys.ring())
            do {
                try await clause.hold(for: store)
            } catch {
                Issue.record(error)
            }
            await store.close()
        }
    }
#endif

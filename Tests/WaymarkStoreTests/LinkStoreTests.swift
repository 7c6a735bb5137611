import LinkStoreContract
import SealingTestSupport
import Testing
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores
import WaymarkTestSupport

/// The contract, over every store that needs nothing but this machine.
@Suite struct LinkStoreTests {
    enum Kind: String, CaseIterable, Sendable {
        case sqliteFile, sqliteMemory, sqliteSealed
    }

    @Test(arguments: Kind.allCases, LinkStoreContract.all)
    func holdsTheContract(kind: Kind, clause: LinkStoreContract) async throws {
        let folder = try TemporaryFolder()
        let store: any LinkStore =
            switch kind {
            case .sqliteFile: try SQLiteLinkStore(path: folder.path("links.sqlite"))
            case .sqliteMemory: try SQLiteLinkStore(path: ":memory:")
            case .sqliteSealed: try SQLiteLinkStore(path: folder.path("links.sqlite"), metadataKeys: SealingKeys.ring())
            }
        do {
            try await clause.hold(for: store)
        } catch {
            Issue.record(error)
        }
        await store.close()
    }
}

import LinkStoreContract
import Testing
import WaymarkSQLite
import WaymarkStores
import WaymarkTestSupport

@Suite struct SQLiteShipmentTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func shipsEachBlockOnceOverReopenings(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("links.sqlite")
        var store = try SQLiteLinkStore(path: path)
        do {
            try await ShipmentHistory.hold(seed: seed, steps: 150) { reopening in
                if reopening {
                    await store.close()
                    store = try SQLiteLinkStore(path: path)
                }
                return store
            }
        } catch {
            Issue.record(error)
        }
        await store.close()
    }
}

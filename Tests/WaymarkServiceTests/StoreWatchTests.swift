import Testing
import WaymarkService
import WaymarkStores

@Suite struct StoreWatchTests {
    private static let full: WatchedStore.Hook = { () async throws(StoreError) in throw .diskFull }

    @Test func probesAFullStoreUntilAWriteSucceeds() async throws {
        let fixture = try await ServiceFixture.withShop()
        let watch = fixture.service.storeWatch
        #expect(await watch.look() == nil)
        let calls = fixture.store.calls(.secret)
        fixture.store.before(.purge, Self.full)
        fixture.store.before(.secret, Self.full)
        await fixture.service.purge()
        for _ in 0..<2 { #expect(await watch.look() == .diskFull) }
        fixture.store.before(.secret, nil)
        // There is room as soon as the probe can be written, and then nothing is probed.
        for _ in 0..<3 { #expect(await watch.look() == nil) }
        #expect(fixture.store.calls(.secret) == calls + 3)
    }

    @Test func findsAStoreThatIsAwayAndItsReturn() async throws {
        let fixture = try await ServiceFixture.withShop()
        fixture.store.fail(.ping)
        #expect(await fixture.service.storeWatch.look() == .unavailable("away"))
        fixture.store.fail(.ping, false)
        #expect(await fixture.service.storeWatch.look() == nil)
    }
}

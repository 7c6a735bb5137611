import Testing
import WaymarkLinks
import WaymarkService
import WaymarkStores

@Suite struct IdempotencyKeyTests {
    private func key(_ value: String, by id: String, endpoint: String, body: String = "{}") -> IdempotencyKey {
        IdempotencyKey(
            value, key: KeyIdentity(id: id, name: "", Grant(application: nil, scopes: [])), endpoint: endpoint,
            canonicalBody: Array(body.utf8), sha256: ServiceFixture.digest)
    }

    @Test func `the scope is key, endpoint and value`() {
        let scopes = [
            key("a", by: "k", endpoint: "links"), key("b", by: "k", endpoint: "links"),
            key("a", by: "l", endpoint: "links"), key("a", by: "k", endpoint: "resolve"),
            key("sa", by: "k", endpoint: "link"), key("a", by: "kl", endpoint: "inks"),
        ].map(\.scope)
        #expect(Set(scopes).count == scopes.count)
    }

    @Test func theBodyIsItsFingerprintOnly() {
        let one = key("a", by: "k", endpoint: "links", body: "{\"a\":1}")
        let other = key("a", by: "k", endpoint: "links", body: "{\"a\":2}")
        #expect(one.scope == other.scope)
        #expect(one.fingerprint != other.fingerprint)
    }

    @Test func recordsThatRanOutArePurged() async throws {
        let fixture = try await ServiceFixture.withShop()
        _ = try await fixture.service.create(
            [try fixture.creation()], idempotency: fixture.key("a"), answer: { _ in [1] })
        await fixture.service.purge()
        #expect(try await fixture.store.inner.purge(at: fixture.clock.now, limit: 10) == 0)
        fixture.clock.advance(milliseconds: 24 * 60 * 60 * 1000)
        await fixture.service.purge()
        #expect(try await fixture.store.inner.purge(at: fixture.clock.now, limit: 10) == 0)
        #expect(fixture.store.calls(.purge) == 2)
    }
}

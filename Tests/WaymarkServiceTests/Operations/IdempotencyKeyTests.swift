import Testing
import WaymarkLinks
import WaymarkService

@Suite struct IdempotencyKeyTests {
    private func key(_ value: String, by id: String, endpoint: String, body: String = "{}") -> IdempotencyKey {
        IdempotencyKey(
            value, key: KeyIdentity(id: id, name: "", application: nil, scopes: []), endpoint: endpoint,
            canonicalBody: Array(body.utf8), sha256: Workshop.digest)
    }

    @Test func itsScopeIsKeyAndEndpointAndValue() {
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
        let workshop = try await Workshop.withShop()
        _ = try await workshop.service.create(
            [try workshop.creation()], idempotency: workshop.key("a"), answer: { _ in [1] })
        await workshop.service.purge()
        #expect(try await workshop.store.inner.purge(at: workshop.clock.now, limit: 10) == 0)
        workshop.clock.advance(milliseconds: 24 * 60 * 60 * 1000)
        await workshop.service.purge()
        #expect(try await workshop.store.inner.purge(at: workshop.clock.now, limit: 10) == 0)
        #expect(workshop.store.calls(.purge) == 2)
    }
}

import Synchronization
import Testing

@testable import WaymarkACME

/// Which hosts are ordered next, and the limits that hold for all of them.
@Suite(.timeLimit(.minutes(1))) struct OrderLimitTests {
    @Test func `orders failed hosts last`() async {
        let fixture = RenewalFixture(["a.example.com", "b.example.com"])
        fixture.authority.script { $0.lifetime = 3_600 }
        await fixture.renewal.turn()
        let hosts = ["a.example.com", "b.example.com", "c.example.com"]
        let later = RenewalFixture(
            hosts, clock: fixture.clock, storage: fixture.storage, authority: fixture.authority
        )
        var dead = HostState()
        dead.failures = 3
        fixture.storage.set("state/c.example.com", String(decoding: dead.json, as: UTF8.self))
        fixture.clock.advance(2_500)
        await later.renewal.turn()
        #expect(fixture.authority.orderedHosts.suffix(3) == hosts)
    }

    @Test func `orders renewals before first certificates`() async {
        let fixture = RenewalFixture(["z.example.com"])
        fixture.authority.script { $0.lifetime = 3_600 }
        await fixture.renewal.turn()
        let hosts = ["a.example.com", "b.example.com", "z.example.com"]
        let later = RenewalFixture(
            hosts, clock: fixture.clock, storage: fixture.storage, authority: fixture.authority
        )
        fixture.clock.advance(2_500)
        await later.renewal.turn()
        #expect(fixture.authority.orderedHosts.suffix(3) == ["z.example.com", "a.example.com", "b.example.com"])
    }

    @Test func `gives each owner a share of the first certificates`() async {
        let loud = (10..<20).map { "h\($0).loud.example" }
        var owners = Dictionary(uniqueKeysWithValues: loud.map { ($0, "loud") })
        owners["z.quiet.example"] = "quiet"
        let fixture = RenewalFixture(loud + ["z.quiet.example"], owners: owners) {
            $0.ordersPerHour = 4
        }
        await fixture.run(seconds: 600)
        #expect(fixture.authority.orderedHosts == ["h10.loud.example", "z.quiet.example", "h11.loud.example"])
        await fixture.run(seconds: 3_600)
        #expect(fixture.authority.orderedHosts.count == 5)
    }

    @Test func `reserves half of the orders for hosts without failures`() async {
        let dead = (10..<20).map { "d\($0).example.com" }
        let fixture = RenewalFixture(dead + ["z.example.com"]) {
            $0.ordersPerHour = 4
            $0.kinds = [.http]
        }
        var state = HostState()
        state.failures = 1
        for host in dead { fixture.storage.set("state/\(host)", String(decoding: state.json, as: UTF8.self)) }
        fixture.storage.set("state/z.example.com", String(decoding: state.json, as: UTF8.self))
        fixture.authority.script { $0.verifies = { _, _, _ in false } }
        await fixture.run(seconds: 600)
        #expect(fixture.authority.orderedHosts.count == 2)
        fixture.authority.script { $0.verifies = { _, _, _ in true } }
        fixture.storage.set("state/z.example.com", String(decoding: HostState().json, as: UTF8.self))
        await fixture.run(seconds: 60)
        #expect(fixture.published.hosts == ["z.example.com"])
    }

    @Test func `counts the orders of all servers and kinds`() async {
        let hosts = (10..<20).map { "h\($0).example.com" }
        let one = RenewalFixture(hosts) { $0.ordersPerHour = 5 }
        one.authority.script { $0.verifies = { _, _, _ in false } }
        let two = RenewalFixture(hosts, clock: one.clock, storage: one.storage, authority: one.authority, holder: "two")
        { $0.ordersPerHour = 5 }
        await one.renewal.turn()
        await two.renewal.turn()
        await one.run(seconds: 1_800)
        await two.run(seconds: 1_000)
        #expect(one.authority.orderedHosts.count == 5)
    }

    @Test func `blocks an authority that limits orders for all hosts`() async {
        let hosts = (10..<20).map { "h\($0).example.com" }
        let fixture = RenewalFixture(hosts)
        fixture.authority.script {
            $0.fault = { resource, _ in
                resource == .newOrder ? .problem("rateLimited", status: 429, retryAfter: "900") : nil
            }
        }
        await fixture.renewal.turn()
        #expect(fixture.authority.count(.newOrder) == 1)
        let other = RenewalFixture(
            hosts, clock: fixture.clock, storage: fixture.storage, authority: fixture.authority, holder: "two")
        await other.run(seconds: 840)
        #expect(fixture.authority.count(.newOrder) == 1)
        #expect(other.renewal.statuses.filter { $0.problem != nil }.count == 1)
        fixture.authority.script { $0.fault = { _, _ in nil } }
        await other.run(seconds: 120)
        #expect(other.published.hosts == hosts)
    }

    @Test func `replaces certificates of an authority no longer used`() async throws {
        let staging = RenewalFixture()
        await staging.renewal.turn()
        let clock = staging.clock
        let production = ScriptedAuthority("production.test") { clock.now }
        let fixture = RenewalFixture(clock: clock, storage: staging.storage, authority: production)
        try await fixture.renewal.refresh()
        #expect(fixture.published.hosts == ["go.example.com"])
        await fixture.renewal.turn()
        #expect(fixture.status?.certificate?.source == production.directory)
        await fixture.run(seconds: 600)
        #expect(production.orderedHosts.count == 1)
    }

    @Test func `leaves documents to the server that took the lease`() async {
        let fixture = RenewalFixture()
        let (storage, clock) = (fixture.storage, fixture.clock)
        fixture.authority.script {
            $0.verifies = { _, _, _ in
                clock.advance(200)
                storage.set("lease", "{\"holder\": \"other\", \"until\": \(clock.now + 100)}")
                storage.set("state/go.example.com", "{\"failures\": 2, \"nextAttempt\": 5}")
                storage.set("challenge/go.example.com", "{\"until\": 1900000000, \"challenges\": []}")
                return true
            }
        }
        await fixture.renewal.turn()
        #expect(storage.text("state/go.example.com") == "{\"failures\": 2, \"nextAttempt\": 5}")
        #expect(storage.names.contains("challenge/go.example.com"))
    }

    @Test func `keeps failures where the store fails`() async throws {
        let fixture = RenewalFixture()
        fixture.authority.script { $0.verifies = { _, _, _ in false } }
        await fixture.renewal.turn()
        let storage = fixture.storage
        let before = try #require(storage.text("state/go.example.com"))
        storage.fail { name, _ in name == "state/go.example.com" }
        try await fixture.renewal.retryNow()
        storage.fail { _, _ in false }
        await fixture.renewal.documents.update("go.example.com") { _ in }
        let state = HostState(Array(try #require(storage.text("state/go.example.com")).utf8))
        #expect(state?.failures == HostState(Array(before.utf8))?.failures)
        #expect(state?.validations.count == 2)
    }

    @Test func `counts no failure that another host met`() async {
        let fixture = RenewalFixture((10..<20).map { "h\($0).example.com" })
        fixture.authority.script { $0.fault = { resource, _ in resource == .newAccount ? .problem("caa") : nil } }
        await fixture.renewal.turn()
        #expect(fixture.renewal.statuses.allSatisfy { $0.problem != nil })
        #expect(fixture.renewal.counts.values.reduce(0) { $0 + $1.failures } == 1)
        fixture.authority.script { $0.fault = { _, _ in nil } }
        try? await fixture.renewal.retryNow()
        await fixture.renewal.turn()
        #expect(fixture.published.hosts.count == 10)
    }

    @Test func `keeps the time at which a host was refused`() async {
        let fixture = RenewalFixture(["192.0.2.1"])
        await fixture.renewal.turn()
        let first = fixture.problem?.at
        await fixture.run(seconds: 90)
        #expect(fixture.problem?.at == first)
    }

    @Test func `removes challenges of a server that died`() async {
        let fixture = RenewalFixture()
        fixture.storage.set("challenge/old.example.com", "{\"until\": 1900000000, \"challenges\": []}")
        await fixture.renewal.turn()
        #expect(!fixture.storage.names.contains("challenge/old.example.com"))
    }

    @Test func `starts woken hosts while another is slow`() async throws {
        let fixture = RenewalFixture(["a.example.com", "slow.example.com"], endless: .seconds(1)) { $0.concurrency = 4 }
        fixture.authority.script {
            $0.fault = { resource, count in
                resource == .newOrder && count == 0 ? .problem("caa") : nil
            }
            $0.pendingLooks = .max
        }
        fixture.renewal.start()
        while !fixture.renewal.statuses.contains(where: { $0.problem != nil })
            || fixture.authority.validations.isEmpty
        { await Task.yield() }
        fixture.authority.script { $0.pendingLooks = 0 }
        try await fixture.renewal.retryNow()
        while fixture.published.hosts.isEmpty { await Task.yield() }
        await fixture.renewal.stop()
    }
}

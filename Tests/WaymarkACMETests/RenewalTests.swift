import Testing
import WaymarkTLS

@testable import WaymarkACME

/// Renewals over time, and by several servers on the same documents.
@Suite(.timeLimit(.minutes(1))) struct RenewalTests {
    @Test func `renews a third before the end`() async throws {
        let fixture = RenewalFixture()
        await fixture.renewal.turn()
        let since = try #require(fixture.status?.certificate?.since)
        fixture.clock.advance(since + 60 * 86_400 - 100 - fixture.clock.now)
        await fixture.renewal.turn()
        #expect(fixture.authority.orderedHosts.count == 1)
        fixture.clock.advance(100)
        await fixture.renewal.turn()
        #expect(fixture.authority.orderedHosts.count == 2)
        #expect(fixture.status?.certificate?.since ?? 0 > since + 59 * 86_400)
        #expect(fixture.renewal.counts["go.example.com"]?.renewals == 2)
    }

    @Test func `keeps up with certificates that live for a minute`() async throws {
        let fixture = RenewalFixture()
        fixture.authority.script { $0.lifetime = 60 }
        await fixture.renewal.turn()
        await fixture.run(seconds: 900) {
            #expect(fixture.status?.certificate?.until ?? 0 > fixture.clock.now)
        }
        #expect((15...35).contains(fixture.authority.orderedHosts.count))
    }

    @Test func `orders most urgent hosts first and not too many`() async {
        let hosts = (10..<30).map { "h\($0).example.com" }
        let fixture = RenewalFixture(hosts) {
            $0.ordersPerHour = 5
            $0.concurrency = 1
        }
        await fixture.renewal.turn()
        #expect(fixture.authority.orderedHosts == Array(hosts[..<5]))
        await fixture.run(seconds: 3_000)
        #expect(fixture.authority.orderedHosts.count == 5)
        await fixture.run(seconds: 1_000)
        #expect(fixture.authority.orderedHosts == Array(hosts[..<10]))
    }

    @Test func `asks a missing authority once for all hosts`() async {
        let fixture = RenewalFixture((10..<60).map { "h\($0).example.com" })
        fixture.authority.script { $0.fault = { _, _ in .noConnection } }
        #expect(await fixture.renewal.turn() == 30)
        #expect(fixture.authority.count(.directory) == 3)
        #expect(fixture.renewal.statuses.allSatisfy { $0.problem?.detail == "ca.test can't be reached" })
        fixture.authority.script { $0.fault = { _, _ in nil } }
        await fixture.run(seconds: 120)
        #expect(fixture.published.hosts.count == 50)
    }

    @Test func `orders nothing for addresses and patterns`() async throws {
        let fixture = RenewalFixture(["192.0.2.1", "*.example.com", "Go.Example.com."])
        await fixture.renewal.turn()
        #expect(fixture.authority.orderedHosts == ["go.example.com"])
        #expect(fixture.published.hosts == ["go.example.com"])
        #expect(fixture.renewal.statuses.map { $0.problem?.nextAttempt == nil } == [true, true, true])
        #expect(fixture.renewal.statuses.map { $0.problem != nil } == [true, true, false])
    }

    @Test func `publishes no certificates of hosts that are not served`() async throws {
        let fixture = RenewalFixture(["a.example.com", "b.example.com"])
        fixture.authority.script { $0.lifetime = 3_600 }
        await fixture.renewal.turn()
        let later = RenewalFixture(
            ["b.example.com"], clock: fixture.clock, storage: fixture.storage, authority: fixture.authority)
        try await later.renewal.refresh()
        #expect(later.published.hosts == ["b.example.com"])
        // Documents of the other are removed once its certificate is of no use.
        fixture.clock.advance(4_000)
        await later.renewal.turn()
        #expect(!fixture.storage.names.contains("certificate/a.example.com"))
        #expect(fixture.storage.names.contains("certificate/b.example.com"))
    }

    // MARK: Renewal information

    @Test func `renews when the authority suggests`() async throws {
        let fixture = RenewalFixture(random: 0.5)
        fixture.authority.script {
            $0.hasRenewalInfo = true
            $0.window = (1_000, 3_000)
        }
        await fixture.renewal.turn()
        #expect(fixture.authority.count(.renewalInfo) == 0)
        fixture.clock.advance(3_600)
        await fixture.renewal.turn()
        let moment = try #require(fixture.status?.certificate?.renewsAt)
        #expect(moment - fixture.clock.now == 2_000)
        #expect(fixture.authority.count(.renewalInfo) == 1)
        await fixture.run(seconds: 1_960)
        #expect(fixture.authority.orderedHosts.count == 1)
        await fixture.run(seconds: 100)
        #expect(fixture.authority.orderedHosts.count == 2)
        #expect(fixture.authority.replaced[0] == nil)
        #expect(fixture.authority.replaced[1]?.split(separator: ".").count == 2)
    }

    @Test func `orders once an hour if the window is always over`() async {
        let fixture = RenewalFixture()
        fixture.authority.script {
            $0.hasRenewalInfo = true
            $0.window = (-500, -100)
        }
        await fixture.run(seconds: 10_000)
        #expect(fixture.authority.orderedHosts.count == 3)
    }

    @Test func `asks for renewal information as often as it may`() async {
        let fixture = RenewalFixture()
        fixture.authority.script {
            $0.hasRenewalInfo = true
            $0.window = (86_400 * 30, 86_400 * 31)
        }
        await fixture.renewal.turn()
        await fixture.run(seconds: 3_600 + 7_000)
        #expect(fixture.authority.count(.renewalInfo) == 1)
        await fixture.run(seconds: 7_200)
        #expect(fixture.authority.count(.renewalInfo) == 2)
    }

    @Test(arguments: [ScriptedAuthority.Fault.status(500), .body("{}"), .body("garbage"), .status(404)])
    func `lacks renewal information without harm`(fault: ScriptedAuthority.Fault) async {
        let fixture = RenewalFixture()
        fixture.authority.script {
            $0.hasRenewalInfo = true
            $0.fault = { resource, _ in resource == .renewalInfo ? fault : nil }
        }
        await fixture.renewal.turn()
        fixture.clock.advance(3_600)
        await fixture.run(seconds: 590)
        #expect((1...3).contains(fixture.authority.count(.renewalInfo)))
        #expect(fixture.problem == nil)
        #expect(fixture.status?.certificate != nil)
    }

    @Test func `orders without the old certificate where that is refused`() async {
        let fixture = RenewalFixture()
        fixture.authority.script {
            $0.hasRenewalInfo = true
            $0.window = (0, 0)
            $0.fault = { resource, count in
                resource == .newOrder && count == 1 ? .problem("alreadyReplaced", status: 409) : nil
            }
        }
        await fixture.renewal.turn()
        fixture.clock.advance(3_600)
        await fixture.run(seconds: 120)
        #expect(fixture.renewal.counts["go.example.com"]?.failures == 0)
        #expect(fixture.authority.count(.newOrder) == 3)
        #expect(fixture.authority.replaced == [nil, nil])
    }

    // MARK: Several servers

    @Test func `two servers order once`() async throws {
        let one = RenewalFixture()
        let two = RenewalFixture(clock: one.clock, storage: one.storage, authority: one.authority, holder: "two")
        async let first = one.renewal.turn()
        async let second = two.renewal.turn()
        _ = await (first, second)
        for fixture in [one, two] { await fixture.renewal.turn() }
        #expect(one.authority.orderedHosts.count == 1)
        #expect(one.published.hosts == ["go.example.com"])
        #expect(two.published.hosts == ["go.example.com"])
        #expect(one.status == two.status)
    }

    @Test func `every server answers a pending challenge`() async throws {
        let one = RenewalFixture()
        let two = RenewalFixture(clock: one.clock, storage: one.storage, authority: one.authority, holder: "two")
        one.storage.set("lease", "{\"holder\": \"one\", \"until\": \(one.clock.now + 100)}")
        let challenge = StoredChallenge(
            [PendingChallenge(host: "go.example.com", kind: .http, token: "abc", keyAuthorization: "abc.def")],
            until: one.clock.now + 50)
        #expect(await two.renewal.keyAuthorization(token: "abc", host: "go.example.com") == nil)
        one.storage.set("challenge/go.example.com", String(decoding: challenge.json, as: UTF8.self))
        // Within the same second the documents are not read again.
        #expect(await two.renewal.keyAuthorization(token: "abc", host: "go.example.com") == nil)
        one.clock.advance(1)
        #expect(await two.renewal.keyAuthorization(token: "abc", host: "GO.example.com") == "abc.def")
        #expect(await two.renewal.keyAuthorization(token: "abc", host: "x.example.com") == nil)
        #expect(two.published.pending == challenge.challenges)
        #expect(await two.renewal.turn() == 3)
        #expect(two.authority.orderedHosts.isEmpty)
        one.clock.advance(60)
        await two.renewal.turn()
        #expect(two.published.pending.isEmpty)
    }

    @Test(arguments: [
        ("{\"holder\": \"other\", \"until\": 1800000100}", false),
        ("{\"holder\": \"other\", \"until\": 1799999999}", true),
        ("{\"holder\": \"one\", \"until\": 1800000100}", true),
        ("{\"holder\": \"other\", \"until\": 1900000000}", true),
        ("garbage", true),
    ])
    func `orders while no other server holds the lease`(document: String, orders: Bool) async {
        let fixture = RenewalFixture()
        fixture.storage.set("lease", document)
        await fixture.renewal.turn()
        #expect((fixture.authority.orderedHosts.count == 1) == orders)
    }

    @Test func `stops where another server took the lease`() async throws {
        let fixture = RenewalFixture()
        let (storage, clock) = (fixture.storage, fixture.clock)
        fixture.authority.script {
            $0.verifies = { _, _, _ in
                clock.advance(200)
                storage.set("lease", "{\"holder\": \"other\", \"until\": \(clock.now + 100)}")
                return true
            }
        }
        await fixture.renewal.turn()
        #expect(fixture.authority.count(.finalize) == 0)
        // This does not count as a failure of the host.
        #expect(fixture.problem == nil)
        #expect(storage.text("lease")?.contains("other") == true)
    }

    @Test(arguments: [(25, nil), (2, "90")] as [(Int, String?)])
    func `renews the lease while it works`(looks: Int, retryAfter: String?) async throws {
        let fixture = RenewalFixture()
        fixture.authority.script {
            $0.pendingLooks = looks
            $0.retryAfter = retryAfter
        }
        let two = RenewalFixture(
            clock: fixture.clock, storage: fixture.storage, authority: fixture.authority, holder: "two")
        let (storage, clock) = (fixture.storage, fixture.clock)
        fixture.authority.script {
            $0.fault = { resource, _ in
                if resource == .authorization {
                    #expect(storage.text("lease")?.contains("\"one\"") == true)
                    let until = storage.text("lease")?.firstMatch(of: /"until":(\d+)/).flatMap { Int64($0.output.1) }
                    #expect(until ?? 0 > clock.now)
                }
                return nil
            }
        }
        await fixture.renewal.turn()
        #expect(fixture.clock.now - TestClock.start > RenewalLease.seconds)
        #expect(fixture.published.hosts == ["go.example.com"])
        await two.renewal.turn()
        #expect(fixture.authority.orderedHosts.count == 1)
    }

    // MARK: Stores that fail

    @Test func `waits for a store that can't be read`() async {
        let fixture = RenewalFixture()
        fixture.storage.fail { _, _ in true }
        #expect(await fixture.renewal.turn() == 30)
        #expect(fixture.authority.count(.directory) == 0)
        fixture.storage.fail { _, _ in false }
        await fixture.renewal.turn()
        #expect(fixture.published.hosts == ["go.example.com"])
    }

    @Test(arguments: ["account/", "challenge/", "certificate/", "state/"])
    func `repeats no orders while a document can't be written`(prefix: String) async {
        let fixture = RenewalFixture()
        fixture.storage.fail { name, isWrite in isWrite && name.hasPrefix(prefix) }
        await fixture.run(seconds: 900)
        #expect(fixture.authority.orderedHosts.count <= 5)
        fixture.storage.fail { _, _ in false }
        await fixture.run(seconds: 1_800)
        #expect(fixture.published.hosts == ["go.example.com"])
        #expect(fixture.problem == nil)
    }

    @Test func `treats damaged documents as absent`() async throws {
        let fixture = RenewalFixture()
        for name in ["certificate/go.example.com", "state/go.example.com", "challenge/go.example.com"] {
            fixture.storage.set(name, "garbage")
        }
        await fixture.renewal.turn()
        #expect(fixture.published.hosts == ["go.example.com"])
        fixture.storage.set("account/\(fixture.renewal.settings.authorities[0].digest)", "{}")
        let other = RenewalFixture(
            ["b.example.com"], clock: fixture.clock, storage: fixture.storage, authority: fixture.authority,
            holder: "two")
        await other.renewal.turn()
        #expect(other.problem?.detail.contains("can't be read; remove it") == true)
    }

    // MARK: The loop

    @Test func `works in its own task and stops`() async throws {
        let fixture = RenewalFixture()
        fixture.renewal.start()
        while fixture.published.hosts.isEmpty { await Task.yield() }
        await fixture.renewal.stop()
        #expect(fixture.storage.text("lease")?.contains("\"until\":0") == true)
    }

    @Test func `wakes on retryNow`() async throws {
        let fixture = RenewalFixture(endless: .seconds(30))
        fixture.authority.script { $0.fault = { resource, _ in resource == .newOrder ? .problem("caa") : nil } }
        fixture.renewal.start()
        while fixture.problem == nil { await Task.yield() }
        fixture.authority.script { $0.fault = { _, _ in nil } }
        try await fixture.renewal.retryNow()
        while fixture.published.hosts.isEmpty { await Task.yield() }
        await fixture.renewal.stop()
    }

    @Test func `gives up an order when it is stopped`() async throws {
        let fixture = RenewalFixture(endless: .seconds(1))
        fixture.authority.script { $0.pendingLooks = .max }
        fixture.renewal.start()
        while fixture.authority.validations.isEmpty { await Task.yield() }
        await fixture.renewal.stop()
        #expect(fixture.published.pending.isEmpty)
        #expect(!fixture.storage.names.contains("challenge/go.example.com"))
        // This does not count as a failure of the host: the next server begins at once.
        #expect(fixture.renewal.counts["go.example.com"]?.failures == 0)
        fixture.authority.script { $0.pendingLooks = 1 }
        let next = RenewalFixture(
            clock: fixture.clock, storage: fixture.storage, authority: fixture.authority, holder: "two")
        await next.renewal.turn()
        #expect(next.published.hosts == ["go.example.com"])
    }

    @Test func `retries failed hosts on retryNow`() async throws {
        let fixture = RenewalFixture()
        fixture.authority.script { $0.fault = { resource, _ in resource == .newOrder ? .problem("caa") : nil } }
        await fixture.renewal.turn()
        fixture.authority.script { $0.fault = { _, _ in nil } }
        await fixture.renewal.turn()
        #expect(fixture.published.hosts.isEmpty)
        let other = RenewalFixture(
            clock: fixture.clock, storage: fixture.storage, authority: fixture.authority, holder: "two")
        // SIGHUP can reach any server, and any can take the lease.
        try await other.renewal.retryNow()
        await fixture.renewal.turn()
        #expect(fixture.published.hosts == ["go.example.com"])
    }
}

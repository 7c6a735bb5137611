import Synchronization
import Testing
import WaymarkTLS

@testable import WaymarkACME

/// Orders at an authority that does not always do what it should.
@Suite(.timeLimit(.minutes(1))) struct OrderTests {
    typealias Fault = ScriptedAuthority.Fault
    typealias Resource = ScriptedAuthority.Resource

    @Test func `gets a certificate and publishes it`() async throws {
        let fixture = RenewalFixture()
        let published = fixture.published
        fixture.authority.script {
            $0.verifies = { host, kind, authorization in
                // At this moment the challenge is answered, by any server.
                published.pending.contains {
                    $0.host == host && $0.kind == kind && $0.keyAuthorization == authorization
                }
            }
        }
        #expect(await fixture.renewal.turn() == 30)
        #expect(published.hosts == ["go.example.com"])
        #expect(published.pending.isEmpty)
        #expect(
            fixture.storage.names == [
                "account/\(fixture.renewal.settings.authorities[0].digest)", "certificate/go.example.com", "lease",
                "limits", "state/go.example.com",
            ])
        let status = try #require(fixture.status)
        let certificate = try #require(status.certificate)
        #expect(certificate.source == fixture.authority.directory)
        #expect(certificate.until - certificate.since == 90 * 86_400)
        #expect(certificate.renewsAt == certificate.since + 60 * 86_400)
        #expect(status.problem == nil)
        #expect(fixture.renewal.counts == ["go.example.com": RenewalCounts(orders: 1, failures: 0, renewals: 1)])
        #expect(fixture.authority.contacts == [["mailto:operator@example.com"]])
        #expect(await fixture.renewal.turn() == 30)
        #expect(fixture.authority.orderedHosts.count == 1)
        #expect(published.certificates.withLock { $0.count } == 2)
    }

    static let everywhere: [Resource] = [
        .directory, .nonce, .newAccount, .newOrder, .authorization, .challenge, .finalize, .order, .certificate,
    ]

    @Test(arguments: everywhere)
    func `repeats what fails for the moment`(resource: Resource) async {
        let fixture = RenewalFixture()
        for fault in [Fault.status(500), .noConnection, .status(503, retryAfter: "5")] {
            fixture.authority.script { $0.fault = { $0 == resource && $1 == 0 ? fault : nil } }
            await fixture.renewal.turn()
        }
        #expect(fixture.published.hosts == ["go.example.com"], "\(String(describing: fixture.problem))")
        #expect(fixture.renewal.counts["go.example.com"]?.failures == 0)
    }

    @Test(arguments: everywhere.filter { ![.directory, .nonce].contains($0) })
    func `repeats requests whose nonce is rejected`(resource: Resource) async {
        let fixture = RenewalFixture()
        fixture.authority.script {
            $0.fault = { $0 == resource && $1 < 3 ? .problem("badNonce", status: 400) : nil }
        }
        await fixture.renewal.turn()
        #expect(fixture.published.hosts == ["go.example.com"], "\(String(describing: fixture.problem))")
    }

    /// Resource, fault, part of the problem's detail.
    static let fatal: [(Resource, Fault, String)] = [
        (.directory, .body("{\"newNonce\": 5}"), "\"newNonce\" is missing"),
        (.directory, .body("<html>"), "is not JSON"),
        (.directory, .status(404), "status 404"),
        (.directory, .bytes(count: 70_000), "longer than 65536 bytes"),
        (.directory, .noConnection, "can't be reached"),
        (.directory, .status(302), "status 302"),
        (.nonce, .status(500), "gives no nonce"),
        (.newAccount, .problem("unsupportedContact", detail: "no mail"), "no mail"),
        (.newAccount, .problem("badNonce", status: 400), "refused"),
        (.newOrder, .problem("rejectedIdentifier", detail: "forbidden by policy"), "forbidden by policy"),
        (.newOrder, .body("{}"), "the order's URL is missing"),
        (
            .authorization, .body("{\"status\": \"pending\", \"identifier\": {\"value\": \"evil.test\"}}"),
            "for another host"
        ),
        (.authorization, .body("{\"status\": \"strange\"}"), "no known status"),
        (.authorization, .body("[1, 2"), "is not JSON"),
        (.challenge, .problem("malformed", detail: "no"), "no"),
        (.finalize, .problem("badCSR", detail: "bad request"), "bad request"),
        (.order, .body("{\"status\": \"valid\"}"), "0 authorizations"),
        (
            .order,
            .body(
                "{\"status\": \"invalid\", \"authorizations\": [\"https://ca.test/a\"], \"finalize\": \"https://ca.test/f\", \"error\": {\"detail\": \"revoked by policy\"}}"
            ), "revoked by policy"
        ),
        (.certificate, .body("nothing"), "can't be read"),
        (.certificate, .bytes(count: 200_000), "longer than 131072 bytes"),
    ]

    @Test(arguments: fatal.indices)
    func `notes why there is no certificate`(index: Int) async throws {
        let (resource, fault, detail) = Self.fatal[index]
        let fixture = RenewalFixture()
        fixture.authority.script { $0.fault = { found, _ in found == resource ? fault : nil } }
        let pause = await fixture.renewal.turn()
        let problem = try #require(fixture.problem)
        #expect(problem.detail.contains(detail), "\(problem.detail)")
        #expect(problem.nextAttempt == problem.at + 60)
        #expect(fixture.published.hosts.isEmpty)
        #expect(pause == 30)
        #expect(fixture.published.pending.isEmpty)
        #expect(!fixture.storage.names.contains("challenge/go.example.com"))
        // Once it is mended, the next attempt succeeds.
        fixture.authority.script { $0.fault = { _, _ in nil } }
        await fixture.run(seconds: 61)
        #expect(fixture.published.hosts == ["go.example.com"], "\(String(describing: fixture.problem))")
        #expect(fixture.problem == nil)
    }

    static let unusable: [(@Sendable (inout ScriptedAuthority.Script) -> Void, String)] = [
        ({ $0.hasForeignKey = true }, "for another key"), ({ $0.names = ["evil.test"] }, "not valid for the host"),
        ({ $0.skew = -100 * 86_400 }, "not valid now"), ({ $0.skew = 86_400 }, "not valid now"),
        ({ $0.scheme = "http" }, "not an https URL"),
    ]

    @Test(arguments: unusable.indices)
    func `uses no certificate that is not the one it ordered`(index: Int) async throws {
        let (change, detail) = Self.unusable[index]
        let fixture = RenewalFixture()
        let directory = fixture.authority.directory
        fixture.authority.script(change)
        _ = directory
        await fixture.renewal.turn()
        if index < 4 {
            #expect(fixture.problem?.detail.contains(detail) == true, "\(String(describing: fixture.problem))")
        }
        #expect(fixture.published.hosts.isEmpty)
        #expect(!fixture.storage.names.contains("certificate/go.example.com"))
    }

    @Test(arguments: [("7200", 7_200), ("99999999", 604_800), (nil, 60)] as [(String?, Int64)])
    func `keeps to Retry-After of a limit`(text: String?, seconds: Int64) async throws {
        let fixture = RenewalFixture()
        fixture.authority.script {
            $0.fault = { resource, _ in
                resource == .newOrder ? .problem("rateLimited", detail: "too many", status: 429, retryAfter: text) : nil
            }
        }
        await fixture.renewal.turn()
        let problem = try #require(fixture.problem)
        #expect(problem.detail == "too many")
        #expect(problem.nextAttempt == problem.at + seconds)
        await fixture.run(seconds: seconds - 40)
        #expect(fixture.authority.count(.newOrder) == 1)
        try await fixture.renewal.retryNow()
        await fixture.renewal.turn()
        #expect(fixture.authority.count(.newOrder) == (text == nil ? 2 : 1))
    }

    @Test(arguments: [nil, "1", "3600"] as [String?])
    func `gives up an authority that never finishes`(retryAfter: String?) async throws {
        let fixture = RenewalFixture()
        fixture.authority.script {
            $0.pendingLooks = .max
            $0.retryAfter = retryAfter
        }
        await fixture.renewal.turn()
        let problem = try #require(fixture.problem)
        #expect(problem.detail == "the authority did not verify the host within 180 seconds")
        #expect(problem.at - TestClock.start <= 181)
        #expect(fixture.authority.count(.authorization) <= 200)
    }

    // MARK: Challenges

    @Test func `takes the other challenge where one fails`() async throws {
        let fixture = RenewalFixture()
        fixture.authority.script {
            $0.verifies = { _, kind, _ in kind == .http }
            $0.lifetime = 3_600
        }
        await fixture.renewal.turn()
        #expect(fixture.published.hosts == ["go.example.com"])
        #expect(fixture.authority.validations.map(\.kind) == [.tlsALPN, .http])
        #expect(fixture.renewal.counts["go.example.com"] == RenewalCounts(orders: 2, failures: 0, renewals: 1))
        // The next time it begins with the one that worked.
        await fixture.run(seconds: 2_500)
        #expect(fixture.authority.validations.map(\.kind) == [.tlsALPN, .http, .http])
    }

    @Test func `takes the challenge that is offered`() async {
        let fixture = RenewalFixture()
        fixture.authority.script { $0.kinds = [.http] }
        await fixture.renewal.turn()
        #expect(fixture.published.hosts == ["go.example.com"])
        #expect(fixture.authority.validations.map(\.kind) == [.http])
    }

    @Test func `says why each challenge failed`() async throws {
        let fixture = RenewalFixture()
        fixture.authority.script { $0.verifies = { _, _, _ in false } }
        await fixture.renewal.turn()
        #expect(fixture.problem?.detail == "tls-alpn-01: connection refused; http-01: connection refused")
    }

    @Test func `never fails more than five verifications an hour`() async {
        let fixture = RenewalFixture(["a.example.com", "b.example.com"], random: 0.5)
        fixture.authority.script { $0.verifies = { host, _, _ in host != "a.example.com" } }
        for _ in 0..<20 {
            await fixture.run(seconds: 900)
            // The operator is impatient.
            try? await fixture.renewal.retryNow()
        }
        let moments = fixture.authority.validations.filter { $0.host == "a.example.com" }.map(\.at)
        #expect(moments.count > 10)
        for (first, sixth) in zip(moments, moments.dropFirst(5)) { #expect(sixth - first >= 3_600) }
        // It held up no other.
        #expect(fixture.published.hosts == ["b.example.com"])
    }

    // MARK: Accounts

    @Test func `registers an account once`() async {
        let fixture = RenewalFixture(["a.example.com", "b.example.com", "c.example.com"])
        await fixture.renewal.turn()
        let other = RenewalFixture(
            ["d.example.com"], clock: fixture.clock, storage: fixture.storage, authority: fixture.authority,
            holder: "two")
        await other.renewal.turn()
        #expect(fixture.authority.count(.newAccount) == 1)
        #expect(fixture.published.hosts.count == 3)
    }

    @Test func `registers again where the authority lost the account`() async {
        let fixture = RenewalFixture()
        fixture.authority.script { $0.lifetime = 3_600 }
        await fixture.renewal.turn()
        fixture.authority.forgetAccounts()
        await fixture.run(seconds: 2_500)
        #expect(fixture.authority.count(.newAccount) == 2)
        #expect(fixture.renewal.counts["go.example.com"] == RenewalCounts(orders: 3, failures: 0, renewals: 2))
    }

    @Test func `updates the account's contacts`() async {
        let fixture = RenewalFixture()
        await fixture.renewal.turn()
        let other = RenewalFixture(
            ["d.example.com"], clock: fixture.clock, storage: fixture.storage, authority: fixture.authority,
            holder: "two"
        ) { $0.contacts = ["mailto:new@example.com"] }
        await other.renewal.turn()
        #expect(fixture.authority.contacts.last == ["mailto:new@example.com"])
        #expect(fixture.authority.accountCount == 1)
        #expect(other.published.hosts == ["d.example.com"])
    }

    @Test func `binds an external account where it is required`() async {
        let clock = TestClock()
        let authority = ScriptedAuthority { clock.now }
        authority.script { $0.requiresExternalAccount = true }
        let without = RenewalFixture(clock: clock, authority: authority)
        await without.renewal.turn()
        #expect(without.problem?.detail.contains("requires an external account") == true)
        #expect(authority.count(.newAccount) == 0)
        let with = RenewalFixture(
            clock: clock, authority: authority, external: ExternalAccount(keyIdentifier: "kid-1", macKey: [1, 2, 3]))
        await with.renewal.turn()
        #expect(with.published.hosts == ["go.example.com"])
        #expect(authority.bindings.count == 1)
    }

    @Test func `revokes and orders again`() async throws {
        let fixture = RenewalFixture()
        await fixture.renewal.turn()
        let old = try #require(fixture.published.certificates.withLock { $0.last?.first })
        try await fixture.renewal.revoke("GO.example.com", reason: .keyCompromise)
        #expect(fixture.authority.revoked == [try CertificateChain(pem: old.chain).leaf])
        await fixture.renewal.turn()
        let new = try #require(fixture.published.certificates.withLock { $0.last?.first })
        #expect(new.chain != old.chain)
        await #expect(throws: ACMEError.self) {
            try await fixture.renewal.revoke("go.example.com", reason: .superseded)
        }
        #expect(fixture.authority.revoked.count == 1)
        fixture.clock.advance(3_600)
        // The key is safe: the new certificate comes first.
        try await fixture.renewal.revoke("go.example.com", reason: .superseded)
        #expect(fixture.authority.revoked.count == 1)
        #expect(fixture.storage.text("certificate/go.example.com")?.contains("chain") == true)
        await fixture.renewal.turn()
        #expect(fixture.authority.revoked.last == (try CertificateChain(pem: new.chain).leaf))
        #expect(fixture.authority.orderedHosts.count == 3)
        await fixture.renewal.turn()
        #expect(fixture.authority.revoked.count == 2)
        await #expect(throws: ACMEError.self) { try await fixture.renewal.revoke("x.example.com", reason: .superseded) }
    }

    // MARK: Several authorities

    @Test func `asks the next authority where one fails`() async throws {
        let clock = TestClock()
        let second = ScriptedAuthority("second.test") { clock.now }
        let fixture = RenewalFixture(clock: clock, others: [second])
        fixture.authority.script {
            $0.fault = { resource, _ in
                resource == .newOrder
                    ? .problem("rateLimited", detail: "too many", status: 429, retryAfter: "90000") : nil
            }
        }
        await fixture.renewal.turn()
        #expect(fixture.status?.certificate?.source == second.directory)
        #expect(fixture.problem == nil)

        second.script { $0.verifies = { _, _, _ in false } }
        let third = RenewalFixture(["x.example.com"], clock: clock, authority: fixture.authority, others: [second])
        await third.renewal.turn()
        let detail = try #require(third.problem?.detail)
        #expect(
            detail
                == "\(fixture.authority.directory): too many; \(second.directory): tls-alpn-01: connection refused; http-01: connection refused"
        )
        // The first wants to be left alone, the second may be asked soon.
        #expect(third.problem?.nextAttempt == clock.now + 60)
        await third.run(seconds: 600)
        #expect(fixture.authority.count(.newOrder) == 2)
        #expect(second.orderedHosts.count > 3)
    }
}

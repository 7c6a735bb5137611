import Testing

@testable import WaymarkACME

@Suite struct RenewalPlanTests {
    private static let day: Int64 = 86_400

    @Test(
        arguments: [
            (0, 90 * day, nil, 60 * day), (0, 60, nil, 40), (0, 90 * day, 10 * day, 10 * day),
            // A suggestion behind the end would let the certificate expire.
            (0, 100, 1_000, 90), (0, 90 * day, -5, -5), (100, 100, nil, 100),
        ] as [(Int64, Int64, Int64?, Int64)])
    func `renews a third before the end or as suggested`(start: Int64, end: Int64, suggested: Int64?, expected: Int64) {
        #expect(RenewalPlan.renewal(notBefore: start, notAfter: end, suggested: suggested) == expected)
    }

    @Test func `orders at once without a certificate`() {
        #expect(RenewalPlan(certificate: nil, state: nil, now: 500).nextAttempt == 500)
        #expect(RenewalPlan(certificate: nil, state: HostState(), now: 500).nextAttempt == 500)
        #expect(RenewalPlan(certificate: nil, state: nil, now: 500).renewsAt == nil)
    }

    @Test(
        arguments: [
            (0, 700, 60_000), (1, 700, 60_000), (1, 70_000, 70_000),
            // A time that a wrong clock has written.
            (1, 100_000_000, 60_000),
        ] as [(Int, Int64, Int64)])
    func `waits after failures only`(failures: Int, next: Int64, expected: Int64) {
        var state = HostState()
        state.failures = failures
        state.nextAttempt = next
        #expect(RenewalPlan(certificate: (0, 90_000), state: state, now: 500).nextAttempt == expected)
    }

    @Test(
        arguments: [
            (1, 0, 60), (2, 0, 120), (3, 0, 240), (10, 0, 30_720), (11, 0, 43_200), (400, 0, 43_200), (1, 0.999, 65),
            (11, 0.999, 43_200), (0, 0, 60),
        ] as [(Int, Double, Int64)])
    func `doubles pauses from a minute to twelve hours`(failures: Int, random: Double, expected: Int64) {
        #expect(RenewalPlan.pause(failures: failures, random: random) == expected)
    }

    @Test func `allows five failed verifications an hour`() {
        var state = HostState()
        for moment in [0, 600, 1_200, 1_800] as [Int64] {
            state.recordValidation(at: moment)
            #expect(state.validationAllowed(at: moment) == 0)
        }
        state.recordValidation(at: 2_400)
        #expect(state.validationAllowed(at: 2_400) == 3_600)
        #expect(state.validationAllowed(at: 3_600) == 0)
        state.recordValidation(at: 3_700)
        #expect(state.validations == [600, 1_200, 1_800, 2_400, 3_700])
        #expect(state.validationAllowed(at: 3_700) == 4_200)
    }

    @Test func `waits for the first authority that may be asked`() {
        let authorities = [ACMEAuthority(directory: "https://a.test/"), ACMEAuthority(directory: "https://b.test/")]
        var state = HostState()
        state.blocked[authorities[0].digest] = 5_000
        state.recordFailure("no", authorities: authorities, at: 1_000, random: 0)
        #expect(state.nextAttempt == 1_060)
        state.blocked[authorities[1].digest] = 9_000
        state.recordFailure("no", authorities: authorities, at: 1_060, random: 0)
        #expect(state.nextAttempt == 5_000)
        state.retry(authorities: authorities, at: 1_100)
        #expect(state.nextAttempt == 5_000)
        #expect(state.problem == HostState.Problem(at: 1_060, detail: "no"))
        state.recordSuccess(by: .http, at: 2_000)
        #expect(state.failures == 0 && state.problem == nil && state.kind == .http && state.informationAt == 5_600)
    }

    @Test(arguments: [
        ("go.example.com", true), ("localhost", true), ("xn--bcher-kva.example", true), ("*.example.com", false),
        ("192.0.2.1", false), ("[2001:db8::1]", false), ("2001:db8::1", false), ("bücher.example", false),
        ("a..b", false), ("", false), ("-a.example", false), ("a/b.example", false), ("a b", false),
        (String(repeating: "a", count: 64) + ".example", false),
    ])
    func `orders for host names only`(host: String, isOrdered: Bool) {
        #expect((CertificateHost.problem(with: CertificateHost.normalized(host)) == nil) == isOrdered)
    }
}

import Testing

@testable import WaymarkService

@Suite struct HostPolicyTests {
    @Test func `requests to a host come one after the other`() {
        let policy = HostPolicy(interval: 1_000)
        func turn(_ host: String, at now: Int64, patience: Int64 = 2_500) -> HostPolicy.Turn {
            policy.reserve(host, at: now, patience: patience)
        }
        #expect([0, 0, 0].map { turn("a", at: $0) } == [.after(0), .after(1_000), .after(2_000)])
        // What is refused reserves nothing.
        for _ in 0..<5 { #expect(turn("a", at: 0) == .late) }
        #expect(turn("a", at: 500) == .after(2_500))
        #expect(turn("b", at: 0) == .after(0))
    }

    @Test func `a host that asks to wait is left alone until then`() {
        let policy = HostPolicy(interval: 1_000)
        policy.pause("a", until: 120_000)
        for _ in 0..<5 { #expect(policy.reserve("a", at: 0, patience: 60_000) == .paused) }
        #expect(policy.isPaused("a", at: 119_999) && !policy.isPaused("a", at: 120_000))
        #expect(policy.reserve("a", at: 120_000, patience: 60_000) == .after(0))
    }
}

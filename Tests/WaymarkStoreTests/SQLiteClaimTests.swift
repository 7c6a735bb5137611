import Testing
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores
import WaymarkTestSupport

/// Claims and events over a reopening, as after a restart or a crash.
@Suite struct SQLiteClaimTests {
    @Test func keepsClaimsAndEventsOverAReopening() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("links.sqlite")
        let first = try SQLiteLinkStore(path: path)
        try await SampleLinks.add(1, to: first)
        guard
            case .done(let outcomes) = try await first.create(
                [SampleLinks.draft("gift", metadata: 10, redeemLimit: 2)], idempotency: nil),
            case .created(let link) = outcomes.first
        else {
            Issue.record("the link is created")
            return
        }
        let claim = ClaimCandidate(
            scope: [1], installation: [2], application: link.application, link: link.id, isCounted: true,
            method: .clipboard, platform: .ipad, opened: "a=b",
            answersUntil: SampleLinks.now.advanced(byMilliseconds: 1_000),
            expiresAt: SampleLinks.now.advanced(byMilliseconds: 9_000))
        let event = AppEvent(
            digest: [3], kind: .install, link: link.id, application: link.application,
            expiresAt: SampleLinks.now.advanced(byMilliseconds: 9_000))
        let answer = try await first.claim([claim], at: SampleLinks.now, idempotency: nil)
        guard case .answered(_, .some, let match, _) = answer else {
            Issue.record("the click is claimed")
            return
        }
        #expect(match.opened == "a=b" && match.platform == .ipad)
        #expect(try await first.record([event], at: SampleLinks.now) == [.counted])
        await first.close()

        let second = try SQLiteLinkStore(path: path)
        let again = try await second.claim([claim], at: SampleLinks.now, idempotency: nil)
        guard case .answered(_, .some, match, true) = again else {
            Issue.record("the same answer is given again: \(again)")
            return
        }
        var other = claim
        other.installation = [9]
        #expect(try await second.claim([other], at: SampleLinks.now, idempotency: nil) == .none)
        #expect(try await second.record([event], at: SampleLinks.now) == [.duplicate])
        #expect(try await second.eventCounts(of: link.id) == EventCounts(installs: 1))
        #expect(try await second.link(link.id)?.redeemed == 1)
        await second.close()
    }
}

import Testing
import WaymarkLinks
import WaymarkService
import WaymarkStores

/// An installation on Android arrives as a claim by Play's referrer, as an install event, or as both in either order.
@Suite struct InstallationTests {
    enum Report: Sendable {
        case claim(ClaimRecord.Method, click: Int)
        case event(Platform?, click: Int?)
    }

    @Test(
        arguments: [
            ([.claim(.referrer, click: 0)], LinkActivity(claims: 1, androidInstalls: 1)),
            ([.claim(.clipboard, click: 0)], LinkActivity(claims: 1)),
            (
                [.claim(.referrer, click: 0), .event(.android, click: 0)],
                LinkActivity(installs: 1, claims: 1, androidInstallEvents: 1, androidInstalls: 1)
            ),
            (
                [.event(.android, click: 0), .claim(.referrer, click: 0)],
                LinkActivity(installs: 1, claims: 1, androidInstallEvents: 1, androidInstalls: 1)
            ),
            (
                [.event(.android, click: 0), .event(.android, click: 0), .event(.android, click: 1)],
                LinkActivity(installs: 3, androidInstallEvents: 3, androidInstalls: 2)
            ),
            (
                [.claim(.referrer, click: 0), .event(.android, click: 1)],
                LinkActivity(installs: 1, claims: 1, androidInstallEvents: 1, androidInstalls: 2)
            ),
            (
                [.event(.android, click: nil), .event(.android, click: nil)],
                LinkActivity(installs: 2, androidInstallEvents: 2, androidInstalls: 2)
            ),
            ([.event(.iphone, click: 0), .event(nil, click: 0)], LinkActivity(installs: 2)),
        ] as [([Report], LinkActivity)])
    func countsAnInstallationOnAndroidOnce(reports: [Report], counts: LinkActivity) async throws {
        let fixture = try await ServiceFixture.withShop()
        let link = try await fixture.create("one")
        let mint = fixture.service.makeClickIDMint()
        let clicks = (0..<2).map { _ in mint.make(for: link.id, now: fixture.clock.now, counted: true).text }
        for (number, report) in reports.enumerated() {
            try await perform(report, number, clicks, fixture)
        }
        let today = fixture.clock.now.day
        #expect(try await fixture.service.activity(of: link.id, days: today..<today + 1).map(\.counts) == [counts])
    }

    @Test func anEventOfAnotherApplicationTakesNoInstallation() async throws {
        let fixture = try await ServiceFixture.withShop()
        try await fixture.put(try application("other", domains: ["other.example"]))
        let link = try await fixture.create("one")
        let mint = fixture.service.makeClickIDMint()
        let clicks = [mint.make(for: link.id, now: fixture.clock.now, counted: true).text]
        try await perform(.event(.android, click: 0), 0, clicks, fixture, for: ApplicationID("other"))
        try await perform(.claim(.referrer, click: 0), 1, clicks, fixture)
        let today = fixture.clock.now.day
        #expect(
            try await fixture.service.activity(of: link.id, days: today..<today + 1).map(\.counts)
                == [LinkActivity(claims: 1, androidInstalls: 1)])
    }

    private func perform(
        _ report: Report, _ number: Int, _ clicks: [String], _ fixture: ServiceFixture, for asker: ApplicationID? = nil
    ) async throws {
        switch report {
        case .claim(let method, let click):
            let input = ClaimInput(
                application: try #require(ApplicationID("shop")), platform: .android, installation: "phone",
                referrer: method == .referrer ? "waymark=\(clicks[click])" : nil,
                clipboard: method == .clipboard ? "https://go.example.com/one?_hk_cid=\(clicks[click])" : nil)
            guard case .matched = try await fixture.service.claim(input) else {
                Issue.record("the click \(click) was not claimed")
                return
            }
        case .event(let platform, let click):
            let event = ReportedEvent(
                id: "\(number)", kind: .install, platform: platform, clickID: click.map { clicks[$0] },
                smartlink: (try host("go.example.com"), OpenedPath.Target(try slug("one"))))
            _ = try await fixture.service.record([event], for: asker)
        }
    }
}

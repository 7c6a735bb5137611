import Testing
import WaymarkLinks

@testable import WaymarkImports

@Suite struct VerificationTests {
    private let now = Timestamp(seconds: 1_700_000_000)

    /// The reason on each device, where the answer differs.
    private func reasons(
        _ text: String, _ service: ForeignService, _ answer: VisitAnswer
    ) async throws -> [VisitDevice: String] {
        let rows = try await service.links(in: [file(text)]).all()
        var reasons: [VisitDevice: String] = [:]
        for visit in rows.flatMap(\.visits) {
            if let found = visit.difference(answer, base: "https://go.example.com", now: now) {
                reasons[visit.device] = found.reason
            }
        }
        return reasons
    }

    private static let shop = "slug,urls.web,campaign.source,expiresAt,disabled,password\n"

    @Test(arguments: [
        ("a,https://shop.example.com/p?x=1,,,,", "https://shop.example.com/p?x=1", true),
        ("a,https://shop.example.com/p?x=1,,,,", "https://shop.example.com/p?x=2", false),
        ("a,https://shop.example.com/p?x=1,,,,", "https://shop.example.com/p?x=1&_hk_cid=c", true),
        ("a,https://shop.example.com/p?x=1,,,,", "https://shop.example.com/p?x=1&y=2", false),
        ("a,https://shop.example.com/p?x=1,,,,", "https://shop.example.com/p", false),
        ("a,HTTPS://Shop.Example.com:443,,,,", "https://shop.example.com/", true),
        ("a,https://shop.example.com/%7ep,,,,", "https://shop.example.com/~p", true),
        ("a,https://shop.example.com/ü,,,,", "https://shop.example.com/%C3%BC", true),
        ("a,https://shop.example.com/,news,,,", "https://shop.example.com/?utm_source=news", true),
        ("a,https://shop.example.com/,news,,,", "https://shop.example.com/?utm_source=other", false),
        ("a,https://shop.example.com/,,2020-01-01,,", "https://shop.example.com/", false),
        ("a,https://shop.example.com/,,2020-01-01,,", "https://shop.example.com/expired", true),
        ("a,https://shop.example.com/,,2099-01-01,,", "https://shop.example.com/", true),
        ("a,https://shop.example.com/,,,true,", "https://shop.example.com/", false),
        ("a,https://shop.example.com/,,,,secret", "https://shop.example.com/", false),
    ])
    func redirectsAreComparedByMeaning(row: String, location: String, isSame: Bool) async throws {
        let answer = VisitAnswer(status: 302, location: location)
        let found = try await reasons(Self.shop + row + "\n", .csv, answer)
        #expect(found.count == (isSame ? 0 : 4), "\(found)")
    }

    @Test(arguments: [
        ("a,https://shop.example.com/,,,,", 404, false), ("a,https://shop.example.com/,,,,", 200, false),
        ("a,https://shop.example.com/,,,,", 503, false), ("a,https://shop.example.com/,,2020-01-01,,", 410, true),
        ("a,https://shop.example.com/,,,true,", 404, true), ("a,https://shop.example.com/,,,,secret", 404, true),
    ])
    func errorsAreRightForInactiveLinksOnly(row: String, status: Int, isSame: Bool) async throws {
        let found = try await reasons(Self.shop + row + "\n", .csv, VisitAnswer(status: status))
        #expect(found.count == (isSame ? 0 : 4), "\(found)")
    }

    private static let firebase =
        "short_link,link,apn,afl,ibi,ifl,isi,efr,ofl\n"
        + "https://go.example.com/a,https://shop.example.com/1,com.example.shop,,com.example.shop,,123,,https://shop.example.com/desk\n"

    @Test func aDynamicLinkLeadsElsewhereOnEachDevice() async throws {
        let desktop = VisitAnswer(status: 302, location: "https://shop.example.com/desk")
        #expect(Set(try await reasons(Self.firebase, .fdl, desktop).keys) == [.iphone, .ipad, .android])
        let play = "https%3A%2F%2Fplay.google.com%2Fstore%2Fapps%2Fdetails%3Fid%3Dcom.example.shop%26referrer%3Dx"
        let intent =
            "intent://shop.example.com/1?_hk_cid=c#Intent;scheme=https;package=com.example.shop;S.browser_fallback_url=\(play);end"
        let android = VisitAnswer(status: 302, location: intent)
        #expect(Set(try await reasons(Self.firebase, .fdl, android).keys) == [.iphone, .ipad, .desktop])
        let page =
            #"<a href="shop://google/link/?deep_link_id=https%3A%2F%2Fshop.example.com%2F1&amp;_hk_cid=c">"#
            + #"<a href="https://apps.apple.com/app/id123?ct=x">"#
        let phone = VisitAnswer(status: 200, body: Array(page.utf8))
        #expect(Set(try await reasons(Self.firebase, .fdl, phone).keys) == [.android, .desktop])
    }

    @Test func aRowWithoutASlugIsReported() async throws {
        let rows = try await ForeignService.waymark.links(in: [file("{}\n")]).all()
        #expect(rows.first?.missingSlug?.device == nil && rows.first?.missingSlug != nil)
    }

    @Test(arguments: [
        (#"<a href="shop://a?b=1&amp;c=&quot;&#39;&lt;&gt;">Open</a>"#, [#"shop://a?b=1&c="'<>"#]),
        (#"<a class="x" href="a"><a href="b">"#, ["a", "b"]),
        (#"href="#, []), (#"<a href="open"#, []), ("href=\"&amp;amp;\"", ["&amp;"]), ("", []),
    ])
    func findsTheLinksOfAPage(page: String, links: [String]) {
        #expect(VisitAnswer(status: 200, body: Array(page.utf8)).links == links)
    }

    @Test(arguments: [
        ("https://a.example/%7ea", "https://a.example/~a", true),
        ("https://a.example/%+5", "https://a.example/%05", false),
        ("https://a.example/%c3%a4", "https://a.example/ä", true),
        ("https://a.example/%2f", "https://a.example//", false),
    ])
    func comparesSpellingsOfURLs(one: String, other: String, areSame: Bool) {
        #expect((ComparableURL(one) == ComparableURL(other)) == areSame)
    }
}

import Testing
import WaymarkClient
import WaymarkJSON
import WaymarkLinks

@testable import WaymarkImports

@Suite struct VerificationTests {
    private let now = Timestamp(seconds: 1_700_000_000)

    /// The reason on each device, where the answer differs.
    private func reasons(
        _ text: String, _ service: ForeignService, _ answer: HTTPResponse
    ) async throws -> [VisitDevice: String] {
        let rows = try await service.links(in: [file(text)]).all()
        var reasons: [VisitDevice: String] = [:]
        let verification = LinkVerification(service, on: "go.example.com", time: ForeignTime())
        for visit in rows.flatMap({ verification.plan($0, now: now).visits }) {
            if let found = visit.difference(.success(answer), base: "https://go.example.com", now: now) {
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
        ("a,https://shop.example.com/?d=50%,,,,", "https://shop.example.com/?d=50%25", true),
        ("a,https://müller.example/a b,,,,", "https://xn--mller-kva.example/a%20b", true),
        ("a,https://shop.example.com/?x=1&y=2,,,,", "https://shop.example.com/?y=2&x=1", true),
        ("a,https://shop.example.com/?x=1&x=1,,,,", "https://shop.example.com/?x=1", false),
        ("a,https://shop.example.com/,news,,,", "https://shop.example.com/?utm_source=news", true),
        ("a,https://shop.example.com/,news,,,", "https://shop.example.com/?utm_source=other", false),
        ("a,https://shop.example.com/,,2020-01-01,,", "https://shop.example.com/", false),
        ("a,https://shop.example.com/,,2020-01-01,,", "https://shop.example.com/expired", true),
        ("a,https://shop.example.com/,,2099-01-01,,", "https://shop.example.com/", true),
        ("a,https://shop.example.com/,,,true,", "https://shop.example.com/", false),
        ("a,https://shop.example.com/,,,,secret", "https://shop.example.com/", false),
    ])
    func redirectsAreComparedByMeaning(row: String, location: String, isSame: Bool) async throws {
        let answer = HTTPResponse(status: 302, location: location)
        let found = try await reasons(Self.shop + row + "\n", .csv, answer)
        #expect(found.count == (isSame ? 0 : 4), "\(found)")
    }

    @Test(arguments: [
        ("a,https://shop.example.com/,,,,", 404, false), ("a,https://shop.example.com/,,,,", 200, false),
        ("a,https://shop.example.com/,,,,", 503, false),
        ("a,https://shop.example.com/,,2020-01-01,,", 410, true),
        ("a,https://shop.example.com/,,,true,", 404, true),
        ("a,https://shop.example.com/,,,,secret", 404, true),
    ])
    func errorsAreRightForInactiveLinksOnly(row: String, status: Int, isSame: Bool) async throws {
        let found = try await reasons(Self.shop + row + "\n", .csv, HTTPResponse(status: status))
        #expect(found.count == (isSame ? 0 : 4), "\(found)")
    }

    private static let firebase =
        "short_link,link,apn,afl,ibi,ius,ifl,isi,efr,ofl\n"
        + "https://go.example.com/a,https://shop.example.com/1,com.example.shop,,com.example.shop,shop,,123,,https://shop.example.com/desk\n"

    @Test func aDynamicLinkLeadsElsewhereOnEachDevice() async throws {
        let desktop = HTTPResponse(status: 302, location: "https://shop.example.com/desk")
        #expect(Set(try await reasons(Self.firebase, .fdl, desktop).keys) == [.iphone, .ipad, .android])
        let play =
            "https%3A%2F%2Fplay.google.com%2Fstore%2Fapps%2Fdetails%3Fid%3Dcom.example.shop%26referrer%3Dx"
        let intent =
            "intent://shop.example.com/1?_hk_cid=c#Intent;scheme=https;package=com.example.shop;S.browser_fallback_url=\(play);end"
        let android = HTTPResponse(status: 302, location: intent)
        #expect(Set(try await reasons(Self.firebase, .fdl, android).keys) == [.iphone, .ipad, .desktop])
        let page =
            #"<a href="shop://google/link/?deep_link_id=https%3A%2F%2Fshop.example.com%2F1&amp;_hk_cid=c">"#
            + #"<a href="https://apps.apple.com/app/id123?ct=x">"#
        let phone = HTTPResponse(status: 200, body: Array(page.utf8))
        #expect(Set(try await reasons(Self.firebase, .fdl, phone).keys) == [.android, .desktop])
    }

    /// What an iPhone's page without `ius` has to open is the bundle ID, the only other scheme that
    /// Firebase's SDK takes.
    @Test(arguments: [("shop", "shop", true), ("", "com.example.shop", true), ("", "shop", false)])
    func aPageOpensTheSchemeThatFirebasesSDKTakes(ius: String, scheme: String, isSame: Bool) async throws {
        let row = "https://go.example.com/a,https://shop.example.com/:id/1,com.example.shop,\(ius)\n"
        let page = HTTPResponse(
            status: 200,
            body: Array(
                #"<a href="\#(scheme)://google/link/?deep_link_id=https%3A%2F%2Fshop.example.com%2F%3Aid%2F1"><a href="https://shop.example.com/%3Aid/1">"#
                    .utf8))
        let found = try await reasons("short_link,link,ibi,ius\n" + row, .fdl, page)
        #expect((found[.iphone] == nil) == isSame && (found[.ipad] == nil) == isSame, "\(found)")
    }

    @Test(arguments: [
        ("https://shop.example.com/p", false), ("https://apps.apple.com/app/id1", true),
        ("https://play.google.com/store/apps/details?id=x", true),
        ("intent://p#Intent;scheme=shop;end", true),
    ])
    func branchsPhonesGetTheAppOrItsStore(location: String, isSame: Bool) async throws {
        let row =
            #"{"data": {"url": "https://go.example.com/b", "$desktop_url": "https://shop.example.com/p"}}"#
        let found = try await reasons(row + "\n", .branch, HTTPResponse(status: 302, location: location))
        #expect((found[.iphone] == nil) == isSame && (found[.android] == nil) == isSame, "\(found)")
        #expect((found[.desktop] == nil) != isSame)
    }

    @Test(arguments: [
        (String?.none, [String](), ["/a", "/none"], 2),
        ("go.example.com", [], ["/a", "/b", "/none", "/s"], 0),
        ("go.example.com", ["s.example.com"], ["/a", "/b", "/none"], 1),
        ("s.example.com", [], ["/a", "/none"], 2),
    ])
    func linksOnOtherDomainsAreVisitedWhereTheyWent(
        domain: String?, own: [String], paths: [String], elsewhere: Int
    ) async throws {
        let rows = try await ForeignService.csv.links(in: [
            file(
                """
                smartlink,slug,urls.web
                https://go.example.com/a,,https://shop.example.com/
                https://bit.ly/b,,https://shop.example.com/
                https://s.example.com/s,,https://shop.example.com/
                ,none,https://shop.example.com/

                """)
        ]).all()
        let verification = LinkVerification(
            .csv, on: "GO.example.com", domain: domain, own: own, time: ForeignTime())
        let plans = rows.map { verification.plan($0, now: now) }
        #expect(Set(plans.flatMap(\.visits).map(\.path)) == Set(paths))
        #expect(plans.reduce(0) { $0 + $1.elsewhere } == elsewhere)
    }

    @Test(arguments: ["fr\\r\\nX: y", "f\\u0000r", "é"]) func aLanguageOfASourceIsNoHeaderField(tag: String)
        async throws
    {
        let rules = try JSONValue(
            parsing: Array(
                #"{"redirectRules": [{"longUrl": "https://a.example/", "conditions": [{"type": "language", "matchValue": "\#(tag)"}]}]}"#
                    .utf8))
        var link = ForeignLink.shlink(
            try JSONValue(parsing: Array(#"{"shortCode": "r"}"#.utf8)), ForeignTime())
        link.setShlinkRules(rules)
        let plan = LinkVerification(.shlink, on: "go.example.com", time: ForeignTime())
            .plan(SourceRow(number: 1, link: link), now: now)
        #expect(plan.visits.count == 4 && plan.visits.allSatisfy { $0.fields.count == 1 })
    }

    @Test(arguments: [
        ("https://shop.example.com/expired", true), ("https://shop.example.com/", false),
        ("https://shop.example.com/other", false),
    ])
    func anExpiredLinkLeadsToItsOwnURL(location: String, isSame: Bool) async throws {
        let text =
            "short link,destination url,expires at,expired url\nhttps://go.example.com/a,https://shop.example.com/,"
            + "2020-01-01,https://shop.example.com/expired\n"
        let found = try await reasons(text, .dub, HTTPResponse(status: 302, location: location))
        #expect(found.isEmpty == isSame, "\(found)")
    }

    @Test func aRowWithoutASlugIsReported() async throws {
        let rows = try await ForeignService.waymark.links(in: [file("{}\n")]).all()
        let verification = LinkVerification(.waymark, on: "go.example.com", time: ForeignTime())
        let plan = try #require(rows.first.map { verification.plan($0, now: now) })
        #expect(plan.visits.isEmpty && plan.problem?.reason == "the row has no slug")
    }

    @Test(arguments: [
        (#"<a href="shop://a?b=1&amp;c=&quot;&#39;&lt;&gt;">Open</a>"#, [#"shop://a?b=1&c="'<>"#]),
        (#"<a class="x" href="a"><a href="b">"#, ["a", "b"]),
        (#"href="#, []), (#"<a href="open"#, []), ("href=\"&amp;amp;\"", ["&amp;"]), ("", []),
    ])
    func findsTheLinksOfAPage(page: String, links: [String]) {
        #expect(HTTPResponse(status: 200, body: Array(page.utf8)).links == links)
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

extension HTTPResponse {
    init(status: Int, location: String) { self.init(status: status, fields: [("Location", location)]) }
}

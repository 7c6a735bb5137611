import Testing
import WaymarkLinks

@testable import WaymarkImports

@Suite struct VerificationTests {
    private static let now = Timestamp(seconds: 1_700_000_000)

    private static func link(_ urls: [String: URLEntryDraft]) -> ForeignLink {
        var link = ForeignLink()
        link.draft.urls = urls
        return link
    }

    private static func firebase(_ parameters: [FirebaseParameter: String]) -> ForeignLink {
        var link = ForeignLink()
        link.firebase = parameters
        return link
    }

    private static let web = link(["web": URLEntryDraft(link: "https://shop.example.com/a?b=1")])
    private static let both = link([
        "web": URLEntryDraft(link: "https://shop.example.com/"),
        "ios": URLEntryDraft(link: "shop://a", fallback: "store"),
        "android": URLEntryDraft(link: "shop://a", fallback: "https://shop.example.com/get"),
    ])
    private static let dynamic = firebase([
        .link: "https://shop.example.com/a", .ofl: "https://shop.example.com/desktop", .apn: "com.example.shop",
        .ibi: "com.example.shop",
    ])

    private static func redirect(_ location: String) -> FoundVisit { FoundVisit(status: 302, location: location) }
    private static func page(_ text: String) -> FoundVisit { FoundVisit(status: 200, body: Array(text.utf8)) }

    @Test(arguments: [
        (web, VerifiedDevice.desktop, redirect("https://shop.example.com/a?b=1")),
        (web, .iphone, redirect("HTTPS://Shop.example.com/a?b=1&_hk_cid=abc")),
        (both, .desktop, redirect("https://shop.example.com")),
        (both, .iphone, page("<a href=\"shop://a?_hk_cid=1\">Open</a>")),
        (both, .ipad, redirect("https://apps.apple.com/app/id1")),
        (
            both, .android,
            redirect(
                "intent://a#Intent;scheme=shop;S.browser_fallback_url=https%3A%2F%2Fshop.example.com%2Fget;end")
        ),
        (dynamic, .desktop, redirect("https://shop.example.com/desktop?utm_source=x")),
        (dynamic, .android, redirect("intent://shop.example.com/a#Intent;scheme=https;package=com.example.shop;end")),
        (dynamic, .iphone, page("shop://google/link/?deep_link_id=https%3A%2F%2Fshop.example.com%2Fa&amp;_hk_cid=1")),
    ])
    func acceptsWhereTheSourceLeads(link: ForeignLink, device: VerifiedDevice, found: FoundVisit) {
        #expect(link.expectedVisit(device, now: Self.now).accepts(found))
    }

    @Test(arguments: [
        (web, VerifiedDevice.desktop, redirect("https://shop.example.com/a?b=2")),
        (web, .desktop, redirect("https://shop.example.com/a")),
        (web, .desktop, redirect("https://shop.example.com/a?b=1&c=2")),
        (web, .desktop, redirect("https://evil.example/a?b=1")),
        (web, .desktop, FoundVisit(status: 302)),
        (web, .android, FoundVisit(status: 404)),
        (web, .android, page("nothing of it")),
        (both, .desktop, redirect("shop://a")),
        (
            both, .android,
            redirect("intent://b#Intent;scheme=shop;S.browser_fallback_url=https%3A%2F%2Fshop.example.com%2Fget;end")
        ),
        (
            both, .android,
            redirect("intent://a#Intent;scheme=shop;S.browser_fallback_url=https%3A%2F%2Fevil.example%2F;end")
        ),
        (dynamic, .desktop, redirect("https://shop.example.com/a")),
        (dynamic, .iphone, page("shop://google/link/?deep_link_id=https%3A%2F%2Fevil.example%2F")),
    ])
    func noticesAnotherDestination(link: ForeignLink, device: VerifiedDevice, found: FoundVisit) {
        #expect(!link.expectedVisit(device, now: Self.now).accepts(found))
    }

    @Test(arguments: [("2023-11-14T00:00:00Z", false), ("2023-11-15T22:13:21Z", true)])
    func anExpiredLinkMustNotLeadAnywhere(end: String, isActive: Bool) {
        var link = Self.web
        link.draft.expiresAt = end
        let expected = link.expectedVisit(.desktop, now: Self.now)
        #expect(expected.accepts(Self.redirect("https://shop.example.com/a?b=1")) == isActive)
        #expect(expected.accepts(FoundVisit(status: 410)) == !isActive)
    }

    @Test func aRuleMayDecideInsteadOfThePlatform() {
        var link = Self.web
        var rule = RuleDraft()
        rule.url = "https://shop.example.com/de"
        link.draft.rules = [rule]
        let expected = link.expectedVisit(.desktop, now: Self.now)
        #expect(expected.accepts(Self.redirect("https://shop.example.com/de")))
        #expect(!expected.accepts(Self.redirect("https://shop.example.com/fr")))
    }

    @Test(arguments: [
        ("aab", "aaab", true), ("abab", "abaabab", true), ("abc", "ababab", false), ("", "a", true), ("a", "", false),
    ])
    func findsBytes(pattern: String, text: String, isThere: Bool) {
        #expect(ByteSearch(Array(pattern.utf8)).isIn(Array(text.utf8)) == isThere)
    }
}

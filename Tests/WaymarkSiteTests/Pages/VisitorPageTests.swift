import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkTLS

@testable import WaymarkSite

/// The pages that people see on the way to a link: what they say, in whose colours, and what they let in.
@Suite struct VisitorPageTests {
    private static let branded = SiteFixture.shop.replacing(
        #""name": "Shop","#,
        with:
            ##""name": "Shop", "appearance": {"iconURL": "https://cdn.example.net:8443/icon.png", "accentColor": "#FFE600"},"##
    )

    private static let social = """
        { "route": "products/:product_id", "routeParameters": {"product_id": "42"},
          "social": {"title": "Red <b>shoes</b> & \\"more\\"", "description": "Half price, <i>today</i>",
                     "imageURL": "https://images.example.org/shoes.jpg?a=1&b=2"} }
        """

    private static let policy =
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
        + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

    @Test func showsWhatTheLinkIsAbout() async throws {
        try await SiteFixture.run(.inProcess, applications: [Self.branded]) { fixture in
            let slug = try #require(try await fixture.create(Self.social)["slug"]?.string)
            let page = try await fixture.visit("/\(slug)", as: Agent.iphone)
            #expect(page.text.contains("<h1 dir=\"auto\">Red &lt;b&gt;shoes&lt;/b&gt; &amp; &quot;more&quot;</h1>"))
            #expect(page.text.contains("Half price, &lt;i&gt;today&lt;/i&gt;"))
            #expect(page.text.contains("src=\"https://images.example.org/shoes.jpg?a=1&amp;b=2\""))
            #expect(page.text.contains("src=\"https://cdn.example.net:8443/icon.png\""))
            #expect(page.text.contains("<bdi>Shop</bdi>"))
            #expect(!page.text.contains("<b>shoes") && !page.text.contains("<i>today"))
        }
    }

    @Test func letsInTheOriginsOfItsPicturesAndNothingElse() async throws {
        try await SiteFixture.run(.inProcess, applications: [Self.branded, SiteFixture.news]) { fixture in
            let slug = try #require(
                try await fixture.create(Self.social.replacing("{ \"route\"", with: "{ \"app\": \"shop\", \"route\""))[
                    "slug"]?.string)
            let page = try await fixture.visit("/\(slug)", as: Agent.iphone)
            let policy = try #require(page[header: "Content-Security-Policy"])
            #expect(
                policy.contains("img-src 'self' https://cdn.example.net:8443 https://images.example.org; connect-src"))
            #expect(!policy.contains("unsafe"))
            // The one style in the page is the one that the policy names.
            let style = try #require(page.text.split(separator: "<style>").last?.split(separator: "</style>").first)
            let digest = SHA256.digest(of: Array(style.utf8))
            #expect(policy.contains("style-src 'self' 'sha256-\(Self.base64(digest))';"))
            #expect(style.contains("--accent:#ffe600;--on-accent:#000000"))
            #expect(!page.text.contains("style=") && !page.text.contains("<script>"))

            let other = try await fixture.visit("/nothing", host: "news.example.com", headers: [("Accept", "a/b")])
            #expect(other.status == 302)
            let nothing = try await fixture.visit("/nothing", host: "unknown.example.com")
            #expect(nothing[header: "Content-Security-Policy"] == Self.policy)
        }
    }

    @Test func carriesWhatOffersTheAppByItself() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let page = try await fixture.visit("/\(slug)?a=1,2", as: Agent.iphone)
            let banner = try #require(page.text.split(separator: "\n").first { $0.contains("apple-itunes-app") })
            #expect(
                banner.contains("content=\"app-id=123456789, app-argument=shop://products/42?referrer=ana&amp;a=1%2C2"))
            #expect(banner.contains("_hk_cid="))
            for tag in [
                "\"al:ios:url\" content=\"shop://products/42?referrer=ana&amp;a=1",
                "\"al:ios:app_store_id\" content=\"123456789\"", "\"al:ios:app_name\" content=\"Shop\"",
                "\"al:android:url\" content=\"shop://products/42?referrer=ana&amp;a=1",
                "\"al:android:package\" content=\"com.example.shop\"",
                "\"al:web:url\" content=\"https://shop.example.com/products/42?referrer=ana&amp;a=1",
            ] {
                #expect(page.text.contains("<meta property=\(tag)"), "\(tag)")
            }
            let card = try await fixture.create(Self.social)
            let preview = try await fixture.visit("/\(card["slug"]?.string ?? "")", as: Agent.crawler)
            #expect(preview.text.contains("\"og:title\" content=\"Red &lt;b&gt;shoes"))
            #expect(preview.text.contains("\"al:ios:url\" content=\"shop://products/42\""))
            #expect(!preview.text.contains("apple-itunes-app") && !preview.text.contains("_hk_cid"))

            let web = try await fixture.create(
                #"{"urls": {"web": "https://a.example/"}, "social": {"title": "A"}}"#)
            let plain = try await fixture.visit("/\(web["slug"]?.string ?? "")", as: Agent.crawler)
            #expect(!plain.text.contains("al:"))
        }
    }

    @Test func offersTheAppClip() async throws {
        let clips = #""appClips": ["ABCDE12345.com.example.shop.Clip", "ABCDE12345.com.example.shop.Other"]"#
        let application = SiteFixture.shop.replacing(#""appClips": []"#, with: clips)
        try await SiteFixture.run(.inProcess, applications: [application]) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let page = try await fixture.visit("/\(slug)", as: Agent.iphone)
            #expect(
                page.text.contains(
                    "<meta name=\"apple-itunes-app\" content=\"app-id=123456789, "
                        + "app-clip-bundle-id=com.example.shop.Clip, app-clip-display=card, app-argument=shop://"))
        }
    }

    /// Safari opens the app by a universal link, so its visitors have none, and the scheme shows them an error.
    @Test(arguments: [
        ("", "", Agent.iphone, true), ("", "", Agent.ipad, true),
        // Universal links are not followed in apps' own browsers.
        ("", "", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 Instagram 350.0", false),
        (#""id": "shop","#, #""id": "shop", "openHost": "open.example.com","#, Agent.iphone, false),
        (#""appIDs": ["ABCDE12345.com.example.shop"],"#, "", Agent.iphone, false),
        (#"{"/": "/*"}"#, #"{"/": "/other/*"}"#, Agent.iphone, false),
        (#""fallback": "store"}"#, #""fallback": "web"}"#, Agent.iphone, false),
    ])
    func putsTheLikelierButtonFirst(text: String, other: String, agent: String, leadsToStore: Bool) async throws {
        var application = text.isEmpty ? SiteFixture.shop : SiteFixture.shop.replacing(text, with: other)
        if text.contains("appIDs") {
            application = application.replacing(
                #""components": [ {"/": "/_/*", "exclude": true}, {"/": "/*"} ],"#, with: "")
        }
        try await SiteFixture.run(.inProcess, applications: [application]) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let page = try await fixture.visit("/\(slug)", as: agent)
            let buttons = page.text.split(separator: "\n").filter { $0.contains("<a class=\"button") }
            #expect(buttons.count == 2)
            #expect(buttons[0].contains("class=\"button\"") && buttons[1].contains("class=\"button quiet\""))
            #expect(buttons[leadsToStore ? 1 : 0].contains("data-fallback="))
        }
    }

    /// One answer is kept for each language; a redirect is the same in all of them, and kept once.
    @Test(arguments: TransportKind.allCases, [Agent.iphone, Agent.mac])
    func `a page is cached for each language`(transportKind: TransportKind, agent: String) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let languages = ["de", "fr", "en", "ar", "zh-TW", "zh-CN", "da", "ja"]
            let tags = ["de", "fr", "en", "ar", "zh-Hant", "zh-Hans", "en", "ja"]
            var decided = 0
            for round in 0..<4 {
                for (language, tag) in zip(languages, tags) {
                    let page = try await fixture.visit(
                        "/\(slug)", as: agent, headers: [("Accept-Language", "\(language), x;q=0.5")])
                    #expect(page[header: "Content-Language"] == tag, "round \(round)")
                    #expect(page.text.contains("<html lang=\"\(tag)\""))
                    #expect(page[header: "Vary"]?.hasSuffix(", Accept-Language") == true)
                }
                // What is asked of the cache of links behind the finished answers.
                let hits = fixture.service.cache.metrics.hits
                if round > 1 { #expect(hits == decided, "decided again in round \(round)") }
                decided = hits
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func redirectsDoNotDependOnTheLanguage(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.plain)["slug"]?.string)
            // The first visit asks the store, and the second is kept.
            for _ in 0..<2 { _ = try await fixture.visit("/\(slug)", headers: [("Accept-Language", "de")]) }
            let decided = fixture.service.cache.metrics.hits
            for language in ["de", "fr", "ar", "zh-TW", "da"] {
                let answer = try await fixture.visit("/\(slug)", headers: [("Accept-Language", language)])
                #expect(answer.status == 302)
                #expect(answer[header: "Vary"] == "User-Agent, Sec-CH-UA-Platform, Sec-CH-UA-Mobile")
                #expect(answer[header: "Content-Language"] == nil)
            }
            #expect(fixture.service.cache.metrics.hits == decided, "decided again")
        }
    }

    @Test func lookingSaysWhereEveryDeviceIsLed() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try #require(try await fixture.create(Self.social)["slug"]?.string)
            let page = try await fixture.visit("/\(slug)+", as: Agent.iphone)
            let text = page.text
            #expect(page.status == 200)
            #expect(text.contains("<p class=\"title\" dir=\"auto\">Red &lt;b&gt;shoes"))
            #expect(text.contains("<span class=\"kind\">App</span> <code>shop://products/42</code>"))
            #expect(
                text.contains(
                    "<span class=\"kind\">Store</span> <a href=\"https://apps.apple.com/app/id123456789\" rel=\"nofollow noopener\""
                ))
            #expect(text.contains("<h3>Android</h3>"))
            #expect(text.contains("<h3>Mac · Windows · Linux</h3>"))
            #expect(text.contains("<a href=\"https://shop.example.com/products/42\" rel=\"nofollow noopener\""))
            // No other scheme can be tapped, no click has an id, and Android's own notation is for its browser.
            #expect(!text.contains("href=\"shop:") && !text.contains("_hk_cid") && !text.contains("intent:"))
            #expect(!text.contains("images.example.org"))
            let here = try #require(text.firstRange(of: "On this device"))
            let others = try #require(text.firstRange(of: "On other devices"))
            #expect(here.lowerBound < others.lowerBound)

            let plain = try #require(try await fixture.create(SiteFixture.plain)["slug"]?.string)
            let same = try await fixture.visit("/\(plain)+")
            #expect(!same.text.contains("On other devices"))
        }
    }

    @Test func theRootSaysWhoseDomainItIs() async throws {
        try await SiteFixture.run(.inProcess, applications: [Self.branded]) { fixture in
            let page = try await fixture.visit("/", headers: [("Accept-Language", "de")])
            #expect(page.status == 404)
            #expect(page.text.contains("<bdi>Shop</bdi>"))
            #expect(page.text.contains("href=\"https://shop.example.com\">Website besuchen</a>"))
            #expect(
                try await fixture.visit("/", headers: [("Accept", "application/json")]).problem == "resource-unknown")
            let foreign = try await fixture.visit("/", host: "nobody.example")
            #expect(foreign.status == 404 && !foreign.text.contains("Shop"))
        }
    }

    // MARK: Colours

    @Test(arguments: stride(from: 0, through: 255, by: 51).map { UInt8($0) })
    func textOnTheAccentCanAlwaysBeRead(red: UInt8) {
        for green in stride(from: 0, through: 255, by: 15) {
            for blue in stride(from: 0, through: 255, by: 15) {
                let color = RGBColor(red: red, green: UInt8(green), blue: UInt8(blue))
                #expect(color.contrast(with: color.textColor) >= 4.5, "\(color.text)")
                let black = RGBColor(red: 0, green: 0, blue: 0)
                let white = RGBColor(red: 255, green: 255, blue: 255)
                let onLight = color.readable(on: AccentStyle.lightPaper, towards: black)
                let onDark = color.readable(on: AccentStyle.darkPaper, towards: white)
                #expect(onLight.contrast(with: AccentStyle.lightPaper) >= 4.5, "\(color.text)")
                #expect(onDark.contrast(with: AccentStyle.darkPaper) >= 4.5, "\(color.text)")
            }
        }
    }

    @Test(arguments: [
        ("#000000", "#ffffff", 21.0), ("#767676", "#ffffff", 4.54), ("#0b6e4f", "#ffffff", 6.28),
        ("#ff0000", "#ffffff", 4.0), ("#808080", "#808080", 1.0),
    ])
    func contrastIsAsWCAGDefinesIt(one: String, other: String, contrast: Double) throws {
        let (one, other) = (try #require(RGBColor(one)), try #require(RGBColor(other)))
        #expect(abs(one.contrast(with: other) - contrast) < 0.03)
        #expect(abs(other.contrast(with: one) - contrast) < 0.03)
    }

    @Test func darkPaperIsThatOfTheStyleSheet() async throws {
        try await SiteFixture.run(.socket) { fixture in
            let sheet = try await fixture.visit("/_/style.css").text
            #expect(sheet.contains("--paper: \(AccentStyle.lightPaper.text);"))
            #expect(sheet.contains("--paper: \(AccentStyle.darkPaper.text);"))
        }
    }

    // MARK: What applications may say

    @Test(arguments: [
        (#"{"iconURL": "http://a.example/i.png"}"#, ["appearance.iconURL"]),
        (#"{"iconURL": "data:image/png;base64,AA"}"#, ["appearance.iconURL"]),
        (#"{"iconURL": "javascript:alert(1)"}"#, ["appearance.iconURL"]),
        (#"{"iconURL": 1, "accentColor": 2}"#, ["appearance.accentColor", "appearance.iconURL"]),
        (##"{"accentColor": "#12345"}"##, ["appearance.accentColor"]),
        (##"{"accentColor": "#12345g"}"##, ["appearance.accentColor"]),
        (##"{"accentColor": "#+12345"}"##, ["appearance.accentColor"]),
        (#"{"accentColor": "red"}"#, ["appearance.accentColor"]),
        (##"{"accentColor": "#123456;}body{background:url(x)"}"##, ["appearance.accentColor"]),
        (##"{"color": "#123456"}"##, ["appearance.color"]), ("[]", ["appearance"]),
    ])
    func refusesWhatIsNoAppearance(value: String, fields: [String]) async throws {
        try await SiteFixture.run(.inProcess, applications: []) { fixture in
            let answer = try await fixture.call("PUT", "/api/v1/apps/a", "{\"appearance\": \(value)}")
            #expect(answer.status == 422)
            #expect(answer.fields == fields, "\(answer.text)")
        }
    }

    @Test func keepsTheAppearance() async throws {
        try await SiteFixture.run(.inProcess, applications: []) { fixture in
            for value in [
                ##"{"iconURL":"https://a.example/i.png","accentColor":"#0B6e4f"}"##, "{}", "null",
                #"{"iconURL":null,"accentColor":null}"#,
            ] {
                let put = try await fixture.call("PUT", "/api/v1/apps/a", "{\"appearance\": \(value)}")
                #expect(put.status < 300, "\(put.text)")
                let got = try await fixture.call("GET", "/api/v1/apps/a")
                #expect(got.text.contains("\"appearance\":\(value)"))
            }
        }
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let number = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            for index in 0...part.count { text.append(digits[number >> (18 - 6 * index) & 63]) }
            text += String(repeating: "=", count: 3 - part.count)
        }
        return text
    }
}

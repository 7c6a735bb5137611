import Testing
import WaymarkImports
import WaymarkJSON
import WaymarkLinks
import WaymarkTestSupport

/// Keys of Branch's links: each row of the guide's table, asked of the decision about the imported link.
@Suite struct BranchSettingTests {
    struct Setting: Sendable, CustomTestStringConvertible {
        let name: String
        let data: JSONValue
        let visitor: Visitor
        let answer: String

        var testDescription: String { "\(name) \(data.text()) \(visitor.platform)" }

        init(_ name: String, _ data: JSONValue, _ platform: Platform, to answer: String) {
            self.init(name, data, Visitor(platform: platform), to: answer)
        }

        init(_ name: String, _ data: JSONValue, _ visitor: Visitor, to answer: String) {
            self.name = name
            self.data = data
            self.visitor = visitor
            self.answer = answer
        }
    }

    private static let site = "https://shop.example.com"
    private static let page = "https://a.example/"
    private static let app = "shop://open else store"
    private static let preview = Visitor(platform: .web, bot: .preview)

    private static func german(_ platform: Platform) -> Visitor { Visitor(platform: platform, country: "DE") }

    static let settings: [Setting] = [
        Setting("no redirect key", [:], .windows, to: site), Setting("no redirect key", [:], .iphone, to: app),
        Setting("no redirect key", [:], .android, to: app),
        Setting("$desktop_url", ["$desktop_url": "https://a.example/"], .windows, to: page),
        Setting("$desktop_url", ["$desktop_url": "https://a.example/"], .iphone, to: app),
        Setting("$fallback_url", ["$fallback_url": "https://a.example/"], .linux, to: page),
        Setting("$fallback_url", ["$fallback_url": "https://a.example/"], .android, to: "shop://open else " + page),
        Setting("$ios_url", ["$ios_url": "https://a.example/"], .iphone, to: "shop://open else " + page),
        Setting("$ios_url", ["$ios_url": "https://a.example/"], .android, to: app),
        Setting("$ipad_url", ["$ipad_url": "https://a.example/"], .ipad, to: "shop://open else " + page),
        Setting("$ipad_url", ["$ipad_url": "https://a.example/"], .iphone, to: app),
        Setting("$android_url", ["$android_url": "https://a.example/"], .android, to: "shop://open else " + page),
        Setting("$android_url", ["$android_url": "https://a.example/"], .iphone, to: app),
        Setting("$deeplink_path", ["$deeplink_path": "p/4"], .iphone, to: "shop://p/4 else store"),
        Setting("$deeplink_path", ["$deeplink_path": "p/4"], .android, to: "shop://p/4 else store"),
        Setting(
            "$ios_deeplink_path", ["$ios_deeplink_path": "i", "$deeplink_path": "p"], .iphone,
            to: "shop://i else store"),
        Setting(
            "$android_deeplink_path", ["$android_deeplink_path": "shop://a", "$deeplink_path": "p"], .android,
            to: "shop://a else store"),
        Setting(
            "$web_only", ["$web_only": true, "$desktop_url": "https://a.example/", "$deeplink_path": "p"], .iphone,
            to: page),
        Setting("$ios_url_de", ["$ios_url_de": "https://a.example/"], german(.iphone), to: "shop://open else " + page),
        Setting("$ios_url_de", ["$ios_url_de": "https://a.example/"], .iphone, to: app),
        Setting(
            "$android_url_de", ["$android_url_de": "https://a.example/"], german(.android),
            to: "shop://open else " + page),
        Setting("$fallback_url_de", ["$fallback_url_de": "https://a.example/"], german(.windows), to: page),
        Setting("$fallback_url_de", ["$fallback_url_de": "https://a.example/"], .windows, to: site),
        Setting("$og_title", ["$og_title": "Title"], preview, to: "Title, -, -"),
        Setting("$og_description", ["$og_description": "Text"], preview, to: "-, Text, -"),
        Setting("$og_image_url", ["$og_image_url": "https://a.example/"], preview, to: "-, -, " + page),
        Setting("$twitter_title", ["$twitter_title": "Title"], preview, to: "Title, -, -"),
        Setting("$twitter_title", ["$og_title": "Other", "$twitter_title": "Title"], preview, to: "Other, -, -"),
        Setting("$twitter_description", ["$twitter_description": "Text"], preview, to: "-, Text, -"),
        Setting("$twitter_image_url", ["$twitter_image_url": "https://a.example/"], preview, to: "-, -, " + page),
        Setting("channel", ["~channel": "mail"], .windows, to: site + "?utm_source=mail"),
        Setting("feature", ["feature": "sharing"], .windows, to: site + "?utm_medium=sharing"),
        Setting("campaign", ["~campaign": "spring"], .windows, to: site + "?utm_campaign=spring"),
        Setting("other keys", ["product": 4], .iphone, to: "shop://open?_hk_md=1 else store"),
        Setting("$exp_date", ["$exp_date": 1_600_000_000_000], .windows, to: site),
        // The first app has had the data.
        Setting("$one_time_use", ["$one_time_use": true], .windows, to: site),
        Setting("$one_time_use", ["$one_time_use": true], .iphone, to: "shop://open?_hk_md=1 else store"),
    ]

    private static func imported(_ data: JSONValue) throws -> ImportedLink {
        var answer = JSONObject()
        answer["url"] = "https://go.example.com/a"
        answer["data"] = data
        return try ImportedLink(ForeignLink.branch(JSONValue(answer), ForeignTime()))
    }

    @Test(arguments: settings) func keysDecideAsBefore(setting: Setting) throws {
        let imported = try Self.imported(setting.data)
        let link = imported.link
        let opened = Link(
            id: link.id, application: link.application, domain: link.domain, slug: link.slug, content: link.content,
            hasMetadata: link.hasMetadata || link.content.redeemLimit > 0, redeemed: link.content.redeemLimit,
            createdAt: link.createdAt,
            updatedAt: link.updatedAt)
        let found = opened.resolve(
            application: imported.application, visitor: setting.visitor, now: Timestamp(seconds: 1_800_000_000),
            clickID: nil)
        #expect(Self.text(found) == setting.answer, "\(imported.notes)")
    }

    private static func text(_ resolution: Resolution) -> String {
        switch resolution {
        case .redirect(let destination):
            guard let intent = IntentURL(destination.url) else { return destination.url }
            let fallback = intent.fallback ?? "-"
            return intent.appURL + " else " + (fallback.hasPrefix("https://play.google.com/") ? "store" : fallback)
        case .openApp(let opening):
            return opening.open + " else " + (opening.fallback.kind == .store ? "store" : opening.fallback.url)
        case .preview(let card, _):
            return "\(card.title ?? "-"), \(card.description ?? "-"), \(card.imageURL?.text ?? "-")"
        default: return "\(resolution)"
        }
    }

    /// Rows about what no visit decides, and what the link has instead.
    private static let kept: [(name: String, data: JSONValue, has: @Sendable (ForeignLink, LinkContent) -> Bool)] = [
        ("type", ["type": 1], { $1.redeemLimit == 1 }),
        ("$one_time_use", ["$one_time_use": 1], { $1.redeemLimit == 1 }),
        ("tags", ["~tags": ["a", "b"]], { $1.tags == ["a", "b"] }),
        ("stage", ["stage": "late"], { $1.tags == ["late"] }),
        ("$marketing_title", ["$marketing_title": "Sale"], { $1.title == "Sale" }),
        ("other keys", ["product": 4], { link, _ in link.metadata["product"]?.integer == 4 && link.unused.isEmpty }),
        (
            "$exp_date", ["$exp_date": 1_800_000_000, "$canonical_url": "x", "+match_guaranteed": true],
            { link, content in
                link.unused == ["$exp_date", "$canonical_url", "+match_guaranteed"] && content.expiresAt == nil
            }
        ),
    ]

    @Test(arguments: kept.indices) func `keys of a Branch link are kept or named`(index: Int) throws {
        let (name, data, has) = Self.kept[index]
        // `type` is beside the data.
        var answer = name == "type" ? data.object ?? JSONObject() : JSONObject()
        answer["url"] = "https://go.example.com/a"
        answer["data"] = name == "type" ? [:] : data
        let foreign = ForeignLink.branch(JSONValue(answer), ForeignTime())
        #expect(has(foreign, try ImportedLink(foreign).link.content), "\(name)")
    }

    @Test func theAliasIsTheSlugOfALinkWithoutAURL() throws {
        for key in ["alias", "$alias"] {
            var data = JSONObject()
            data[key] = "sale"
            let foreign = ForeignLink.branch(["data": JSONValue(data)], ForeignTime())
            #expect(try ImportedLink(foreign).link.slug.text == "sale")
        }
    }

    /// Each row of the guide's table begins with keys that are tested here.
    @Test func theGuideHasEveryKey() throws {
        let names = try GuideTable.names(in: "from-branch.md", under: "Settings of the old service")
        #expect(Set(names) == Set(Self.settings.map(\.name) + Self.kept.map(\.name) + ["alias"]))
        let keys = BranchLinkDraft.keys.map { $0.first == "~" ? String($0.dropFirst()) : $0 }
        #expect(Set(names).isSuperset(of: keys))
    }
}

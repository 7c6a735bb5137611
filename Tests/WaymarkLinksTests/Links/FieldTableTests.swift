import Testing

@testable import WaymarkAPI
@testable import WaymarkLinks

/// What services of this kind do for each client and set-up, row by row: the decision table that people who move their links
/// here know, with the Play services' part of it done by `intent:` and the Play referrer.
@Suite struct FieldTableTests {
    private static let usual = "https://web.example/"

    private func resolve(
        _ urls: [String: URLEntryRequest], _ visitor: Visitor, social: Bool = false,
        _ change: (inout ApplicationRequest) -> Void = { _ in }
    ) throws -> Resolution {
        let application = try Samples.application {
            $0.templates = []
            change(&$0)
        }
        var draft = Samples.draft(urls: urls)
        if social {
            draft.social = SocialRequest(title: "T", description: "D", imageURL: "https://i.example/i.png")
        }
        return try Samples.link(draft, of: application).resolve(
            application: application, visitor: visitor, now: Samples.now, clickID: .placeholder)
    }

    private func redirect(_ resolution: Resolution) throws -> Resolution.Destination {
        guard case .redirect(let destination) = resolution else {
            throw Unexpected(resolution: resolution)
        }
        return destination
    }

    private func opening(_ resolution: Resolution) throws -> Resolution.AppOpening {
        guard case .openApp(let opening) = resolution else { throw Unexpected(resolution: resolution) }
        return opening
    }

    struct Unexpected: Error { var resolution: Resolution }

    private let web = ["web": URLEntryRequest(usual)]
    private let android = ["web": URLEntryRequest(usual), "android": URLEntryRequest("shop://x")]
    private let ios = ["web": URLEntryRequest(usual), "ios": URLEntryRequest("shop://x")]

    @Test(arguments: Platform.allCases)
    func givesSocialCrawlersTheCard(_ platform: Platform) throws {
        let resolution = try resolve(ios, Visitor(platform: platform, bot: .preview), social: true)
        guard case .preview(let card, _) = resolution else { throw Unexpected(resolution: resolution) }
        #expect(card.title == "T" && card.description == "D" && card.imageURL != nil)
    }

    @Test func opensAnAndroidAppByItsPackage() throws {
        let url = try redirect(resolve(android, Visitor(platform: .android))).url
        #expect(url.hasPrefix("intent://x?"))
        #expect(url.firstRange(of: "#Intent;scheme=shop;package=com.example.shop;") != nil)
        #expect(url.hasSuffix(";end"))
    }

    @Test func leadsAndroidWithoutTheAppToItsFallbackURL() throws {
        var urls = android
        urls["android"]?.fallback = "https://fallback.example/a"
        let url = try redirect(resolve(urls, Visitor(platform: .android))).url
        #expect(url.firstRange(of: "S.browser_fallback_url=https%3A%2F%2Ffallback.example%2Fa;end") != nil)
    }

    @Test func leadsAndroidWithoutTheAppToPlayWithTheReferrer() throws {
        let url = try redirect(resolve(android, Visitor(platform: .android))).url
        let play =
            "S.browser_fallback_url=https%3A%2F%2Fplay.google.com%2Fstore%2Fapps%2Fdetails%3Fid%3Dcom.example.shop"
        #expect(url.firstRange(of: play + "%26referrer%3Dwaymark%253D") != nil)
        #expect(url.firstRange(of: "%2526deeplink%253Dshop%25253A%25252F%25252Fx") != nil)
    }

    @Test func leadsAndroidWithoutAPackageToTheWeb() throws {
        let destination = try redirect(
            resolve(web, Visitor(platform: .android)) {
                $0.android = nil
            })
        #expect(destination.url == Self.usual)
        // With a scheme but no package the browser has only the web left to fall back to.
        let url = try redirect(resolve(android, Visitor(platform: .android)) { $0.android?.package = nil }).url
        #expect(url.firstRange(of: "S.browser_fallback_url=https%3A%2F%2Fweb.example%2F;end") != nil)
        #expect(url.firstRange(of: "package=") == nil)
    }

    @Test func showsIPhonesThePageWithTheStoreAlwaysInSight() throws {
        let opening = try opening(resolve(ios, Visitor(platform: .iphone)))
        #expect(opening.open.hasPrefix("shop://x?_hk_cid="))
        #expect(opening.fallback.kind == .store)
        #expect(opening.fallback.url == "https://apps.apple.com/app/id123456789")
        #expect(opening.handover?.firstRange(of: "_hk_cid=") != nil)
    }

    @Test func namesTheCampaignToTheAppStore() throws {
        let application = try Samples.application()
        var draft = Samples.draft(urls: ios)
        draft.campaign = CampaignRequest(source: "mail", medium: nil, name: "Spring & more", term: nil, content: nil)
        let resolution = try Samples.link(draft, of: application).resolve(
            application: application, visitor: Visitor(platform: .iphone), now: Samples.now, clickID: nil)
        #expect(
            try opening(resolution).fallback.url == "https://apps.apple.com/app/id123456789?ct=Spring%20%26%20more&mt=8"
        )
    }

    @Test func prefersAFallbackURLToTheStore() throws {
        var urls = ios
        urls["ios"]?.fallback = "https://fallback.example/i"
        #expect(try opening(resolve(urls, Visitor(platform: .iphone))).fallback.url == "https://fallback.example/i")
    }

    @Test func leadsReturnsStraightToTheSameFallback() throws {
        let visitor = Visitor(platform: .iphone, arrivedAtOpenHost: true)
        let destination = try redirect(resolve(ios, visitor) { $0.openHost = "open.example.com" })
        #expect(destination.url == "https://apps.apple.com/app/id123456789")
    }

    @Test func letsIPadsHaveTheirOwn() throws {
        var urls = ios
        urls["ipad"] = URLEntryRequest("shop://pad", fallback: "https://fallback.example/pad")
        let pad = try opening(resolve(urls, Visitor(platform: .ipad)))
        #expect(pad.open.hasPrefix("shop://pad?"))
        #expect(pad.fallback.url == "https://fallback.example/pad")
        #expect(try opening(resolve(urls, Visitor(platform: .iphone))).open.hasPrefix("shop://x?"))
    }

    @Test func leadsIPhonesWithoutAnAppToTheWeb() throws {
        #expect(try redirect(resolve(web, Visitor(platform: .iphone)) { $0.ios = nil }).url == Self.usual)
    }

    @Test(arguments: [Platform.windows, .linux, .macos, .web])
    func leadsDesktopsToTheirOwnOrTheWeb(_ platform: Platform) throws {
        #expect(try redirect(resolve(ios, Visitor(platform: platform))).url == Self.usual)
        var urls = ios
        urls[platform.rawValue] = URLEntryRequest("https://desktop.example/")
        #expect(try redirect(resolve(urls, Visitor(platform: platform))).url == "https://desktop.example/")
    }

    @Test(arguments: [Platform.iphone, .android])
    func showsAppsOwnBrowsersAWayOut(_ platform: Platform) throws {
        let urls = ios.merging(android) { first, _ in first }
        let inApp = try opening(resolve(urls, Visitor(platform: platform, inApp: .instagram)))
        #expect(inApp.elsewhere == "https://go.example.com/Ab3dE9x")
        #expect(inApp.open.hasPrefix(platform == .android ? "intent://x" : "shop://x"))
        #expect(inApp.fallback.kind == .store)
        // Web pages open anywhere.
        #expect(try redirect(resolve(web, Visitor(platform: platform, inApp: .instagram))).url == Self.usual)
    }
}

extension UserAgentReading {
    /// What kind of crawler or program a word names; nil for ordinary words.
    func program(_ known: UserAgentWord, _ word: Word) -> Visitor.Bot? {
        switch known {
        case .facebookexternalhit:
            // "Facebook" alone is the app's own browser.
            return word.count > 8 ? .preview : nil
        case .external:
            // meta-externalfetcher follows links for people, meta-externalagent collects.
            return word.tail & 0xFF == UInt64(UInt8(ascii: "r")) ? .preview : .other
        case .facebot, .slackbot, .imgproxy, .discordbot, .skypeuripreview,
            .redditbot, .vkshare, .odklbot, .linespider, .scrap,
            .snapurlpreview, .iframely, .embedly, .bingpreview, .groupmebot,
            .tiktokspider, .preview:
            return .preview
        // Microsoft and Flipboard are also words of people's browsers.
        case .microsoftpreview, .flipboardproxy: return word.count > 9 ? .preview : nil
        case .mattermost: return word.after == UInt8(ascii: "-") ? .preview : nil
        case .twitterbot, .linkedin, .pinterest, .telegrambot:
            return word.tail & 0xFF_FFFF == UserAgentReading.bot ? .preview : nil
        case .googleimageproxy: return .preview
        // In the middle of a User-Agent these are the apps' own browsers.
        case .whatsapp: return word.isFirst && word.after == UInt8(ascii: "/") ? .preview : nil
        case .mastodon: return word.after == UInt8(ascii: "/") ? .preview : nil
        case .googlebot, .inspectiontool, .bingbot, .applebot, .duckduckbot, .yandexbot,
            .baiduspider, .petalbot, .slurp:
            return .search
        case .uptimerobot, .pingdom, .statuscake, .site24x7, .googlestackdrivermonitoring,
            .datadog, .newrelicpinger, .healthchecker:
            return .monitor
        case .kube, .uptime, .blackbox: return word.isFirst ? .monitor : nil
        case .nuclei, .nikto, .masscan, .zgrab, .nmap, .sqlmap, .censysinspect,
            .expanse, .proofpoint, .barracuda, .mimecast, .safelinks, .wpscan,
            .virustotal, .urlscan, .netcraft:
            return .scanner
        case .curl, .wget, .python, .aiohttp, .httpx, .go, .okhttp, .java,
            .apache, .axios, .node, .undici, .libwww, .ruby, .php, .reqwest,
            .guzzlehttp, .postmanruntime, .insomnia, .httpie, .restsharp, .winhttp:
            // Libraries name themselves first; elsewhere these are ordinary words.
            return word.isFirst ? .other : nil
        case .googleassociationservice: return word.count > 15 ? .other : nil
        case .headlesschrome, .phantomjs, .puppeteer, .playwright,
            .selenium, .scrapy:
            return .other
        default: return generic(word)
        }
    }

    /// By how a word ends: `AhrefsBot`, `MegaCrawler`, `Sogou web spider`.
    func generic(_ word: Word) -> Visitor.Bot? {
        // CUBOT makes telephones.
        if word.tail & 0xFF_FFFF == UserAgentReading.bot { return word.tail == UserAgentReading.cubot ? nil : .other }
        if word.tail & 0xFFFF_FFFF_FFFF == UserAgentReading.spider { return .other }
        switch word.tail & 0xFF_FFFF_FFFF_FFFF {
        case UserAgentReading.crawler, UserAgentReading.fetcher, UserAgentReading.scraper: return .other
        case UserAgentReading.preview: return .preview
        default: return nil
        }
    }

    /// The letters of a word's end, the last one lowest.
    static func end(_ word: String) -> UInt64 { word.utf8.reduce(0) { $0 << 8 | UInt64($1) } }

    private static let bot: UInt64 = 0x62_6F74
    private static let cubot: UInt64 = 0x63_7562_6F74
    private static let spider: UInt64 = 0x7370_6964_6572
    private static let crawler: UInt64 = 0x63_7261_776C_6572
    private static let fetcher: UInt64 = 0x66_6574_6368_6572
    private static let scraper: UInt64 = 0x73_6372_6170_6572
    private static let preview: UInt64 = 0x70_7265_7669_6577

    static var ends: [(word: String, end: UInt64)] {
        [
            ("bot", bot), ("cubot", cubot), ("spider", spider), ("crawler", crawler), ("fetcher", fetcher),
            ("scraper", scraper), ("preview", preview),
        ]
    }
}

extension UserAgentReading {
    /// - Parameters:
    ///   - hint: the first word of `Sec-CH-UA-Platform`; nil where there is none that counts.
    ///   - mobile: what `Sec-CH-UA-Mobile` says.
    func conclusion(hint: UserAgentWord?, mobile: Bool?) -> VisitorClass {
        let (platform, device, evidence) = place(hint: hint, mobile: mobile)
        // URLSession's words without a browser's: an app or a system service fetches.
        let bot = bot ?? (facts.contains(.cfNetwork) && !facts.contains(.mozilla) ? .other : nil)
        let isApple = platform == .iphone || platform == .ipad
        let isEmbedded =
            facts.contains(.webKit) && facts.contains(.mobile) && !facts.contains(.safari) && isApple && inApp == nil
        let browser = browser ?? (facts.contains(.safari) && !facts.contains(.android) ? .safari : nil)
        let mayBeIPad =
            evidence == .macintosh && bot == nil && facts.contains(.webKit) && (browser == nil || browser == .safari)
        return VisitorClass(
            platform: platform, device: device, bot: bot, browser: browser, inApp: isEmbedded ? .webview : inApp,
            mayBeIPad: mayBeIPad, evidence: evidence)
    }

    private func place(hint: UserAgentWord?, mobile: Bool?) -> (Platform, Visitor.Device, VisitorClass.Evidence) {
        let isPhone = mobile ?? facts.contains(.mobile)
        switch hint {
        case .android: return (.android, isPhone ? .phone : .tablet, .clientHint)
        case .windows: return (.windows, .desktop, .clientHint)
        case .macos: return (.macos, .desktop, .clientHint)
        case .linux: return (.linux, .desktop, .clientHint)
        case .chrome, .chromium: return (.web, .desktop, .clientHint)
        // "iOS" does not say which device; "Unknown" and the rest say nothing.
        default: break
        }
        if facts.contains(.windowsPhone) { return (.windows, .phone, .windowsPhone) }
        if facts.contains(.iphone) { return (.iphone, .phone, .iphone) }
        if facts.contains(.ipod) { return (.iphone, .phone, .ipod) }
        if facts.contains(.ipad) { return (.ipad, .tablet, .ipad) }
        if facts.contains(.macintosh), !facts.isDisjoint(with: [.iosBrowser, .mobile]), !facts.contains(.fire) {
            return (.ipad, .tablet, .macintoshOniPad)
        }
        if facts.contains(.fire) { return (.android, .tablet, .fire) }
        if facts.contains(.android) { return (.android, facts.contains(.mobile) ? .phone : .tablet, .android) }
        if facts.contains(.chromeOS) { return (.web, .desktop, .chromeOS) }
        if facts.contains(.windows) { return (.windows, .desktop, .windows) }
        if facts.contains(.macintosh) { return (.macos, .desktop, .macintosh) }
        if facts.contains(.otherSystem) { return (.web, .unknown, .otherSystem) }
        if facts.contains(.linux) { return (.linux, .desktop, .linux) }
        return (.web, .unknown, .nothing)
    }
}

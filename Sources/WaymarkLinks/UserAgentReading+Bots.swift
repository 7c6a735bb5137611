extension UserAgentReading {
    /// What kind of crawler or program a word names; nil for ordinary words.
    func program(_ word: Word) -> Visitor.Bot? {
        typealias Known = UserAgentWord
        switch word.key {
        case Known.facebookexternalhit:
            // "Facebook" alone is the app's own browser.
            return word.count > 8 ? .preview : nil
        case Known.externalfetcher:
            // meta-externalfetcher follows links for people, meta-externalagent collects.
            return word.tail & 0xFF == UInt64(UInt8(ascii: "r")) ? .preview : .other
        case Known.facebot, Known.slackbot, Known.imgproxy, Known.discordbot, Known.skypeuripreview,
            Known.redditbot, Known.vkshare, Known.odklbot, Known.linespider, Known.scrap,
            Known.snapurlpreview, Known.iframely, Known.embedly, Known.bingpreview, Known.groupmebot,
            Known.tiktokspider, Known.preview:
            return .preview
        // Microsoft and Flipboard are also words of people's browsers.
        case Known.microsoftpreview, Known.flipboardproxy: return word.count > 9 ? .preview : nil
        case Known.mattermost: return word.after == UInt8(ascii: "-") ? .preview : nil
        case Known.twitterbot, Known.linkedinbot, Known.pinterestbot, Known.telegrambot:
            return word.tail & 0xFF_FFFF == UserAgentReading.bot ? .preview : nil
        case Known.googleimageproxy: return .preview
        // In the middle of a User-Agent these are the apps' own browsers.
        case Known.whatsapp: return word.isFirst && word.after == UInt8(ascii: "/") ? .preview : nil
        case Known.mastodon: return word.after == UInt8(ascii: "/") ? .preview : nil
        case Known.googlebot, Known.inspectiontool, Known.bingbot, Known.applebot, Known.duckduckbot, Known.yandexbot,
            Known.baiduspider, Known.petalbot, Known.slurp:
            return .search
        case Known.uptimerobot, Known.pingdom, Known.statuscake, Known.site24x7, Known.googlestackdrivermonitoring,
            Known.datadog, Known.newrelicpinger, Known.healthchecker:
            return .monitor
        case Known.kube, Known.uptime, Known.blackbox: return word.isFirst ? .monitor : nil
        case Known.nuclei, Known.nikto, Known.masscan, Known.zgrab, Known.nmap, Known.sqlmap, Known.censysinspect,
            Known.expanse, Known.proofpoint, Known.barracuda, Known.mimecast, Known.safelinks, Known.wpscan,
            Known.virustotal, Known.urlscan, Known.netcraft:
            return .scanner
        case Known.curl, Known.wget, Known.python, Known.aiohttp, Known.httpx, Known.go, Known.okhttp, Known.java,
            Known.apache, Known.axios, Known.node, Known.undici, Known.libwww, Known.ruby, Known.php, Known.reqwest,
            Known.guzzlehttp, Known.postmanruntime, Known.insomnia, Known.httpie, Known.restsharp, Known.winhttp:
            // Libraries name themselves first; elsewhere these are ordinary words.
            return word.isFirst ? .other : nil
        case Known.googleassociationservice: return word.count > 15 ? .other : nil
        case Known.headlesschrome, Known.phantomjs, Known.puppeteer, Known.playwright,
            Known.selenium, Known.scrapy:
            return .other
        default: return generic(word)
        }
    }

    /// By how a word ends: `AhrefsBot`, `MegaCrawler`, `Sogou web spider`.
    private func generic(_ word: Word) -> Visitor.Bot? {
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
    ///   - hint: the first word of `Sec-CH-UA-Platform`, 0 where there is none.
    ///   - mobile: what `Sec-CH-UA-Mobile` says.
    func conclusion(hint: UInt64, mobile: Bool?) -> VisitorClass {
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

    private func place(hint: UInt64, mobile: Bool?) -> (Platform, Visitor.Device, VisitorClass.Evidence) {
        let isPhone = mobile ?? facts.contains(.mobile)
        switch hint {
        case UserAgentWord.android: return (.android, isPhone ? .phone : .tablet, .clientHint)
        case UserAgentWord.windows: return (.windows, .desktop, .clientHint)
        case UserAgentReading.macos: return (.macos, .desktop, .clientHint)
        case UserAgentWord.linux: return (.linux, .desktop, .clientHint)
        case UserAgentWord.chrome, UserAgentWord.chromium: return (.web, .desktop, .clientHint)
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

    /// "macOS", of a hint only: every browser on a Mac says "Intel Mac OS X".
    private static let macos: UInt64 = 0x6D61_636F_7300_0000
}

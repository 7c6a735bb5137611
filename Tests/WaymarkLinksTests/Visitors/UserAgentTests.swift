import Testing
import WaymarkBytes

@testable import WaymarkLinks

@Suite struct UserAgentTests {
    static let mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    static let phone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    static let pixel = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) "

    @Test(arguments: [
        (phone + "Version/26.0 Mobile/15E148 Safari/604.1", Platform.iphone, Visitor.Device.phone),
        (
            "Mozilla/5.0 (iPod touch; CPU iPhone OS 12_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148", .iphone,
            .phone
        ),
        (
            "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1",
            .ipad, .tablet
        ),
        (mac + "CriOS/102.0 Version/11.1.1 Safari/605.1.15", .ipad, .tablet),
        (mac + "FxiOS/130.0 Safari/605.1.15", .ipad, .tablet),
        (mac + "Version/17.5 Safari/605.1.15", .macos, .desktop),
        (mac + "Silk/70.4 like Chrome/70 Safari/537.36", .android, .tablet),
        (pixel + "Chrome/131.0.0.0 Mobile Safari/537.36", .android, .phone),
        (
            "Mozilla/5.0 (Linux; Android 14; SM-X910) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36", .android,
            .tablet
        ),
        ("Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) like iPhone Edge/15", .windows, .phone),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36 Edg/131.0",
            .windows, .desktop
        ),
        ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36", .web, .desktop),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0", .linux, .desktop),
        ("Mozilla/5.0 (Linux; Tizen 2.3) AppleWebKit/538.1 Version/2.3 TV Safari/538.1", .web, .unknown),
        ("Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 Chrome/114 Safari/537.36 Mobile", .web, .unknown),
        ("", .web, .unknown), (" ", .web, .unknown),
        ("TestApp/1.0 (iOS; Mobile)", .ios, .unknown),
        ("UCWEB/2.0 (iOS; U; iPh OS 7_0_4) U2/1.0.0 Mobile", .iphone, .phone),
        ("Mozilla/5.0 (Macintosh; U; PPC Mac OS X; en-us) AppleWebKit/418.8 Safari/419.3", .macos, .desktop),
        ("Mac OS X/10.10.4 (14E11f)", .macos, .desktop), ("iTunes/12.0.1 (Macintosh; OS X 10.9.2)", .macos, .desktop),
        ("UCWEB/2.0 (Linux; U; Adr 4.2.2; zh-CN; V8) UCBrowser/9.3 Mobile", .android, .phone),
        ("Mozilla/5.0 (X11; U; FreeBSD i386; en-US) AppleWebKit/532.0 Chrome/4.0 Safari/532.0", .web, .unknown),
        ("Mozilla/5.0 (Apple TV; U; CPU OS 8_3 like Mac OS X) AppleWebKit/1", .web, .unknown),
        ("Opera/9.80 (Windows NT 6.1; U) Presto/2.2.15 Version/10.00", .windows, .desktop),
    ])
    func tellsPlatformAndDevice(_ userAgent: String, _ platform: Platform, _ device: Visitor.Device) {
        let kind = UserAgent.classify(userAgent)
        #expect(kind.platform == platform)
        #expect(kind.device == device)
        #expect(kind.bot == nil)
    }

    @Test(arguments: [
        (mac + "Version/9.0 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0", Visitor.Bot.preview),
        ("facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", .preview),
        ("WhatsApp/2.23.20.0 A", .preview),
        ("TelegramBot (like TwitterBot)", .preview),
        ("Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", .preview),
        ("LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient)", .preview),
        ("Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)", .preview),
        (phone + "Version/9.0 Mobile/13B143 Safari/601.1 (compatible; Pinterestbot/1.0)", .preview),
        ("http.rb/5.1.1 (Mastodon/4.2.0; +https://m.example/)", .preview),
        ("Mozilla/5.0 Snap URL Preview Service; bot; snapchat", .preview),
        (
            "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) Chrome/130 Mobile Safari/537.36 (compatible; Googlebot/2.1)",
            .search
        ),
        (phone + "Version/17 Mobile/15E148 Safari/604.1 (Applebot/0.1)", .search),
        ("Mozilla/5.0 (compatible; bingbot/2.0)", .search),
        ("Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)", .monitor),
        ("kube-probe/1.30", .monitor),
        ("ELB-HealthChecker/2.0", .monitor), ("Mozilla/5.0 (compatible; Nmap Scripting Engine)", .scanner),
        ("curl/8.5.0", .other), ("python-requests/2.31", .other), ("Go-http-client/1.1", .other),
        ("okhttp/4.12.0", .other),
        ("Mozilla/5.0 (compatible; GPTBot/1.2)", .other), ("Mozilla/5.0 (compatible; AhrefsBot/7.0)", .other),
        ("Sogou web spider/4.0", .search),
        ("AASA-Bot/1.0.0", .preview), ("GoogleAssociationService", .other),
        ("Shop/1 CFNetwork/1494 Darwin/23.4.0", .other),
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/130.0 Safari/537.36", .other),
        ("meta-externalagent/1.1", .preview), ("meta-externalfetcher/1.1", .preview),
        ("Mozilla/5.0", .other), ("SomethingNobodyKnows", .other), ("Acme Importer 1.0", .other),
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 (hello@acme.example)", .other),
        ("Mozilla/5.0 (compatible; AcmeThing/3.1; +https://acme.example/thing)", .other),
        ("AcmeFetcher/1.0 (Linux)", .other), ("acme-link-checker (Windows NT 10.0)", .other),
        ("Acme-LinkPreview/2.1", .preview), ("Acme Search Engine/1.0 (Linux)", .search), ("AcmeUptime/1.0", .monitor),
        (
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Acme Vulnerability Scanner",
            .scanner
        ),
    ])
    func tellsCrawlersAndPrograms(_ userAgent: String, _ bot: Visitor.Bot) {
        #expect(UserAgent.classify(userAgent).bot == bot)
    }

    @Test(arguments: [
        (phone + "Mobile/15E148 [FBAN/FBIOS;FBAV/480.0;]", VisitorClass.InApp.facebook),
        (pixel + "Chrome/130 Mobile Safari/537.36 MetaIAB Facebook", .facebook),
        (pixel + "Version/4.0 Chrome/130 Mobile Safari/537.36 Instagram 350.0 Android (Google/google)", .instagram),
        (phone + "Mobile/15E148 [LinkedInApp]/9.30", .linkedin), (phone + "Mobile/15E148 [Pinterest/iOS]", .pinterest),
        (phone + "Mobile/15E148 Twitter for iPhone/10.2", .twitter),
        (phone + "Mobile/15E148 MicroMessenger/8.0", .wechat),
        (phone + "Mobile/15E148 Safari Line/14.1", .line),
        (phone + "Mobile/15E148 musical_ly_34.0 BytedanceWebview/d8", .tiktok),
        (phone + "Mobile/15E148", .webview),
        ("Mozilla/5.0 (Linux; Android 9; CUBOT_X18; wv) Version/4.0 Chrome/130 Mobile Safari/537.36", .webview),
        (phone + "GSA/300.0 Mobile/15E148 Safari/604.1", .google),
        (phone + "Mobile/15E148 Snapchat/12.0 (like Safari)", .snapchat),
        (phone + "Mobile/15E148 KAKAOTALK 10.0", .kakaotalk),
    ])
    func takesAppsWithABrowserForPeople(_ userAgent: String, _ app: VisitorClass.InApp) {
        let kind = UserAgent.classify(userAgent)
        #expect(kind.inApp == app)
        #expect(kind.bot == nil)
    }

    @Test(arguments: [
        (mac + "Version/17.5 Safari/605.1.15", true), (mac, true), (mac + "Chrome/131.0 Safari/537.36", false),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0", false),
        (mac + "Version/9.0 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0", false),
        (phone + "Safari/604.1", false),
    ])
    func suspectsAnIPadOnlyBehindMacSafari(_ userAgent: String, _ mayBe: Bool) {
        #expect(UserAgent.classify(userAgent).mayBeIPad == mayBe)
    }

    @Test(arguments: [
        ("\"Android\"", "?1", Platform.android, Visitor.Device.phone), ("\"Android\"", "?0", .android, .tablet),
        ("\"Windows\"", "?0", .windows, .desktop), ("\"macOS\"", "?0", .macos, .desktop),
        ("\"Linux\"", "?0", .linux, .desktop),
        ("\"Chrome OS\"", "?0", .web, .desktop), ("\"Chromium OS\"", "", .web, .desktop),
        ("\"Unknown\"", "?0", .linux, .desktop),
        ("", "", .linux, .desktop), ("Windows", "", .linux, .desktop), ("\"", "?", .linux, .desktop),
        ("\"\"", "?2", .linux, .desktop),
    ])
    func believesClientHintsBeforeTheUserAgent(
        _ hint: String, _ mobile: String, _ platform: Platform, _ device: Visitor.Device
    ) {
        let kind = UserAgent.classify(
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36", platformHint: hint,
            mobileHint: mobile)
        #expect(kind.platform == platform)
        #expect(kind.device == device)
        #expect(!kind.mayBeIPad)
    }

    @Test(arguments: [
        ("Mozilla/5.0 (Linux; Android 9; CUBOT_X18) AppleWebKit/537.36 Chrome/130 Mobile Safari/537.36"),
        ("Mozilla/5.0 (Linux; Android 9; CUBOT) AppleWebKit/537.36 Chrome/130 Mobile Safari/537.36"),
        ("Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 5.1; Embedded Web Browser from: http://bsalsa.com/)"),
        ("Mozilla/5.0 (Linux; Android 11; FP4) AppleWebKit/537.36 Chrome/101 Mobile Safari/537.36 (Ecosia android@101.0)"),
        ("Mozilla/5.0 (Linux; Android 8.1.0; Seoul 9) AppleWebKit/537.36 Chrome/87 Mobile Safari/537.36"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:2.0) Gecko/20110408 conkeror/0.9.3"),
        ("ELinks/0.10.5 (textmode; OpenBSD 3.8 i386; 131x17-2)"), ("Lynx/2.9.0 libwww-FM/2.14"),
        ("Nokia6300/2.0 (04.20) Profile/MIDP-2.0 Configuration/CLDC-1.1"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 NAVER(inapp; search; 700; 10.20.2)"),
    ])
    func takesOddBrowsersForPeople(_ userAgent: String) {
        #expect(UserAgent.classify(userAgent).bot == nil)
    }

    @Test func understandsEveryLineOfItsData() {
        for table in [SystemTokens.lines, CrawlerTokens.lines] {
            for line in table.split(separator: "\n") where !line.hasPrefix("#") {
                #expect(!TokenPattern.all(String(line)).isEmpty, "\(line)")
            }
            for (pattern, _) in TokenPattern.all(table) {
                #expect(pattern.bytes.count >= 1 && pattern.bytes.count < 64)
                #expect(
                    pattern.bytes.allSatisfy { $0 < 0x80 },
                    "a space at an end is written ␣, and nothing else is not ASCII")
            }
        }
        // Every meaning has a token, and a name that the visitor's class knows.
        let told = Set((TokenPattern.all(SystemTokens.lines) + TokenPattern.all(CrawlerTokens.lines)).map(\.meaning))
        #expect(told == Set(UserAgentMeaning.allCases))
        #expect(TokenMatcher.userAgents.stateCount < Int(UInt16.max))
        for app in VisitorClass.InApp.allCases {
            #expect(UserAgentMeaning(Substring(app.rawValue)) != nil, "\(app)")
        }
    }

    @Test func findsTokensAsALookThroughTheTextDoes() {
        let tokens = TokenPattern.all(SystemTokens.lines) + TokenPattern.all(CrawlerTokens.lines)
        var random = RepeatableRandom(state: 5)
        let pieces =
            tokens.map { String(decoding: $0.pattern.bytes, as: UTF8.self) }
            + [" ", "/1.0", "x", "(", ")", "; ", "(Linux; Android 9; ", "Bot", "é"]
        for _ in 0..<300 {
            let text = (0..<6).map { _ in pieces.randomElement(using: &random) ?? "" }.joined().uppercased()
            let bytes = Array(text.utf8)
            let small = bytes.map(\.lowercased)
            let places = UserAgentPlaces(bytes.span)
            var expected = UserAgentTokens()
            for (pattern, meaning) in tokens where pattern.bytes.count <= small.count {
                for start in 0...(small.count - pattern.bytes.count) {
                    let end = start + pattern.bytes.count
                    guard small[start..<end].elementsEqual(pattern.bytes), !pattern.isAtStart || start == 0,
                        !pattern.beginsWord || start == 0 || !small[start - 1].isLetter,
                        !pattern.endsWord || end == small.count || !small[end].isLetter,
                        pattern.beginsField || !places.device.contains(start)
                    else { continue }
                    expected.all.formUnion(meaning.bit)
                    if places.comment.contains(start) { expected.comment.formUnion(meaning.bit) }
                }
            }
            #expect(TokenMatcher.userAgents.meanings(of: bytes.span) == expected, "\(text)")
        }
    }

    @Test func givesEachClassItsSlot() {
        #expect(Set(VisitorClass.all.compactMap(\.slot)) == Set(0..<VisitorClass.slotCount))
        #expect(VisitorClass.all.allSatisfy { $0.slot != nil || $0.platform == .linux && $0.inApp != nil })
        #expect(MemoryLayout<VisitorClass>.size <= 8)
    }

    @Test func explainsItself() {
        let visitor = Visitor(UserAgent.classify(UserAgentTests.phone), withReasons: true)
        #expect(visitor.why.first == "User-Agent holds iPhone")
        #expect(Visitor(UserAgent.classify("")).why.isEmpty)
    }

    @Test func remembersOnlyWhatItWouldReadAgain() {
        let cache = VisitorClassCache()
        var random = RepeatableRandom(state: 9)
        let words = [
            "Mozilla/5.0 ", "(iPhone) ", "Android ", "Mobile ", "Macintosh ", "AppleWebKit ", "Googlebot ", "x",
        ]
        let hints = ["", "\"Android\"", "\"macOS\"", "\"Unknown\""]
        for _ in 0..<4000 {
            let text = (0..<Int.random(in: 0...4, using: &random)).map { _ in words.randomElement(using: &random) ?? ""
            }
            let userAgent = Array(text.joined().utf8)
            let hint = Array((hints.randomElement(using: &random) ?? "").utf8)
            let mobile = Array(["", "?0", "?1"][Int.random(in: 0...2, using: &random)].utf8)
            let read = UserAgent.classify(userAgent.span, platformHint: hint.span, mobileHint: mobile.span)
            #expect(cache.classify(userAgent.span, platformHint: hint.span, mobileHint: mobile.span) == read)
            #expect(cache.classify(userAgent.span, platformHint: hint.span, mobileHint: mobile.span) == read)
        }
        let long = Array((String(repeating: "x ", count: 400) + "iPhone").utf8)
        #expect(cache.classify(long.span).platform == .iphone)
    }

    @Test func survivesAnyBytes() {
        var random = RepeatableRandom(state: 8)
        for count in 0..<300 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let kind = UserAgent.classify(bytes.span, platformHint: bytes.span, mobileHint: bytes.span)
            #expect(kind.slot.map { (0..<VisitorClass.slotCount).contains($0) } ?? (kind.platform == .linux))
        }
    }
}

extension VisitorClass {
    /// Whatever a link's answer may depend on, in every combination.
    static let all: [VisitorClass] = Platform.allCases.flatMap { platform in
        [nil, Visitor.Bot.preview, .search, .other].flatMap { bot in
            [nil, InApp.facebook, .google, .webview].flatMap { inApp in
                (platform == .macos ? [false, true] : [false]).map { mayBeIPad in
                    VisitorClass(
                        platform: platform, device: .unknown, bot: bot, inApp: inApp, mayBeIPad: mayBeIPad,
                        evidence: .nothing)
                }
            }
        }
    }
}

import Testing
import WaymarkBytes

@testable import WaymarkLinks

/// A word in a User-Agent decides only in its place.
@Suite struct UserAgentPlaceTests {
    private static let phone = UserAgentTests.phone
    private static let mac = UserAgentTests.mac

    private static func android(_ device: String, _ rest: String = "Chrome/131.0.0.0 Mobile Safari/537.36") -> String {
        "Mozilla/5.0 (Linux; Android 10; \(device)) AppleWebKit/537.36 (KHTML, like Gecko) \(rest)"
    }

    @Test(arguments: [
        ("no comment", "", ""), ("Mozilla/5.0 (X11; Linux)", "X11; Linux", ""),
        (
            "a (Linux; Android 9; M bot 60 Build/N; wv) b", "Linux; Android 9; M bot 60 Build/N; wv",
            "; M bot 60 Build/N; wv"
        ),
        ("a (Linux; U; Adr 4.2; zh; V8) b", "Linux; U; Adr 4.2; zh; V8", "; zh; V8"),
        ("a (Android 10; Mobile; rv:68.0) b", "Android 10; Mobile; rv:68.0", "; Mobile; rv:68.0"),
        ("a (Linux; Android 9; X (Y) Z) b", "Linux; Android 9; X (Y) Z", "; X (Y) Z"),
        ("a (Linux; Android 9; Moto Z (2) b (c, d) e", "Linux; Android 9; Moto Z (2", "; Moto Z (2"),
        ("a (Linux; Android 9; X", "Linux; Android 9; X", "; X"),
        ("a (Linux; Android 9; compatible; SomeBot/1)", "Linux; Android 9; compatible; SomeBot/1", "; "),
        ("a (Linux; Android 9; X; +http://b.example)", "Linux; Android 9; X; +http://b.example", "; X; "),
        ("a (Windows Phone 10.0; Android 6.0; X)", "Windows Phone 10.0; Android 6.0; X", ""),
        ("a (Linux; Android 9)", "Linux; Android 9", ""), ("(", "", ""), ("()", "", ""), ("(;", ";", ""),
    ])
    func splitsTheTextIntoItsPlaces(_ text: String, _ comment: String, _ device: String) {
        let bytes = Array(text.utf8)
        let places = UserAgentPlaces(bytes.span)
        #expect(String(decoding: bytes[places.comment], as: UTF8.self) == comment)
        #expect(String(decoding: bytes[places.device], as: UTF8.self) == device)
    }

    @Test(arguments: [
        "TECNO Camon CX", "Tecno Camon i4", "M bot 60", "B BOT 550 Build/MRA58K; wv", "M BOT TAB 101", "M_bot_tab_1150",
        "XBot_Senior", "Spider 8", "Expanse", "Crawler One", "Googlebot Phone", "curl 5 Build/R1",
        "U; en-us; VR BOT 552",
        "Nokia X Windows Edition", "TechniPhone 5", "Mi Note 10 Lite;iPhone: Build/RKQ1", "Iphone12 pro max", "BRAVE",
        "mumayi.com_love_01", "Macintosh Tab", "CrOS phone",
    ])
    func takesAnyModelOfAndroidForAPhoneOfAPerson(_ device: String) {
        let kind = UserAgent.classify(Self.android(device))
        #expect(kind.bot == nil)
        #expect(kind.platform == .android)
        #expect(kind.device == .phone)
    }

    @Test(arguments: [
        phone + "Mobile/15E148 Instagram 330.0 (iPhone14,3; iOS 17_5; en_IR@calendar=gregorian; en; scale=3.00)",
        phone + "Mobile/15E148 Instagram 330.0 (iPhone14,3; iOS 17_5; ar_EG@numbers=latn; ar)",
        phone + "Mobile/15E148 Barcelona 330.0 (iPhone14,3; iOS 17_5; th_TH@calendar=gregorian; th)",
        phone + "Mobile/15E148 Safari/604.1 Shop/2.1 (iPhone; fa_IR@calendar=persian)",
        phone + "Mobile/15E148 [FBAN/FBIOS;FBAV/480.0;FBCR/me@carrier.com;FBDV/iPhone12,1;FBSN/iOS]",
        phone + "Version/17.0 Mobile/15E148 Safari/604.1 Ask.com Mobile Browser/1.0",
        mac + "Chrome/131.0.0.0 Safari/537.36 Raindrop.io/5.6", mac + "Chrome/131.0.0.0 Safari/537.36 Figma.ai",
        android("SM-A515F; wv", "Version/4.0 Chrome/125.0 Mobile Safari/537.36 CamScanner/4.5.0"),
        android("SM-A515F", "Chrome/125.0 Mobile Safari/537.36 Presearch/2.3"),
        android("CUBOT X18; wv", "Chrome/125.0 Mobile Safari/537.36 [FBAN/FB4A;FBDV/CUBOT;FBBD/Spider bot]"),
        android("K", "Chrome/125.0 Mobile Safari/537.36 [air.com.A888poker/1.0]"),
        "[FBAN/FB4A;FBAV/167.0;FBLC/en_GB;FBMF/OPPO;FBPN/com.facebook.katana;FBDV/A37f;FBSV/5.1.1]",
        "GOGGalaxyClient/2.0.20.39 (GOG Galaxy) 83b6745cff67 (win10 x64)",
        "AptoideLite/50 (Linux; Android 9; SM-A730X Build/PPR1; wv) AppleWebKit/537.36 Chrome/73.0 Mobile Safari/537.36",
    ])
    func takesWordsOfAppsLocalesAndCarriersForNoProgram(_ userAgent: String) {
        #expect(UserAgent.classify(userAgent).bot == nil)
    }

    @Test(arguments: [
        (android("Pixel 2 Build/OPD3; Storebot-Google/1.0"), Visitor.Bot.search),
        (android("Pixel 2 Build/OPD3; DuplexWeb-Google/1.0"), .other),
        (android("compatible; Acmebot/1.0"), .other), (android("Nexus 5; +https://acme.example/about"), .other),
        (android("Nexus 5X", "Chrome/130 Mobile Safari/537.36 (compatible; Acmebot)"), .other),
        (phone + "Mobile/15E148 (compatible; Acmebot)", .other),
        (mac + "Chrome/126.0 Safari/537.36 (https://acme.example/about)", .other),
        ("mozilla/5.0 (windows nt 10.0; win64; x64) chrome/123.0.0.0 safari/537.36 googlemessages/15.1", .preview),
        (
            "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Win64; x64; Trident/8.0; ms-office; MSOffice 16)",
            .preview
        ),
        ("Microsoft Office Word/16.44.1213 (Mac OS/11.1; Desktop; en-US; AppStore; Apple/MacBookPro14,1)", .preview),
        ("Excel/15.22.506 (Mac OS/10.11.5; Desktop; en-US)", .preview),
        (android("SM-S908B; wv", "Chrome/125.0 Mobile Safari/537.36 musical_ly_34 thirdLandingPageFeInfra"), .preview),
    ])
    func knowsProgramsThatLookLikeBrowsers(_ userAgent: String, _ bot: Visitor.Bot) {
        #expect(UserAgent.classify(userAgent).bot == bot)
    }

    @Test(arguments: [
        (
            "Mozilla/5.0 (iPad; CPU OS 9_3_5 like Mac OS X) Mobile/13G36 [FBAN/FBIOS;FBMD/iPad;FBSN/iPhone OS]",
            Platform.ipad
        ),
        (phone + "Mobile/15E302 Instagram 46.0 (iPad6,11; iOS 11_3_1; en_150)", .ipad),
        ("Mozilla/5.0 (iPad; CPU iPhone OS 14_6 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148", .ipad),
        ("Mozilla/5.0 (Phone; OpenHarmony 6.0; Android 10) AppleWebKit/537.36 Chrome/132.0.0.0 Mobile", .web),
        ("Mozilla/5.0 (PC; OpenHarmony 6.1; Windows NT 10.0) AppleWebKit/537.36 Chrome/132.0.0.0", .web),
        (android("HarmonyOS; ELS-AN00; HMSCore 6.3.0.327"), .android),
        (android("Pixel 9", "Chrome/131.0 Mobile Safari/537.36 (like iPhone)"), .android),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/131.0 Safari/537.36 [App for Android and iPhone]", .windows),
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/131.0 Safari/537.36 Macintosh", .linux),
        (
            "Mozilla/5.0 (Linux; U; Pocket Tab 4.0.4; Pocket Tab Build/IMM76D) AppleWebKit/534.30 Safari/534.30",
            .android
        ),
        (
            "UCWEB/2.0 (Linux; U; Opera Mini/7.1; Z10 Build/LMY47D) U2/1.0.0 (SpeedMode; Android 5.1; Z10) Mobile",
            .android
        ),
        ("dv(iPh14,2);pr(UCBrowser/11.3.5.1203);ov(15_4)", .iphone),
        ("Mozilla/5.0 (Linux; Tizen 2.2; SAMSUNG SM-Z9005) like Android 4.1; Mobile Safari/537.3", .web),
        ("Mozilla/5.0 (Linux; U; Tizen/1.0 like Android; en-us) AppleWebKit/534.46 Tizen Browser/1.0 Mobile", .web),
        ("Mozilla/5.0 (Linux; Ubuntu 20.04 like Android 9) AppleWebKit/537.36 Chrome/87 Mobile Safari/537.36", .linux),
        ("Mozilla/5.0 (Librem 5, like iPhone; X11; Linux x86_64) AppleWebKit/605.1.15 Safari/605.1.15", .linux),
        ("Mozilla/5.0 (New Nintendo 3DS like iPhone) AppleWebKit/536.30 Mobile NintendoBrowser/1.10", .web),
        (android("Pixel 9", "Chrome/131.0 Mobile Safari/537.36 like Android 9"), .android),
    ])
    func letsTheFirstCommentDecideTheSystem(_ userAgent: String, _ platform: Platform) {
        #expect(UserAgent.classify(userAgent).platform == platform)
    }

    /// Systems that claim to be another one in the first comment, and name themselves behind it.
    @Test(arguments: [
        "Mozilla/5.0 (Mobile; LYF/F120B/LYF-F120B-001-02-05;Android; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5",
        "Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5",
        "Mozilla/5.0 (Linux; U; Android 2.0; en-us;) AppleWebKit/538.1 Mobile Safari/538.1 (Kobo Touch 0390/4.45)",
        "Mozilla/5.0 (iPad; U; CPU OS 5_0 like Mac OS X) AppleWebKit/534.46 Safari/6533.18.5#TCL/28/tclwebkit1.0.2/1",
    ])
    func knowsSystemsInTheDisguiseOfAnother(_ userAgent: String) {
        let kind = UserAgent.classify(userAgent)
        #expect(kind.platform == .web)
        #expect(kind.bot == nil)
    }

    @Test(
        arguments: [
            (
                android("HarmonyOS; ELS-AN00; HMSCore 6.3.0.327", "Chrome/92 HuaweiBrowser/12.0.4 Mobile"),
                Visitor.Store.appGallery
            ),
            (android("NAM-LX9; HMSCore 6.2.0.302; GMSCore 0.2.22", "Chrome/88 HuaweiBrowser/11.1 Mobile"), .play),
            (android("ELS-NX9 Build/HUAWEIELS-NX9"), .play), (android("Pixel 9"), .play),
            (android("KFMAWI", "Silk/94.3 like Chrome/94.0 Safari/537.36"), .amazon),
            (android("KFTRWI Build/PS7; wv"), .amazon), (android("AFTMM Build/NS6; wv"), .amazon),
            (mac + "Silk/70.4 like Chrome/70 Safari/537.36", .amazon),
            (android("SM-S918B"), .galaxy), (android("SAMSUNG SM-X910"), .galaxy),
            (android("K", "SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36"), .galaxy),
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36", .microsoft),
            ("Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) like iPhone Edge/15", nil),
            ("Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 Chrome/132 Mobile HuaweiBrowser/5", nil),
            (phone + "Version/17 Mobile/15E148 Safari/604.1", nil), ("", nil),
        ] as [(String, Visitor.Store?)])
    func knowsTheStoreOfADevice(_ userAgent: String, _ store: Visitor.Store?) {
        #expect(UserAgent.classify(userAgent).store == store)
    }

    @Test(arguments: [
        mac + "Brave/1 Version/17.7.2 Safari/605.1.15", mac + "Version/17.5 Safari/605.1.15 Ddg/17.5",
        mac + "Version/13.1 DuckDuckGo/7 Safari/605.1.15",
    ])
    func suspectsAnIPadBehindWebKitOfAnyName(_ userAgent: String) {
        let kind = UserAgent.classify(userAgent)
        #expect(kind.platform == .macos)
        #expect(kind.mayBeIPad)
    }
}

/// The words that mean something in a User-Agent. Two that share their first eight letters are one case here; who meets
/// it looks at the rest.
enum UserAgentWord: String, CaseIterable {
    // Systems.
    case iphone, ipod, ipad, macintosh, silk, kindle, android, cros, windows, phone, harmonyos, openharmony, tizen,
        web0s, webos, smarttv, appletv, playstation, nintendo, roku, linux, x11
    // Browsers.
    case mozilla, applewebkit, safari, chrome, chromium, firefox, edg, edga, edge, edgios, opr, opios, opt,
        samsungbrowser, version, mobile, crios, fxios, gsa, wv, cfnetwork
    // Apps with a browser inside.
    case fban, fbav, fbios, fb4a, metaiab, messengerforios, instagram, line, micromessenger, musical, trill, aweme,
        bytedancewebview, tiktok, snapchat, twitterandroid, twitter, kakaotalk
    // Words that apps and crawlers share: LinkedInApp and LinkedInBot, Pinterest and Pinterestbot, meta-externalagent and …fetcher.
    case linkedin, pinterest, external
    // Link previews.
    case facebookexternalhit, facebot, twitterbot, slackbot, imgproxy, discordbot, telegrambot, whatsapp,
        skypeuripreview, microsoftpreview, redditbot, vkshare, odklbot, linespider, scrap, snapurlpreview, mastodon,
        iframely, embedly, bingpreview, googleimageproxy, flipboardproxy, groupmebot, mattermost, tiktokspider,
        preview
    // Search.
    case googlebot, inspectiontool, bingbot, applebot, duckduckbot, yandexbot, baiduspider, petalbot, slurp
    // Monitors.
    case uptimerobot, pingdom, statuscake, site24x7, googlestackdrivermonitoring, datadog, newrelicpinger, kube,
        healthchecker, uptime, blackbox
    // Scanners.
    case nuclei, nikto, masscan, zgrab, nmap, sqlmap, censysinspect, expanse, proofpoint, barracuda, mimecast,
        safelinks, wpscan, virustotal, urlscan, netcraft
    // Of client hints only: every browser on a Mac says "Mac OS X".
    case macos
    // Programs.
    case googleassociationservice, curl, wget, python, aiohttp, httpx, go, okhttp, java, apache, axios, node, undici,
        libwww, ruby, php, guzzlehttp, headlesschrome, phantomjs, puppeteer, playwright, selenium, scrapy,
        postmanruntime, insomnia, httpie, reqwest, restsharp, winhttp
}

/// Finds words by their first eight letters, which make one number: one multiplication, one comparison, no text.
struct UserAgentWords {
    /// 0 where a place is empty: no word has that number.
    private let keys: [UInt64]
    private let words: [UserAgentWord]

    /// A quarter full, so that what is no word mostly meets an empty place at once.
    private static let bits: UInt64 = 9

    static let shared = UserAgentWords()

    private init() {
        let size = 1 << Int(UserAgentWords.bits)
        var keys: [UInt64] = Array(repeating: 0, count: size)
        var words: [UserAgentWord] = Array(repeating: .iphone, count: size)
        for word in UserAgentWord.allCases {
            let key = UserAgentWords.key(word.rawValue)
            var place = UserAgentWords.place(key)
            while keys[place] != 0 { place = (place + 1) & (size - 1) }
            keys[place] = key
            words[place] = word
        }
        self.keys = keys
        self.words = words
    }

    func find(_ key: UInt64) -> UserAgentWord? {
        var place = UserAgentWords.place(key)
        while keys[place] != 0 {
            if keys[place] == key { return words[place] }
            place = (place &+ 1) & (keys.count &- 1)
        }
        return nil
    }

    /// Fibonacci hashing.
    @inline(__always)
    private static func place(_ key: UInt64) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> (64 - bits))
    }

    /// The first eight letters in lower case, zeros behind shorter words.
    static func key(_ word: String) -> UInt64 {
        var key: UInt64 = 0
        for byte in word.utf8.prefix(8) { key = key << 8 | UInt64(byte.lowercased) }
        return key << UInt64(8 * max(0, 8 - word.utf8.count))
    }
}

/// The meaning of a token in a User-Agent, as named in the data (`SystemTokens`, `CrawlerTokens`).
enum UserAgentMeaning: UInt8, CaseIterable {
    // Systems and engines.
    case windowsPhone, iphone, ipod, ipad, macintosh, mac, likeMac, iosBrowser, fire, android, mobile, chromeOS,
        windows,
        cfNetwork, darwin, macMachine, ios, otherSystem, linux, engine, mozilla
    // Browsers, the most specific first: most also claim to be Safari and Chrome.
    case samsung, opera, edge, vivaldi, brave, duckduckgo, yandex, uc, silk, firefox, ie, chrome, safari
    // Apps with in-app browsers; the last one is any other app.
    case facebook, instagram, threads, line, wechat, tiktok, snapchat, linkedin, pinterest, twitter, kakaotalk, google,
        telegram, reddit, slack, discord, naver, daum, baidu, qq, weibo, alipay, zalo, whatsapp, viber, webview
    // Crawlers and programs, the most specific kinds first.
    case preview, search, monitor, scanner, other, maybe, person

    init?(_ name: Substring) {
        guard let found = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = found
    }

    var bit: UserAgentMeanings { UserAgentMeanings(rawValue: 1 << UInt128(rawValue)) }
}

/// The meanings of all tokens in one User-Agent.
struct UserAgentMeanings: OptionSet {
    let rawValue: UInt128

    @inline(__always)
    func holds(_ meaning: UserAgentMeaning) -> Bool { contains(meaning.bit) }

    /// The first of these that is present.
    func first(_ range: ClosedRange<UInt8>) -> UserAgentMeaning? {
        let told = rawValue >> UInt128(range.lowerBound)
        let index = UInt8(truncatingIfNeeded: told.trailingZeroBitCount)
        guard told != 0, index <= range.upperBound - range.lowerBound else { return nil }
        return UserAgentMeaning(rawValue: range.lowerBound + index)
    }
}

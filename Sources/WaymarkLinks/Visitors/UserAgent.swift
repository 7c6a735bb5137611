import WaymarkBytes

/// Reads User-Agents: one pass finds every token that tells something, and what they tell together makes the class.
package enum UserAgent {
    /// - Parameters:
    ///   - userAgent: the header's value; empty if missing, which counts as a person with an unknown system.
    ///   - platformHint: `Sec-CH-UA-Platform`, including quotes; empty if missing.
    ///   - mobileHint: `Sec-CH-UA-Mobile`, `?1` or `?0`; empty if missing.
    package static func classify(
        _ userAgent: Span<UInt8>, platformHint: Span<UInt8> = Span<UInt8>(), mobileHint: Span<UInt8> = Span<UInt8>()
    ) -> VisitorClass {
        let reading = UserAgentReading(
            TokenMatcher.userAgents.meanings(of: userAgent),
            isBlank: userAgent.indices.allSatisfy { userAgent[$0] == 0x20 || userAgent[$0] == 0x09 })
        return reading.conclusion(hint: PlatformHint(platformHint), mobile: mobile(mobileHint))
    }

    /// The value of `Sec-CH-UA-Mobile`.
    private static func mobile(_ hint: Span<UInt8>) -> Bool? {
        hint.count == 2 && hint[0] == UInt8(ascii: "?") ? hint[1] == UInt8(ascii: "1") : nil
    }

    /// Variant for strings, such as an explanation's headers.
    package static func classify(_ userAgent: String, platformHint: String = "", mobileHint: String = "")
        -> VisitorClass
    {
        let bytes = Array(userAgent.utf8)
        let hint = Array(platformHint.utf8)
        let mobile = Array(mobileHint.utf8)
        return classify(bytes.span, platformHint: hint.span, mobileHint: mobile.span)
    }
}

/// The platforms in `Sec-CH-UA-Platform`. "iOS" does not identify the device, and "Unknown" nothing at all.
enum PlatformHint: CaseIterable {
    case android, windows, macOS, linux, chromeOS

    private static let names: [(name: StaticString, hint: PlatformHint)] = [
        ("\"Android\"", .android), ("\"Windows\"", .windows), ("\"macOS\"", .macOS), ("\"Linux\"", .linux),
        ("\"Chrome OS\"", .chromeOS), ("\"Chromium OS\"", .chromeOS), ("\"Chrome\"", .chromeOS),
    ]

    /// Quoted, case-insensitive; nil for other values.
    init?(_ text: Span<UInt8>) {
        guard text.count >= 3 else { return nil }
        for (name, hint) in Self.names where text.count == name.utf8CodeUnitCount {
            // Safety: the name has as many bytes as the text, as has just been checked, and lives as long as the program.
            let isEqual = name.withUTF8Buffer { known in
                text.indices.allSatisfy { unsafe text[$0].lowercased == known[$0].lowercased }
            }
            if isEqual {
                self = hint
                return
            }
        }
        return nil
    }
}

/// The meaning of a token in a User-Agent, as named in the data (`SystemTokens`, `CrawlerTokens`).
enum UserAgentMeaning: UInt8, CaseIterable {
    // Systems and engines.
    case windowsPhone, iphone, ipod, ipad, macintosh, mac, likeMac, likeIPhone, likeAndroid, iosBrowser, fire, android,
        androidBuild, mobile, chromeOS, windows, cfNetwork, darwin, macMachine, ios, openHarmony, disguised,
        otherSystem, linux, engine, mozilla
    // Makers of devices that have a store of their own, and Google's services beside Huawei's.
    case amazon, huawei, googleServices, galaxy
    // Browsers, the most specific first: most also claim to be Safari and Chrome.
    case samsung, opera, edge, vivaldi, brave, duckduckgo, yandex, uc, silk, firefox, ie, chrome, safari
    // Apps with in-app browsers; the last one is any other app.
    case facebook, instagram, threads, line, wechat, tiktok, snapchat, linkedin, pinterest, twitter, kakaotalk, google,
        telegram, reddit, slack, discord, naver, daum, baidu, qq, weibo, alipay, zalo, whatsapp, viber, webview
    // Crawlers and programs, the most specific kinds first.
    case preview, search, monitor, scanner, other, likely, maybe, person

    init?(_ name: Substring) {
        guard let found = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = found
    }

    var bit: UserAgentMeanings { UserAgentMeanings(rawValue: 1 << UInt128(rawValue)) }
}

/// The meanings of all tokens in one User-Agent.
struct UserAgentMeanings: OptionSet {
    let rawValue: UInt128

    /// The systems that a first comment names. Marks of engines, libraries and televisions count anywhere.
    static let systems: UserAgentMeanings = [
        UserAgentMeaning.iphone.bit, UserAgentMeaning.ipod.bit, UserAgentMeaning.ipad.bit,
        UserAgentMeaning.macintosh.bit, UserAgentMeaning.mac.bit, UserAgentMeaning.likeMac.bit,
        UserAgentMeaning.likeIPhone.bit, UserAgentMeaning.likeAndroid.bit, UserAgentMeaning.android.bit,
        UserAgentMeaning.chromeOS.bit, UserAgentMeaning.windows.bit,
        UserAgentMeaning.darwin.bit, UserAgentMeaning.ios.bit, UserAgentMeaning.openHarmony.bit,
        UserAgentMeaning.linux.bit,
    ]

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

/// The kinds of device that a destination can be set for, as named in the REST API.
package enum Platform: String, Sendable, CaseIterable, Hashable {
    case iphone, ipad
    /// `iphone` or `ipad`, if the more specific one has no entry.
    case ios
    case android, macos, windows, linux
    /// Anything else, and the fallback of all.
    case web

    /// The platforms whose URLs apply to a visitor of this one, most specific first.
    package var lookupOrder: [Platform] {
        switch self {
        case .iphone: [.iphone, .ios]
        case .ipad: [.ipad, .ios]
        // A resolve may only have "ios": the general entry first, then that of either device.
        case .ios: [.ios, .iphone, .ipad]
        case .web: [.web]
        default: [self]
        }
    }

    package var isApple: Bool { self == .iphone || self == .ipad || self == .ios }
}

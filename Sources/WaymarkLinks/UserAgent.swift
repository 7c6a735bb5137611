/// Reads User-Agents: one pass over the words, a number for each, and what they mean together.
///
/// Words are runs of letters and digits. A word counts by its first eight letters, so `Snapchat11.59` is Snapchat's; what
/// eight letters can't tell apart is either the same thing or looked at more closely.
package enum UserAgent {
    /// - Parameters:
    ///   - userAgent: the header's value; empty where there is none, which counts as a person without a known system.
    ///   - platformHint: `Sec-CH-UA-Platform`, quotes included; empty where there is none.
    ///   - mobileHint: `Sec-CH-UA-Mobile`, `?1` or `?0`; empty where there is none.
    package static func classify(
        _ userAgent: Span<UInt8>, platformHint: Span<UInt8> = Span<UInt8>(), mobileHint: Span<UInt8> = Span<UInt8>()
    ) -> VisitorClass {
        var reading = UserAgentReading()
        reading.read(userAgent)
        let mobile: Bool? =
            mobileHint.count == 2 && mobileHint[0] == UInt8(ascii: "?") ? mobileHint[1] == UInt8(ascii: "1") : nil
        return reading.conclusion(hint: word(of: platformHint), mobile: mobile)
    }

    /// For those who have a text, such as an explanation's headers.
    package static func classify(_ userAgent: String, platformHint: String = "", mobileHint: String = "")
        -> VisitorClass
    {
        let bytes = Array(userAgent.utf8)
        let hint = Array(platformHint.utf8)
        let mobile = Array(mobileHint.utf8)
        return classify(bytes.span, platformHint: hint.span, mobileHint: mobile.span)
    }

    /// The first word between a hint's quotes; 0 where it is none.
    private static func word(of hint: Span<UInt8>) -> UInt64 {
        guard hint.count >= 2, hint[0] == UInt8(ascii: "\""), hint[hint.count - 1] == UInt8(ascii: "\"") else {
            return 0
        }
        var key: UInt64 = 0
        var count: UInt64 = 0
        for place in 1..<hint.count - 1 {
            guard hint[place].isAlphanumeric, count < 8 else { break }
            key = key << 8 | UInt64(hint[place].lowercased)
            count += 1
        }
        return count == 0 ? 0 : key << (8 * (8 - count))
    }
}

/// What the words of one User-Agent have said so far.
struct UserAgentReading {
    var facts: Facts = []
    var bot: Visitor.Bot?
    var browser: VisitorClass.Browser?
    var inApp: VisitorClass.InApp?
    private var previous: UInt64 = 0

    struct Facts: OptionSet {
        let rawValue: UInt32
        static let iphone = Facts(rawValue: 1 << 0)
        static let ipod = Facts(rawValue: 1 << 1)
        static let ipad = Facts(rawValue: 1 << 2)
        static let macintosh = Facts(rawValue: 1 << 3)
        /// A browser that has this name only on iOS.
        static let iosBrowser = Facts(rawValue: 1 << 4)
        static let fire = Facts(rawValue: 1 << 5)
        static let android = Facts(rawValue: 1 << 6)
        static let mobile = Facts(rawValue: 1 << 7)
        static let chromeOS = Facts(rawValue: 1 << 8)
        static let windows = Facts(rawValue: 1 << 9)
        static let windowsPhone = Facts(rawValue: 1 << 10)
        static let otherSystem = Facts(rawValue: 1 << 11)
        static let linux = Facts(rawValue: 1 << 12)
        static let mozilla = Facts(rawValue: 1 << 13)
        static let webKit = Facts(rawValue: 1 << 14)
        static let safari = Facts(rawValue: 1 << 15)
        static let chrome = Facts(rawValue: 1 << 16)
        static let cfNetwork = Facts(rawValue: 1 << 17)
    }

    mutating func read(_ bytes: Span<UInt8>) {
        var key: UInt64 = 0
        var tail: UInt64 = 0
        var count = 0
        var before: UInt8 = 0
        var isFirst = true
        for place in bytes.indices {
            let byte = bytes[place]
            guard byte.isAlphanumeric else {
                if count > 0 {
                    meet(Word(key: key, tail: tail, count: count, before: before, after: byte, isFirst: isFirst))
                    key = 0
                    tail = 0
                    count = 0
                    isFirst = false
                }
                before = byte
                continue
            }
            let folded = UInt64(byte.lowercased)
            if count < 8 { key |= folded << UInt64(56 - 8 * count) }
            tail = tail << 8 | folded
            count += 1
        }
        if count > 0 { meet(Word(key: key, tail: tail, count: count, before: before, after: 0, isFirst: isFirst)) }
    }

    struct Word {
        let key: UInt64
        /// The last eight letters, the last one lowest.
        let tail: UInt64
        let count: Int
        /// The characters around it; 0 at the ends.
        let before: UInt8
        let after: UInt8
        let isFirst: Bool
    }

    private mutating func meet(_ word: Word) {
        defer { previous = word.key }
        if system(word) || application(word) { return }
        if let found = program(word) { note(found) }
    }

    /// The more telling kind stays: a preview fetcher may call itself a search engine's bot, too.
    private mutating func note(_ found: Visitor.Bot) {
        guard let bot else { return self.bot = found }
        if UserAgentReading.weight(found) > UserAgentReading.weight(bot) { self.bot = found }
    }

    private static func weight(_ bot: Visitor.Bot) -> Int {
        switch bot {
        case .preview: 4
        case .search: 3
        case .monitor: 2
        case .scanner: 1
        case .other: 0
        }
    }

    /// Systems and browsers. True where the word is one.
    private mutating func system(_ word: Word) -> Bool {
        typealias Known = UserAgentWord
        switch word.key {
        case Known.mozilla: facts.insert(.mozilla)
        case Known.applewebkit: facts.insert(.webKit)
        case Known.iphone: facts.insert(.iphone)
        case Known.ipod: facts.insert(.ipod)
        case Known.ipad: facts.insert(.ipad)
        case Known.macintosh: facts.insert(.macintosh)
        case Known.silk, Known.kindle: facts.insert(.fire)
        case Known.android: facts.insert(.android)
        case Known.cros: facts.insert(.chromeOS)
        case Known.windows: facts.insert(.windows)
        case Known.phone:
            if previous == Known.windows { facts.insert(.windowsPhone) }
        case Known.harmonyos, Known.openharmony, Known.tizen, Known.web0s, Known.webos, Known.smarttv, Known.appletv,
            Known.playstation, Known.nintendo, Known.roku:
            facts.insert(.otherSystem)
        case Known.linux, Known.x11: facts.insert(.linux)
        case Known.mobile: facts.insert(.mobile)
        case Known.safari: facts.insert(.safari)
        case Known.chrome, Known.chromium:
            facts.insert(.chrome)
            if browser == nil { browser = .chrome }
        case Known.crios:
            facts.insert(.iosBrowser)
            browser = .chrome
        case Known.firefox: browser = .firefox
        case Known.fxios:
            facts.insert(.iosBrowser)
            browser = .firefox
        case Known.edg, Known.edga, Known.edge: browser = .edge
        case Known.edgios:
            facts.insert(.iosBrowser)
            browser = .edge
        case Known.opr, Known.opios: browser = .opera
        case Known.opt:
            guard word.after == UInt8(ascii: "/") else { return false }
            facts.insert(.iosBrowser)
            browser = .opera
        case Known.samsungbrowser: browser = .samsung
        case Known.cfnetwork: facts.insert(.cfNetwork)
        case Known.version: break
        default: return false
        }
        return true
    }

    /// Apps with a browser inside. True where the word is one.
    private mutating func application(_ word: Word) -> Bool {
        typealias Known = UserAgentWord
        let found: VisitorClass.InApp
        switch word.key {
        case Known.fban, Known.fbav, Known.fbios, Known.fb4a, Known.metaiab, Known.messengerforios: found = .facebook
        case Known.instagram: found = .instagram
        case Known.line:
            guard word.after == UInt8(ascii: "/") else { return false }
            found = .line
        case Known.micromessenger: found = .wechat
        case Known.musical, Known.trill, Known.aweme:
            guard word.after == UInt8(ascii: "_") else { return false }
            found = .tiktok
        case Known.bytedancewebview: found = .tiktok
        case Known.tiktok:
            found = .tiktok
        case Known.snapchat: found = .snapchat
        case Known.linkedinapp:
            // LinkedInApp is a person, LinkedInBot is not.
            guard word.tail & 0xFF_FFFF == 0x61_7070 else { return false }
            found = .linkedin
        case Known.pinterest:
            guard word.before == UInt8(ascii: "["), word.count == 9 else { return false }
            found = .pinterest
        case Known.twitterandroid: found = .twitter
        case Known.twitter:
            // "Twitter for iPhone"; a crawler writes "like TwitterBot".
            guard word.after == UInt8(ascii: " ") else { return false }
            found = .twitter
        case Known.kakaotalk:
            guard word.after != UInt8(ascii: "-") else { return false }
            found = .kakaotalk
        case Known.gsa:
            guard word.after == UInt8(ascii: "/") else { return false }
            facts.insert(.iosBrowser)
            found = .google
        case Known.wv: found = .webview
        default: return false
        }
        if inApp == nil || inApp == .webview { inApp = found }
        return true
    }
}

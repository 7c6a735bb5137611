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
        classify(userAgent, platform: platform(platformHint), mobile: mobile(mobileHint))
    }

    static func classify(_ userAgent: Span<UInt8>, platform: UserAgentWord?, mobile: Bool?) -> VisitorClass {
        var reading = UserAgentReading()
        reading.read(userAgent)
        return reading.conclusion(hint: platform, mobile: mobile)
    }

    /// What `Sec-CH-UA-Mobile` says.
    static func mobile(_ hint: Span<UInt8>) -> Bool? {
        hint.count == 2 && hint[0] == UInt8(ascii: "?") ? hint[1] == UInt8(ascii: "1") : nil
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

    /// The first word between the quotes of `Sec-CH-UA-Platform`; nil where it is none that counts.
    static func platform(_ hint: Span<UInt8>) -> UserAgentWord? {
        guard hint.count >= 3, hint[0] == UInt8(ascii: "\""), hint[hint.count - 1] == UInt8(ascii: "\"") else {
            return nil
        }
        var key: UInt64 = 0
        var count: UInt64 = 0
        for place in 1..<hint.count - 1 {
            guard hint[place].isAlphanumeric, count < 8 else { break }
            key = key << 8 | UInt64(hint[place].lowercased)
            count += 1
        }
        return count == 0 ? nil : UserAgentWords.shared.find(key << (8 * (8 - count)))
    }
}

/// What the words of one User-Agent have said so far.
struct UserAgentReading {
    var facts: Facts = []
    var bot: Visitor.Bot?
    var browser: VisitorClass.Browser?
    var inApp: VisitorClass.InApp?
    private var previous: UserAgentWord?

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
        let words = UserAgentWords.shared
        var head: UInt64 = 0
        var tail: UInt64 = 0
        var count = 0
        var before: UInt8 = 0
        var isFirst = true
        for place in bytes.indices {
            let byte = bytes[place]
            // The bit that makes a letter small is set in every digit anyway.
            let folded = byte | 0x20
            if folded &- 0x61 < 26 || byte &- 0x30 < 10 {
                tail = tail << 8 | UInt64(folded)
                count &+= 1
                if count == 8 { head = tail }
                continue
            }
            if count > 0 {
                meet(Word(head: head, tail: tail, count: count, before: before, after: byte, isFirst: isFirst), words)
                tail = 0
                count = 0
                isFirst = false
            }
            before = byte
        }
        if count > 0 {
            meet(Word(head: head, tail: tail, count: count, before: before, after: 0, isFirst: isFirst), words)
        }
    }

    struct Word {
        /// The first eight letters, the first one highest; zeros behind shorter words.
        let key: UInt64
        /// The last eight letters, the last one lowest.
        let tail: UInt64
        let count: Int
        /// The characters around it; 0 at the ends.
        let before: UInt8
        let after: UInt8
        let isFirst: Bool

        @inline(__always)
        init(head: UInt64, tail: UInt64, count: Int, before: UInt8, after: UInt8, isFirst: Bool) {
            key = count < 8 ? tail &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count) : head
            self.tail = tail
            self.count = count
            self.before = before
            self.after = after
            self.isFirst = isFirst
        }
    }

    private mutating func meet(_ word: Word, _ words: UserAgentWords) {
        // Versions: no word that counts starts with a digit.
        guard !UInt8(truncatingIfNeeded: word.key >> 56).isDigit else { return previous = nil }
        guard let known = words.find(word.key) else {
            previous = nil
            if let found = generic(word) { note(found) }
            return
        }
        if !system(known, word), !application(known, word), let found = program(known, word) { note(found) }
        previous = known
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
    private mutating func system(_ known: UserAgentWord, _ word: Word) -> Bool {
        switch known {
        case .mozilla: facts.insert(.mozilla)
        case .applewebkit: facts.insert(.webKit)
        case .iphone: facts.insert(.iphone)
        case .ipod: facts.insert(.ipod)
        case .ipad: facts.insert(.ipad)
        case .macintosh: facts.insert(.macintosh)
        case .silk, .kindle: facts.insert(.fire)
        case .android: facts.insert(.android)
        case .cros: facts.insert(.chromeOS)
        case .windows: facts.insert(.windows)
        case .phone:
            if previous == .windows { facts.insert(.windowsPhone) }
        case .harmonyos, .openharmony, .tizen, .web0s, .webos, .smarttv, .appletv,
            .playstation, .nintendo, .roku:
            facts.insert(.otherSystem)
        case .linux, .x11: facts.insert(.linux)
        case .mobile: facts.insert(.mobile)
        case .safari: facts.insert(.safari)
        case .chrome, .chromium:
            facts.insert(.chrome)
            if browser == nil { browser = .chrome }
        case .crios:
            facts.insert(.iosBrowser)
            browser = .chrome
        case .firefox: browser = .firefox
        case .fxios:
            facts.insert(.iosBrowser)
            browser = .firefox
        case .edg, .edga, .edge: browser = .edge
        case .edgios:
            facts.insert(.iosBrowser)
            browser = .edge
        case .opr, .opios: browser = .opera
        case .opt:
            guard word.after == UInt8(ascii: "/") else { return false }
            facts.insert(.iosBrowser)
            browser = .opera
        case .samsungbrowser: browser = .samsung
        case .cfnetwork: facts.insert(.cfNetwork)
        case .version: break
        default: return false
        }
        return true
    }

    /// Apps with a browser inside. True where the word is one.
    private mutating func application(_ known: UserAgentWord, _ word: Word) -> Bool {
        let found: VisitorClass.InApp
        switch known {
        case .fban, .fbav, .fbios, .fb4a, .metaiab, .messengerforios: found = .facebook
        case .instagram: found = .instagram
        case .line:
            guard word.after == UInt8(ascii: "/") else { return false }
            found = .line
        case .micromessenger: found = .wechat
        case .musical, .trill, .aweme:
            guard word.after == UInt8(ascii: "_") else { return false }
            found = .tiktok
        case .bytedancewebview: found = .tiktok
        case .tiktok:
            found = .tiktok
        case .snapchat: found = .snapchat
        case .linkedin:
            // LinkedInApp is a person, LinkedInBot is not.
            guard word.tail & 0xFF_FFFF == 0x61_7070 else { return false }
            found = .linkedin
        case .pinterest:
            guard word.before == UInt8(ascii: "["), word.count == 9 else { return false }
            found = .pinterest
        case .twitterandroid: found = .twitter
        case .twitter:
            // "Twitter for iPhone"; a crawler writes "like TwitterBot".
            guard word.after == UInt8(ascii: " ") else { return false }
            found = .twitter
        case .kakaotalk:
            guard word.after != UInt8(ascii: "-") else { return false }
            found = .kakaotalk
        case .gsa:
            guard word.after == UInt8(ascii: "/") else { return false }
            facts.insert(.iosBrowser)
            found = .google
        case .wv: found = .webview
        default: return false
        }
        if inApp == nil || inApp == .webview { inApp = found }
        return true
    }
}

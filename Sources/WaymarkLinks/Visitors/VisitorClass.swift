/// Who follows a link, as far as the decision depends on it: a few bytes, read from a request's User-Agent and client
/// hints without a text being made, so that answers can be kept ready for each class.
@usableFromInline
package struct VisitorClass: Hashable, Sendable {
    package var platform: Platform
    package var device: Visitor.Device
    @usableFromInline package var bot: Visitor.Bot?
    package var browser: Browser?
    /// The app whose in-app browser this is.
    package var inApp: InApp?
    /// Safari, or a web view, on something that calls itself a Mac, as every iPad does.
    package var mayBeIPad: Bool
    /// What the platform was told from.
    var evidence: Evidence

    package enum Browser: String, Sendable, CaseIterable {
        case safari, chrome, edge, firefox, opera, samsung, vivaldi, brave, duckduckgo, yandex, uc, silk, ie
    }

    package enum InApp: String, Sendable, CaseIterable {
        case facebook, instagram, threads, line, wechat, tiktok, snapchat, linkedin, pinterest, twitter, kakaotalk,
            google, telegram, reddit, slack, discord, naver, daum, baidu, qq, weibo, alipay, zalo, whatsapp, viber,
            webview

        /// Whether its browser decides what comes of an app's URL. Google's app hands it to the system.
        var swallowsSchemes: Bool { self != .google }
    }

    /// The rule that told the platform, in the order in which they are tried.
    enum Evidence: String, Sendable, CaseIterable {
        case clientHint = "Sec-CH-UA-Platform names the platform"
        case windowsPhone = "User-Agent holds Windows Phone"
        case iphone = "User-Agent holds iPhone"
        case ipod = "User-Agent holds iPod"
        case ipad = "User-Agent holds iPad"
        case macintoshOniPad = "User-Agent holds Macintosh and a browser that only iPads have"
        case fire = "User-Agent holds Silk or Kindle"
        case android = "User-Agent holds Android"
        case chromeOS = "User-Agent holds CrOS"
        case windows = "User-Agent holds Windows"
        case macintosh = "User-Agent holds Macintosh"
        case macOS = "User-Agent names macOS or a Mac's processor"
        case ios = "User-Agent names iOS or Apple's library for requests, and no device"
        case otherSystem = "User-Agent names a system that links have no platform for"
        case linux = "User-Agent holds Linux or X11"
        case nothing = "User-Agent names no system"
    }

    /// The same for classes to which every link gives the same, but for a click's id: from 0 to `slotCount - 1`. Nil for
    /// those few for which there is no room in 32 bits.
    package var slot: Int? {
        let system =
            switch platform {
            case .web: 0
            case .iphone: 1
            case .ipad: 2
            case .ios: 3
            case .android: 4
            case .macos: 5
            case .windows: 6
            case .linux: 7
            }
        switch bot {
        // Nobody opens an app for a program, and no program is an iPad.
        case .preview: return 8 + system
        case .search, .scanner, .monitor, .other: return 16 + system
        case nil: break
        }
        let isInsideApp = inApp?.swallowsSchemes == true
        if platform == .macos, mayBeIPad { return isInsideApp ? 31 : 24 }
        // Where there is no app to open, an app's own browser is one like another.
        guard isInsideApp, platform != .web else { return system }
        return platform == .linux ? nil : 24 + system
    }
    @inlinable package static var slotCount: Int { 32 }

    /// In words, for the person who asks.
    package var why: [String] {
        var lines = [evidence.rawValue]
        if mayBeIPad { lines.append("an iPad's Safari calls itself a Mac, too") }
        if let bot { lines.append("User-Agent is that of a crawler or program (\(bot.rawValue))") }
        if let inApp { lines.append("User-Agent is that of an in-app browser (\(inApp.rawValue))") }
        return lines
    }
}

extension Visitor {
    /// A visitor of a class, with what only the request says still to be set.
    package init(_ kind: VisitorClass, withReasons: Bool = false) {
        self.init(
            platform: kind.platform, device: kind.device, browser: kind.browser?.rawValue, inApp: kind.inApp,
            bot: kind.bot, mayBeIPad: kind.mayBeIPad, why: withReasons ? kind.why : [])
    }
}

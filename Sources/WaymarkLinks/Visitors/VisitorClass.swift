/// The class of a visitor, as far as the decision depends on it: a few bytes, computed from a request's User-Agent
/// and client hints without creating strings, so that responses can be cached per class.
@usableFromInline
package struct VisitorClass: Hashable, Sendable {
    package var platform: Platform
    package var device: Visitor.Device
    @usableFromInline package var bot: Visitor.Bot?
    package var browser: Browser?
    /// The app of this in-app browser.
    package var inApp: InApp?
    /// Safari or a web view on a device that identifies as a Mac, which every iPad does.
    package var mayBeIPad: Bool
    /// The store that the device has.
    package var store: Visitor.Store? = nil
    /// How the platform was detected.
    var evidence: Evidence

    package enum Browser: String, Sendable, CaseIterable {
        case safari, chrome, edge, firefox, opera, samsung, vivaldi, brave, duckduckgo, yandex, uc, silk, ie
    }

    package enum InApp: String, Sendable, CaseIterable {
        case facebook, instagram, threads, line, wechat, tiktok, snapchat, linkedin, pinterest, twitter, kakaotalk,
            google, telegram, reddit, slack, discord, naver, daum, baidu, qq, weibo, alipay, zalo, whatsapp, viber,
            webview

        /// Whether its browser intercepts an app's URL. Google's app passes it to the system.
        var swallowsSchemes: Bool { self != .google }
    }

    /// The rule that detected the platform, in order of evaluation.
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

    /// A number from 0 to `slotCount - 1`, equal for classes that get the same response from every link, except for
    /// click IDs. Nil for the few that do not fit in 32 bits.
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
        // Programs don't open apps, and none is an iPad.
        case .preview: return 8 + system
        case .search, .scanner, .monitor, .other: return 16 + system
        case nil: break
        }
        // The few devices whose maker's store takes the place of Google's.
        if store == .amazon || store == .appGallery { return nil }
        let isInsideApp = inApp?.swallowsSchemes == true
        if platform == .macos, mayBeIPad { return isInsideApp ? 31 : 24 }
        // If there is no app to open, all in-app browsers are equivalent.
        guard isInsideApp, platform != .web else { return system }
        return platform == .linux ? nil : 24 + system
    }
    @inlinable package static var slotCount: Int { 32 }

    /// The reasons, for explanations.
    package var why: [String] {
        var lines = [evidence.rawValue]
        if mayBeIPad { lines.append("an iPad's Safari calls itself a Mac, too") }
        if let store, ![.play, .microsoft].contains(store) {
            lines.append("User-Agent is that of a device with the store \(store.rawValue)")
        }
        if let bot { lines.append("User-Agent is that of a crawler or program (\(bot.rawValue))") }
        if let inApp { lines.append("User-Agent is that of an in-app browser (\(inApp.rawValue))") }
        return lines
    }
}

extension Visitor {
    /// A visitor of a class, without the properties of the individual request.
    package init(_ kind: VisitorClass, withReasons: Bool = false) {
        self.init(
            platform: kind.platform, device: kind.device, browser: kind.browser?.rawValue, inApp: kind.inApp,
            bot: kind.bot, mayBeIPad: kind.mayBeIPad, store: kind.store, why: withReasons ? kind.why : [])
    }
}

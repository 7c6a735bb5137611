/// Evaluates the tokens of one User-Agent.
struct UserAgentReading {
    let told: UserAgentMeanings
    /// Whether the User-Agent is missing or blank.
    let isBlank: Bool

    func conclusion(hint: PlatformHint?, mobile: Bool?) -> VisitorClass {
        let (platform, device, evidence) = index(hint: hint, mobile: mobile)
        let bot = bot(hasHint: hint != nil)
        let isApple = platform == .iphone || platform == .ipad
        let isEmbedded =
            holds(.engine) && holds(.mobile) && !holds(.safari) && isApple && !holds(.iosBrowser) && bot == nil
        let browser = browser
        let mayBeIPad =
            evidence == .macintosh && bot == nil && holds(.engine) && (browser == nil || browser == .safari)
        return VisitorClass(
            platform: platform, device: device, bot: bot, browser: browser,
            inApp: bot == nil ? app ?? (isEmbedded ? .webview : nil) : nil, mayBeIPad: mayBeIPad, evidence: evidence)
    }

    private func holds(_ meaning: UserAgentMeaning) -> Bool { told.holds(meaning) }

    // MARK: People or programs

    private func bot(hasHint: Bool) -> Visitor.Bot? {
        switch told.first(UserAgentMeaning.preview.rawValue...UserAgentMeaning.other.rawValue) {
        case .preview: return .preview
        case .search: return .search
        case .monitor: return .monitor
        case .scanner: return .scanner
        case .other: return .other
        default: break
        }
        if holds(.maybe), !holds(.person) { return .other }
        // URLSession's tokens without a browser's: a request by an app or a system service.
        if holds(.cfNetwork), !holds(.mozilla) { return .other }
        // A browser names its engine or its system; a client that names neither is a program. A missing User-Agent is
        // more likely removed by a person's proxy: programs hardly ever omit it.
        let isNamed =
            holds(.engine) || holds(.person) || hasHint || evidence != .nothing
        return isBlank || isNamed ? nil : .other
    }

    private var browser: VisitorClass.Browser? {
        switch told.first(UserAgentMeaning.samsung.rawValue...UserAgentMeaning.safari.rawValue) {
        case .samsung: .samsung
        case .opera: .opera
        case .edge: .edge
        case .vivaldi: .vivaldi
        case .brave: .brave
        case .duckduckgo: .duckduckgo
        case .yandex: .yandex
        case .uc: .uc
        case .silk: .silk
        case .firefox: .firefox
        case .ie: .ie
        case .chrome: .chrome
        // Android's old built-in browser also claims to be Safari.
        case .safari: holds(.android) ? nil : .safari
        default: nil
        }
    }

    private var app: VisitorClass.InApp? {
        let range = UserAgentMeaning.facebook.rawValue...UserAgentMeaning.webview.rawValue
        return told.first(range).flatMap { VisitorClass.InApp(rawValue: "\($0)") }
    }

    // MARK: Platform

    private func index(hint: PlatformHint?, mobile: Bool?) -> (Platform, Visitor.Device, VisitorClass.Evidence) {
        let isPhone = mobile ?? holds(.mobile)
        switch hint {
        case .android: return (.android, isPhone ? .phone : .tablet, .clientHint)
        case .windows: return (.windows, .desktop, .clientHint)
        case .macOS: return (.macos, .desktop, .clientHint)
        case .linux: return (.linux, .desktop, .clientHint)
        case .chromeOS: return (.web, .desktop, .clientHint)
        case nil: break
        }
        switch evidence {
        case .windowsPhone: return (.windows, .phone, evidence)
        case .iphone, .ipod: return (.iphone, .phone, evidence)
        case .ipad, .macintoshOniPad: return (.ipad, .tablet, evidence)
        case .fire: return (.android, .tablet, evidence)
        case .android:
            return (.android, holds(.mobile) ? .phone : holds(.otherSystem) ? .unknown : .tablet, evidence)
        case .chromeOS: return (.web, .desktop, evidence)
        case .windows: return (.windows, .desktop, evidence)
        case .macintosh, .macOS: return (.macos, .desktop, evidence)
        case .ios: return (.ios, .unknown, evidence)
        case .linux: return (.linux, .desktop, evidence)
        case .clientHint, .otherSystem, .nothing: return (.web, .unknown, evidence)
        }
    }

    /// The first matching rule. Windows phones also claim to be Android and iPhone, and televisions Linux and Android.
    private var evidence: VisitorClass.Evidence {
        if holds(.windowsPhone) { return .windowsPhone }
        if holds(.iphone) { return .iphone }
        if holds(.ipod) { return .ipod }
        if holds(.ipad) { return .ipad }
        if holds(.macintosh), holds(.iosBrowser) || holds(.mobile), !holds(.fire) { return .macintoshOniPad }
        if holds(.fire), !holds(.otherSystem) { return .fire }
        if holds(.android) { return .android }
        if holds(.chromeOS) { return .chromeOS }
        if holds(.windows) { return .windows }
        // Apple's networking library: on Macs it is followed by the processor, on phones and tablets by nothing.
        if holds(.cfNetwork), !holds(.otherSystem) {
            return holds(.macMachine) || holds(.macintosh) ? .macOS : .ios
        }
        if holds(.macintosh) { return .macintosh }
        if holds(.otherSystem) { return .otherSystem }
        if holds(.ios) || holds(.likeMac) { return .ios }
        if holds(.mac) || holds(.darwin) { return .macOS }
        if holds(.linux) { return .linux }
        return .nothing
    }
}

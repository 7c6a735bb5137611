/// Evaluates the tokens of one User-Agent.
struct UserAgentReading {
    let told: UserAgentMeanings
    /// The systems of the first comment if it names any, else those of the whole text.
    private let systems: UserAgentMeanings
    /// Whether the User-Agent is missing or blank.
    let isBlank: Bool

    init(_ tokens: UserAgentTokens, isBlank: Bool) {
        told = tokens.all
        var named = tokens.comment.intersection(.systems)
        // A kernel says less than a system that is named elsewhere, or a build as Android's makers number them.
        if named == UserAgentMeaning.linux.bit, !told.holds(.otherSystem),
            (told.holds(.android) && !told.holds(.likeAndroid))
                || (told.holds(.engine) && tokens.comment.holds(.androidBuild))
        {
            named.formUnion(UserAgentMeaning.android.bit)
        }
        if named.isEmpty { named = told.intersection(.systems) }
        // A system that is like another one is not that one.
        if named.holds(.likeAndroid) { named.remove(UserAgentMeaning.android.bit) }
        if named.holds(.likeIPhone) { named.subtract([UserAgentMeaning.iphone.bit, UserAgentMeaning.ipad.bit]) }
        systems = told.subtracting(.systems).union(named)
        self.isBlank = isBlank
    }

    func conclusion(hint: PlatformHint?, mobile: Bool?) -> VisitorClass {
        let (platform, device, evidence) = index(hint: hint, mobile: mobile)
        let bot = bot(hasHint: hint != nil)
        let isApple = platform == .iphone || platform == .ipad
        let isEmbedded =
            holds(.engine) && holds(.mobile) && !holds(.safari) && isApple && !holds(.iosBrowser) && bot == nil
        let browser = browser
        // WebKit under any name: on Macs, browsers other than Safari are Chromium or Firefox, or ask for the same page.
        let isWebKit =
            holds(.engine) && !holds(.chrome) && !holds(.firefox) && !holds(.opera) && !holds(.edge) && !holds(.ie)
        let mayBeIPad = evidence == .macintosh && bot == nil && isWebKit
        return VisitorClass(
            platform: platform, device: device, bot: bot, browser: browser,
            inApp: bot == nil ? app ?? (isEmbedded ? .webview : nil) : nil, mayBeIPad: mayBeIPad,
            store: store(on: platform, device), evidence: evidence)
    }

    private func holds(_ meaning: UserAgentMeaning) -> Bool { told.holds(meaning) }

    private func names(_ system: UserAgentMeaning) -> Bool { systems.holds(system) }

    // MARK: People or programs

    private func bot(hasHint: Bool) -> Visitor.Bot? {
        let isNamed = hasHint || evidence != .nothing
        let word = told.first(UserAgentMeaning.preview.rawValue...UserAgentMeaning.other.rawValue)
        switch word {
        case .preview: return .preview
        case .search: return .search
        default: break
        }
        // The browser inside an app: what else its text holds are words of the app, the carrier or the locale.
        let app = isNamed || holds(.engine) ? told.first(Self.apps) : nil
        if app == nil || app == .webview {
            switch word {
            case .monitor: return .monitor
            case .scanner: return .scanner
            case .other: return .other
            default: break
            }
        }
        let isBrowser = holds(.engine) && isNamed
        if app == nil, !holds(.person), holds(.likely) || holds(.maybe) && !isBrowser { return .other }
        // URLSession's tokens without a browser's: a request by an app or a system service.
        if holds(.cfNetwork), !holds(.mozilla) { return .other }
        // A browser names its engine or its system; a client that names neither is a program. A missing User-Agent is
        // more likely removed by a person's proxy: programs hardly ever omit it.
        return isBlank || isNamed || holds(.engine) || holds(.person) ? nil : .other
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

    private static let apps = UserAgentMeaning.facebook.rawValue...UserAgentMeaning.webview.rawValue

    private var app: VisitorClass.InApp? {
        told.first(Self.apps).flatMap { VisitorClass.InApp(rawValue: "\($0)") }
    }

    /// The store of the device's maker; Google's where none is known.
    ///
    /// Amazon's models begin with KF and AFT (Amazon's "User-Agent strings"); Huawei's browser names HMS Core, and GMS
    /// Core beside it where Google's services are there.
    private func store(on platform: Platform, _ device: Visitor.Device) -> Visitor.Store? {
        switch platform {
        case .android:
            if holds(.amazon) || holds(.fire) { return .amazon }
            if holds(.huawei), !holds(.googleServices) { return .appGallery }
            return holds(.galaxy) ? .galaxy : .play
        case .windows: return device == .phone ? nil : .microsoft
        default: return nil
        }
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
        if holds(.disguised) || names(.openHarmony) { return .otherSystem }
        // iPads run apps made for iPhones, which claim to be one and name the model elsewhere.
        if names(.ipad) || names(.iphone) && holds(.ipad) { return .ipad }
        if names(.iphone) { return .iphone }
        if names(.ipod) { return .ipod }
        if names(.macintosh), holds(.iosBrowser) || holds(.mobile), !holds(.fire) { return .macintoshOniPad }
        if holds(.fire), !holds(.otherSystem) { return .fire }
        if names(.android) { return .android }
        if names(.chromeOS) { return .chromeOS }
        if names(.windows) { return .windows }
        // Apple's networking library: on Macs it is followed by the processor, on phones and tablets by nothing.
        if holds(.cfNetwork), !holds(.otherSystem) {
            return holds(.macMachine) || names(.macintosh) ? .macOS : .ios
        }
        if names(.macintosh) { return .macintosh }
        if holds(.otherSystem) { return .otherSystem }
        if names(.ios) || names(.likeMac) { return .ios }
        if names(.mac) || names(.darwin) { return .macOS }
        if names(.linux) { return .linux }
        return .nothing
    }
}

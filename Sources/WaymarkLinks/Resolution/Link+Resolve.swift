import WaymarkBytes

extension Link {
    /// Resolves a visit, and names the rule that decided. A pure function: it reads and counts nothing.
    ///
    /// - Parameters:
    ///   - application: the link's application; its current templates apply.
    ///   - ignoringMaxClicks: for a visit that follows a counted click, such as a return from `openHost`.
    ///   - clickID: the visit's click ID, for URLs that apps receive, by the rule that decides; nil omits it. Called at most
    ///     once, and only if the link leads somewhere.
    package func decided(
        application: Application, visitor: Visitor, now: Timestamp, ignoringMaxClicks: Bool = false,
        clickID: (AppliedRule?) -> ClickID?
    ) -> (resolution: Resolution, rule: AppliedRule?) {
        var trace = RuleTrace()
        let resolution = decide(application, visitor, now, ignoringMaxClicks, &trace) { clickID($0.rule) }
        return (resolution, trace.rule)
    }

    /// The same decision without the rule.
    package func resolve(
        application: Application, visitor: Visitor, now: Timestamp, clickID: ClickID?,
        ignoringMaxClicks: Bool = false
    ) -> Resolution {
        var trace = NoTrace()
        return decide(application, visitor, now, ignoringMaxClicks, &trace) { _ in clickID }
    }

    /// The same decision with all sources considered, in order. The last one that is `taken` is the destination.
    package func explain(
        application: Application, visitor: Visitor, now: Timestamp, clickID: ClickID? = nil,
        ignoringMaxClicks: Bool = false
    ) -> Decision {
        var trace = CandidateTrace()
        let resolution = decide(application, visitor, now, ignoringMaxClicks, &trace) { _ in clickID }
        return Decision(resolution: resolution, rule: trace.rule.rule, candidates: trace.candidates)
    }

    @inline(__always)
    private func decide(
        _ application: Application, _ visitor: Visitor, _ now: Timestamp, _ ignoringMaxClicks: Bool,
        _ trace: inout some DecisionTrace, _ clickID: (VisitDecider) -> ClickID?
    ) -> Resolution {
        switch state(at: now, ignoringMaxClicks: ignoringMaxClicks) {
        case .disabled: return .disabled
        case .expired: return .expired
        case .exhausted: return .exhausted
        case .scheduled: return .scheduled
        case .active: break
        }
        if visitor.bot == .preview {
            let url = smartlinkURL(application)
            if let social = content.social {
                trace.note(.social, url: url, taken: true, why: "a link-preview crawler gets the card")
                return .preview(social, url: url)
            }
            trace.note(.social, url: nil, taken: false, why: "not given")
        }
        // The card is its owner's to show; where the link leads is not in it.
        if let password = content.password, visitor.password != password { return .locked }
        var decider = VisitDecider(link: self, application: application, visitor: visitor, now: now)
        let id = clickID(decider)
        decider.finish.app.marks?.clickID = id
        return decider.isMacOrIPad ? decider.macOrIPad(&trace) : decider.ending(on: visitor.platform, &trace)
    }
}

/// The decision about one visit of a link that is active.
private struct VisitDecider {
    let link: Link
    let application: Application
    let visitor: Visitor
    let search: DestinationSearch
    let rules: RuleSearch?
    var finish: URLFinish
    /// Like `finish`, but without the marks of a click, for display.
    let shown: URLFinish
    private let conventions: (any ForeignConventions)?

    init(link: Link, application: Application, visitor: Visitor, now: Timestamp) {
        self.link = link
        self.application = application
        self.visitor = visitor
        search = DestinationSearch(link.content, application)
        rules = RuleSearch(link, application, visitor, now)
        conventions = link.content.conventions
        var finish = link.additions(application, visitor.opened)
        shown = finish
        finish.app.marks = URLAdditions.Marks(
            clickID: nil,
            // Other services' SDKs know the form of the IDs, and a long link's parameters are in its URL.
            carried: conventions == nil && link.content.longLink == nil ? .everything : .nothing,
            hasMetadata: link.hasMetadata)
        self.finish = finish
    }

    /// An iPad's Safari calls itself a Mac.
    var isMacOrIPad: Bool { visitor.platform == .macos && visitor.mayBeIPad && visitor.bot == nil }

    /// The rule that decides, from the choice alone; where an iPad gets another, from the whole decision.
    var rule: AppliedRule? {
        guard let rules else { return nil }
        func chosen(_ platform: Platform) -> AppliedRule? {
            var trace = RuleTrace()
            _ = rules.first(for: platform, opensApps: visitor.bot == nil, finish: shown, &trace)
            return trace.rule
        }
        let rule = chosen(visitor.platform)
        guard isMacOrIPad, chosen(.ipad) != rule else { return rule }
        var trace = RuleTrace()
        _ = macOrIPad(&trace)
        return trace.rule
    }

    func ending(on platform: Platform, _ trace: inout some DecisionTrace) -> Resolution {
        guard
            let choice = search.first(
                for: platform, rules: rules, opensApps: visitor.bot == nil, finish: shown, trace: &trace)
        else { return scan(on: platform, &trace).map { .scan($0) } ?? .nowhere }
        let package = package(of: choice, on: platform)
        if choice.isWeb, package == nil {
            let url = finish(choice.url, isWeb: true)
            return .redirect(Resolution.Destination(url: url, kind: .web, source: choice.source))
        }
        let store =
            package.map { .play(package: $0) }
            ?? AppStore(platform: platform, application: application, store: visitor.store)
        let fallback = fallback(of: choice, store: store, &trace)
        if platform == .android {
            let intent = intent(choice, package: package ?? application.android?.package, fallback: fallback)
            // In-app browsers show an error or nothing for a redirect to an app's URL.
            guard swallowsSchemes else { return .redirect(intent) }
            return .openApp(
                Resolution.AppOpening(
                    open: intent.url, fallback: fallback ?? ownPage, elsewhere: elsewhere))
        }
        if platform.isApple, visitor.arrivedAtOpenHost || conventions?.skipsAppPage == true {
            return .redirect(fallback ?? ownPage)
        }
        return .openApp(
            Resolution.AppOpening(
                open: appURL(choice, on: platform), fallback: fallback ?? ownPage,
                handover: platform.isApple && (fallback?.kind == .store || conventions != nil)
                    ? handover : nil,
                elsewhere: swallowsSchemes ? elsewhere : nil,
                // In-app browsers do not follow universal links, so their visitors may have the app.
                isAppMissing: platform.isApple && application.ios?.hasUniversalLinks == true && !swallowsSchemes))
    }

    private func appURL(_ choice: DestinationChoice, on platform: Platform) -> String {
        let url = finish(choice.url, isWeb: false)
        guard platform.isApple else { return url }
        return conventions?.appURL(url, of: choice, link.content) ?? openHostURL ?? url
    }

    /// The app that Android opens with a web URL; nil if the URL is for the browser.
    private func package(of choice: DestinationChoice, on platform: Platform) -> String? {
        guard platform == .android, choice.source == .link(.android), visitor.bot == nil else { return nil }
        return conventions?.androidPackage
    }

    /// The smart link as opened, for another browser.
    private var elsewhere: String {
        URLAdditions(path: finish.app.path, clicked: visitor.opened.clicked)
            .added(to: link.smartlinkURL(application))
    }

    private var swallowsSchemes: Bool { visitor.inApp?.swallowsSchemes == true }

    /// A page is only needed if the results differ.
    func macOrIPad<Trace: DecisionTrace>(_ trace: inout Trace) -> Resolution {
        let mac = ending(on: .macos, &trace)
        var other = Trace()
        let ipad = ending(on: .ipad, &other)
        guard mac != ipad, let onMac = Resolution.OnDevice(mac), let onIPad = Resolution.OnDevice(ipad) else {
            return mac
        }
        if case .redirect(let one) = onMac, case .redirect(let other) = onIPad, one.url == other.url { return mac }
        trace.take(other, label: "on an iPad")
        return .distinguishMac(mac: onMac, ipad: onIPad)
    }

    // MARK: Without a destination

    /// What a computer shows where only phones and tablets are led anywhere; nil for those themselves, and where they are
    /// not either. Crawlers get it too, whatever device they claim to be.
    private func scan(on platform: Platform, _ trace: inout some DecisionTrace) -> Resolution.Scan? {
        let isMobile = platform.isApple || platform == .android
        guard !isMobile || visitor.bot != nil else { return nil }
        func choice(_ platform: Platform) -> DestinationChoice? {
            var silent = NoTrace()
            return search.first(for: platform, rules: rules, opensApps: true, finish: shown, trace: &silent)
        }
        let android = choice(.android)
        guard android != nil || choice(.iphone) != nil || choice(.ipad) != nil else { return nil }
        trace.note(
            .ownPage, url: elsewhere, taken: true, why: "a page with a QR code, because no web page is given")
        var stores: [Resolution.Destination] = []
        if let store = AppStore(platform: .iphone, application: application) {
            stores.append(storePage(store, deepLink: nil))
        }
        if let store = AppStore(platform: .android, application: application) {
            stores.append(storePage(store, deepLink: android.flatMap { $0.isWeb ? nil : $0.url }))
        }
        return Resolution.Scan(smartlink: elsewhere, stores: stores)
    }

    // MARK: Without the app

    /// Nil if the application has no destination left.
    private func fallback(
        of choice: DestinationChoice, store: AppStore?, _ trace: inout some DecisionTrace
    ) -> Resolution.Destination? {
        let byDefault: Fallback = store?.isDefault == true ? .store : .web
        var given = choice.fallback
        if case .url(let url)? = given, !application.permits(url) {
            trace.note(
                .fallbackURL, url: finish(url.text, isWeb: true), taken: false, why: DestinationSearch.notAllowed)
            given = nil
        }
        switch given ?? byDefault {
        case .url(let url):
            let text = finish(url.text, isWeb: true)
            trace.note(.fallbackURL, url: text, taken: false, why: "for visitors without the app")
            return Resolution.Destination(url: text, kind: .web, source: .fallbackURL)
        case .store:
            if let store { return note(storePage(store, deepLink: choice.url), &trace) }
            return web(of: choice, &trace)
        case .web:
            return web(of: choice, &trace) ?? store.map { storePage($0, deepLink: choice.url) }
        }
    }

    private func web(of choice: DestinationChoice, _ trace: inout some DecisionTrace) -> Resolution.Destination? {
        if let url = choice.web {
            let url = finish(url, isWeb: true)
            return note(Resolution.Destination(url: url, kind: .web, source: choice.source), &trace)
        }
        var silent = NoTrace()
        guard let choice = search.first(for: .web, opensApps: false, finish: shown, trace: &silent) else { return nil }
        let url = finish(choice.url, isWeb: true)
        return note(Resolution.Destination(url: url, kind: .web, source: choice.source), &trace)
    }

    private func note(
        _ destination: Resolution.Destination, _ trace: inout some DecisionTrace
    ) -> Resolution.Destination {
        trace.note(destination.source, url: destination.url, taken: false, why: "for visitors without the app")
        return destination
    }

    private var ownPage: Resolution.Destination {
        Resolution.Destination(url: link.smartlinkURL(application) + "+", kind: .web, source: .ownPage)
    }

    /// - Parameter deepLink: nil if there is none for the store's platform.
    private func storePage(_ store: AppStore, deepLink: String?) -> Resolution.Destination {
        switch store {
        case .apple(let id, isDefault: _):
            let url =
                conventions?.appStoreURL(id: id)
                ?? AppStore.appleURL(
                    id: id, campaign: finish.web.storeCampaign.first { $0.name == "utm_campaign" }?.value)
            return Resolution.Destination(url: url, kind: .store, source: .store)
        case .play(let package):
            return Resolution.Destination(
                url: deepLink.map { AppStore.playURL(package: package, referrer: referrer($0)) }
                    ?? AppStore.playURL(package: package), kind: .store, source: .store)
        case .named(let store, let id):
            return Resolution.Destination(url: AppStore.url(store, id: id), kind: .store, source: .store)
        }
    }

    /// The referrer that Play passes to the app on its first launch. It contains the deep link as returned by a
    /// resolve; the click ID, which carries what the click brought, is a separate item.
    private func referrer(_ deepLink: String) -> String {
        var additions = finish.app
        additions.marks = nil
        var parts: [String] = []
        if let clickID = finish.app.marks?.clickID { parts.append("waymark=" + clickID.text + finish.app.carriedText) }
        parts.append("deeplink=" + PercentEncoding.encode(part: additions.added(to: deepLink)))
        if let address = link.content.longLink {
            parts.append(DeferredClick.longLinkName + "=" + PercentEncoding.encode(part: address))
        }
        for (name, value) in finish.web.storeCampaign {
            parts.append(name + "=" + PercentEncoding.encode(part: value))
        }
        return parts.joined(separator: "&")
    }

    /// The App Store passes nothing to an app, so the user has to, through the clipboard.
    private var handover: String? {
        guard let clickID = finish.app.marks?.clickID else { return nil }
        // The further path is in the ID, because a claim does not read the URL's.
        let additions = URLAdditions(
            path: finish.app.path, clicked: finish.app.clicked,
            marks: URLAdditions.Marks(clickID: clickID, carried: .path, hasMetadata: false),
            fragment: finish.app.fragment)
        let url = additions.added(to: link.smartlinkURL(application))
        return conventions?.copied(url) ?? url
    }

    // MARK: Opening the app

    /// The same slug on the host where a tap opens the app by universal link. It has the parameters that the app
    /// resolves it with: the click ID, and the parameters of the click.
    private var openHostURL: String? {
        guard let host = application.openHost, link.content.longLink == nil else { return nil }
        var additions = finish.app
        additions.parameters = [:]
        return additions.added(to: application.address(on: host) + "/" + link.slug.encoded)
    }

    /// `intent:` replaces the scheme, which moves to the fragment, where each field ends with a semicolon.
    private func intent(
        _ choice: DestinationChoice, package: String?, fallback: Resolution.Destination?
    ) -> Resolution.Destination {
        let url = finish(choice.url, isWeb: false)
        let scheme = url.prefix { $0 != ":" }
        var text = "intent" + url[scheme.endIndex...] + "#Intent;scheme=" + scheme
        if let package { text += ";package=" + PercentEncoding.encode(part: package) }
        if let fallback { text += ";S.browser_fallback_url=" + PercentEncoding.encode(part: fallback.url) }
        return Resolution.Destination(url: text + ";end", kind: .intent, source: choice.source)
    }
}

extension Resolution.OnDevice {
    /// Nil for a resolution that is the same for every device.
    fileprivate init?(_ resolution: Resolution) {
        switch resolution {
        case .redirect(let destination): self = .redirect(destination)
        case .openApp(let opening): self = .openApp(opening)
        case .scan(let scan): self = .scan(scan)
        default: return nil
        }
    }
}

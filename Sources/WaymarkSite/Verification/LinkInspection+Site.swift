import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

extension VerificationFinding.Visitor {
    /// As its browser sends it; nil for `all`.
    fileprivate var userAgent: String? {
        let apple = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
        return switch self {
        case .iphone:
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) \(apple) Version/18.5 Mobile/15E148 Safari/604.1"
        case .ipad:
            "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) \(apple) Version/18.5 Mobile/15E148 Safari/604.1"
        case .android:
            "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36"
        case .desktop:
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
        case .inApp:
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) \(apple) Mobile/15E148 Instagram 340.0.0.22.109"
        case .crawler: "Googlebot/2.1 (+http://www.google.com/bot.html)"
        case .all: nil
        }
    }
}

extension LinkInspection {
    /// Decides a visit of each kind as `VisitEvaluation` does for real ones; counts and records nothing.
    ///
    /// - Returns: nil for a link without an application, or that is not active.
    init?(_ link: Link, on site: Site, at now: Timestamp) {
        guard let cached = site.service.uncached(link), link.isVerifiable(at: now) else { return nil }
        self.init()
        let application = cached.application.application
        let address = link.smartlinkURL(application)
        inspect(link, of: application, address: address)
        let peer = Peer(addressText: "0.0.0.0", isForwarded: true, hasTrustedFields: true)
        guard let url = WebURL(address), let peer else { return }
        for visitor in VerificationFinding.Visitor.allCases {
            guard let userAgent = visitor.userAgent,
                case .visit(let visit) = SimulatedRequest.read(
                    url, headers: ["User-Agent": userAgent], from: peer, site)
            else { continue }
            var question = VisitEvaluation(visit.adapted(to: application), cached, atOpenHost: false, site.service)
            question.visitor.password = link.content.password
            let resolution = question.resolution(at: now)
            inspect(resolution, as: visitor, on: question.visitor.platform, of: application, address: address)
            let isForApp =
                resolution.targets.contains { $0.kind == .app }
                || link.content.route != nil && link.content.urls.isEmpty
            if isForApp { inspectOpening(of: url, cached.application, as: visitor, on: site) }
        }
    }

    /// What does not depend on the visitor.
    private mutating func inspect(_ link: Link, of application: Application, address: String) {
        func found(_ code: VerificationFinding.Code, _ message: String) {
            findings.append(VerificationFinding(code, as: .all, message, url: address))
        }
        if !application.domains.isEmpty, link.content.longLink == nil, !application.domains.contains(link.domain) {
            found(
                .domainNotOfApp,
                "\(link.domain.text) is not one of the domains of the application \(application.id.text)")
        }
        if let route = link.content.route, link.content.urls.isEmpty, application.template(for: route) == nil {
            found(.templateMissing, "no template has the route \(route.text), and the link has no URLs of its own")
        }
        for (index, why) in link.idleRules(in: application) { found(.ruleNeverApplies, "rules[\(index)] \(why)") }
    }

    private mutating func inspect(
        _ resolution: Resolution, as visitor: VerificationFinding.Visitor, on platform: Platform,
        of application: Application, address: String
    ) {
        if case .nowhere = resolution {
            findings.append(
                VerificationFinding(
                    .noDestination, as: visitor, "the link has no destination for this visitor", url: address))
        }
        let targets = resolution.targets
        for target in targets {
            let plain = ClickQuery.withoutReserved(String(target.url.prefix { $0 != "#" }))
            switch target.kind {
            case .app:
                guard let scheme = URLScheme(String(plain.prefix { $0 != ":" })), !scheme.isWeb,
                    !application.hasApp(for: scheme, on: platform)
                else { continue }
                findings.append(
                    VerificationFinding(
                        .schemeWithoutApp, as: visitor,
                        "the application \(application.id.text) has no app here for \(scheme.text):", url: plain))
            // A page of the store differs by link, and is asked where visitors get nothing else.
            case .store where !resolution.isRedirect || targets.count > 1: continue
            case .store, .web:
                // The link's own page.
                guard plain != address + "+" else { continue }
                if plain == address || plain.hasPrefix(address + "?") {
                    findings.append(
                        VerificationFinding(.linksToItself, as: visitor, "the link leads to itself", url: address))
                } else if plain.hasPrefix("https://") || plain.hasPrefix("http://") {
                    destinations.append((visitor, plain))
                }
            }
        }
    }
}

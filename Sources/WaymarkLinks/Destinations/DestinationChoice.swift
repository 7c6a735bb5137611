/// The first available destination for a platform, with the link's parameters, before query parameters are added.
struct DestinationChoice {
    var url: String
    var isWeb: Bool
    /// The entry's own fallback; nil if it has none.
    var fallback: Fallback?
    var source: DestinationSource
    /// The page for visitors without the app, if a rule has its own.
    var web: String?
}

/// Completes a chosen URL. Different parameters are added for the web and for apps.
struct URLFinish {
    var web: URLAdditions
    var app: URLAdditions

    func callAsFunction(_ url: String, isWeb: Bool) -> String { (isWeb ? web : app).added(to: url) }
}

/// Searches for a link's destination: its own URLs, the template's, the app's scheme, and finally the web.
struct DestinationSearch {
    let content: LinkContent
    let application: Application
    /// Looked up by route at visit time, so that an edited template applies to existing links.
    let template: Template?

    init(_ content: LinkContent, _ application: Application) {
        self.content = content
        self.application = application
        template = content.route.flatMap(application.template(for:))
    }

    /// - Parameter opensApps: false for crawlers, for which a custom scheme would be an error.
    func first(
        for platform: Platform, rules: RuleSearch? = nil, opensApps: Bool, finish: URLFinish,
        trace: inout some DecisionTrace
    ) -> DestinationChoice? {
        if let found = rules?.first(for: platform, opensApps: opensApps, finish: finish, &trace) { return found }
        if let found = entry(for: platform.lookupOrder, opensApps: opensApps, finish, &trace) { return found }
        if let found = scheme(for: platform, opensApps: opensApps, finish, &trace) { return found }
        if platform != .web, let found = entry(for: [.web], opensApps: false, finish, &trace) { return found }
        return webBase(finish, &trace)
    }

    private func entry(
        for platforms: [Platform], opensApps: Bool, _ finish: URLFinish, _ trace: inout some DecisionTrace
    ) -> DestinationChoice? {
        for platform in platforms {
            if let found = take(content.urls[platform], .link(platform), opensApps, finish, &trace) { return found }
        }
        guard let template else { return nil }
        for platform in platforms {
            let source = DestinationSource.template(name: template.name, platform)
            if let found = take(template.urls[platform], source, opensApps, finish, &trace) { return found }
        }
        return nil
    }

    private func take(
        _ entry: URLEntry?, _ source: DestinationSource, _ opensApps: Bool, _ finish: URLFinish,
        _ trace: inout some DecisionTrace
    ) -> DestinationChoice? {
        guard let entry else {
            trace.note(source, url: nil, taken: false, why: "not given")
            return nil
        }
        let isWeb = entry.link.isWeb
        let url = entry.link.fill(content.routeParameters)
        guard isWeb || opensApps else {
            trace.note(source, url: finish(url, isWeb: false), taken: false, why: DestinationSearch.noApps)
            return nil
        }
        guard application.permits(entry) else {
            trace.note(source, url: finish(url, isWeb: true), taken: false, why: DestinationSearch.notAllowed)
            return nil
        }
        trace.note(source, url: finish(url, isWeb: isWeb), taken: true, why: DestinationSearch.firstGiven)
        return DestinationChoice(url: url, isWeb: isWeb, fallback: entry.fallback, source: source)
    }

    private func scheme(
        for platform: Platform, opensApps: Bool, _ finish: URLFinish, _ trace: inout some DecisionTrace
    ) -> DestinationChoice? {
        let scheme: URLScheme?
        let named: Platform
        switch platform {
        case .iphone, .ipad, .ios: (scheme, named) = (application.ios?.urlScheme, .ios)
        case .android: (scheme, named) = (application.android?.urlScheme, .android)
        case .macos, .windows, .linux, .web: return nil
        }
        guard let scheme else {
            trace.note(.scheme(named), url: nil, taken: false, why: "the application has none")
            return nil
        }
        guard let route = content.route else {
            trace.note(.scheme(named), url: nil, taken: false, why: "the link has no route")
            return nil
        }
        let url = scheme.text + "://" + route.fill(content.routeParameters)
        guard opensApps else {
            trace.note(.scheme(named), url: finish(url, isWeb: false), taken: false, why: DestinationSearch.noApps)
            return nil
        }
        trace.note(.scheme(named), url: finish(url, isWeb: false), taken: true, why: DestinationSearch.firstGiven)
        return DestinationChoice(url: url, isWeb: false, fallback: nil, source: .scheme(named))
    }

    private func webBase(_ finish: URLFinish, _ trace: inout some DecisionTrace) -> DestinationChoice? {
        guard let base = application.webBaseURL else {
            trace.note(.webBase, url: nil, taken: false, why: "not given")
            return nil
        }
        let source: DestinationSource = content.route == nil ? .webBase : .webRoute
        let url = application.webPage(of: content.route, content.routeParameters) ?? base.text
        guard application.permits(base) else {
            trace.note(source, url: finish(url, isWeb: true), taken: false, why: DestinationSearch.notAllowed)
            return nil
        }
        trace.note(source, url: finish(url, isWeb: true), taken: true, why: DestinationSearch.firstGiven)
        return DestinationChoice(url: url, isWeb: true, fallback: nil, source: source)
    }

    private static let firstGiven = "the first that is given"
    private static let noApps = "a crawler opens no app"
    static let notAllowed = "not allowed by destinations"
}

extension Application {
    /// `web.baseURL` followed by the route; nil if there is none.
    func webPage(of route: Route?, _ parameters: [String: String]) -> String? {
        guard var url = webBaseURL?.text else { return nil }
        if let route {
            if url.utf8.last != UInt8(ascii: "/") { url += "/" }
            url += route.fill(parameters)
        }
        return url
    }
}

/// The source of a destination; compact, and converted to text only for explanations.
package enum DestinationSource: Sendable, Hashable {
    /// One of the link's own rules, by its index.
    case linkRule(Int)
    /// One of the application's rules, by its index.
    case applicationRule(Int)
    /// An entry in the link's own `urls`.
    case link(Platform)
    case template(name: String, Platform)
    /// The application's custom scheme followed by the link's route.
    case scheme(Platform)
    /// `web.baseURL` followed by the link's route.
    case webRoute
    case webBase
    case store
    /// The fallback URL of an entry, for visitors without the app.
    case fallbackURL
    /// The smart link's own preview page, if a change of the application has left no other destination.
    case ownPage
    /// The card for link previews.
    case social

    /// The text in explanations: `link.urls.iphone`, `template product, ios`, `fallback store`…
    package var text: String {
        switch self {
        case .linkRule(let index): "link.rules[\(index)]"
        case .applicationRule(let index): "application.rules[\(index)]"
        case .link(let platform): "link.urls.\(platform.rawValue)"
        case .template(let name, let platform): "template \(name), \(platform.rawValue)"
        case .scheme(let platform): "\(platform.rawValue).urlScheme with the route"
        case .webRoute: "web.baseURL with the route"
        case .webBase: "web.baseURL"
        case .store: "fallback store"
        case .fallbackURL: "fallback URL"
        case .ownPage: "the link's own page"
        case .social: "link.social"
        }
    }
}

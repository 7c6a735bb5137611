/// What `Deeplinking.open(_:)` would do with a URL, and why.
public struct LinkExplanation: Sendable, Hashable {
    /// What would happen. Filters are not asked: they may still hold the link back.
    public enum Outcome: String, Sendable, Hashable {
        /// A route opens.
        case opens
        /// The default route opens.
        case opensDefault
        /// The service is asked first.
        case resolves
        /// No route matches, and there is no default route.
        case nothing
        /// The URL is not one of the app.
        case notHandled
    }

    /// What decided.
    public enum Reason: String, Sendable, Hashable {
        /// The scheme is none of `Deeplinking.urlSchemes`.
        case foreignScheme
        /// The URL is longer than `DeepLinkURL.lengthLimit`.
        case tooLong
        /// The host is one of `Deeplinking.domains`.
        case smartlink
        /// The destination is in the URL.
        case lazyLink
        /// A web link of a host that is none of `Deeplinking.domains`, read as a link of the app.
        case otherHost
        /// A link of the app.
        case appLink
        /// The route in the service's answer is mapped.
        case answerRoute
        /// The URL in the service's answer.
        case answerURL
        /// The service does not know the link; it is read as a link of the app.
        case unknownLink
        /// The service could not be asked, or has refused.
        case failed
    }

    /// What would happen.
    public let outcome: Outcome
    /// What decided.
    public let why: Reason
    /// The URL that routes are matched with, without the service's parameters; nil if none are.
    public let url: DeepLinkURL?
    /// The format of the route that opens; nil if none does.
    public let route: String?
    /// The values of the route's variables; empty without a route.
    public let routeParameters: [String: String]
    /// The formats that match the URL too, in the order in which they would win.
    public let otherRoutes: [String]
    /// Why the service did not resolve the link; nil if it did or was not asked.
    public let error: (any Error)?
    /// The name of the error, such as `offline`; nil without one.
    public var errorCode: String? { error.map(LinkDiagnostic.code) }

    let detail: String

    public static func == (left: LinkExplanation, right: LinkExplanation) -> Bool {
        left.key == right.key
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(key) }

    private var key: [String?] {
        [outcome.rawValue, why.rawValue, url?.text, route, errorCode, detail] + otherRoutes
            + routeParameters.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
    }
}

extension LinkExplanation: CustomStringConvertible {
    /// One line that says what happens and what decided, without values.
    public var description: String {
        let action =
            switch outcome {
            case .opens: "opens \(route ?? "")"
            case .opensDefault: "opens the default route"
            case .resolves: "asks the service"
            case .nothing: "opens nothing: no route matches, and there is no default route"
            case .notHandled: "is not handled"
            }
        let others = otherRoutes.isEmpty ? "" : "; \(otherRoutes.joined(separator: ", ")) match too"
        return "\(action): \(detail)\(others)"
    }
}

extension Deeplinking {
    /// Says what `open(_:)` would do with a URL, and why, without doing it. The service is not asked: a smart
    /// link is only said to be one.
    public func explain(_ url: some DeepLinkURLConvertible) -> LinkExplanation {
        let url = url.deepLinkURL
        if let reason = refusal(of: url) { return explanation(.notHandled, reason, detail(of: reason, url)) }
        let isOwn = hosts.contains(hostOf: url)
        if isOwn, lazyDestination(of: url) == nil {
            return explanation(.resolves, .smartlink, detail(of: .smartlink, url))
        }
        let reason: LinkExplanation.Reason = isOwn ? .lazyLink : url.isWeb ? .otherHost : .appLink
        return explanation(of: linkOfApp(url), reason, detail(of: reason, url))
    }

    /// Says what `open(_:)` would do with a URL, and why. A smart link is resolved, in one attempt and
    /// without taking a redeem; nothing is recorded or kept. Without a client it is only said to be a smart
    /// link.
    public func explain(resolving url: some DeepLinkURLConvertible) async -> LinkExplanation {
        let url = url.deepLinkURL
        let explanation = explain(url)
        guard explanation.outcome == .resolves, let client else { return explanation }
        do {
            let opening = opening(of: try await client.resolveOnce(url.text), Origin())
            let deeplink = opening.deeplink
            let byRoute = opening.isByAnswer
            return self.explanation(
                of: deeplink.openedURL ?? "", byRoute ? .answerRoute : .answerURL,
                byRoute ? "the service names this route" : "the service's URL decides", deeplink: deeplink)
        } catch {
            if let page = pageOfApp(Question(smartlink: url, Origin()), error) {
                return self.explanation(
                    of: page.deeplink.openedURL ?? "", .unknownLink,
                    "the service does not know the link, and its path is a route of the app")
            }
            return LinkExplanation(
                outcome: defaultTarget == nil ? .nothing : .opensDefault, why: .failed, url: nil, route: nil,
                routeParameters: [:], otherRoutes: [], error: error,
                detail: "the link could not be resolved: \(error)")
        }
    }

    private func explanation(
        _ outcome: LinkExplanation.Outcome, _ reason: LinkExplanation.Reason, _ detail: String
    ) -> LinkExplanation {
        LinkExplanation(
            outcome: outcome, why: reason, url: nil, route: nil, routeParameters: [:], otherRoutes: [],
            error: nil,
            detail: detail)
    }

    private func explanation(
        of url: DeepLinkURL, _ reason: LinkExplanation.Reason, _ detail: String, deeplink: Deeplink? = nil
    ) -> LinkExplanation {
        let (plain, _) = url.separatingServiceParameters()
        let matches = routes.matches(plain)
        let route = deeplink?.route ?? matches.first?.format.text
        let parameters = deeplink?.routeParameters ?? matches.first?.parameters ?? [:]
        return LinkExplanation(
            outcome: route != nil ? .opens : defaultTarget != nil ? .opensDefault : .nothing, why: reason,
            url: plain,
            route: route, routeParameters: parameters,
            otherRoutes: matches.map(\.format.text).filter { $0 != route }, error: nil, detail: detail)
    }

    private func detail(of reason: LinkExplanation.Reason, _ url: DeepLinkURL) -> String {
        let host = url.host ?? ""
        let domains = domains.isEmpty ? "none" : domains.sorted().joined(separator: ", ")
        switch reason {
        case .foreignScheme:
            return "its scheme \(url.scheme ?? "") is none of \(urlSchemes.joined(separator: ", "))"
        case .tooLong: return "it is longer than \(DeepLinkURL.lengthLimit) bytes"
        case .smartlink: return "its host \(host) is one of the domains"
        case .lazyLink: return "a lazy link of \(host) has its destination in the URL"
        case .otherHost:
            return "its host \(host) is not one of the domains (\(domains)), so it is read as a link of the app"
        default: return "it is a link of the app"
        }
    }
}

/// The response to an app that resolves a link: the URL that it would have received, and its parts.
package struct DeepLink: Sendable, Equatable {
    /// Nil if the application has changed since and has no URL for the platform.
    package var url: String?
    /// Nil if the link leads elsewhere on the platform, by a URL of its own.
    package var route: Route?
    package var routeParameters: [String: String]
    /// The link's own and those of the opened URL; the link's own take precedence.
    package var queryParameters: [String: String]
}

extension Link {
    /// The URL that the app receives on a platform, without the marks of a click and campaign parameters, which
    /// belong to visits.
    ///
    /// - Parameter opened: what followed the slug in the link as opened; the first of duplicate names wins.
    package func deepLink(
        application: Application, platform: Platform, opened: OpenedSuffix? = nil
    ) -> DeepLink {
        var additions = additions(application, opened)
        let conventions = content.conventions
        // Other services' SDKs return the campaign separately, so the link is not changed.
        let campaign = conventions == nil ? [] : content.campaign?.parameters ?? []
        additions.web.campaign = nil
        let finish = additions
        var trace = NoTrace()
        let choice = DestinationSearch(content, application).first(
            for: platform, opensApps: true, finish: finish, trace: &trace)
        var parameters = content.queryParameters
        if !finish.app.overridden.isEmpty {
            parameters = Dictionary(uniqueKeysWithValues: finish.app.ownParameters.map { ($0.key, $0.value) })
        }
        for pair in finish.app.clicked?.pairs ?? [] where parameters[pair.name] == nil {
            parameters[pair.name] = pair.value
        }
        for (name, value) in campaign { parameters[name] = value }
        let url = choice.map { choice in
            finish(conventions?.link(for: choice) ?? choice.url, isWeb: choice.isWeb)
        }
        let isByRoute = choice.map { leadsByRoute($0, application, platform) } ?? true
        return DeepLink(
            url: url, route: isByRoute ? content.route : nil,
            routeParameters: isByRoute ? content.routeParameters : [:], queryParameters: parameters)
    }

    /// Whether a destination is where the route leads, rather than a URL of the link's own that leads elsewhere.
    private func leadsByRoute(_ choice: DestinationChoice, _ application: Application, _ platform: Platform) -> Bool {
        guard content.route != nil, case .link = choice.source else { return true }
        var content = content
        content.urls = [:]
        var trace = NoTrace()
        let additions = URLAdditions()
        let byRoute = DestinationSearch(content, application).first(
            for: platform, opensApps: true, finish: URLFinish(web: additions, app: additions), trace: &trace)
        return byRoute?.url == choice.url
    }
}

/// The response to an app that resolves a link: the URL that it would have received, and its parts.
package struct DeepLink: Sendable, Equatable {
    /// Nil if the application has changed since and has no URL for the platform.
    package var url: String?
    package var route: Route?
    package var routeParameters: [String: String]
    /// The link's own and those of the opened URL; the link's own take precedence.
    package var queryParameters: [String: String]
}

extension Link {
    /// The URL that the app receives on a platform, without the marks of a click and campaign parameters, which
    /// belong to visits.
    ///
    /// - Parameter openedQuery: the query of the smart link as opened, without `?`; the first of duplicate names wins.
    package func deepLink(application: Application, platform: Platform, openedQuery: String? = nil) -> DeepLink {
        var opened = openedQuery.map { ClickQuery($0) }
        // Firebase's SDKs return the campaign separately, so the link is not changed.
        let campaign = content.firebase == nil ? [] : content.campaign?.parameters ?? []
        if content.firebase != nil { opened?.leaveOut(FirebaseParameter.notForwarded.union(campaign.map(\.name))) }
        let additions = URLAdditions(parameters: content.queryParameters, clicked: opened)
        let finish = URLFinish(web: additions, app: additions)
        var trace = NoTrace()
        let choice = DestinationSearch(content, application).first(
            for: platform, opensApps: true, finish: finish, trace: &trace)
        var parameters = content.queryParameters
        for pair in opened?.pairs ?? [] where parameters[pair.name] == nil {
            parameters[pair.name] = pair.value
        }
        for (name, value) in campaign { parameters[name] = value }
        let url = choice.map { choice in
            finish(content.firebase?.link(for: choice) ?? choice.url, isWeb: choice.isWeb)
        }
        return DeepLink(
            url: url, route: content.route,
            routeParameters: content.routeParameters, queryParameters: parameters)
    }
}

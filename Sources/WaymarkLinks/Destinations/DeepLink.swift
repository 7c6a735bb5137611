/// What an app is told when it asks for a link: the URL that it would have received, and what it is made of.
package struct DeepLink: Sendable, Equatable {
    /// Nil where the application was changed since, and gives the platform nothing.
    package var url: String?
    package var route: Route?
    package var routeParameters: [String: String]
    /// The link's own and those of the address as opened; the link's own win.
    package var queryParameters: [String: String]
}

extension Link {
    /// The URL that the app receives on a platform, without the marks of a click and without campaign parameters, which
    /// belong to visits.
    ///
    /// - Parameter openedQuery: what stood behind `?` in the smart link as opened; of two equal names the first counts.
    package func deepLink(application: Application, platform: Platform, openedQuery: String? = nil) -> DeepLink {
        let opened = openedQuery.map { ClickQuery($0) }
        let additions = URLAdditions(parameters: content.queryParameters, clicked: opened)
        let finish = URLFinish(web: additions, app: additions)
        var trace = NoTrace()
        let choice = DestinationSearch(content, application).first(
            for: platform, opensApps: true, finish: finish, trace: &trace)
        var parameters = content.queryParameters
        for pair in opened?.pairs ?? [] where parameters[pair.name] == nil {
            parameters[pair.name] = pair.value
        }
        return DeepLink(
            url: choice.map { finish($0.url, isWeb: $0.isWeb) }, route: content.route,
            routeParameters: content.routeParameters, queryParameters: parameters)
    }
}

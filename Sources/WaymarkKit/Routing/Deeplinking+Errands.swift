import WaymarkAPI

extension Deeplinking {
    /// A deep link and its target; the target is nil if no route matches and there is no default route.
    struct Opening {
        let deeplink: Deeplink
        let target: DeeplinkStep<Void>?
        /// Whether the service named the route, and no URL was read for it.
        var isByAnswer = false
    }

    /// Details of a link that are not in its URL.
    struct Origin {
        var sourceApplication: String?
        var sceneID: String?
        var isDeferred = false
        var smartlink: String?
        var clickID: String?
        /// Whether the opening was recorded before, or must not be.
        var isRecorded = false
        /// Where the link is kept already.
        var kept: KeptReference?
        /// Whether a link that the service does not know may be a route of the app: not what `open(smartlink:)` got.
        var mayBeRoute = true
    }

    /// The steps required to open a URL.
    enum Errand {
        case open(Opening)
        case fetchMetadata(Opening, clickID: String)
        /// The URL is a smart link.
        case resolve(DeepLinkURL, Origin)
        /// The URL is not one of the app.
        case refuse(LinkExplanation.Reason)
    }

    func errand(for url: DeepLinkURL, _ origin: Origin) -> Errand {
        if let reason = refusal(of: url) { return .refuse(reason) }
        if hosts.contains(hostOf: url), lazyDestination(of: url) == nil { return .resolve(url, origin) }
        let opening = opening(of: linkOfApp(url), origin)
        guard opening.deeplink.needsMetadata, resolver != nil, let clickID = opening.deeplink.clickID,
            opening.target != nil || dialect.keepsUnroutedDeeplink
        else { return .open(opening) }
        return .fetchMetadata(opening, clickID: clickID)
    }

    /// Why the URL is not one of the app; nil if it is. Sign-in callbacks, files and links of other apps'
    /// SDKs come the same way as the app's own links.
    func refusal(of url: DeepLinkURL) -> LinkExplanation.Reason? {
        if url.text.utf8.count > DeepLinkURL.lengthLimit { return .tooLong }
        if !urlSchemes.isEmpty, url.scheme != nil, !isOfApp(url) { return .foreignScheme }
        return nil
    }

    /// The URL that routes are matched with, of a URL that needs no service.
    func linkOfApp(_ url: DeepLinkURL) -> DeepLinkURL {
        var url = url
        if hosts.contains(hostOf: url), let destination = lazyDestination(of: url) {
            // A lazy link may contain a bare route: `uri=products/42`.
            url = destination.scheme == nil ? destination.asAppLink(scheme: scheme) : destination
        }
        return url.isWeb && url.host?.isEmpty == false ? url.asAppLink(scheme: scheme) : url
    }

    /// Anyone can write a lazy link, and a target may show its URL: `javascript:` must not get there.
    func lazyDestination(of url: DeepLinkURL) -> DeepLinkURL? {
        url.lazyDestination.flatMap { isOfApp($0) ? $0 : nil }
    }

    func opening(of url: DeepLinkURL, _ origin: Origin) -> Opening {
        let (plain, service) = url.separatingServiceParameters()
        return opening(of: url, routes.match(plain), dialect.queryParameters(of: plain), service, origin, nil)
    }

    /// The destination in the service's answer. The route that it names decides if it is mapped, and its
    /// parameters are not read from a URL again; otherwise the URL decides.
    func opening(of answer: ResolveResponse, _ origin: Origin) -> Opening {
        let url = url(of: answer)
        let (plain, service) = url.separatingServiceParameters()
        let named = answer.route.flatMap { routes.match($0, answer.routeParameters) }
        let query = dialect.queryParameters(of: plain).merging(answer.queryParameters)
        var opening = opening(of: url, named ?? routes.match(plain), query, service, origin, answer)
        opening.isByAnswer = named != nil
        return opening
    }

    private func opening(
        of url: DeepLinkURL, _ match: RouteTable<DeeplinkStep<Void>>.Match?, _ query: QueryParameters,
        _ service: ServiceParameters, _ origin: Origin, _ answer: ResolveResponse?
    ) -> Opening {
        var service = service
        service.clickID = service.clickID ?? origin.clickID
        let deeplink = Deeplink(
            route: match?.format.text, routeParameters: match?.parameters ?? [:], queryParameters: query,
            metadata: answer?.metadata.map(DeeplinkMetadata.init(json:)), isDeferred: origin.isDeferred,
            openedURL: url, sourceApplication: origin.sourceApplication, service: service,
            smartlink: origin.smartlink, update: answer?.update, sceneID: origin.sceneID, kept: origin.kept,
            wasRecorded: origin.isRecorded)
        return Opening(deeplink: deeplink, target: match?.target ?? defaultTarget)
    }

    /// The destination in the service's response: a web page as the app's route with the same path, or the
    /// link's route if there is no URL for this platform.
    private func url(of answer: ResolveResponse) -> DeepLinkURL {
        if let deeplink = answer.deeplink {
            let url = DeepLinkURL(deeplink)
            return url.isWeb ? url.asAppLink(scheme: scheme) : url
        }
        let path = answer.route.flatMap { RouteFormat($0).filled(answer.routeParameters) } ?? ""
        let query = QueryParameters(answer.queryParameters)
        return DeepLinkURL(
            scheme: scheme, authority: "", path: "/" + path, query: query.isEmpty ? nil : query.text)
    }

    private func isOfApp(_ url: DeepLinkURL) -> Bool {
        guard let scheme = url.scheme?.lowercased(), !url.isWeb else { return true }
        return urlSchemes.contains { $0.lowercased() == scheme }
    }

    /// Apps without schemes use HOKO's default; matching ignores the scheme.
    var scheme: String { urlSchemes.first ?? "app" }
}

import WaymarkAPI

extension Deeplinking {
    /// A deep link and its target; the target is nil if no route matches and there is no default route.
    struct Opening {
        let deeplink: Deeplink
        let target: Target?
    }

    /// Details of a link that are not in its URL.
    struct Origin {
        var sourceApplication: String?
        var isDeferred = false
        var smartlink: String?
        var clickID: String?
    }

    /// The steps required to open a URL.
    enum Errand {
        case open(Opening)
        case fetchMetadata(Opening, clickID: String)
        /// The URL is a smart link.
        case resolve(DeepLinkURL, Origin)
    }

    func errand(for url: DeepLinkURL, _ origin: Origin) -> Errand {
        var url = url
        if hosts.contains(hostOf: url) {
            // Anyone can write a lazy link, and a target may show its URL: `javascript:` must not get there.
            guard let destination = url.lazyDestination, isOfApp(destination) else { return .resolve(url, origin) }
            // A lazy link may contain a bare route: `uri=products/42`.
            url = destination.scheme == nil ? destination.asAppLink(scheme: scheme) : destination
        }
        if url.isWeb, url.host?.isEmpty == false { url = url.asAppLink(scheme: scheme) }
        let opening = opening(of: url, origin)
        guard opening.deeplink.needsMetadata, resolver != nil, let clickID = opening.deeplink.clickID,
            opening.target != nil || dialect.keepsUnroutedDeeplink
        else { return .open(opening) }
        return .fetchMetadata(opening, clickID: clickID)
    }

    func opening(
        of url: DeepLinkURL, _ origin: Origin, metadata: DeeplinkMetadata? = nil, update: AppUpdate? = nil
    ) -> Opening {
        var (plain, service) = url.separatingServiceParameters()
        service.clickID = service.clickID ?? origin.clickID
        let match = routes.match(plain)
        let deeplink = Deeplink(
            route: match?.format.text, routeParameters: match?.parameters ?? [:],
            queryParameters: dialect.queryParameters(of: plain), metadata: metadata, isDeferred: origin.isDeferred,
            openedURL: url, sourceApplication: origin.sourceApplication, service: service,
            smartlink: origin.smartlink, update: update)
        return Opening(deeplink: deeplink, target: match?.target ?? defaultTarget)
    }

    func fetchMetadataAndOpen(_ opening: Opening, _ clickID: String, _ turn: Int) async -> SmartlinkOpening {
        let answer = try? await resolver?.resolve(.clickID(clickID))
        let metadata = answer?.metadata.map(DeeplinkMetadata.init(json:))
        var opening = opening
        if metadata != nil || answer?.update != nil {
            let deeplink = opening.deeplink.with(metadata, update: answer?.update)
            opening = Opening(deeplink: deeplink, target: opening.target)
        }
        guard turns.end(turn) else { return .notOpened(opening.deeplink) }
        return result(of: opening)
    }

    /// - Parameter opensDefaultRoute: whether to open the default route if the link can't be resolved.
    func resolveAndOpen(
        _ smartlink: String, _ origin: Origin, _ turn: Int, opensDefaultRoute: Bool
    ) async -> SmartlinkOpening {
        let answer: ResolveResponse
        do {
            guard let resolver else { throw DeeplinkingError.noService }
            answer = try await resolver.resolve(.smartlink(smartlink))
        } catch {
            if turns.end(turn), opensDefaultRoute { perform(self.opening(of: "", origin)) }
            return .failed(error)
        }
        var origin = origin
        origin.smartlink = smartlink
        let opening = opening(
            of: url(of: answer), origin, metadata: answer.metadata.map(DeeplinkMetadata.init(json:)),
            update: answer.update)
        guard turns.end(turn) else { return .notOpened(opening.deeplink) }
        return result(of: opening)
    }

    func result(of opening: Opening) -> SmartlinkOpening {
        perform(opening) ? .opened(opening.deeplink) : .notOpened(opening.deeplink)
    }

    /// Runs filters, handlers and the target, in this order.
    @discardableResult
    func perform(_ opening: Opening) -> Bool {
        let deeplink = opening.deeplink
        guard let target = opening.target else {
            if dialect.keepsUnroutedDeeplink { makeCurrent(deeplink) }
            return false
        }
        makeCurrent(deeplink)
        // Filters and handlers may add or remove others; this link uses those registered when it arrived.
        let (filters, handlers) = (filters, handlers)
        guard filters.allSatisfy({ $0.filter(deeplink) }) else { return false }
        for handler in handlers { handler.handle(deeplink) }
        // A filter or handler may have opened another link.
        guard currentDeeplink === deeplink else { return false }
        target(deeplink)
        deeplink.wasOpened = true
        return true
    }

    private func makeCurrent(_ deeplink: Deeplink) {
        turns.advance()
        currentDeeplink = deeplink
        // Recorded once per link: opening it again after a filter held it back does not count as a second opening.
        guard deeplink.isFromSmartlink, let recorder, deeplink.takeRecording() else { return }
        recorder.recordOpen(of: deeplink)
    }

    /// The destination in the service's response: a web page as the app's route with the same path, or the link's
    /// route if there is no URL for this platform.
    func url(of answer: ResolveResponse) -> DeepLinkURL {
        if let deeplink = answer.deeplink {
            let url = DeepLinkURL(deeplink)
            return url.isWeb ? url.asAppLink(scheme: scheme) : url
        }
        let path = answer.route.flatMap { RouteFormat($0).filled(answer.routeParameters) } ?? ""
        let query = QueryParameters(answer.queryParameters)
        return DeepLinkURL(
            scheme: scheme, authority: "", path: "/" + path, query: query.isEmpty ? nil : query.text)
    }

    private func isOfApp(_ destination: DeepLinkURL) -> Bool {
        guard let scheme = destination.scheme?.lowercased(), !destination.isWeb else { return true }
        return urlSchemes.contains { $0.lowercased() == scheme }
    }

    /// Apps without schemes use HOKO's default; matching ignores the scheme.
    private var scheme: String { urlSchemes.first ?? "app" }
}

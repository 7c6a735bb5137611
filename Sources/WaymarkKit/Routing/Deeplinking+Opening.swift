import WaymarkAPI

extension Deeplinking {
    /// Opens a URL that the app was opened with.
    ///
    /// The service's parameters are taken off first. Where they announce metadata, it is fetched before anything else
    /// happens; the answer then only says whether there is a route. Use `opened(_:)` to wait for the end. Where fetching
    /// fails the link opens without metadata.
    ///
    /// - Parameters:
    ///   - url: a text, a `DeepLinkURL` or Foundation's `URL`, with any scheme.
    ///   - sourceApplication: which app asked for it, where the system says so.
    ///   - isDeferred: whether the link waited for the app's installation.
    /// - Returns: whether the link was opened: a route matches or there is a default route, and no filter held it back.
    @discardableResult
    public func open(
        _ url: some DeepLinkURLConvertible, sourceApplication: String? = nil, isDeferred: Bool = false
    ) -> Bool {
        let opening = opening(of: url.deepLinkURL, sourceApplication: sourceApplication, isDeferred: isDeferred)
        guard let clickID = clickIDForMetadata(of: opening) else { return perform(opening) }
        Task { await fetchMetadataAndPerform(opening, clickID: clickID) }
        return opening.target != nil
    }

    /// Opens a URL as `open(_:)` does, and returns when the link was opened or held back, metadata included.
    @discardableResult
    public func opened(
        _ url: some DeepLinkURLConvertible, sourceApplication: String? = nil, isDeferred: Bool = false
    ) async -> Bool {
        let opening = opening(of: url.deepLinkURL, sourceApplication: sourceApplication, isDeferred: isDeferred)
        guard let clickID = clickIDForMetadata(of: opening) else { return perform(opening) }
        return await fetchMetadataAndPerform(opening, clickID: clickID)
    }

    /// Opens a deep link, one made by the app or one that was held back before.
    ///
    /// The route must be mapped with exactly the link's format: a link made by the app never opens the default route, but
    /// one that came from a URL and matched no route does. Otherwise false, and `currentDeeplink` stays as it is.
    ///
    /// - Returns: whether the link was opened.
    @discardableResult
    public func open(_ deeplink: Deeplink) -> Bool {
        let target: Target? =
            if let route = deeplink.route {
                routes.target(of: route)
            } else {
                deeplink.openedURL == nil ? nil : defaultTarget
            }
        guard let target else { return false }
        return perform(Opening(deeplink: deeplink, target: target))
    }

    /// Opens `currentDeeplink` again: after a login, say, that a filter waited for. Filters, handlers and target run as
    /// for any other link.
    ///
    /// - Returns: whether it was opened; false where there is none.
    @discardableResult
    public func openCurrentDeeplink() -> Bool {
        guard let currentDeeplink else { return false }
        return open(currentDeeplink)
    }

    /// Whether a URL would find a route, the default route included. Filters are not asked.
    public func canOpen(_ url: some DeepLinkURLConvertible) -> Bool {
        defaultTarget != nil || routes.match(url.deepLinkURL.separatingServiceParameters().url) != nil
    }
}

extension Deeplinking {
    /// A deep link and what runs when it is opened; nil where no route matches and there is no default route.
    struct Opening {
        let deeplink: Deeplink
        let target: Target?
    }

    func opening(
        of url: DeepLinkURL, sourceApplication: String? = nil, isDeferred: Bool = false,
        metadata: DeeplinkMetadata? = nil, smartlink: String? = nil, clickID: String? = nil, update: AppUpdate? = nil
    ) -> Opening {
        var (plain, service) = url.separatingServiceParameters()
        service.clickID = service.clickID ?? clickID
        let match = routes.match(plain)
        let deeplink = Deeplink(
            route: match?.format.text, routeParameters: match?.parameters ?? [:],
            queryParameters: dialect.queryParameters(of: plain), metadata: metadata, isDeferred: isDeferred,
            openedURL: url, sourceApplication: sourceApplication, service: service, smartlink: smartlink,
            update: update)
        return Opening(deeplink: deeplink, target: match?.target ?? defaultTarget)
    }

    /// The click to fetch metadata for; nil where the link announces none or nobody can be asked.
    private func clickIDForMetadata(of opening: Opening) -> String? {
        guard opening.deeplink.needsMetadata, resolver != nil else { return nil }
        guard opening.target != nil || dialect.keepsUnroutedDeeplink else { return nil }
        return opening.deeplink.clickID
    }

    @discardableResult
    private func fetchMetadataAndPerform(_ opening: Opening, clickID: String) async -> Bool {
        let answer = try? await resolver?.resolve(.clickID(clickID))
        guard let answer, answer.metadata != nil || answer.update != nil else { return perform(opening) }
        let deeplink = opening.deeplink.with(answer.metadata.map(DeeplinkMetadata.init(json:)), update: answer.update)
        return perform(Opening(deeplink: deeplink, target: opening.target))
    }

    /// The fixed order of opening.
    @discardableResult
    func perform(_ opening: Opening) -> Bool {
        let deeplink = opening.deeplink
        guard let target = opening.target else {
            if dialect.keepsUnroutedDeeplink {
                currentDeeplink = deeplink
                record(deeplink)
            }
            return false
        }
        currentDeeplink = deeplink
        record(deeplink)
        // Filters and handlers may add or remove others; this link is shown to those that were there when it came.
        let (filters, handlers) = (filters, handlers)
        guard filters.allSatisfy({ $0.filter(deeplink) }) else { return false }
        for handler in handlers { handler.handle(deeplink) }
        target(deeplink)
        deeplink.wasOpened = true
        return true
    }

    /// Once for each link: opening one again after a filter held it back is no second opening.
    private func record(_ deeplink: Deeplink) {
        guard deeplink.isFromSmartlink, let recorder, deeplink.takeRecording() else { return }
        recorder.recordOpen(of: deeplink)
    }
}

extension Deeplinking {
    /// Opens any URL passed to the app: from SwiftUI's `onOpenURL`, a scene's `urlContexts`, a user activity or a
    /// notification.
    ///
    /// - A web link whose host is one of `domains` is a smart link: it is resolved by the service, and its
    ///   destination opens with its metadata. If that fails, the default route opens. HOKO's lazy links
    ///   (`/lazy?uri=…`) contain their destination and need no request.
    /// - A web link of another host opens as a URL of the app: its path and query under the app's first scheme.
    /// - Any other URL opens as it is. If it announces metadata (`_hk_md`), the metadata is fetched first; if that
    ///   fails, the link opens without metadata.
    ///
    /// The most recent link wins: a response that arrives after a later link was opened is ignored, whether it
    /// succeeded or failed.
    ///
    /// - Parameters:
    ///   - url: a string, a `DeepLinkURL` or Foundation's `URL`.
    ///   - sourceApplication: the app that opened the URL, if the system reports it.
    ///   - isDeferred: whether the link was opened before the app was installed.
    /// - Returns: whether the link was opened: a route matches or there is a default route, and no filter held it
    ///   back. If the link has to wait for the service, true for a smart link, otherwise whether there is a route.
    ///   `open(resolving:)` waits for the outcome.
    @discardableResult
    public func open(
        _ url: some DeepLinkURLConvertible, sourceApplication: String? = nil, isDeferred: Bool = false
    ) -> Bool {
        let origin = Origin(sourceApplication: sourceApplication, isDeferred: isDeferred)
        let errand = errand(for: url.deepLinkURL, origin)
        switch errand {
        case .open(let opening):
            return perform(opening)
        case .fetchMetadata(let opening, _):
            let turn = turns.begin()
            Task { await run(errand, turn) }
            return opening.target != nil
        case .resolve:
            let turn = turns.begin()
            Task { await run(errand, turn) }
            return true
        }
    }

    /// Opens any URL like `open(_:)`, and waits for the outcome.
    ///
    /// - Returns: the outcome. It is also `notOpened` if another link was opened before the response arrived.
    ///   `failed` has the resolver's error; the default route was opened in this case, unless another link was opened
    ///   meanwhile.
    @discardableResult
    public func open(
        resolving url: some DeepLinkURLConvertible, sourceApplication: String? = nil, isDeferred: Bool = false
    ) async -> SmartlinkOpening {
        let origin = Origin(sourceApplication: sourceApplication, isDeferred: isDeferred)
        let errand = errand(for: url.deepLinkURL, origin)
        if case .open(let opening) = errand { return result(of: opening) }
        return await run(errand, turns.begin())
    }

    /// Opens a deep link that was created by the app or held back before.
    ///
    /// A route with exactly the link's format must be mapped. A link created by the app never opens the default
    /// route, but one from a URL that matched no route does. Otherwise returns false, and `currentDeeplink` is
    /// unchanged.
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

    /// Opens `currentDeeplink` again, for example after a login that a filter required. Filters, handlers and the
    /// target run as for any other link.
    ///
    /// - Returns: whether it was opened; false if there is none.
    @discardableResult
    public func openCurrentDeeplink() -> Bool {
        guard let currentDeeplink else { return false }
        return open(currentDeeplink)
    }

    /// Whether `open(_:)` would find a route, including the default route. Runs no filters and sends no request: a
    /// smart link can always be opened.
    public func canOpen(_ url: some DeepLinkURLConvertible) -> Bool {
        switch errand(for: url.deepLinkURL, Origin()) {
        case .open(let opening), .fetchMetadata(let opening, _): opening.target != nil
        case .resolve: true
        }
    }

    /// Whether a link was opened or is waiting for the service.
    var hasLink: Bool { currentDeeplink != nil || turns.isWaiting }

    @discardableResult
    private func run(_ errand: Errand, _ turn: Int) async -> SmartlinkOpening {
        switch errand {
        case .open(let opening): result(of: opening)
        case .fetchMetadata(let opening, let clickID): await fetchMetadataAndOpen(opening, clickID, turn)
        case .resolve(let url, let origin): await resolveAndOpen(url.text, origin, turn, opensDefaultRoute: true)
        }
    }
}

/// Tracks the most recent link and whether it is waiting for the service. A response that arrives after a later link
/// was opened is ignored.
struct OpeningTurns {
    private var last = 0
    private var waiting: Int?

    /// Whether a link is waiting for a response and no later link has replaced it.
    var isWaiting: Bool { waiting == last }

    /// Records a link that opens immediately.
    mutating func advance() {
        last += 1
    }

    /// Records a link that opens when its response arrives.
    mutating func begin() -> Int {
        last += 1
        waiting = last
        return last
    }

    /// Records the response to a link.
    ///
    /// - Returns: true if no other link was opened in between.
    mutating func end(_ turn: Int) -> Bool {
        if waiting == turn { waiting = nil }
        return turn == last
    }
}

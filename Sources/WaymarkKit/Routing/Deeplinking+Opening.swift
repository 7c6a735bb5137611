extension Deeplinking {
    /// Opens any URL that the app was opened with: from SwiftUI's `onOpenURL`, a scene's `urlContexts`, an activity or a
    /// notification.
    ///
    /// - A web link whose host is one of `domains` is a smart link: the service is asked where it leads, and that opens with
    ///   its metadata. Where asking fails, the default route opens. HOKO's lazy links (`/lazy?uri=…`) name their
    ///   destination, and nobody is asked.
    /// - A web link of another host opens as a URL of the app: its path and query behind the app's first scheme.
    /// - Any other URL opens as it is. Where it announces metadata (`_hk_md`), the metadata is fetched first; where that
    ///   fails the link opens without.
    ///
    /// The link that was opened last wins: one whose answer comes later opens nothing, whether asking succeeded or failed.
    ///
    /// - Parameters:
    ///   - url: a text, a `DeepLinkURL` or Foundation's `URL`.
    ///   - sourceApplication: which app asked for it, where the system says so.
    ///   - isDeferred: whether the link waited for the app's installation.
    /// - Returns: whether the link was opened: a route matches or there is a default route, and no filter held it back. For a
    ///   link that waits for the service: true for a smart link, otherwise whether there is a route. `open(resolving:)`
    ///   waits and says how it ended.
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

    /// Opens any URL as `open(_:)` does, and returns when that has ended.
    ///
    /// - Returns: how it ended. `notOpened` too where another link was opened before the answer came. `failed` has the
    ///   resolver's error; the default route was opened then, unless another link was opened meanwhile.
    @discardableResult
    public func open(
        resolving url: some DeepLinkURLConvertible, sourceApplication: String? = nil, isDeferred: Bool = false
    ) async -> SmartlinkOpening {
        let origin = Origin(sourceApplication: sourceApplication, isDeferred: isDeferred)
        let errand = errand(for: url.deepLinkURL, origin)
        if case .open(let opening) = errand { return result(of: opening) }
        return await run(errand, turns.begin())
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

    /// Whether `open(_:)` would find a route, the default route included. Filters and the service are not asked: a smart
    /// link can always be opened.
    public func canOpen(_ url: some DeepLinkURLConvertible) -> Bool {
        switch errand(for: url.deepLinkURL, Origin()) {
        case .open(let opening), .fetchMetadata(let opening, _): opening.target != nil
        case .resolve: true
        }
    }

    /// Whether a link was opened, or waits for an answer of the service.
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

/// Which link was opened last, and whether it waits for an answer of the service: an answer that comes after a later link
/// was opened opens nothing.
struct OpeningTurns {
    private var last = 0
    private var waiting: Int?

    /// Whether a link waits for an answer and no later one took its place.
    var isWaiting: Bool { waiting == last }

    /// A link opens now.
    mutating func advance() {
        last += 1
    }

    /// A link opens when its answer comes.
    mutating func begin() -> Int {
        last += 1
        waiting = last
        return last
    }

    /// The answer is here.
    ///
    /// - Returns: whether no other link was opened in between.
    mutating func end(_ turn: Int) -> Bool {
        if waiting == turn { waiting = nil }
        return turn == last
    }
}

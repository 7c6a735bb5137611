import WaymarkAPI

extension Deeplinking {
    /// Opens any URL passed to the app: from SwiftUI's `onOpenURL`, a scene's `urlContexts`, a user activity
    /// or a notification.
    ///
    /// - A web link whose host is one of `domains` is a smart link: it is resolved by the service, and its
    ///   destination opens with its metadata. If that fails, or takes longer than `openingTimeLimit`, the
    ///   default route opens, with the URL and the error. HOKO's lazy links (`/lazy?uri=…`) contain their
    ///   destination and need no request.
    /// - A web link of another host opens as a URL of the app: its path and query under the app's first
    ///   scheme.
    /// - Any other URL opens as it is. If it announces metadata (`_hk_md`), the metadata is fetched first; if
    ///   that fails, the link opens without metadata.
    /// - A URL of a scheme that is not in `urlSchemes`, if there are any, and one longer than
    ///   `DeepLinkURL.lengthLimit` is not handled: nothing runs, and the current link stays.
    ///
    /// The most recent link wins: a response that arrives after a later link was opened is ignored, whether
    /// it succeeded or failed.
    ///
    /// - Parameters:
    ///   - url: a string, a `DeepLinkURL` or Foundation's `URL`.
    ///   - sourceApplication: the app that opened the URL, if the system reports it.
    ///   - isDeferred: whether the link was opened before the app was installed.
    ///   - sceneID: the scene that received the URL; `Deeplink.sceneID` has it.
    /// - Returns: whether the link was opened: a route matches or there is a default route, and no filter
    ///   held it back. If the link has to wait for the service, a filter or the target, true for a smart
    ///   link, otherwise whether there is a route. `open(resolving:)` waits for the outcome.
    @discardableResult
    public func open(
        _ url: some DeepLinkURLConvertible, sourceApplication: String? = nil, isDeferred: Bool = false,
        sceneID: String? = nil
    ) -> Bool {
        let origin = Origin(sourceApplication: sourceApplication, sceneID: sceneID, isDeferred: isDeferred)
        return start(errand(for: url.deepLinkURL, origin))
    }

    private func start(_ errand: Errand, _ fallback: Fallback = Fallback()) -> Bool {
        switch errand {
        case .open(let opening):
            return perform(opening).isOpenedOrWaiting
        case .fetchMetadata(let opening, _):
            let turn = turns.begin()
            Task { await run(errand, turn, fallback) }
            return opening.target != nil
        case .resolve:
            let turn = turns.begin()
            Task { await run(errand, turn, fallback) }
            return true
        case .refuse:
            report(.notHandled)
            return false
        }
    }

    /// Opens any URL like `open(_:)`, and waits for the outcome.
    ///
    /// - Returns: the outcome. It is also `notOpened` if another link was opened before the response arrived.
    ///   `failed` has the resolver's error; the default route was opened in this case, unless another link
    ///   was opened meanwhile or the process slept; see `openingTimeLimit`.
    @discardableResult
    public func open(
        resolving url: some DeepLinkURLConvertible, sourceApplication: String? = nil,
        isDeferred: Bool = false,
        sceneID: String? = nil
    ) async -> SmartlinkOpening {
        let origin = Origin(sourceApplication: sourceApplication, sceneID: sceneID, isDeferred: isDeferred)
        return await outcome(of: errand(for: url.deepLinkURL, origin))
    }

    private func outcome(of errand: Errand, _ fallback: Fallback = Fallback()) async -> SmartlinkOpening {
        switch errand {
        case .open(let opening): return await result(of: opening)
        case .fetchMetadata, .resolve: return await run(errand, turns.begin(), fallback)
        case .refuse:
            report(.notHandled)
            return .notHandled
        }
    }

    /// Opens a deep link that was created by the app or held back before.
    ///
    /// A route with exactly the link's format must be mapped. A link created by the app never opens the
    /// default route, but one from a URL that matched no route does. Otherwise returns false, and
    /// `currentDeeplink` is unchanged.
    ///
    /// - Returns: whether the link was opened.
    @discardableResult
    public func open(_ deeplink: Deeplink) -> Bool {
        guard let opening = opening(again: deeplink) else { return false }
        return perform(opening).isOpenedOrWaiting
    }

    private func opening(again deeplink: Deeplink) -> Opening? {
        let target =
            if let route = deeplink.route {
                routes.target(of: route)
            } else {
                deeplink.openedURL == nil ? nil : defaultTarget
            }
        return target.map { Opening(deeplink: deeplink, target: $0) }
    }

    /// Opens `currentDeeplink` again, for example after a login that a filter required. Filters, handlers and
    /// the target run as for any other link. A link that could not be resolved is resolved now; the default
    /// route does not open a second time for it.
    ///
    /// If no link was opened since the app started, or if it was refused for good or no route matches it, this
    /// opens the one that was received and not shown before: the last one that was opened, otherwise the
    /// installation's.
    ///
    /// - Returns: whether it was opened, or waits for the service, a filter or the target; false if there is
    ///   none, or while a newer link waits for the service.
    @discardableResult
    public func openCurrentDeeplink() -> Bool {
        guard let (errand, fallback) = errandAgain() else { return false }
        return start(errand, fallback)
    }

    /// Opens the current deep link again like the function that does not wait, and waits for the outcome.
    ///
    /// - Returns: the outcome; nil if there is no link, or while a newer one waits for the service.
    @discardableResult
    public func openCurrentDeeplink() async -> SmartlinkOpening? {
        guard let (errand, fallback) = errandAgain() else {
            return turns.isWaiting ? nil : currentDeeplink.map { .notOpened($0) }
        }
        return await outcome(of: errand, fallback)
    }

    private func errandAgain() -> (Errand, Fallback)? {
        // A link that waits for the service is newer.
        if turns.isWaiting { return nil }
        guard let current = currentDeeplink else { return restored() }
        if current.isRefused, let restored = restored() { return restored }
        guard let question = question(about: current) else {
            return opening(again: current).map { (.open($0), Fallback()) } ?? restored()
        }
        let fallback = Fallback(opensDefaultRoute: false)
        if case .clickID(let clickID) = question.subject, let opening = opening(again: current) {
            return (.fetchMetadata(opening, clickID: clickID), fallback)
        }
        return current.isUnresolved ? (.resolve(question.url, question.origin), fallback) : nil
    }

    /// The link that was received before the app started and not shown.
    private func restored() -> (Errand, Fallback)? {
        guard let keeper else { return nil }
        guard let (link, kept) = keeper.waitingLink(), let text = link.url else {
            return restoredInstallation(from: keeper).map { (.open($0), Fallback()) }
        }
        let url = DeepLinkURL(text)
        let origin = Origin(isRecorded: link.isRecorded, kept: kept)
        report(.restored, host: url, route: link.answer?.route)
        guard let answer = link.answer else {
            return (errand(for: url, origin), Fallback(opensDefaultRoute: link.error == nil))
        }
        return (.open(opening(of: answer, to: url, origin)), Fallback())
    }

    /// What the service could not be asked now, it has answered to an earlier tap, which was not shown.
    func openingWithEarlierAnswer(to question: Question) -> Opening? {
        guard let keeper, let earlier = question.earlier, let answer = earlier.answer else { return nil }
        var origin = question.origin
        origin.isRecorded = earlier.isRecorded
        origin.kept = keeper.putBack(earlier)
        let opening = opening(of: answer, to: question.url, origin)
        report(.restored, host: question.url, route: opening.deeplink.route)
        return opening
    }

    private func opening(of answer: ResolveResponse, to url: DeepLinkURL, _ origin: Origin) -> Opening {
        if url.isWeb || url.scheme == nil {
            var origin = origin
            origin.smartlink = url.text
            return opening(of: answer, origin)
        }
        let opening = opening(of: url, origin)
        let deeplink = opening.deeplink.with(
            answer.metadata.map(DeeplinkMetadata.init(json:)), update: answer.update)
        return Opening(deeplink: deeplink, target: opening.target)
    }

    /// The installation's deferred deep link if it was claimed and not shown.
    func restoredInstallation(from keeper: KeptLinkStore) -> Opening? {
        guard let (link, kept) = keeper.waitingInstallation(), let deferred = DeferredDeeplink(link, kept)
        else {
            return nil
        }
        let opening = opening(of: deferred, isRecorded: link.isRecorded)
        report(.restored, opening.deeplink)
        return opening
    }

    /// Whether `open(_:)` would find a route, including the default route. Runs no filters and sends no
    /// request: a smart link can always be opened. `explain(_:)` says why.
    public func canOpen(_ url: some DeepLinkURLConvertible) -> Bool {
        switch errand(for: url.deepLinkURL, Origin()) {
        case .open(let opening), .fetchMetadata(let opening, _): opening.target != nil
        case .resolve: true
        case .refuse: false
        }
    }

    /// Whether a link was opened or is waiting for the service.
    var hasLink: Bool { currentDeeplink != nil || turns.isWaiting }

    @discardableResult
    private func run(_ errand: Errand, _ turn: Int, _ fallback: Fallback) async -> SmartlinkOpening {
        switch errand {
        case .open(let opening): await result(of: opening)
        case .fetchMetadata(let opening, let clickID): await fetchMetadataAndOpen(opening, clickID, turn)
        case .resolve(let url, let origin): await resolveAndOpen(url, origin, turn, fallback)
        case .refuse: .notHandled
        }
    }
}

/// Tracks the most recent link and whether it is waiting for the service. A response that arrives after a
/// later link was opened is ignored.
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

extension Deeplinking {
    /// Runs filters, handlers and the target, in this order. A filter or target that waits continues in a
    /// task.
    @discardableResult
    func perform(_ opening: Opening) -> DeeplinkProgress {
        let deeplink = opening.deeplink
        guard let target = opening.target else {
            if dialect.keepsUnroutedDeeplink { makeCurrent(deeplink, isShown: false) }
            report(.unrouted, deeplink)
            return .ended(false)
        }
        let turn = makeCurrent(deeplink)
        // Filters and handlers may add or remove others; this link uses those registered when it arrived.
        let (filters, handlers) = (filters.map(\.filter), handlers.map(\.handle))
        for (index, filter) in filters.enumerated() {
            guard case .immediate(let passes) = filter else {
                let rest = filters[index...]
                // A sign-in may outlast the process. A link that failed is stored already if it may succeed.
                if !deeplink.isUnresolved { store(deeplink, nil) }
                return .waiting(
                    Task {
                        guard await pass(rest, deeplink, turn) else { return false }
                        return await run(target, handlers, deeplink, turn).outcome
                    })
            }
            guard passes(deeplink) else {
                noteHeldBack(deeplink)
                return .ended(false)
            }
        }
        return run(target, handlers, deeplink, turn)
    }

    func result(of opening: Opening) async -> SmartlinkOpening {
        await perform(opening).outcome ? .opened(opening.deeplink) : .notOpened(opening.deeplink)
    }

    /// Whether all filters let the link pass, and no other link was opened meanwhile.
    private func pass(_ filters: ArraySlice<DeeplinkStep<Bool>>, _ deeplink: Deeplink, _ turn: Int) async
        -> Bool
    {
        for filter in filters where isCurrent(turn) {
            let passes =
                switch filter {
                case .immediate(let passes): passes(deeplink)
                case .waiting(let passes): await passes(deeplink)
                }
            guard passes || !isCurrent(turn) else {
                noteHeldBack(deeplink)
                return false
            }
        }
        return true
    }

    private func run(
        _ target: DeeplinkStep<Void>, _ handlers: [Target], _ deeplink: Deeplink, _ turn: Int
    ) -> DeeplinkProgress {
        if isCurrent(turn) { for handler in handlers { handler(deeplink) } }
        // A filter or handler may have opened another link, or have waited until there was one.
        guard isCurrent(turn) else {
            report(.superseded, deeplink)
            return .ended(false)
        }
        if !deeplink.isUnresolved, let kept = deeplink.kept { kept.store.noteStart(kept) }
        switch target {
        case .immediate(let show):
            show(deeplink)
            noteOpened(deeplink)
            return .ended(true)
        case .waiting(let show):
            return .waiting(
                Task {
                    await show(deeplink)
                    noteOpened(deeplink)
                    return true
                })
        }
    }

    private func noteOpened(_ deeplink: Deeplink) {
        deeplink.wasOpened = true
        // The default route has shown that a link failed, not the link.
        if !deeplink.isUnresolved, let kept = deeplink.kept {
            kept.store.discard(kept, hadMetadata: deeplink.metadata != nil)
        }
        report(.opened, deeplink)
        streams.yield(deeplink)
    }

    private func noteHeldBack(_ deeplink: Deeplink) {
        report(.heldBack, deeplink)
        keep(deeplink, deeplink.isUnresolved ? deeplink.error : nil)
    }

    /// Keeps a link that can be opened later, and reports it.
    func keep(_ deeplink: Deeplink, _ error: (any Error)?) {
        if store(deeplink, error) { report(.kept, deeplink) }
    }

    /// - Returns: whether the link is in the storage: it came from outside, and no other one was opened since.
    @discardableResult
    private func store(_ deeplink: Deeplink, _ error: (any Error)?) -> Bool {
        // What the service has refused for good would fail again.
        guard let kept = deeplink.kept, !deeplink.isRefused else { return false }
        if case .installation = kept.place { return true }
        guard let url = deeplink.keptURL else { return false }
        return kept.store.keep(
            url, error: error.map(LinkDiagnostic.code),
            isRecorded: deeplink.wasRecorded && !deeplink.isUnresolved,
            as: kept)
    }

    /// - Parameter isShown: whether it is to be shown, and takes the place of a kept link.
    /// - Returns: the link's turn, which ends when another one becomes the current link.
    @discardableResult
    func makeCurrent(_ deeplink: Deeplink, isShown: Bool = true) -> Int {
        turns.advance()
        currentDeeplink = deeplink
        currentTurn += 1
        if let keeper {
            let kept = deeplink.kept ?? keeper.begin()
            deeplink.kept = kept
            if isShown, !deeplink.isRefused { keeper.replace(with: kept, url: deeplink.keptURL) }
        }
        // Recorded once per link: opening it again after a filter held it back does not count as a second
        // opening.
        if deeplink.isFromSmartlink, let recorder, deeplink.takeRecording() {
            let isFirst = deeplink.kept.map { $0.store.noteRecorded($0) } ?? true
            if isFirst { recorder.recordOpen(of: deeplink) }
        }
        return currentTurn
    }

    private func isCurrent(_ turn: Int) -> Bool { turn == currentTurn }

    func report(_ step: LinkDiagnostic.Step, _ deeplink: Deeplink) {
        report(
            step, host: deeplink.smartlink.map { DeepLinkURL($0) } ?? deeplink.openedURL,
            route: deeplink.route)
    }

    func report(
        _ step: LinkDiagnostic.Step, host url: DeepLinkURL? = nil, route: String? = nil,
        error: (any Error)? = nil
    ) {
        onDiagnostic?(
            LinkDiagnostic(
                step, host: url?.isWeb == true ? url?.host : nil, route: route,
                status: (error as? WaymarkClientError)?.status, error: error.map(LinkDiagnostic.code)))
    }
}

extension Deeplink {
    /// The URL under which the client keeps the link: as the app was opened with it.
    fileprivate var keptURL: String? { smartlink ?? openedURL?.text }
}

extension WaymarkClient: DeeplinkOpenRecording {
    /// Records that a deep link was opened. The event is stored when the call returns, and sent later.
    ///
    /// Ignores links with neither a click ID nor a smart link of this service.
    public func recordOpen(of deeplink: Deeplink) {
        recordOpen(clickID: deeplink.clickID, smartlink: deeplink.smartlink)
    }

    /// Records that the app was opened through a link, for apps that don't route with `Deeplinking`. The event is stored
    /// when the call returns, and sent later. Ignored without either. Also ignored with a click ID over 1,024 or a smart
    /// link over 4,096 bytes: any app or page can open a link, and the stored events must stay small.
    ///
    /// - Parameters:
    ///   - clickID: `_hk_cid` of the URL the app was opened with; see `ServiceParameters`.
    ///   - smartlink: the smart link that the app resolved.
    public func recordOpen(clickID: String? = nil, smartlink: String? = nil) {
        guard clickID?.isEmpty == false || smartlink?.isEmpty == false else { return }
        guard clickID?.utf8.count ?? 0 <= 1_024, smartlink?.utf8.count ?? 0 <= 4_096 else { return }
        record(.open, clickID: clickID, smartlink: smartlink)
    }

    /// Records that the app was installed; only the first call per installation has an effect, and the first with a
    /// click. `claimDeferredDeeplink` also records it, with the click that led to the installation.
    ///
    /// - Parameter clickID: the click that led to the installation, if known.
    public func recordInstallation(clickID: String? = nil) {
        guard installation.isReadable else { return }
        let (id, isKnown) = updateInstallation { installation in
            (installation.id, clickID == nil ? installation.isRecorded : installation.isAttributed)
        }
        guard !isKnown else { return }
        // The event comes first, under an ID that it keeps: if the app is killed in between, it is recorded again and
        // counted once.
        record(.install, id: clickID == nil ? nil : id, clickID: clickID, smartlink: nil)
        updateInstallation { installation in
            installation.isRecorded = true
            if clickID != nil { installation.isAttributed = true }
        }
    }

    /// Sends the queued events now, for example when the app enters the foreground or before it terminates. Throws if
    /// some can't be sent; they stay queued.
    ///
    /// An event is sent at least once and counted once: its ID is generated when it occurs, and the service
    /// deduplicates IDs for seven days.
    public func flushEvents() async throws(WaymarkClientError) {
        if let failure = await delivery.flush() { throw failure }
    }

    /// The number of events waiting, dropped and refused.
    public var eventCounts: EventCounts { events.counts }

    private func record(_ kind: LinkEvent.Kind, id: String? = nil, clickID: String?, smartlink: String?) {
        let now = sender.clock.now.wholeSeconds
        events.append(
            LinkEvent(
                id: id ?? sender.random.identifier(), kind: kind, clickID: clickID, smartlink: smartlink,
                platform: options.platform.rawValue, at: now),
            now: now)
        if options.sendsEvents { startDelivery() }
    }

    /// The installation gets its ID when its state is first stored.
    @discardableResult
    func updateInstallation<Result: Sendable>(_ change: (inout Installation) -> Result) -> Result {
        let fresh = sender.random.identifier()
        return installation.update { installation in
            installation.id = installation.id ?? fresh
            return change(&installation)
        }
    }
}

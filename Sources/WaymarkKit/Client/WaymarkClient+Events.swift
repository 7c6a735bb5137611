extension WaymarkClient: DeeplinkOpenRecording {
    /// Records that a deep link was opened. The event is stored when the call returns, and sent later.
    ///
    /// Ignores links with neither a click ID nor a smart link of this service.
    public func recordOpen(of deeplink: Deeplink) {
        recordOpen(clickID: deeplink.clickID, smartlink: deeplink.smartlink)
    }

    /// Records that the app was opened through a link, for apps that don't route with `Deeplinking`. The event is stored
    /// when the call returns, and sent later. Ignored without either.
    ///
    /// - Parameters:
    ///   - clickID: `_hk_cid` of the URL the app was opened with; see `ServiceParameters`.
    ///   - smartlink: the smart link that the app resolved.
    public func recordOpen(clickID: String? = nil, smartlink: String? = nil) {
        guard clickID?.isEmpty == false || smartlink?.isEmpty == false else { return }
        record(.open, clickID: clickID, smartlink: smartlink)
    }

    /// Records that the app was installed; only the first call per installation has an effect.
    /// `claimDeferredDeeplink` also records it, with the click that led to the installation.
    ///
    /// - Parameter clickID: the click that led to the installation, if known.
    public func recordInstallation(clickID: String? = nil) {
        let isFirst = updateInstallation { installation in
            defer { installation.isRecorded = true }
            return !installation.isRecorded
        }
        if isFirst { record(.install, clickID: clickID, smartlink: nil) }
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

    private func record(_ kind: LinkEvent.Kind, clickID: String?, smartlink: String?) {
        let now = sender.clock.now.wholeSeconds
        events.append(
            LinkEvent(
                id: sender.random.identifier(), kind: kind, clickID: clickID, smartlink: smartlink,
                platform: options.platform.rawValue, at: now),
            now: now)
        if options.sendsEvents { startDelivery() }
    }

    /// The installation gets its ID when its state is first stored.
    func updateInstallation<Result: Sendable>(_ change: (inout Installation) -> Result) -> Result {
        let fresh = sender.random.identifier()
        return installation.update { installation in
            installation.id = installation.id ?? fresh
            return change(&installation)
        }
    }
}

extension WaymarkClient: DeeplinkOpenRecording {
    /// Notes that a deep link was opened. It is in the storage when the call returns, and sent later.
    ///
    /// Links that neither a click nor a smart link of this service led to are passed over.
    public func recordOpen(of deeplink: Deeplink) {
        guard deeplink.clickID != nil || deeplink.smartlink != nil else { return }
        record(.open, clickID: deeplink.clickID, smartlink: deeplink.smartlink)
    }

    /// Notes that the app was opened through a click, for apps that route with something else than `Deeplinking`.
    ///
    /// - Parameter clickID: `_hk_cid` of the URL that the app was opened with; see `ServiceParameters`. An empty one is
    ///   passed over.
    public func recordOpen(clickID: String) {
        guard !clickID.isEmpty else { return }
        record(.open, clickID: clickID, smartlink: nil)
    }

    /// Notes that the app was installed; only the first call of an installation counts. `claimDeferredDeeplink` does it
    /// too, with the click that led to the installation.
    ///
    /// - Parameter clickID: the click that led to the installation, where the app knows it.
    public func recordInstallation(clickID: String? = nil) {
        let isFirst = updateInstallation { installation in
            defer { installation.isRecorded = true }
            return !installation.isRecorded
        }
        if isFirst { record(.install, clickID: clickID, smartlink: nil) }
    }

    /// Sends the events that wait, now: when the app comes to the front, say, or before it ends. Where some can't be sent
    /// it throws, and they go on waiting.
    ///
    /// An event reaches the service at least once and is counted once: its id is made when it happens, and the service
    /// knows for seven days which ids it has counted.
    public func flushEvents() async throws(WaymarkClientError) {
        if let failure = await delivery.flush() { throw failure }
    }

    /// How the events stand.
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

    /// An installation has its id from the first time that something is kept of it.
    func updateInstallation<Result: Sendable>(_ change: (inout Installation) -> Result) -> Result {
        let fresh = sender.random.identifier()
        return installation.update { installation in
            installation.id = installation.id ?? fresh
            return change(&installation)
        }
    }
}

package import WaymarkLinks

/// An event as reported by an app.
package struct ReportedEvent: Sendable {
    /// Chosen by the app, so that it can send the event again.
    package var id: String
    package var kind: AppEvent.Kind
    /// On which the app ran, if it said so.
    package var platform: Platform?
    /// As received by the app; a forged or expired one leads to no link.
    package var clickID: String?
    /// Used if there is no valid click ID.
    package var smartlink: (host: HostName, path: OpenedPath.Target)?

    package init(
        id: String, kind: AppEvent.Kind, platform: Platform? = nil, clickID: String? = nil,
        smartlink: (host: HostName, path: OpenedPath.Target)? = nil
    ) {
        self.id = id
        self.kind = kind
        self.platform = platform
        self.clickID = clickID
        self.smartlink = smartlink
    }
}

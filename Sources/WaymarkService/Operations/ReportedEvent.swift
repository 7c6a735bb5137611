package import WaymarkLinks

/// An event as an app reports it.
package struct ReportedEvent: Sendable {
    /// Chosen by the app, so that it may send the event again.
    package var id: String
    package var kind: AppEvent.Kind
    /// As the app was given it; one that is forged or too old leads nowhere.
    package var clickID: String?
    /// Looked at where there is no click id that holds.
    package var smartlink: (host: HostName, slug: Slug)?

    package init(
        id: String, kind: AppEvent.Kind, clickID: String? = nil, smartlink: (host: HostName, slug: Slug)? = nil
    ) {
        self.id = id
        self.kind = kind
        self.clickID = clickID
        self.smartlink = smartlink
    }
}

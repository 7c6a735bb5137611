/// Who follows a link, as far as the decision needs to know.
package struct Visitor: Sendable, Equatable {
    package var platform: Platform
    package var device: Device
    package var browser: String?
    /// The app whose in-app browser this is.
    package var inApp: String?
    package var bot: Bot?
    package var isPrefetch: Bool
    /// A request without a click's effect: HEAD.
    package var isHead: Bool
    package var language: String?
    package var country: String?
    /// The raw query of the click, without `?`.
    package var query: String?
    /// Whether the request arrived at the application's `openHost`.
    package var arrivedAtOpenHost: Bool
    /// What led to the platform, for the person who asks.
    package var why: [String]

    package enum Device: String, Sendable { case phone, tablet, desktop, unknown }
    package enum Bot: String, Sendable { case preview, search, scanner, monitor, other }

    package init(platform: Platform, device: Device = .unknown) {
        self.platform = platform
        self.device = device
        isPrefetch = false
        isHead = false
        arrivedAtOpenHost = false
        why = []
    }
}

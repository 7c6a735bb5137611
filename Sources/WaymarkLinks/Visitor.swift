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
    /// Whether this is Safari on something that calls itself a Mac, as every iPad's Safari does.
    package var mayBeIPad: Bool
    /// Whether the request arrived at the application's `openHost`.
    package var arrivedAtOpenHost: Bool
    /// What led to the platform, for the person who asks.
    package var why: [String]

    package enum Device: String, Sendable, CaseIterable { case phone, tablet, desktop, unknown }
    package enum Bot: String, Sendable, CaseIterable { case preview, search, scanner, monitor, other }

    package init(
        platform: Platform, device: Device = .unknown, browser: String? = nil, inApp: String? = nil, bot: Bot? = nil,
        isPrefetch: Bool = false, isHead: Bool = false, language: String? = nil, country: String? = nil,
        query: String? = nil, mayBeIPad: Bool = false, arrivedAtOpenHost: Bool = false, why: [String] = []
    ) {
        self.platform = platform
        self.device = device
        self.browser = browser
        self.inApp = inApp
        self.bot = bot
        self.isPrefetch = isPrefetch
        self.isHead = isHead
        self.language = language
        self.country = country
        self.query = query
        self.mayBeIPad = mayBeIPad
        self.arrivedAtOpenHost = arrivedAtOpenHost
        self.why = why
    }
}

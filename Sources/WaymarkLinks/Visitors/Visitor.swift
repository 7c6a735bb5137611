/// Who follows a link, as far as the decision needs to know.
@usableFromInline
package struct Visitor: Sendable, Equatable {
    package var platform: Platform
    package var device: Device
    package var browser: String?
    /// The app whose in-app browser this is.
    package var inApp: VisitorClass.InApp?
    package var bot: Bot?
    package var isPrefetch: Bool
    /// A request without a click's effect: HEAD.
    package var isHead: Bool
    /// What `Accept-Language` prefers, as it was sent: `en-GB`.
    package var language: String?
    /// ISO 3166-1 alpha-2, upper case; nil where nobody who can know has said it.
    package var country: String?
    /// The host of the page with the link, by its own account; nil for links in apps and where the browser keeps it.
    package var referrerHost: HostName?
    /// Tells visitors apart without a cookie, the same on every server: 0 where nothing was asked about shares.
    package var number: UInt64
    /// The raw query of the click, without `?`.
    package var query: String?
    /// Whether this is Safari on something that calls itself a Mac, as every iPad's Safari does.
    package var mayBeIPad: Bool
    /// Whether the request arrived at the application's `openHost`.
    package var arrivedAtOpenHost: Bool
    /// What led to the platform, for the person who asks.
    package var why: [String]

    package enum Device: String, Sendable, CaseIterable { case phone, tablet, desktop, unknown }
    @usableFromInline
    package enum Bot: String, Sendable, CaseIterable { case preview, search, scanner, monitor, other }

    package init(
        platform: Platform, device: Device = .unknown, browser: String? = nil, inApp: VisitorClass.InApp? = nil,
        bot: Bot? = nil, isPrefetch: Bool = false, isHead: Bool = false, language: String? = nil,
        country: String? = nil, referrerHost: HostName? = nil, number: UInt64 = 0, query: String? = nil,
        mayBeIPad: Bool = false, arrivedAtOpenHost: Bool = false, why: [String] = []
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
        self.referrerHost = referrerHost
        self.number = number
        self.query = query
        self.mayBeIPad = mayBeIPad
        self.arrivedAtOpenHost = arrivedAtOpenHost
        self.why = why
    }
}

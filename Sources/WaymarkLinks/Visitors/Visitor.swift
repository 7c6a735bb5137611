/// The visitor of a link, with the properties that the decision depends on.
@usableFromInline
package struct Visitor: Sendable, Equatable {
    package var platform: Platform
    package var device: Device
    package var browser: String?
    /// The app of this in-app browser.
    package var inApp: VisitorClass.InApp?
    package var bot: Bot?
    package var isPrefetch: Bool
    /// A HEAD request, which is not counted as a click.
    package var isHead: Bool
    /// The preferred language of `Accept-Language`, as sent: `en-GB`.
    package var language: String?
    /// ISO 3166-1 alpha-2, upper case; nil if unknown.
    package var country: String?
    /// The host of the referring page, from the request; nil for links in apps and if the browser does not send it.
    package var referrerHost: HostName?
    /// The package of the Android app that the visitor came from, instead of a page.
    package var referrerApp: String?
    /// Identifies visitors without a cookie, the same on every server; 0 if no rule has a percentage.
    package var number: UInt64
    /// What follows the slug in the URL as opened. Browsers keep the fragment to themselves.
    package var opened: OpenedSuffix
    /// The raw query of the click, without `?`.
    package var query: String? {
        get { opened.query }
        set { opened.query = newValue }
    }
    /// Whether this is Safari on a device that identifies as a Mac, which every iPad's Safari does.
    package var mayBeIPad: Bool
    /// The store that the device has; nil if it has none that links lead to by rules.
    package var store: Store?
    /// Whether the request arrived at the application's `openHost`.
    package var arrivedAtOpenHost: Bool
    /// The link's password, by its hash, that the visitor has given.
    package var password: LinkPassword?
    /// How the platform was detected, for explanations.
    package var why: [String]

    package enum Device: String, Sendable, CaseIterable { case phone, tablet, desktop, unknown }
    @usableFromInline
    package enum Bot: String, Sendable, CaseIterable { case preview, search, scanner, monitor, other }

    /// The stores that rules can name, as in the REST API.
    package enum Store: String, Sendable, CaseIterable { case play, appGallery, galaxy, amazon, microsoft }

    package init(
        platform: Platform, device: Device = .unknown, browser: String? = nil, inApp: VisitorClass.InApp? = nil,
        bot: Bot? = nil, isPrefetch: Bool = false, isHead: Bool = false, language: String? = nil,
        country: String? = nil, referrerHost: HostName? = nil, referrerApp: String? = nil, number: UInt64 = 0,
        query: String? = nil,
        mayBeIPad: Bool = false, store: Store? = nil, arrivedAtOpenHost: Bool = false, why: [String] = []
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
        self.referrerApp = referrerApp
        self.number = number
        opened = OpenedSuffix(query: query)
        self.mayBeIPad = mayBeIPad
        self.store = store
        self.arrivedAtOpenHost = arrivedAtOpenHost
        self.why = why
    }
}

/// The app's deep links: which route leads to which code, and what happens between a URL and that code.
///
///     let deeplinking = Deeplinking(urlSchemes: ["shop"], domains: ["go.example.com"])
///     deeplinking.map("products/:product_id") { deeplink in
///         show(product: deeplink.routeParameters["product_id"])
///     }
///     deeplinking.open("shop://products/42?referrer=ana")
///
/// A link opens in a fixed order: it becomes `currentDeeplink`; filters are asked, in the order in which they were added,
/// and the first that answers false ends it; handlers are told; the route's target runs; `wasOpened` becomes true.
///
/// Which route a URL leads to does not depend on the order of mapping: from left to right a literal segment comes before a
/// variable, then the format that sorts first. Finding it costs a step for each segment of the URL, not for each route.
///
/// Everything here happens on the main actor, where apps receive URLs and show screens: handlers, filters and targets are
/// called on it and may call back into the router. Deep links themselves may be used from anywhere.
@MainActor
public final class Deeplinking {
    /// Runs when a link to a route is opened. It is called on the main actor.
    public typealias Target = @MainActor (Deeplink) -> Void
    /// Decides whether a link may open now. It is called on the main actor.
    public typealias Filter = @MainActor (Deeplink) -> Bool

    /// How URLs are read.
    public let dialect: RoutingDialect
    /// The app's own URL schemes; web links of foreign hosts are opened under the first one.
    public let urlSchemes: [String]
    /// The hosts that serve the app's smart links, in lower case.
    public let domains: Set<String>

    /// The link that was opened last, whether filters let it pass or not; nil before the first.
    public internal(set) var currentDeeplink: Deeplink?

    let resolver: (any SmartlinkResolving)?
    let creator: (any SmartlinkCreating)?
    let recorder: (any DeeplinkOpenRecording)?

    var routes: RouteTable<Target>
    var defaultTarget: Target?
    var filters: [(registration: DeeplinkRegistration, filter: Filter)] = []
    var handlers: [(registration: DeeplinkRegistration, object: (any DeeplinkHandler)?, handle: Target)] = []
    private var registrations = 0

    /// A router without routes.
    ///
    /// - Parameters:
    ///   - urlSchemes: the app's own URL schemes, without a colon. They are not needed to open links: any scheme is taken.
    ///   - domains: the hosts that serve the app's smart links, compared whole and without regard to case. None by default.
    ///   - dialect: how URLs are read; as HOKO's SDK for iOS by default.
    ///   - resolver: who asks the service where smart links lead and for their metadata. Without it smart links fail with
    ///     `DeeplinkingError.noService`, and links open without metadata.
    ///   - creator: who has the service make smart links. Without it `generateSmartlink(for:)` throws
    ///     `DeeplinkingError.noService`.
    ///   - recorder: who tells the service of links that were opened. Without it nobody is told.
    public init(
        urlSchemes: [String] = [], domains: [String] = [], dialect: RoutingDialect = .ios,
        resolver: (any SmartlinkResolving)? = nil, creator: (any SmartlinkCreating)? = nil,
        recorder: (any DeeplinkOpenRecording)? = nil
    ) {
        self.urlSchemes = urlSchemes
        self.domains = Set(domains.map { $0.lowercased() })
        self.dialect = dialect
        self.resolver = resolver
        self.creator = creator
        self.recorder = recorder
        routes = RouteTable(dialect: dialect)
    }

    // MARK: Routes

    /// Maps a route to what runs when a link to it is opened.
    ///
    /// Returns `DeeplinkingError.duplicateRoute` where it is mapped already; the first target stays then. Otherwise nil.
    ///
    /// - Parameters:
    ///   - route: a format such as `products/:product_id`; superfluous slashes are removed. An empty one maps the default
    ///     route.
    ///   - target: runs on the main actor, behind filters and handlers.
    @discardableResult
    public func map(_ route: String, to target: @escaping Target) -> DeeplinkingError? {
        let format = RouteFormat(route)
        guard !format.text.isEmpty else { return mapDefault(to: target) }
        return routes.map(format, to: target) ? nil : .duplicateRoute(format.text)
    }

    /// Maps what runs for links that match no route.
    ///
    /// Where there is a default route already the dialect decides: on iOS the last one replaces the others; on Android the
    /// first one stays, and `DeeplinkingError.duplicateDefaultRoute` is returned. Otherwise nil.
    @discardableResult
    public func mapDefault(to target: @escaping Target) -> DeeplinkingError? {
        if defaultTarget != nil, dialect.duplicateDefaultRoute == .first { return .duplicateDefaultRoute }
        defaultTarget = target
        return nil
    }

    /// Whether the route is mapped; superfluous slashes do not count.
    public func isMapped(_ route: String) -> Bool {
        routes.contains(RouteFormat(route))
    }

    /// The formats of the mapped routes in order of priority, without the default route: fewer segments first; then from
    /// left to right a literal before a variable; then as the formats sort, byte by byte.
    public var mappedRoutes: [String] { routes.formats }

    // MARK: Filters and handlers

    /// Adds a filter behind those that are there.
    @discardableResult
    public func addFilter(_ filter: @escaping Filter) -> DeeplinkRegistration {
        let registration = register()
        filters.append((registration, filter))
        return registration
    }

    /// Adds a handler behind those that are there.
    @discardableResult
    public func addHandler(_ handle: @escaping Target) -> DeeplinkRegistration {
        let registration = register()
        handlers.append((registration, nil, handle))
        return registration
    }

    /// Adds an object as a handler behind those that are there, and keeps it alive.
    ///
    /// Returns `DeeplinkingError.handlerExists`, and adds nothing, where the same object was added before. Otherwise nil.
    @discardableResult
    public func addHandler(_ handler: any DeeplinkHandler) -> DeeplinkingError? {
        guard !handlers.contains(where: { $0.object === handler }) else { return .handlerExists }
        handlers.append((register(), handler, { handler.handleDeeplink($0) }))
        return nil
    }

    /// Removes a filter or a handler; nothing happens where it is gone already. A link that is being opened is still shown
    /// to it.
    public func remove(_ registration: DeeplinkRegistration) {
        filters.removeAll { $0.registration == registration }
        handlers.removeAll { $0.registration == registration }
    }

    /// Removes an object that was added as a handler; nothing happens where it was not.
    public func removeHandler(_ handler: any DeeplinkHandler) {
        handlers.removeAll { $0.object === handler }
    }

    private func register() -> DeeplinkRegistration {
        registrations += 1
        return DeeplinkRegistration(number: registrations)
    }
}

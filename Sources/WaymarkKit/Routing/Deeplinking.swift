/// The app's deep links: which route leads to which code, and what happens between a URL and that code.
///
///     let deeplinking = Deeplinking(client: client, urlSchemes: ["shop"])
///     try deeplinking.map("products/:product_id") { deeplink in
///         show(product: deeplink.routeParameters["product_id"])
///     }
///     deeplinking.open(url)   // shop://products/42?referrer=ana, https://go.example.com/Ab3dE9x
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
    let hosts: LinkHosts

    /// The link that was opened last, whether filters let it pass or not; nil before the first, and while the first waits
    /// for an answer of the service.
    public internal(set) var currentDeeplink: Deeplink?

    let resolver: (any SmartlinkResolving)?
    let creator: (any SmartlinkCreating)?
    let recorder: (any DeeplinkOpenRecording)?

    var turns = OpeningTurns()
    var routes: RouteTable<Target>
    var defaultTarget: Target?
    var filters: [(registration: DeeplinkRegistration, filter: Filter)] = []
    var handlers: [(registration: DeeplinkRegistration, object: (any DeeplinkHandler)?, handle: Target)] = []
    private var registrations = 0

    /// A router without routes.
    ///
    /// - Parameters:
    ///   - urlSchemes: the app's own URL schemes, without a colon. They are not needed to open links: any scheme is taken.
    ///   - domains: the hosts that serve the app's smart links, `openHost` included, compared whole and without regard to
    ///     case. `localhost`, `127.0.0.1` and `::1` are one host. None by default.
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
        hosts = LinkHosts(domains)
        self.dialect = dialect
        self.resolver = resolver
        self.creator = creator
        self.recorder = recorder
        routes = RouteTable(dialect: dialect)
    }

    /// A router without routes that does everything through one client.
    ///
    /// - Parameters:
    ///   - client: resolves and makes smart links and reports what was opened.
    ///   - urlSchemes: the app's own URL schemes, without a colon.
    ///   - domains: the hosts that serve the app's smart links; the client's (`ClientOptions.domains`, or the service's own
    ///     host) by default.
    ///   - dialect: how URLs are read; as HOKO's SDK for iOS by default.
    public convenience init(
        client: WaymarkClient, urlSchemes: [String] = [], domains: [String]? = nil, dialect: RoutingDialect = .ios
    ) {
        self.init(
            urlSchemes: urlSchemes, domains: domains ?? client.domains.sorted(), dialect: dialect, resolver: client,
            creator: client, recorder: client)
    }

    // MARK: Routes

    /// Maps a route to what runs when a link to it is opened.
    ///
    /// Throws `DeeplinkingError.duplicateRoute` where it is mapped already; the first target stays then.
    ///
    /// - Parameters:
    ///   - route: a format such as `products/:product_id`; superfluous slashes are removed. An empty one maps the default
    ///     route.
    ///   - target: runs on the main actor, behind filters and handlers.
    public func map(_ route: String, to target: @escaping Target) throws(DeeplinkingError) {
        let format = RouteFormat(route)
        guard !format.text.isEmpty else { return try mapDefault(to: target) }
        guard routes.map(format, to: target) else { throw .duplicateRoute(format.text) }
    }

    /// Maps what runs for links that match no route.
    ///
    /// Where there is a default route already the dialect decides: on iOS, the default, the last one replaces the others;
    /// on Android the first one stays, and `DeeplinkingError.duplicateDefaultRoute` is thrown.
    public func mapDefault(to target: @escaping Target) throws(DeeplinkingError) {
        if defaultTarget != nil, dialect.duplicateDefaultRoute == .first { throw .duplicateDefaultRoute }
        defaultTarget = target
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
    /// Throws `DeeplinkingError.handlerExists`, and adds nothing, where the same object was added before.
    public func addHandler(_ handler: any DeeplinkHandler) throws(DeeplinkingError) {
        guard !handlers.contains(where: { $0.object === handler }) else { throw .handlerExists }
        handlers.append((register(), handler, { handler.handleDeeplink($0) }))
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

/// An object that is told of every deep link that is about to open (analytics, say).
///
/// It is called on the main actor, behind the filters and before the target; the router keeps it alive.
@MainActor
public protocol DeeplinkHandler: AnyObject {
    /// Is called with each deep link that the filters let pass; its `wasOpened` is still false.
    func handleDeeplink(_ deeplink: Deeplink)
}

/// What was added to a router and can be taken out again with `Deeplinking.remove(_:)`.
public struct DeeplinkRegistration: Sendable, Hashable {
    let number: Int
}

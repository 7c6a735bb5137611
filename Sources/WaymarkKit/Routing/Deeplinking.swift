/// The app's router: maps routes to code and opens deep links.
///
///     let deeplinking = Deeplinking(client: client, urlSchemes: ["shop"])
///     try deeplinking.map("products/:product_id") { deeplink in
///         show(product: deeplink.routeParameters["product_id"])
///     }
///     deeplinking.open(url)   // shop://products/42?referrer=ana, https://go.example.com/Ab3dE9x
///
/// Opening a link has a fixed order: the link becomes `currentDeeplink`; filters run in the order they were added,
/// and the first that returns false stops the link; handlers run; the route's target runs; `wasOpened` becomes true.
///
/// Matching does not depend on the order of mapping: from left to right, a literal segment takes precedence over a
/// variable, then the format that sorts first. Its cost grows with the number of segments of the URL, not with the
/// number of routes.
///
/// The router is isolated to the main actor, where apps receive URLs and show screens: handlers, filters and targets
/// run on it and may call the router. Deep links may be used from any thread.
@MainActor
public final class Deeplinking {
    /// Code that runs when a link to a route is opened. Called on the main actor.
    public typealias Target = @MainActor (Deeplink) -> Void
    /// Decides whether a link may open now. Called on the main actor.
    public typealias Filter = @MainActor (Deeplink) -> Bool

    /// The rules for reading URLs.
    public let dialect: RoutingDialect
    /// The app's own URL schemes. Web links of other hosts are opened under the first one.
    public let urlSchemes: [String]
    /// The hosts that serve the app's smart links, in lower case.
    public let domains: Set<String>
    let hosts: LinkHosts

    /// The most recently opened link, whether or not filters let it pass; nil before the first link, and while the
    /// first one is waiting for the service.
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

    /// Creates a router without routes.
    ///
    /// - Parameters:
    ///   - urlSchemes: the app's own URL schemes, without a colon. Opening links does not require them: any scheme is
    ///     accepted.
    ///   - domains: the hosts that serve the app's smart links, including `openHost`. They are compared in full,
    ///     ignoring case. `localhost`, `127.0.0.1` and `::1` are the same host. Default: none.
    ///   - dialect: the rules for reading URLs. Default: those of RFC 3986.
    ///   - resolver: resolves smart links and fetches metadata. Without it, smart links fail with
    ///     `DeeplinkingError.noService`, and links open without metadata.
    ///   - creator: creates smart links. Without it, `generateSmartlink(for:)` throws `DeeplinkingError.noService`.
    ///   - recorder: records which links were opened. Without it, nothing is recorded.
    public init(
        urlSchemes: [String] = [], domains: [String] = [], dialect: RoutingDialect = .standard,
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

    /// Creates a router without routes that uses one client for everything.
    ///
    /// - Parameters:
    ///   - client: resolves and creates smart links and records which links were opened.
    ///   - urlSchemes: the app's own URL schemes, without a colon.
    ///   - domains: the hosts that serve the app's smart links. Default: the client's (`ClientOptions.domains`, or
    ///     the service's own host).
    ///   - dialect: the rules for reading URLs. Default: those of RFC 3986.
    public convenience init(
        client: WaymarkClient, urlSchemes: [String] = [], domains: [String]? = nil, dialect: RoutingDialect = .standard
    ) {
        self.init(
            urlSchemes: urlSchemes, domains: domains ?? client.domains.sorted(), dialect: dialect, resolver: client,
            creator: client, recorder: client)
    }

    // MARK: Routes

    /// Maps a route to a target, which runs when a link to the route is opened.
    ///
    /// Throws `DeeplinkingError.duplicateRoute` if the route is already mapped; the first target is kept.
    ///
    /// - Parameters:
    ///   - route: a format such as `products/:product_id`; redundant slashes are removed. An empty one maps the
    ///     default route.
    ///   - target: runs on the main actor, after filters and handlers.
    public func map(_ route: String, to target: @escaping Target) throws(DeeplinkingError) {
        let format = RouteFormat(route)
        guard !format.text.isEmpty else { return try mapDefault(to: target) }
        guard routes.map(format, to: target) else { throw .duplicateRoute(format.text) }
    }

    /// Maps the target of links that match no route.
    ///
    /// The dialect decides what happens if there is already a default route: by default the last one replaces the
    /// others; in dialects that keep the first, `DeeplinkingError.duplicateDefaultRoute` is thrown.
    public func mapDefault(to target: @escaping Target) throws(DeeplinkingError) {
        if defaultTarget != nil, dialect.duplicateDefaultRoute == .first { throw .duplicateDefaultRoute }
        defaultTarget = target
    }

    /// Whether the route is mapped, ignoring redundant slashes.
    public func isMapped(_ route: String) -> Bool {
        routes.contains(RouteFormat(route))
    }

    /// The formats of the mapped routes in order of priority, without the default route: fewer segments first; then,
    /// from left to right, a literal before a variable; then by byte order of the formats.
    public var mappedRoutes: [String] { routes.formats }

    // MARK: Filters and handlers

    /// Adds a filter after the existing ones.
    @discardableResult
    public func addFilter(_ filter: @escaping Filter) -> DeeplinkRegistration {
        let registration = register()
        filters.append((registration, filter))
        return registration
    }

    /// Adds a handler after the existing ones.
    @discardableResult
    public func addHandler(_ handle: @escaping Target) -> DeeplinkRegistration {
        let registration = register()
        handlers.append((registration, nil, handle))
        return registration
    }

    /// Adds an object as a handler after the existing ones, and retains it.
    ///
    /// Throws `DeeplinkingError.handlerExists`, and adds nothing, if the same object has already been added.
    public func addHandler(_ handler: any DeeplinkHandler) throws(DeeplinkingError) {
        guard !handlers.contains(where: { $0.object === handler }) else { throw .handlerExists }
        handlers.append((register(), handler, { handler.handleDeeplink($0) }))
    }

    /// Removes a filter or a handler; does nothing if it has already been removed. A link that is being opened is
    /// still passed to it.
    public func remove(_ registration: DeeplinkRegistration) {
        filters.removeAll { $0.registration == registration }
        handlers.removeAll { $0.registration == registration }
    }

    /// Removes a handler object; does nothing if it was not added.
    public func removeHandler(_ handler: any DeeplinkHandler) {
        handlers.removeAll { $0.object === handler }
    }

    private func register() -> DeeplinkRegistration {
        registrations += 1
        return DeeplinkRegistration(number: registrations)
    }
}

/// An object that receives every deep link that is about to open, for example for analytics.
///
/// Called on the main actor, after the filters and before the target; the router retains it.
@MainActor
public protocol DeeplinkHandler: AnyObject {
    /// Called with each deep link that passed the filters; its `wasOpened` is still false.
    func handleDeeplink(_ deeplink: Deeplink)
}

/// A filter or handler of a router, to be removed with `Deeplinking.remove(_:)`.
public struct DeeplinkRegistration: Sendable, Hashable {
    let number: Int
}

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
    /// A target that waits, for example for a screen's data. `wasOpened` becomes true when it has ended.
    public typealias AsyncTarget = @MainActor (Deeplink) async -> Void
    /// A filter that waits, for example for a sign-in. If another link is opened meanwhile, its answer is ignored.
    public typealias AsyncFilter = @MainActor (Deeplink) async -> Bool

    /// The rules for reading URLs.
    public let dialect: RoutingDialect
    /// The app's own URL schemes. Web links of other hosts are opened under the first one.
    public let urlSchemes: [String]
    /// The hosts that serve the app's smart links, in lower case.
    public let domains: Set<String>
    let hosts: LinkHosts

    /// How long a link waits for the service before it fails: the person has gone on by then. If the process sleeps
    /// past it by more than a second, nothing runs, and the link opens with `openCurrentDeeplink()` only.
    public let openingTimeLimit: Duration

    /// The most recently opened link, whether or not filters let it pass; nil before the first link, and while the
    /// first one is waiting for the service. Views that read it are updated (`Observation`, from iOS 17 and macOS 14).
    public internal(set) var currentDeeplink: Deeplink? {
        get {
            observation.access(self)
            return current
        }
        set { observation.change(self) { current = newValue } }
    }
    private var current: Deeplink?
    private let observation = DeeplinkObservation()

    let resolver: (any SmartlinkResolving)?
    let creator: (any SmartlinkCreating)?
    let recorder: (any DeeplinkOpenRecording)?

    /// The resolver if it is the client: it keeps links until they were shown.
    let client: WaymarkClient?
    var keeper: KeptLinkStore? { client?.links }
    let onDiagnostic: (@Sendable (LinkDiagnostic) -> Void)?
    let streams = DeeplinkStreams()
    /// Ends at `openingTimeLimit`. Tests replace it.
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Goes on while the device sleeps or the process is suspended. Tests replace it.
    package var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    /// Waits for the answer to a link that has failed by then.
    var late: Task<Void, Never>?

    var turns = OpeningTurns()
    /// The number of links that have become the current one.
    var currentTurn = 0
    var routes: RouteTable<DeeplinkStep<Void>>
    var defaultTarget: DeeplinkStep<Void>?
    var filters: [(registration: DeeplinkRegistration, filter: DeeplinkStep<Bool>)] = []
    var handlers: [(registration: DeeplinkRegistration, object: (any DeeplinkHandler)?, handle: Target)] = []
    private var registrations = 0
    #if canImport(Network)
        private var networkWatch: NetworkWatch?
    #endif

    /// Creates a router without routes.
    ///
    /// - Parameters:
    ///   - urlSchemes: the app's own URL schemes, without a colon. URLs of other schemes, such as sign-in callbacks and
    ///     files, are then not handled. Default: none, and every scheme is accepted.
    ///   - domains: the hosts that serve the app's smart links, including `openHost`. They are compared in full,
    ///     ignoring case. `localhost`, `127.0.0.1` and `::1` are the same host. Default: none.
    ///   - dialect: the rules for reading URLs. Default: those of RFC 3986.
    ///   - resolver: resolves smart links and fetches metadata. Without it, smart links fail with
    ///     `DeeplinkingError.noService`, and links open without metadata.
    ///   - creator: creates smart links. Without it, `generateSmartlink(for:)` throws `DeeplinkingError.noService`.
    ///   - recorder: records which links were opened. Without it, nothing is recorded.
    ///   - openingTimeLimit: how long a link waits for the service. Default: 5 seconds.
    ///   - onDiagnostic: called with each step of a link, on the main actor; see `LinkDiagnostic`.
    public init(
        urlSchemes: [String] = [], domains: [String] = [], dialect: RoutingDialect = .standard,
        resolver: (any SmartlinkResolving)? = nil, creator: (any SmartlinkCreating)? = nil,
        recorder: (any DeeplinkOpenRecording)? = nil, openingTimeLimit: Duration = .seconds(5),
        onDiagnostic: (@Sendable (LinkDiagnostic) -> Void)? = nil
    ) {
        self.urlSchemes = urlSchemes
        self.domains = Set(domains.map { $0.lowercased() })
        hosts = LinkHosts(domains)
        self.dialect = dialect
        self.resolver = resolver
        self.creator = creator
        self.recorder = recorder
        self.openingTimeLimit = openingTimeLimit
        self.onDiagnostic = onDiagnostic
        client = resolver as? WaymarkClient
        routes = RouteTable(dialect: dialect)
        #if canImport(Network)
            networkWatch = resolver == nil ? nil : NetworkWatch(of: self)
        #endif
    }

    /// Creates a router without routes that uses one client for everything.
    ///
    /// - Parameters:
    ///   - client: resolves and creates smart links and records which links were opened.
    ///   - urlSchemes: the app's own URL schemes, without a colon.
    ///   - domains: the hosts that serve the app's smart links. Default: the client's (`ClientOptions.domains`, or
    ///     the service's own host).
    ///   - dialect: the rules for reading URLs. Default: those of RFC 3986.
    ///   - openingTimeLimit: how long a link waits for the service. Default: 5 seconds.
    ///   - onDiagnostic: called with each step of a link. Default: the client's.
    public convenience init(
        client: WaymarkClient, urlSchemes: [String] = [], domains: [String]? = nil, dialect: RoutingDialect = .standard,
        openingTimeLimit: Duration = .seconds(5), onDiagnostic: (@Sendable (LinkDiagnostic) -> Void)? = nil
    ) {
        self.init(
            urlSchemes: urlSchemes, domains: domains ?? client.domains.sorted(), dialect: dialect, resolver: client,
            creator: client, recorder: client, openingTimeLimit: openingTimeLimit,
            onDiagnostic: onDiagnostic ?? client.onDiagnostic)
    }

    func register() -> DeeplinkRegistration {
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

import WaymarkKit

/// Routes URLs by a configuration file: runs the configured handlers and has the app present the views.
///
///     let routing = MobileDeepLinking(configuration: configuration, device: .iPhone, presenter: navigation)
///     routing.registerHandler(named: "logAnalytics") { parameters in
///         parameters["seen"] = true
///     }
///     let outcome = routing.route("shop://sales/3")
///
/// Isolated to the main actor: handlers and the presenter are called on it.
@preconcurrency @MainActor
public final class MobileDeepLinking {
    /// Runs before the view of a route. Later handlers and the view see its changes.
    public typealias Handler = @MainActor (inout [String: Any]) -> Void

    /// The routes.
    public let configuration: MobileDeepLinkingConfiguration
    /// Why the bundle's configuration could not be read; nil if it was, or if one was given.
    public let configurationError: MobileDeepLinkingConfigurationError?

    private let device: MobileDeepLinkingDevice
    private let presenter: (any MobileDeepLinkingPresenting)?
    private let log: (@MainActor (String) -> Void)?
    private var handlers: [String: Handler] = [:]

    /// Creates a router without handlers.
    ///
    /// - Parameters:
    ///   - configuration: the routes.
    ///   - device: selects the storyboards. Default: iPhone.
    ///   - presenter: presents views. Without one, the view is only in the outcome and counts as presented.
    ///   - log: receives one line per decision if the configuration enables `logging`: patterns and names, never
    ///     values of a URL. Default: nothing is logged.
    public convenience init(
        configuration: MobileDeepLinkingConfiguration, device: MobileDeepLinkingDevice = .iPhone,
        presenter: (any MobileDeepLinkingPresenting)? = nil, log: (@MainActor (String) -> Void)? = nil
    ) {
        self.init(
            configuration: configuration, device: device, presenter: presenter, log: log, configurationError: nil)
    }

    init(
        configuration: MobileDeepLinkingConfiguration, device: MobileDeepLinkingDevice,
        presenter: (any MobileDeepLinkingPresenting)?, log: (@MainActor (String) -> Void)?,
        configurationError: MobileDeepLinkingConfigurationError?
    ) {
        self.configuration = configuration
        self.configurationError = configurationError
        self.device = device
        self.presenter = presenter
        self.log = configuration.logging ? log : nil
    }

    /// Registers a handler under the name used by routes, replacing an earlier one.
    public func registerHandler(named name: String, _ handler: @escaping Handler) {
        handlers[name] = handler
    }

    /// Routes a URL.
    ///
    /// The route's handlers run in the order of the configuration, on one dictionary that initially has the URL's
    /// parameters; then its view is presented. If a handler is not registered, no handler of the route runs.
    /// In that case, or if the view is refused, the parent of the URL is tried. If no parent is left, the default route is
    /// taken, with an empty dictionary.
    @discardableResult
    public func route(_ url: some DeepLinkURLConvertible) -> MobileDeepLinkingOutcome {
        let (plain, service) = url.deepLinkURL.separatingServiceParameters()
        var failures: [MobileDeepLinkingOutcome.Failure] = []
        var depth = 0
        var steps = 0
        while let match = configuration.match(plain, from: depth, steps: &steps) {
            switch run(match.route, parameters: match.parameters) {
            case .done(let parameters, let view):
                log?("The route '\(match.route.pattern)' was taken.")
                return MobileDeepLinkingOutcome(
                    destination: .route(match.route.pattern), parameters: parameters, handlers: match.route.handlers,
                    view: view, fallbackDepth: match.fallbackDepth, failures: failures, service: service)
            case .failed(let reason):
                log?("The route '\(match.route.pattern)' was not taken: \(reason).")
                failures.append(MobileDeepLinkingOutcome.Failure(route: match.route.pattern, reason: reason))
                depth = match.fallbackDepth + 1
            }
        }
        return routeToDefault(plain, failures: failures, service: service)
    }

    private func routeToDefault(
        _ url: DeepLinkURL, failures: [MobileDeepLinkingOutcome.Failure], service: ServiceParameters
    ) -> MobileDeepLinkingOutcome {
        let read = MobileDeepLinkingURL(url, dialect: configuration.dialect)
        let depth = read.segments.count + (read.host == nil ? 0 : 1)
        var failures = failures
        if let route = configuration.defaultRoute {
            switch run(route, parameters: [:]) {
            case .done(let parameters, let view):
                log?("The default route was taken.")
                return MobileDeepLinkingOutcome(
                    destination: .defaultRoute, parameters: parameters, handlers: route.handlers, view: view,
                    fallbackDepth: depth, failures: failures, service: service)
            case .failed(let reason):
                failures.append(MobileDeepLinkingOutcome.Failure(route: "", reason: reason))
            }
        }
        log?("No route was taken.")
        return MobileDeepLinkingOutcome(
            destination: .none, parameters: [:], handlers: [], view: nil, fallbackDepth: depth, failures: failures,
            service: service)
    }

    private enum Run {
        case done(parameters: [String: Any], view: MobileDeepLinkingView?)
        case failed(MobileDeepLinkingOutcome.Reason)
    }

    private func run(_ route: MobileDeepLinkingConfiguration.Route, parameters: [String: String]) -> Run {
        // All handlers are looked up before the first one runs, because half a chain would leave side effects.
        var chain: [Handler] = []
        for name in route.handlers {
            guard let handler = handlers[name] else { return .failed(.handlerNotRegistered(name)) }
            chain.append(handler)
        }
        var parameters: [String: Any] = parameters
        for handler in chain { handler(&parameters) }
        guard let view = configuration.view(of: route, on: device) else {
            return .done(parameters: parameters, view: nil)
        }
        guard presenter?.present(view, parameters: parameters) ?? true else { return .failed(.viewRefused(view)) }
        return .done(parameters: parameters, view: view)
    }
}

/// Presents the views of routes: `MobileDeepLinkingNavigator`, or a type of the app. Called on the main actor.
@MainActor
public protocol MobileDeepLinkingPresenting {
    /// Presents a view.
    ///
    /// - Parameters:
    ///   - view: the view and how to create it.
    ///   - parameters: the URL's parameters as changed by the handlers, to be set on the view by name.
    /// - Returns: false if the view can't be presented or refuses the parameters. The route then fails and the parent
    ///   of the URL is tried.
    func present(_ view: MobileDeepLinkingView, parameters: [String: Any]) -> Bool
}

/// The view of a route.
public enum MobileDeepLinkingView: Sendable, Hashable {
    /// From a storyboard, by its identifier. The class is the one in the route, or nil.
    case storyboard(name: String, identifier: String, className: String?)
    /// From a nib.
    case nib(name: String, className: String)
    /// Created from its class.
    case code(className: String)

    /// The view's class; nil if only the storyboard defines it.
    public var className: String? {
        switch self {
        case .storyboard(_, _, let className): className
        case .nib(_, let className), .code(let className): className
        }
    }
}

/// The kinds of device with their own storyboards in a configuration.
public enum MobileDeepLinkingDevice: Sendable, Hashable {
    /// iPhones.
    case iPhone
    /// iPads and all other devices.
    case iPad
}

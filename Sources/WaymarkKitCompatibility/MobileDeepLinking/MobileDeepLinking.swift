import WaymarkKit

/// Routes URLs by a configuration file: runs the handlers that it names, and asks the app for the views.
///
///     let routing = MobileDeepLinking(configuration: configuration, device: .iPhone, presenter: navigation)
///     routing.registerHandler(named: "logAnalytics") { parameters in
///         parameters["seen"] = true
///     }
///     let outcome = routing.route("shop://sales/3")
///
/// Everything here happens on the main actor: handlers and the presenter are called on it.
@MainActor
public final class MobileDeepLinking {
    /// Is run before the view of a route. What it changes is there for the handlers behind it and for the view.
    public typealias Handler = @MainActor (inout [String: any Sendable]) -> Void

    /// What the routes are.
    public let configuration: MobileDeepLinkingConfiguration

    private let device: MobileDeepLinkingDevice
    private let presenter: (any MobileDeepLinkingPresenting)?
    private let log: (@MainActor (String) -> Void)?
    private var handlers: [String: Handler] = [:]

    /// A router without handlers.
    ///
    /// - Parameters:
    ///   - configuration: the routes.
    ///   - device: which storyboards count. iPhone by default.
    ///   - presenter: who shows views. Without one the view stands in the outcome only, and counts as shown.
    ///   - log: takes a line for every decision where the configuration says `logging`: patterns and names, never values of
    ///     a URL. By default nothing is logged.
    public init(
        configuration: MobileDeepLinkingConfiguration, device: MobileDeepLinkingDevice = .iPhone,
        presenter: (any MobileDeepLinkingPresenting)? = nil, log: (@MainActor (String) -> Void)? = nil
    ) {
        self.configuration = configuration
        self.device = device
        self.presenter = presenter
        self.log = configuration.logging ? log : nil
    }

    /// Registers a handler under the name that routes have for it. One that was registered under the name before is replaced.
    public func registerHandler(named name: String, _ handler: @escaping Handler) {
        handlers[name] = handler
    }

    /// Leads a URL to its route.
    ///
    /// The route's handlers run in the order of the configuration, on one dictionary that begins with the URL's parameters;
    /// then its view is asked for. Where a handler is not registered (none of the route's handlers runs then) or the view is
    /// refused, the parent of the URL is tried. Where nothing is left, the default route is taken, with an empty dictionary.
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
        case done(parameters: [String: any Sendable], view: MobileDeepLinkingView?)
        case failed(MobileDeepLinkingOutcome.Reason)
    }

    private func run(_ route: MobileDeepLinkingConfiguration.Route, parameters: [String: String]) -> Run {
        // All are looked up before the first one runs: half a chain would leave its traces behind.
        var chain: [Handler] = []
        for name in route.handlers {
            guard let handler = handlers[name] else { return .failed(.handlerNotRegistered(name)) }
            chain.append(handler)
        }
        var parameters: [String: any Sendable] = parameters
        for handler in chain { handler(&parameters) }
        guard let view = configuration.view(of: route, on: device) else {
            return .done(parameters: parameters, view: nil)
        }
        guard presenter?.present(view, parameters: parameters) ?? true else { return .failed(.viewRefused(view)) }
        return .done(parameters: parameters, view: view)
    }
}

/// Who shows the views that routes ask for. An app implements it; it is called on the main actor.
@MainActor
public protocol MobileDeepLinkingPresenting {
    /// Shows a view.
    ///
    /// - Parameters:
    ///   - view: which one, and how it is made.
    ///   - parameters: what the URL gave and the handlers made of it, to be set on the view by name.
    /// - Returns: false where the view cannot be shown, or refuses the parameters. The route fails then and the parent of
    ///   the URL is tried.
    func present(_ view: MobileDeepLinkingView, parameters: [String: any Sendable]) -> Bool
}

/// A view that a route asks for.
public enum MobileDeepLinkingView: Sendable, Hashable {
    /// From a storyboard, by its identifier there. The class is what the route names besides, or nil.
    case storyboard(name: String, identifier: String, className: String?)
    /// From a nib.
    case nib(name: String, className: String)
    /// Made by its class alone.
    case code(className: String)

    /// The view's class; nil where only a storyboard knows it.
    public var className: String? {
        switch self {
        case .storyboard(_, _, let className): className
        case .nib(_, let className), .code(let className): className
        }
    }
}

/// The kinds of device that a configuration can name storyboards for.
public enum MobileDeepLinkingDevice: Sendable, Hashable {
    /// iPhones, and everything else that is no iPad.
    case iPhone
    /// iPads.
    case iPad
}

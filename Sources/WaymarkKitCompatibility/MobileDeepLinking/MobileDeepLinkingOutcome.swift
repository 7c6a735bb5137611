import WaymarkKit

/// The destination of a URL and how it was found. Not `Sendable`, because handlers may set parameters to any object.
public struct MobileDeepLinkingOutcome {
    /// The destination of a URL.
    public enum Destination: Sendable, Hashable {
        /// The route with this pattern.
        case route(String)
        /// The default route.
        case defaultRoute
        /// No destination: the app just opens.
        case none
    }

    /// A route that matched but was not taken.
    public struct Failure: Sendable, Hashable {
        /// Its pattern; empty for the default route.
        public let route: String
        /// The reason.
        public let reason: Reason
    }

    /// The reason why a matching route was not taken.
    public enum Reason: Sendable, Hashable {
        /// No handler is registered under this name. None of the route's handlers has run.
        case handlerNotRegistered(String)
        /// The app refused to present the view. The route's handlers have run.
        case viewRefused(MobileDeepLinkingView)
    }

    /// The destination of the URL.
    public let destination: Destination
    /// The URL's parameters as changed by the handlers; the default route starts with none.
    public let parameters: [String: Any]
    /// The names of the destination's handlers, in the order they ran.
    public let handlers: [String]
    /// The view that was presented; nil if the destination has none.
    public let view: MobileDeepLinkingView?
    /// The number of segments dropped from the end of the URL's path, plus one for the host if no route was taken.
    public let fallbackDepth: Int
    /// The routes that matched but were not taken, in order.
    public let failures: [Failure]
    /// The service's parameters in the URL.
    public let service: ServiceParameters
}

/// A problem in a configuration and its position.
public struct MobileDeepLinkingProblem: Sendable, Hashable {
    /// The line, from 1.
    public let line: Int
    /// The column in Unicode scalars, from 1.
    public let column: Int
    /// The names leading to the problem, joined by ` > ` (`routes > sales/:saleId > handlers`); empty for the whole
    /// text.
    public let path: String
    /// The description, without a full stop.
    public let problem: String

    func precedes(_ other: MobileDeepLinkingProblem) -> Bool {
        (line, column) < (other.line, other.column)
    }
}

extension MobileDeepLinkingProblem: CustomStringConvertible {
    /// One line: `line 3, column 7: routes > sales > class: must be a string, not a number`.
    public var description: String {
        "line \(line), column \(column): " + (path.isEmpty ? problem : path + ": " + problem)
    }
}

/// The configuration could not be read.
public struct MobileDeepLinkingConfigurationError: Error, Sendable, Hashable {
    /// All problems in the order of the file: at least one and at most 100.
    public let problems: [MobileDeepLinkingProblem]
}

extension MobileDeepLinkingConfigurationError: CustomStringConvertible {
    /// One line per problem.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}

import WaymarkKit

/// Where a URL led, and what happened on the way.
public struct MobileDeepLinkingOutcome: Sendable {
    /// Where a URL can lead.
    public enum Destination: Sendable, Hashable {
        /// To the route with this pattern.
        case route(String)
        /// To the default route.
        case defaultRoute
        /// Nowhere: the app just opens.
        case none
    }

    /// A route that matched and still was not taken.
    public struct Failure: Sendable, Hashable {
        /// Its pattern; empty for the default route.
        public let route: String
        /// Why.
        public let reason: Reason
    }

    /// Why a route that matched was not taken.
    public enum Reason: Sendable, Hashable {
        /// No handler is registered under this name. None of the route's handlers has run.
        case handlerNotRegistered(String)
        /// The app refused to show the view. The route's handlers have run.
        case viewRefused(MobileDeepLinkingView)
    }

    /// Where the URL led.
    public let destination: Destination
    /// What the URL gave and the handlers made of it; empty for the default route before its handlers.
    public let parameters: [String: any Sendable]
    /// The names of the destination's handlers, in the order in which they ran.
    public let handlers: [String]
    /// The view that was asked for; nil where the destination has none.
    public let view: MobileDeepLinkingView?
    /// How many segments were dropped from the end of the URL's path, and one more for the host where no route was taken.
    public let fallbackDepth: Int
    /// The routes that matched and were not taken, in order.
    public let failures: [Failure]
    /// What the service said in the URL.
    public let service: ServiceParameters
}

/// Something wrong with a configuration, and where it stands.
public struct MobileDeepLinkingProblem: Sendable, Hashable {
    /// From 1.
    public let line: Int
    /// From 1, in Unicode scalars.
    public let column: Int
    /// The names that lead there, joined by ` > ` (`routes > sales/:saleId > handlers`); empty for the whole text.
    public let path: String
    /// What is wrong, without a full stop.
    public let problem: String
}

extension MobileDeepLinkingProblem: CustomStringConvertible {
    /// One line: `line 3, column 7: routes > sales > class: must be a string, not a number`.
    public var description: String {
        "line \(line), column \(column): " + (path.isEmpty ? problem : path + ": " + problem)
    }
}

/// Why a configuration could not be read.
public struct MobileDeepLinkingConfigurationError: Error, Sendable, Hashable {
    /// Everything that is wrong, in the order of the file; at least one problem and at most 100.
    public let problems: [MobileDeepLinkingProblem]
}

extension MobileDeepLinkingConfigurationError: CustomStringConvertible {
    /// One line for each problem.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}

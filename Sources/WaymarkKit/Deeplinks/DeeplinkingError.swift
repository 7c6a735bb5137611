public import Foundation

/// What can go wrong with deep links inside of the app, before any network is asked.
public enum DeeplinkingError: Error, Sendable, Hashable {
    /// The route (as it was mapped before) has a target already; the first one stays.
    case duplicateRoute(String)
    /// The default route has a target already and the dialect keeps the first.
    case duplicateDefaultRoute
    /// The handler object was added before; it is not added twice.
    case handlerExists
    /// The metadata's member of that name is not JSON; empty where it is the whole. The deep link has no metadata then.
    case invalidMetadata(member: String)
    /// Variables of the route have no value; their names, in the route's order. Empty where only that is known.
    case missingRouteParameters([String])
    /// A smart link was asked for a route that is not mapped and without URLs of its own.
    case routeNotMapped(String)
    /// Nobody was given to the router who could ask the service.
    case noService
    /// The service answered without a smart link.
    case generationFailed

    /// The number that the HOKO SDK for iOS has for the error, for apps that compare numbers. 1 (not set up) for
    /// `noService`.
    public var hokoCode: Int {
        switch self {
        case .noService: 1
        case .duplicateRoute, .duplicateDefaultRoute: 4
        case .generationFailed: 8
        case .routeNotMapped: 10
        case .missingRouteParameters: 11
        case .invalidMetadata: 15
        case .handlerExists: 16
        }
    }
}

extension DeeplinkingError: LocalizedError, CustomStringConvertible {
    /// One sentence without its full stop.
    public var description: String {
        switch self {
        case .duplicateRoute(let route): "the route '\(route)' is mapped already"
        case .duplicateDefaultRoute: "the default route is mapped already"
        case .handlerExists: "the handler was added already"
        case .invalidMetadata(let member) where member.isEmpty: "the metadata is not a JSON object"
        case .invalidMetadata(let member): "the metadata's member '\(member)' is not JSON"
        case .missingRouteParameters(let names) where names.isEmpty: "a parameter of the route is missing"
        case .missingRouteParameters(let names): "the route's parameters \(names.joined(separator: ", ")) are missing"
        case .routeNotMapped(let route): "the route '\(route)' is not mapped"
        case .noService: "no connection to the service was given"
        case .generationFailed: "the service answered without a smart link"
        }
    }

    /// The description as a sentence: what `localizedDescription` shows. It is English and meant for developers.
    public var errorDescription: String? { description.sentence }
}

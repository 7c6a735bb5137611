public import Foundation

/// Errors of deep links that occur in the app, without a request.
public enum DeeplinkingError: Error, Sendable, Hashable {
    /// The route already has a target, which is kept. The value is the route as mapped first.
    case duplicateRoute(String)
    /// The default route already has a target, and the dialect keeps the first.
    case duplicateDefaultRoute
    /// The handler object has already been added; it is not added twice.
    case handlerExists
    /// The metadata member with this name is not JSON; empty if the whole is not. The deep link then has no metadata.
    case invalidMetadata(member: String)
    /// Variables of the route have no value: their names, in the route's order. Empty if the names are unknown.
    case missingRouteParameters([String])
    /// Variables of the route have the value `.` or `..`, which browsers remove from URLs (RFC 3986, section 5.2.4):
    /// their names, in the route's order.
    case invalidRouteParameters([String])
    /// A smart link was requested for a route that is not mapped and has no URLs of its own.
    case routeNotMapped(String)
    /// The router has no resolver or creator to call the service.
    case noService
    /// The service responded without a smart link.
    case generationFailed

    /// The error's number in the HOKO SDK for iOS, for apps that compare numbers. `noService` is 1 (not set up).
    public var hokoCode: Int {
        switch self {
        case .noService: 1
        case .duplicateRoute, .duplicateDefaultRoute: 4
        case .generationFailed: 8
        case .routeNotMapped: 10
        case .missingRouteParameters, .invalidRouteParameters: 11
        case .invalidMetadata: 15
        case .handlerExists: 16
        }
    }
}

extension DeeplinkingError: LocalizedError, CustomStringConvertible {
    /// One sentence without a full stop.
    public var description: String {
        switch self {
        case .duplicateRoute(let route): "the route '\(route)' is mapped already"
        case .duplicateDefaultRoute: "the default route is mapped already"
        case .handlerExists: "the handler was added already"
        case .invalidMetadata(let member) where member.isEmpty: "the metadata is not a JSON object"
        case .invalidMetadata(let member): "the metadata's member '\(member)' is not JSON"
        case .missingRouteParameters(let names) where names.isEmpty: "a parameter of the route is missing"
        case .missingRouteParameters(let names): "the route's parameters \(names.joined(separator: ", ")) are missing"
        case .invalidRouteParameters(let names):
            "the route's parameters \(names.joined(separator: ", ")) are . or .., which browsers remove from URLs; "
                + "use other values"
        case .routeNotMapped(let route): "the route '\(route)' is not mapped"
        case .noService: "no connection to the service was given"
        case .generationFailed: "the service answered without a smart link"
        }
    }

    /// The description as a sentence, for `localizedDescription`. It is in English and meant for developers.
    public var errorDescription: String? { description.sentence }
}

extension Deeplink {
    /// A value that can appear in a URL: any type that converts to text and back, such as `String`, `Int`, `Double`
    /// or `Bool`.
    public typealias Parameter = any LosslessStringConvertible & Sendable

    /// Creates a deep link to generate a smart link for, or to open with `Deeplinking.open(_:)`.
    ///
    /// Throws `DeeplinkingError.missingRouteParameters` if `routeParameters` lacks variables of the route, and
    /// `.invalidRouteParameters` if some are `.` or `..`, which browsers remove from URLs (RFC 3986, section 5.2.4).
    /// Parameters that are not variables of the route are kept but not sent.
    ///
    /// - Parameters:
    ///   - route: the format, such as `products/:product_id`; redundant slashes are removed.
    ///   - routeParameters: a value for each variable.
    ///   - queryParameters: the items of the query.
    ///   - metadata: a JSON object for the app only: strings, booleans, numbers, nil, arrays, and dictionaries with
    ///     string keys. If it contains anything else, the link has no metadata and `metadataError` gives the reason.
    ///   - redeemLimit: how many resolves receive the metadata; 0 means unlimited, and negative numbers count as 0.
    ///   - isUnique: whether an equal deep link gets the same smart link again.
    ///   - urls: platform-specific URLs, which override those of the smart link's template.
    public convenience init(
        route: String, routeParameters: [String: Parameter] = [:], queryParameters: [String: Parameter] = [:],
        metadata: [String: Any]? = nil, redeemLimit: Int = 0, isUnique: Bool = false,
        urls: [DeeplinkPlatform: String] = [:]
    ) throws(DeeplinkingError) {
        let format = RouteFormat(route)
        let routeValues = routeParameters.mapValues { $0.description }
        let missing = format.variables.filter { routeValues[$0] == nil }
        guard missing.isEmpty else { throw .missingRouteParameters(missing) }
        let invalid = format.variables.filter { [".", ".."].contains(routeValues[$0]) }
        guard invalid.isEmpty else { throw .invalidRouteParameters(invalid) }
        let (metadata, problem) = Self.read(metadata)
        self.init(
            route: format.text, routeParameters: routeValues,
            queryParameters: QueryParameters(queryParameters.mapValues { $0.description }),
            metadata: metadata, metadataError: problem, redeemLimit: max(0, redeemLimit), isUnique: isUnique,
            urls: urls)
    }

    /// Creates a deep link without a route, for a smart link that only leads to `urls`.
    public convenience init(
        queryParameters: [String: Parameter] = [:], metadata: [String: Any]? = nil, redeemLimit: Int = 0,
        isUnique: Bool = false, urls: [DeeplinkPlatform: String] = [:]
    ) {
        let (metadata, problem) = Self.read(metadata)
        self.init(
            route: nil, routeParameters: [:],
            queryParameters: QueryParameters(queryParameters.mapValues { $0.description }),
            metadata: metadata, metadataError: problem, redeemLimit: max(0, redeemLimit), isUnique: isUnique,
            urls: urls)
    }

    private static func read(_ metadata: [String: Any]?) -> (DeeplinkMetadata?, DeeplinkingError?) {
        guard let metadata else { return (nil, nil) }
        do {
            return (try DeeplinkMetadata(metadata), nil)
        } catch {
            return (nil, error)
        }
    }
}

extension Deeplink {
    /// A value that can stand in a URL: anything that turns into text and back, such as `String`, `Int`, `Double`, `Bool`.
    public typealias Parameter = any LosslessStringConvertible & Sendable

    /// A deep link to have a smart link generated for, or to open with `Deeplinking.open(_:)`.
    ///
    /// Throws `DeeplinkingError.missingRouteParameters` where the route has variables that `routeParameters` does not give.
    /// Parameters beyond the variables are kept and not sent.
    ///
    /// - Parameters:
    ///   - route: the format, such as `products/:product_id`; superfluous slashes are removed.
    ///   - routeParameters: a value for each variable.
    ///   - queryParameters: what stands in the query.
    ///   - metadata: a JSON object for the app only: strings, booleans, numbers, nil, arrays and dictionaries with string
    ///     keys. Where anything else stands in it, the link has no metadata and `metadataError` says why.
    ///   - redeemLimit: how many resolves receive the metadata; 0 is any number, a negative number counts as 0.
    ///   - isUnique: whether the same deep link again gives the same smart link again.
    ///   - urls: URLs for single platforms, which the smart link takes instead of its template's.
    public convenience init(
        route: String, routeParameters: [String: Parameter] = [:], queryParameters: [String: Parameter] = [:],
        metadata: [String: Any]? = nil, redeemLimit: Int = 0, isUnique: Bool = false,
        urls: [DeeplinkPlatform: String] = [:]
    ) throws(DeeplinkingError) {
        let format = RouteFormat(route)
        let routeValues = routeParameters.mapValues { $0.description }
        let missing = format.variables.filter { routeValues[$0] == nil }
        guard missing.isEmpty else { throw .missingRouteParameters(missing) }
        let (metadata, problem) = Self.read(metadata)
        self.init(
            route: format.text, routeParameters: routeValues,
            queryParameters: QueryParameters(queryParameters.mapValues { $0.description }),
            metadata: metadata, metadataError: problem, redeemLimit: max(0, redeemLimit), isUnique: isUnique,
            urls: urls)
    }

    /// A deep link without a route, for a smart link that leads to `urls` only.
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

public import WaymarkAPI
import WaymarkJSON

extension Deeplink {
    /// The route with its parameters and the query, without a scheme: `products/42?referrer=bob`. Values are
    /// percent-encoded per segment, and the query is sorted by name. Nil without a route.
    public var url: String? {
        guard let route, let path = RouteFormat(route).filled(routeParameters) else { return nil }
        return queryParameters.isEmpty ? path : path + "?" + queryParameters.text
    }

    /// The body that creates the smart link. Only the route's own parameters are sent.
    public var linkBody: LinkRequest {
        var body = LinkRequest()
        body.route = route
        let names = route.map { RouteFormat($0).variables } ?? []
        for name in names { body.routeParameters[name] = routeParameters[name] }
        body.queryParameters = queryParameters.dictionary
        for (platform, url) in urls { body.urls[platform.rawValue] = URLEntryRequest(url) }
        body.metadata = metadata?.json
        body.redeemLimit = redeemLimit > 0 ? redeemLimit : nil
        body.unique = isUnique ? true : nil
        return body
    }

    /// The link as a JSON object with `route`, `routeParameters`, `queryParameters` and `metadata`. A missing route,
    /// its parameters, missing metadata, and query items without a value are `null`. Sorted by name.
    public var json: RawJSON {
        var object = JSONObject()
        object["route"] = route.map { JSONValue($0) } ?? .null
        object["routeParameters"] = route == nil ? .null : Self.json(routeParameters.mapValues { $0 })
        object["queryParameters"] = Self.json(
            Dictionary(queryParameters.map { ($0.name, $0.value) }) { first, _ in first })
        object["metadata"] = metadata.flatMap { try? JSONValue(parsing: $0.json.bytes) } ?? .null
        return RawJSON(unchecked: JSONValue(object).bytes())
    }

    private static func json(_ values: [String: String?]) -> JSONValue {
        var object = JSONObject()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            object[name] = value.map { JSONValue($0) } ?? .null
        }
        return JSONValue(object)
    }
}

extension Deeplink: CustomStringConvertible {
    /// Route and parameter names for logs. Values and metadata are omitted because they may be private.
    public var description: String {
        "Deeplink(route: \(route ?? "none"), routeParameters: \(routeParameters.keys.sorted()), "
            + "queryParameters: \(queryParameters.names), hasMetadata: \(metadata != nil), wasOpened: \(wasOpened))"
    }
}

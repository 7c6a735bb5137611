package import WaymarkHTTP

/// A table of routes, from method and path pattern to a value.
///
///     var router = Router<Endpoint>()
///     router.add(.get, "api", "v1", "links", .variable, to: .link)
///     switch router.match(.get, path: path) { … }
///
/// Matches the path as received: it is split at `/` first and each segment is percent-decoded once, so an encoded
/// slash is data and never splits (RFC 3986 section 2.2). A literal segment takes precedence over a variable; if the
/// literal has no match, the variable is tried. Every GET route also answers HEAD.
package struct Router<Value: Sendable>: Sendable {
    package typealias Segment = RouteSegment

    package enum Match {
        /// The route's value, and the decoded segments of its variables, in order.
        case found(Value, parameters: [String])
        /// The path has routes, but none for the method; `allow` is in the order of `Method.allCases`.
        case methodNotAllowed(allow: [Method])
        /// No route has this path, or a segment does not decode to UTF-8.
        case notFound
    }

    private var tree = RouteTree()
    private var values: [Value] = []

    package init() {}

    /// Adds a route. `/` is the route without segments; a final `/` is a final empty literal.
    ///
    /// - Precondition: the same method and pattern has not been added before.
    package mutating func add(_ method: Method, _ pattern: Segment..., to value: Value) {
        add(method, pattern, to: value)
    }

    /// The same, with the segments in an array.
    package mutating func add(_ method: Method, _ pattern: [Segment], to value: Value) {
        tree.add(method, pattern, to: values.count)
        values.append(value)
    }

    /// Finds the route for a request.
    ///
    /// - Parameter path: the path as received; an empty one means `/` (RFC 9112 section 3.2.2).
    package func match(_ method: Method, path: Span<UInt8>) -> Match {
        switch tree.match(method, path: path) {
        case .found(let value, let parameters): .found(values[value], parameters: parameters)
        case .methodNotAllowed(let allow): .methodNotAllowed(allow: allow)
        case .notFound: .notFound
        }
    }
}

/// One segment of a route's pattern.
package enum RouteSegment: Sendable, Hashable, ExpressibleByStringLiteral {
    /// Exactly this text after decoding, case-sensitive.
    case literal(String)
    /// Any non-empty segment; becomes a parameter.
    case variable
    /// A segment that ends in this text; what is before it, not empty, becomes a parameter. Takes precedence over a
    /// variable.
    case suffixed(String)
    /// The rest of the path, possibly empty; only as the last segment. Not a parameter.
    case rest

    package init(stringLiteral value: String) {
        self = .literal(value)
    }
}

/// A handler's name for one of its routes, for metrics and the access log.
package struct RequestRoute: Sendable, Equatable {
    /// `GET` and so on; empty if requests of all methods are counted together.
    package let method: String
    /// The pattern, such as `/api/v1/links/{slug}`: never a path that a client has sent.
    package let path: String
    /// Whether its requests are so numerous that the access log omits or samples them by default.
    package let isQuiet: Bool
    /// Whether machines request it all the time, as health checks do: logged only if it fails, or if everything is.
    package let isProbe: Bool

    package init(method: String, path: String, isQuiet: Bool = false, isProbe: Bool = false) {
        self.method = method
        self.path = path
        self.isQuiet = isQuiet
        self.isProbe = isProbe
    }

    /// For requests that match no route, or could not be read.
    package static let none = RequestRoute(method: "", path: "none")
}

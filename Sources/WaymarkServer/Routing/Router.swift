package import WaymarkHTTP

/// A table of routes: method and path pattern to a value that says what to do.
///
///     var router = Router<Endpoint>()
///     router.add(.get, "api", "v1", "links", .variable, to: .link)
///     switch router.match(.get, path: path) { … }
///
/// Works on the path as it came: it is split at `/` first and each segment is percent-decoded once, so an encoded slash is
/// data and never splits (RFC 3986 section 2.2). A literal segment wins over a variable, and where the literal leads
/// nowhere the variable is tried. HEAD is answered where GET is.
package struct Router<Value: Sendable>: Sendable {
    package typealias Segment = RouteSegment

    package enum Match {
        /// The route's value, and the decoded segments that its variables stand for, in order.
        case found(Value, parameters: [String])
        /// The path has routes, but none for the method; `allow` is in the order of `Method.allCases`.
        case methodNotAllowed(allow: [Method])
        /// No route has this path, or a segment does not decode to UTF-8.
        case notFound
    }

    private var tree = RouteTree()
    private var values: [Value] = []

    package init() {}

    /// Adds a route. `/` is the one without segments; a final `/` is a final empty literal.
    ///
    /// - Precondition: the same method and pattern has not been added before.
    package mutating func add(_ method: Method, _ pattern: Segment..., to value: Value) {
        add(method, pattern, to: value)
    }

    /// The same with the segments in an array.
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
    /// Exactly this text, decoded, in this case.
    case literal(String)
    /// Any segment that is not empty; becomes a parameter.
    case variable
    /// All that is left of the path, be it nothing; only as the last segment. No parameter.
    case rest

    package init(stringLiteral value: String) {
        self = .literal(value)
    }
}

/// What a handler calls one of its routes, for figures and for the access log.
package struct RequestRoute: Sendable, Equatable {
    /// `GET` and the like; empty where requests of any method are counted together.
    package let method: String
    /// The pattern, such as `/api/v1/links/{slug}`: never a path that a client has sent.
    package let path: String
    /// Whether its requests are so many that the access log hears of them only where it is told to.
    package let isQuiet: Bool

    package init(method: String, path: String, isQuiet: Bool = false) {
        self.method = method
        self.path = path
        self.isQuiet = isQuiet
    }

    /// Requests that no route answers, and those that could not be read.
    package static let none = RequestRoute(method: "", path: "none")
}

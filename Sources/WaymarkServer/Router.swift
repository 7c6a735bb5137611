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
    /// One segment of a pattern.
    package enum Segment: Sendable, Hashable, ExpressibleByStringLiteral {
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

    package enum Match {
        /// The route's value, and the decoded segments that its variables stand for, in order.
        case found(Value, parameters: [String])
        /// The path has routes, but none for the method; `allow` is in the order of `Method.allCases`.
        case methodNotAllowed(allow: [Method])
        /// No route has this path, or a segment does not decode to UTF-8.
        case notFound
    }

    private struct Node: Sendable {
        /// A list, because a node has a handful at most. Compared byte by byte: as Strings, differently encoded paths would
        /// be the same route.
        var literals: [(text: String, node: Int)] = []
        var variable: Int?
        var values: [Method: Value] = [:]
        var restValues: [Method: Value] = [:]

        func next(_ text: String) -> Int? {
            literals.first { $0.text.utf8.elementsEqual(text.utf8) }?.node
        }
    }

    private var nodes = [Node()]

    package init() {}

    /// Adds a route. `/` is the one without segments; a final `/` is a final empty literal.
    ///
    /// - Precondition: the same method and pattern has not been added before.
    package mutating func add(_ method: Method, _ pattern: Segment..., to value: Value) {
        add(method, pattern, to: value)
    }

    /// The same with the segments in an array.
    package mutating func add(_ method: Method, _ pattern: [Segment], to value: Value) {
        var node = 0
        for (position, segment) in pattern.enumerated() {
            switch segment {
            case .rest:
                precondition(position == pattern.count - 1, "what follows the rest of a path can never match")
                precondition(nodes[node].restValues[method] == nil, "the route is there already")
                nodes[node].restValues[method] = value
                return
            case .literal(let text):
                if let next = nodes[node].next(text) {
                    node = next
                } else {
                    nodes[node].literals.append((text, nodes.count))
                    node = nodes.count
                    nodes.append(Node())
                }
            case .variable:
                if let next = nodes[node].variable {
                    node = next
                } else {
                    nodes[node].variable = nodes.count
                    node = nodes.count
                    nodes.append(Node())
                }
            }
        }
        precondition(nodes[node].values[method] == nil, "the route is there already")
        nodes[node].values[method] = value
    }

    /// Finds the route for a request.
    ///
    /// - Parameter path: the path as received; an empty one means `/` (RFC 9112 section 3.2.2).
    package func match(_ method: Method, path: Span<UInt8>) -> Match {
        guard let segments = Self.split(path) else { return .notFound }
        var parameters: [String] = []
        var allowed: Set<Method> = []
        if let value = find(method, segments[...], from: 0, &parameters, &allowed) {
            return .found(value, parameters: parameters)
        }
        return allowed.isEmpty ? .notFound : .methodNotAllowed(allow: Method.allCases.filter(allowed.contains))
    }

    private func find(
        _ method: Method, _ segments: ArraySlice<String>, from index: Int, _ parameters: inout [String],
        _ allowed: inout Set<Method>
    ) -> Value? {
        let node = nodes[index]
        if let segment = segments.first {
            let others = segments.dropFirst()
            if let next = node.next(segment), let value = find(method, others, from: next, &parameters, &allowed) {
                return value
            }
            if let next = node.variable, !segment.isEmpty {
                parameters.append(segment)
                if let value = find(method, others, from: next, &parameters, &allowed) { return value }
                parameters.removeLast()
            }
        } else if let value = Self.choose(method, node.values, &allowed) {
            return value
        }
        return Self.choose(method, node.restValues, &allowed)
    }

    private static func choose(_ method: Method, _ values: [Method: Value], _ allowed: inout Set<Method>) -> Value? {
        if let value = values[method] ?? (method == .head ? values[.get] : nil) { return value }
        allowed.formUnion(values.keys)
        if values[.get] != nil { allowed.insert(.head) }
        return nil
    }

    /// The decoded segments of a path; none for `/`. Nil where one is no UTF-8.
    private static func split(_ path: Span<UInt8>) -> [String]? {
        if path.isEmpty || (path.count == 1 && path[0] == UInt8(ascii: "/")) { return [] }
        guard path[0] == UInt8(ascii: "/") else { return nil }
        var segments: [String] = []
        var start = 1
        for position in 1...path.count where position == path.count || path[position] == UInt8(ascii: "/") {
            guard let segment = PercentEncoding.decodeText(path, ByteRange(start, position)) else { return nil }
            segments.append(segment)
            start = position + 1
        }
        return segments
    }
}

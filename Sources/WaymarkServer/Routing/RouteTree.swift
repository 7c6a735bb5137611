import WaymarkBytes
import WaymarkHTTP

/// The patterns of a `Router`, mapped to indices of its values.
///
/// Separate from the router because code that is generic over another module's type isn't specialised for it: every
/// step would request type metadata from the runtime, which took two thirds of a match.
struct RouteTree: Sendable {
    private struct Node: Sendable {
        /// A list, because a node has few children. Compared byte by byte: as Strings, differently encoded paths
        /// would be equal.
        var literals: [(text: [UInt8], node: Int)] = []
        var suffixes: [(text: String, node: Int)] = []
        var variable: Int?
        var values: [Method: Int] = [:]
        var restValues: [Method: Int] = [:]

        func next(_ sought: Span<UInt8>) -> Int? {
            search: for literal in literals where literal.text.count == sought.count {
                for position in sought.indices where literal.text[position] != sought[position] { continue search }
                return literal.node
            }
            return nil
        }
    }

    /// A segment of the requested path.
    private enum Segment {
        /// Without percent-encoding.
        case plain(ByteRange)
        case decoded(String)

        /// Nil if it is not UTF-8.
        init?(_ path: Span<UInt8>, _ range: ByteRange) {
            for position in range.indices where path[position] == UInt8(ascii: "%") || path[position] >= 0x80 {
                guard let text = PercentEncoding.decodeText(path, range) else { return nil }
                self = .decoded(text)
                return
            }
            self = .plain(range)
        }

        func next(behind node: Node, in path: Span<UInt8>) -> Int? {
            switch self {
            case .plain(let range): return node.next(path.extracting(range.indices))
            case .decoded(let text):
                let utf8 = text.utf8
                return node.next(utf8.span)
            }
        }

        func text(in path: Span<UInt8>) -> String {
            switch self {
            case .plain(let range): String(decoding: path.copy(range), as: UTF8.self)
            case .decoded(let text): text
            }
        }
    }

    private var nodes = [Node()]

    /// - Precondition: the same method and pattern has not been added before.
    mutating func add(_ method: Method, _ pattern: [RouteSegment], to value: Int) {
        var node = 0
        for (position, segment) in pattern.enumerated() {
            switch segment {
            case .rest:
                precondition(position == pattern.count - 1, "what follows the rest of a path can never match")
                precondition(nodes[node].restValues[method] == nil, "the route is there already")
                nodes[node].restValues[method] = value
                return
            case .literal(let text):
                let utf8 = text.utf8
                if let next = nodes[node].next(utf8.span) {
                    node = next
                } else {
                    nodes[node].literals.append((Array(text.utf8), nodes.count))
                    node = nodes.count
                    nodes.append(Node())
                }
            case .suffixed(let text):
                if let next = nodes[node].suffixes.first(where: { $0.text == text })?.node {
                    node = next
                } else {
                    nodes[node].suffixes.append((text, nodes.count))
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

    func match(_ method: Method, path: Span<UInt8>) -> Router<Int>.Match {
        guard let segments = Self.split(path) else { return .notFound }
        var parameters: [String] = []
        var allowed: Set<Method> = []
        if let value = find(method, path, segments[...], from: 0, &parameters, &allowed) {
            return .found(value, parameters: parameters)
        }
        return allowed.isEmpty ? .notFound : .methodNotAllowed(allow: Method.allCases.filter(allowed.contains))
    }

    private func find(
        _ method: Method, _ path: Span<UInt8>, _ segments: ArraySlice<Segment>, from index: Int,
        _ parameters: inout [String], _ allowed: inout Set<Method>
    ) -> Int? {
        if let segment = segments.first {
            let others = segments.dropFirst()
            if let next = segment.next(behind: nodes[index], in: path),
                let value = find(method, path, others, from: next, &parameters, &allowed)
            {
                return value
            }
            for suffix in nodes[index].suffixes {
                let text = segment.text(in: path)
                guard text.utf8.count > suffix.text.utf8.count, text.hasSuffix(suffix.text) else { continue }
                parameters.append(String(text.dropLast(suffix.text.count)))
                if let value = find(method, path, others, from: suffix.node, &parameters, &allowed) { return value }
                parameters.removeLast()
            }
            if let next = nodes[index].variable, case let text = segment.text(in: path), !text.isEmpty {
                parameters.append(text)
                if let value = find(method, path, others, from: next, &parameters, &allowed) { return value }
                parameters.removeLast()
            }
        } else if let value = Self.choose(method, nodes[index].values, &allowed) {
            return value
        }
        return Self.choose(method, nodes[index].restValues, &allowed)
    }

    private static func choose(_ method: Method, _ values: [Method: Int], _ allowed: inout Set<Method>) -> Int? {
        if let value = values[method] ?? (method == .head ? values[.get] : nil) { return value }
        allowed.formUnion(values.keys)
        if values[.get] != nil { allowed.insert(.head) }
        return nil
    }

    /// The segments of a path; none for `/`. Nil if one is not UTF-8.
    private static func split(_ path: Span<UInt8>) -> [Segment]? {
        if path.isEmpty || (path.count == 1 && path[0] == UInt8(ascii: "/")) { return [] }
        guard path[0] == UInt8(ascii: "/") else { return nil }
        var segments: [Segment] = []
        segments.reserveCapacity(8)
        var start = 1
        for position in 1...path.count where position == path.count || path[position] == UInt8(ascii: "/") {
            guard let segment = Segment(path, ByteRange(start, position)) else { return nil }
            segments.append(segment)
            start = position + 1
        }
        return segments
    }
}

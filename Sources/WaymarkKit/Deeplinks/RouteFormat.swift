import WaymarkBytes

/// The format of a route: `static/path/:variable`, without redundant slashes.
///
/// A segment that begins with `:` is a variable named by the rest of the segment; any other segment is a literal.
/// There are no wildcards, optional parts or types.
public struct RouteFormat: Sendable, Hashable {
    /// The format without leading and trailing slashes and without runs of slashes, except after a colon.
    public let text: String

    /// Any text is a valid format; an empty one, or one of only slashes, is the default route.
    public init(_ text: String) {
        self.text = Self.sanitized(text)
    }

    /// Strips leading and trailing slashes and collapses each run of slashes to one, except that a run after a colon
    /// keeps two (`shop:////a` becomes `shop://a`). Both HOKO SDKs normalise routes this way.
    public static func sanitized(_ text: String) -> String {
        let slash = UInt8(ascii: "/")
        var bytes = Array(text.utf8.drop { $0 == slash })
        while bytes.last == slash { bytes.removeLast() }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (position, byte) in bytes.enumerated() {
            if byte == slash, result.last == slash {
                let runBegan = result.dropLast()
                // A run after a colon keeps its second slash.
                guard bytes[position - 1] == slash, runBegan.last == UInt8(ascii: ":") else { continue }
            }
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// One segment of a route format.
    public enum Segment: Sendable, Hashable {
        /// Matches the same segment only.
        case literal(String)
        /// Matches any segment of a URL and stores it under this name.
        case variable(String)
    }

    /// The segments in order; none for an empty format.
    public var segments: [Segment] {
        guard !text.isEmpty else { return [] }
        return text[...].split(at: UInt8(ascii: "/")).map { segment in
            guard segment.utf8.first == UInt8(ascii: ":") else { return .literal(String(segment)) }
            return .variable(String(segment[segment.utf8.index(after: segment.startIndex)...]))
        }
    }

    /// The names of the variables, in order.
    public var variables: [String] {
        segments.compactMap { if case .variable(let name) = $0 { name } else { nil } }
    }

    /// The path with all variables replaced, percent-encoded per segment; nil if a value is missing. Values that are
    /// not variables are ignored.
    func filled(_ values: [String: String]) -> String? {
        var parts: [String] = []
        for segment in segments {
            switch segment {
            case .literal(let text): parts.append(text)
            case .variable(let name):
                guard let value = values[name] else { return nil }
                parts.append(PercentEncoding.encode(value))
            }
        }
        return parts.joined(separator: "/")
    }
}

extension RouteFormat: CustomStringConvertible {
    /// Same as `text`.
    public var description: String { text }
}

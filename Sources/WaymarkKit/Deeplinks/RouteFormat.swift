/// The format of a route: `static/path/:variable`, cleaned of superfluous slashes.
///
/// A segment that begins with `:` is a variable, whose name is the rest of the segment; any other stands for itself.
/// There are no wildcards, no optional parts and no types.
public struct RouteFormat: Sendable, Hashable {
    /// The format without slashes at its ends, and without runs of slashes but behind a colon.
    public let text: String

    /// Any text is a format; an empty one, or one of slashes only, stands for the default route.
    public init(_ text: String) {
        self.text = Self.sanitized(text)
    }

    /// Strips leading and trailing slashes and makes one slash of every run of them, except that a run right behind a
    /// colon keeps two (`shop:////a` is `shop://a`). That is the rule of both HOKO SDKs for routes.
    public static func sanitized(_ text: String) -> String {
        let slash = UInt8(ascii: "/")
        var bytes = Array(text.utf8.drop { $0 == slash })
        while bytes.last == slash { bytes.removeLast() }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (position, byte) in bytes.enumerated() {
            if byte == slash, result.last == slash {
                let runBegan = result.dropLast()
                // The second slash of a run stays where the run stands right behind a colon.
                guard bytes[position - 1] == slash, runBegan.last == UInt8(ascii: ":") else { continue }
            }
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// One segment of a format.
    public enum Segment: Sendable, Hashable {
        /// Stands for itself.
        case literal(String)
        /// Takes any segment of a URL, under this name.
        case variable(String)
    }

    /// The segments in order; an empty format has none.
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

    /// The path with every variable filled in, percent-encoded one segment at a time; nil where a value is missing. Values
    /// for which there is no variable are left alone.
    func filled(_ values: [String: String]) -> String? {
        var parts: [String] = []
        for segment in segments {
            switch segment {
            case .literal(let text): parts.append(text)
            case .variable(let name):
                guard let value = values[name] else { return nil }
                parts.append(PercentEncoding.encoded(value))
            }
        }
        return parts.joined(separator: "/")
    }
}

extension RouteFormat: CustomStringConvertible {
    /// The text.
    public var description: String { text }
}

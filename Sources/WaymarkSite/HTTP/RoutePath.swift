/// A path in the words of the OpenAPI document, `/api/v1/links/{domain}/{slug}`, ready to be compared with requests.
struct RoutePath: Sendable {
    enum Segment: Sendable, Equatable {
        case literal(String)
        case parameter(String)
    }

    let text: String
    let segments: [Segment]

    init(_ text: String) {
        self.text = text
        segments = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { segment in
            segment.hasPrefix("{") && segment.hasSuffix("}")
                ? .parameter(String(segment.dropFirst().dropLast())) : .literal(String(segment))
        }
    }

    /// The values of the parameters, in their order; nil where the path is another one. A parameter is one segment and
    /// never empty.
    func match(_ path: [String]) -> [String]? {
        guard path.count == segments.count else { return nil }
        var values: [String] = []
        for (segment, given) in zip(segments, path) {
            switch segment {
            case .literal(let literal):
                guard literal == given else { return nil }
            case .parameter:
                guard !given.isEmpty else { return nil }
                values.append(given)
            }
        }
        return values
    }
}

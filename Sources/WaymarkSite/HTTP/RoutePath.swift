import WaymarkServer

/// A path in the syntax of the OpenAPI document, such as `/api/v1/links/{domain}/{slug}`, with the router's pattern for
/// it.
struct RoutePath: Sendable {
    let text: String
    let segments: [Router<SiteRoute>.Segment]

    init(_ text: String) {
        self.text = text
        // In the router, this is the path without segments.
        guard text != "/" else {
            segments = []
            return
        }
        segments = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { segment in
            switch segment {
            // Files may be in subfolders, which OpenAPI can't express.
            case "{file}": .rest
            case _ where segment.hasPrefix("{"):
                segment.last == "}" ? .variable : .suffixed(String(segment.drop { $0 != "}" }.dropFirst()))
            default: .literal(String(segment))
            }
        }
    }
}

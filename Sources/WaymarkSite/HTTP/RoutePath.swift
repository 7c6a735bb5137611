import WaymarkServer

/// A path in the words of the OpenAPI document, `/api/v1/links/{domain}/{slug}`, and the pattern that the router knows.
struct RoutePath: Sendable {
    let text: String
    let segments: [Router<SiteRoute>.Segment]

    init(_ text: String) {
        self.text = text
        // The router knows this one as the path without segments.
        guard text != "/" else {
            segments = []
            return
        }
        segments = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { segment in
            switch segment {
            // Files may lie in folders, which OpenAPI has no way to say.
            case "{file}": .rest
            case _ where segment.hasPrefix("{"): .variable
            default: .literal(String(segment))
            }
        }
    }
}

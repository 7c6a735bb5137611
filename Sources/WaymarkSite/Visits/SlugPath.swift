import WaymarkBytes
import WaymarkHTTP
import WaymarkLinks

/// A path that no route has and that may be a smart link's: `/spring/sale`, `/spring/sale+`, `/spring/sale/qr.png`,
/// `/sale/`.
///
/// Checked only if no route matches, because a route with only variable segments would also match paths below the
/// service's own, such as `/api/v1/nothing`, and hide that a method is not allowed there.
struct SlugPath {
    /// With slashes, decoded; not validated further.
    let slug: String
    let route: OpenRoute

    /// Nil for a path below one of the service's own, with an empty segment that is not the last, or with too many
    /// segments.
    ///
    /// - Parameters:
    ///   - takesExtraPath: whether an application appends paths behind slugs, so that any number of segments is possible,
    ///     empty ones too.
    ///   - reservesCompatibility: whether paths of Firebase's and HOKO's calls are none of links.
    init?(_ head: RequestHead, _ bytes: Span<UInt8>, takesExtraPath: Bool, reservesCompatibility: Bool) {
        let path = head.path
        guard path.count > 2, bytes[path.indices.lowerBound] == UInt8(ascii: "/"),
            let text = PercentEncoding.decodeText(
                bytes, ByteRange(path.indices.lowerBound + 1, path.indices.upperBound))
        else { return nil }
        var segments = OpenedPath.trimmed(text[...]).split(
            separator: "/", maxSplits: Slug.maximumSegments + 1, omittingEmptySubsequences: false)
        guard let first = segments.first, !first.isEmpty, !Slug.reserved.contains(String(first)),
            !reservesCompatibility || !SlugRules.compatibilitySegments.contains(String(first))
        else { return nil }
        if takesExtraPath, segments.count > Slug.maximumSegments || segments.contains("") {
            (slug, route) = (text, .visit)
            return
        }
        guard !segments.contains("") else { return nil }
        switch segments.last {
        case "qr.png": route = .qrCode(.png)
        case "qr.svg": route = .qrCode(.svg)
        default: route = .visit
        }
        if route != .visit { segments.removeLast() }
        guard (1...Slug.maximumSegments).contains(segments.count) else { return nil }
        slug = segments.joined(separator: "/")
    }
}

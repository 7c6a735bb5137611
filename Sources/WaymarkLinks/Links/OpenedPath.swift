import WaymarkBytes

/// The path of a smart link as visitors open it: a slug, a plus sign that asks where it leads, and what others have
/// added.
///
/// Chats, mail programs and printers end a link with the punctuation behind it, and content management systems with a
/// slash. No slug ends in any of these, so nothing else can be meant.
package struct OpenedPath: Sendable, Equatable {
    /// Nil if the path is not possible for a link.
    package let slug: Slug?
    /// Whether a plus sign follows the slug.
    package let showsOnly: Bool

    /// - Parameter path: decoded, without the first slash.
    package init(_ path: String) {
        var path = OpenedPath.trimmed(path[...])
        showsOnly = path.utf8.last == UInt8(ascii: "+")
        if showsOnly { path = OpenedPath.trimmed(path.dropLast()) }
        slug = Slug(String(path))
    }

    /// The path without what others have added to it.
    package static func trimmed(_ path: Substring) -> Substring {
        // Nearly all paths.
        if path.utf8.last?.isAlphanumeric == true { return path }
        var scalars = path.unicodeScalars[...]
        while let last = scalars.last, added.contains(last) { scalars = scalars.dropLast() }
        return Substring(scalars)
    }

    /// A slug that a path may name, and the path behind it.
    package struct Reading: Sendable, Hashable {
        package let slug: Slug
        /// Encoded as opened, with a slash first; empty if the slug is the whole path.
        package let path: String

        package init(_ slug: Slug, path: String = "") {
            self.slug = slug
            self.path = path
        }
    }

    /// The path of a URL, encoded, without the first slash; read only as far as it is needed.
    package struct Target: Sendable {
        /// The whole path as a slug; nil if it is none.
        package let slug: Slug?
        private let encoded: String

        /// - Parameter takesPlus: whether a plus sign may follow the slug.
        package init(_ encoded: Substring, takesPlus: Bool = true) {
            self.encoded = String(encoded)
            let path = PercentEncoding.decodeText(encoded).map { OpenedPath($0) }
            slug = path.flatMap { takesPlus || !$0.showsOnly ? $0.slug : nil }
        }

        package init(_ slug: Slug) {
            self.slug = slug
            encoded = slug.encoded
        }

        /// What the path may name, in the order in which links are looked up: the whole as a slug, then shorter slugs with
        /// the rest behind them, the longest first. Only an application with `extraPath` has links for the shorter ones.
        /// Escapes of the rest stay as they are.
        package var readings: [Reading] {
            slug.map { [Reading($0)] + OpenedPath.shorterReadings(encoded[...]) }
                ?? OpenedPath.shorterReadings(encoded[...])
        }
    }

    private static func shorterReadings(_ target: Substring) -> [Reading] {
        var readings: [Reading] = []
        guard target.utf8.count <= OpenedSuffix.maximumBytes else { return readings }
        let segments = target.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count > 1 else { return readings }
        for count in stride(from: min(segments.count - 1, Slug.maximumSegments), to: 0, by: -1) {
            let rest = segments.dropFirst(count)
            guard rest.contains(where: { !$0.isEmpty }) else { continue }
            let path = OpenedSuffix(path: "/" + rest.joined(separator: "/")).soundPath
            let start = segments.prefix(count).joined(separator: "/")
            guard !path.isEmpty, let slug = PercentEncoding.decodeText(start).flatMap({ Slug($0) }) else { continue }
            readings.append(Reading(slug, path: path))
        }
        return readings
    }

    /// Slashes, spaces, punctuation that ends sentences, quotes and brackets, and invisible characters.
    private static let added = Set("/.,;:!)'\"> \u{A0}’”»…\u{200B}\u{200C}\u{200D}\u{2060}\u{FEFF}".unicodeScalars)
}

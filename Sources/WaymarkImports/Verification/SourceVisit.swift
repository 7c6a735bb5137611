import WaymarkBytes

/// A visit with everything that services decide by, and that a visitor can choose.
struct SourceVisit: Sendable, Equatable {
    var device: VisitDevice
    var query: [Parameter] = []
    /// `Accept-Language`.
    var language: String?
    /// Tells visitors apart where chance chooses between destinations.
    var visitor = 0
    /// Whether the slug is visited in the other case.
    var swapsCase = false

    struct Parameter: Sendable, Equatable {
        var name: String
        /// Nil: the name alone.
        var value: String?

        var text: String {
            PercentEncoding.encode(name) + (value.map { "=" + PercentEncoding.encode($0) } ?? "")
        }
    }

    var fields: [(name: String, value: String)] {
        let agent = device.userAgent.replacing("/131.0.0.0", with: "/131.0.0.\(visitor)")
            .replacing("/18.1 ", with: "/18.1.\(visitor) ")
        return [("User-Agent", agent)] + (language.map { [("Accept-Language", $0)] } ?? [])
    }

    /// What the report adds to a reason that the URL does not show.
    var note: String { language.map { ", for the language \($0)" } ?? "" }

    func path(_ slug: String) -> String {
        let path =
            "/" + PercentEncoding.encode(swapsCase ? Self.swapped(slug) : slug, allowed: Self.pathCharacters)
        return query.isEmpty ? path : path + "?" + query.map(\.text).joined(separator: "&")
    }

    static func swapped(_ slug: String) -> String {
        let isLower = slug.utf8.contains { (0x61...0x7A).contains($0) }
        let bytes = slug.utf8.map { byte -> UInt8 in
            switch byte {
            case 0x61...0x7A where isLower: byte & 0xDF
            case 0x41...0x5A where !isLower: byte | 0x20
            default: byte
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The slug's own escapes stay as they are.
    private static let pathCharacters = ASCIISet(
        low: ASCIISet.url.low & ~ASCIISet("?#").low, high: ASCIISet.url.high & ~ASCIISet("[]").high)
}

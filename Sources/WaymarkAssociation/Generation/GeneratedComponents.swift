/// The rules of an app whose owner gave none: nothing that is this service's own, then the routes of the application's
/// templates, and everything where it has no template. Every one of them can be reached.
enum GeneratedComponents {
    /// What a browser must get even where the app is installed: built-in pages, the API in its three generations, the
    /// page that shows where a link leads, and QR codes.
    static let exclusions = ["/_/*", "/api/*", "/v1/*", "/v2/*", "/*+", "/*/qr.*"]

    /// - Parameter routes: like `products/:product_id`, in the order of the templates, which is kept but for routes
    ///   that an earlier one would hide. Routes that lie within what is excluded open nothing and are left out.
    ///   Where there are too many to compare each with the others, they stay as they are: every one of them opens the app, so
    ///   the order decides nothing but whether each can be reached.
    static func components(routes: [String]) -> [AssociationComponent] {
        var patterns: [String] = []
        var seen: Set<String> = []
        for pattern in routes.map(pattern(route:)) where seen.insert(pattern).inserted { patterns.append(pattern) }
        let order = GeneratedOrder(patterns, exclusions: exclusions)
        if order.isComplete { patterns = order.patterns }
        if routes.isEmpty { patterns = ["/*"] }
        return exclusions.map { AssociationComponent(path: $0, exclude: true) }
            + patterns.map { AssociationComponent(path: $0) }
    }

    /// The path pattern that fits the route with any values: `/products/*`. It fits more than that, because Apple's `*`
    /// also crosses `/` and the language has nothing for "one segment".
    static func pattern(route: String) -> String {
        route.split(separator: "/").map { "/" + pattern(segment: $0) }.joined().nonEmpty ?? "/"
    }

    /// Visible ASCII that no path holds as it is (RFC 3986, section 3.3), beside what is handled by itself.
    private static let alwaysEncoded = Set(##""#<>[\]^`{|}"##.utf8)

    private static func pattern(segment: Substring) -> String {
        if segment.utf8.first == UInt8(ascii: ":"), segment.utf8.count > 1 { return "*" }
        var text = ""
        let holdsWildcard = segment.utf8.contains { "*$".utf8.contains($0) }
        let bytes = Array(segment.utf8)
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "%") where !startsEscape(bytes[index...]):
                text += "%25"
            case UInt8(ascii: "=") where holdsWildcard:
                // Behind a "?" it would look like a query that someone wrote into a path.
                text += "?"
            case UInt8(ascii: "*"), UInt8(ascii: "$"):
                // They mean something in a pattern and cannot be escaped; "any one character" is the narrowest that fits.
                text += "?"
            case 0x21...0x7E where byte != UInt8(ascii: "?") && !alwaysEncoded.contains(byte):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                // URLs are compared as they are written, that is encoded.
                text += "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }

    private static func startsEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
        let digits = bytes.dropFirst().prefix(2)
        return digits.count == 2 && digits.allSatisfy { $0.hexadecimalValue != nil }
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

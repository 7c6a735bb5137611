import WaymarkBytes

/// Where a client receives its code. It is compared byte by byte, port and path included.
struct RedirectAddress: Sendable, Equatable {
    /// In bytes.
    static let limit = 500

    let text: String
    /// For people: the host, or the scheme of an app's own.
    let shownHost: String
    /// For `form-action` of a content security policy, which also holds for where a form's response leads.
    let policySource: String

    /// https; http on the client's own machine; or the scheme of an app's own, with `://`. Nil otherwise.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.limit,
            bytes.allSatisfy({ (0x21...0x7E).contains($0) && !Self.excluded.contains($0) }),
            let separator = text.firstRange(of: "://")
        else { return nil }
        let scheme = text[..<separator.lowerBound]
        let authority = text[separator.upperBound...].prefix { !"/?".contains($0) }
        guard let first = scheme.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
            scheme.utf8.allSatisfy({ Self.isOfScheme($0) }), !Self.forbidden.contains(String(scheme)),
            !authority.contains("@")
        else { return nil }
        self.text = text
        switch scheme {
        case "https", "http":
            guard !authority.isEmpty, Self.isAuthority(authority) else { return nil }
            let host =
                authority.hasPrefix("[")
                ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
            guard scheme == "https" || Self.loopback.contains(host.lowercased()) else { return nil }
            shownHost = String(authority)
            // Policies can't name addresses of IPv6.
            policySource = authority.hasPrefix("[") ? "\(scheme):" : "\(scheme)://\(authority)"
        default:
            shownHost = "\(scheme)://\(authority)"
            policySource = "\(scheme):"
        }
    }

    /// With fields behind its query.
    func adding(_ fields: [(name: String, value: String)]) -> String {
        let query = fields.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
        return text + (text.contains("?") ? "&" : "?") + query
    }

    private static let loopback: Set<String> = ["localhost", "127.0.0.1", "[::1]"]
    /// Browsers and systems do something else with them than to open an app.
    private static let forbidden: Set<String> = [
        "about", "blob", "chrome", "data", "file", "filesystem", "ftp", "intent", "javascript", "jar", "mailto",
        "resource", "sms", "smsto", "tel", "vbscript", "view-source", "ws", "wss",
    ]
    /// Quotation marks and others that URLs have encoded only, and the fragment.
    private static let excluded = Array("\"'<>\\^`{|}#;,".utf8)

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func isAuthority(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { $0.isAlphanumeric || "-._:[]".utf8.contains($0) }
    }
}

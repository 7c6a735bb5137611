import WaymarkBytes

/// A URL's scheme, lower case (RFC 3986 section 3.1), and none of those that run code, read local files or reach into
/// a browser's or a system's inside.
package struct URLScheme: Hashable, Sendable {
    package let text: String

    /// Nil for invalid schemes and those that a link must never use.
    package init?(_ text: String) {
        guard let scheme = URLScheme.check(text).value else { return nil }
        self = scheme
    }

    private init(checked text: String) { self.text = text }

    package static let http = URLScheme(checked: "http")
    package static let https = URLScheme(checked: "https")

    /// Whether it is `http` or `https`; all others belong to apps.
    package var isWeb: Bool { text == "https" || text == "http" }

    /// Includes `intent`, because only the service itself generates `intent:` URLs, from validated parts.
    package static let forbidden: Set<String> = [
        "about", "android-app", "blob", "chrome", "chrome-extension", "chrome-search", "content", "data", "edge",
        "file",
        "filesystem", "ftp", "ftps", "intent", "jar", "javascript", "livescript", "mhtml", "mocha", "moz-extension",
        "ms-browser-extension", "opera", "resource", "safari-extension", "safari-web-extension", "search-ms",
        "vbscript",
        "view-source", "ws", "wss", "wyciwyg",
    ]

    package static let maximumLength = 64

    static func check(_ text: String) -> Checked<URLScheme> {
        let bytes = text.utf8
        guard let first = bytes.first else { return .problem("is empty") }
        guard bytes.count <= maximumLength else { return .problem("is longer than \(maximumLength) characters") }
        guard first.isLetter,
            bytes.allSatisfy({
                $0.isAlphanumeric || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
            })
        else { return .problem("must start with a letter and hold only letters, digits, + - and .") }
        let folded = text.asciiLowercased
        guard !forbidden.contains(folded) else { return .problem("is a scheme that links may never lead to") }
        return .valid(URLScheme(checked: folded))
    }

    /// Like `check`, but rejects `http` and `https`, which an application can't claim.
    static func checkCustom(_ text: String) -> Checked<URLScheme> {
        let checked = check(text)
        if let scheme = checked.value, scheme.isWeb { return .problem("must be a scheme of the app's own") }
        return checked
    }
}

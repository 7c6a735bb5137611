import WaymarkBytes

/// An `intent:` URL as `Link` makes them, taken apart again for people to read.
package struct IntentURL: Sendable, Equatable {
    /// The URL that the app receives.
    package let appURL: String
    /// The browser's destination without the app.
    package let fallback: String?
    /// The app's package name.
    package let appPackage: String?

    /// Nil for another kind of URL.
    package init?(_ text: String) {
        let mark = "#Intent;"
        guard text.hasPrefix("intent:"),
            let index = text.firstRange(of: mark)
        else { return nil }
        var scheme: Substring?
        var (fallback, appPackage): (String?, String?)
        for field in text[index.upperBound...].split(separator: ";") {
            if field.hasPrefix("scheme=") { scheme = field.dropFirst("scheme=".count) }
            if field.hasPrefix("package=") { appPackage = String(field.dropFirst("package=".count)) }
            if field.hasPrefix("S.browser_fallback_url=") {
                fallback = PercentEncoding.decodeTextLeniently(
                    field.utf8.dropFirst("S.browser_fallback_url=".utf8.count))
            }
        }
        guard let scheme, scheme.utf8.allSatisfy({ $0 != UInt8(ascii: "/") }) else { return nil }
        appURL = String(scheme) + text["intent".endIndex..<index.lowerBound]
        self.fallback = fallback
        self.appPackage = appPackage
    }
}

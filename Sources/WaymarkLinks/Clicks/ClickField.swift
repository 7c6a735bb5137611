/// The recorded properties of a click besides its time, as named in the REST API. The raw value is stored in blocks;
/// new fields must be added at the end.
package enum ClickField: UInt8, Sendable, CaseIterable {
    case platform, device, browser, inApp, bot, language, country, referrerHost, campaign, destination
    /// The name or number of the rule that decided; and the name if the rule has a share of the visitors.
    case rule, variant

    /// Those that clicks had before `ofRules` were added; stored numbers and bytes depend on both.
    package static let first = Array(allCases.prefix(10))
    package static let ofRules: [ClickField] = [.rule, .variant]

    package var name: String { "\(self)" }

    package init?(name: String) {
        guard let field = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = field
    }

    /// The recorded value of clicks whose value was left out because visitors sent too many. No visitor can send it as a
    /// host or a language. Reports add such clicks to the rest.
    package static let rest = "(rest)"

    /// In bytes.
    package static let hostLimit = 100

    /// Precedes the package of an app that visitors came from, where a page has its host. No host has a colon there.
    package static let appPrefix = "app:"

    /// The package of an Android app as it is recorded, shortened like a host.
    package static func recorded(app package: String) -> String {
        var text = Substring(package)
        while text.utf8.count > hostLimit - appPrefix.utf8.count, let dot = text.firstIndex(of: ".") {
            text = text[text.index(after: dot)...]
        }
        return appPrefix + text.prefix(hostLimit - appPrefix.utf8.count)
    }

    /// A host as it is recorded: of one that is longer than `hostLimit`, the part behind its first labels.
    package static func recorded(_ host: HostName) -> String {
        var text = Substring(host.text)
        while text.utf8.count > hostLimit, let dot = text.firstIndex(of: ".") { text = text[text.index(after: dot)...] }
        return String(text)
    }
}

/// The recorded properties of a click besides its time, as named in the REST API. The raw value is stored in blocks;
/// new fields must be added at the end.
package enum ClickField: UInt8, Sendable, CaseIterable {
    case platform, device, browser, inApp, bot, language, country, referrerHost, campaign, destination

    package var name: String { "\(self)" }

    package init?(name: String) {
        guard let field = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = field
    }
}

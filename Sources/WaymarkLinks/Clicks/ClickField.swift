/// What is told of a click besides its time, in the words of the REST interface. The raw value is its place in
/// `ClickBlockCodec`'s form; new fields come at the end.
package enum ClickField: UInt8, Sendable, CaseIterable {
    case platform, device, browser, inApp, bot, language, country, referrerHost, campaign, destination

    package var name: String { "\(self)" }

    package init?(name: String) {
        guard let field = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = field
    }
}

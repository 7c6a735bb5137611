/// A visit on its way from the thread that answered it to the store: small, because many wait in memory at once, and
/// with whatever is yet to be made less telling (`ClickBlockWriter` does so).
package struct Click: Sendable {
    package var link: LinkID
    package var time: Timestamp
    package var kind: VisitorClass
    package var destination: Destination
    /// False where the visitor asks not to be followed (`DNT`, `Sec-GPC`): the click is counted, and nothing else kept.
    package var isProfiled: Bool
    package var country: CountryCode?
    package var language: LanguageTag?
    /// The host of the page with the link.
    package var referrerHost: Name?
    package var campaign: Name?
    /// What one subscriber has: IPv4 in its mapped form, of IPv6 the first 64 bits. It is never stored.
    package var address: (high: UInt64, low: UInt64)

    /// What the visitor was given.
    package enum Destination: String, Sendable, CaseIterable {
        case web, store
        /// An app, at once or behind a button.
        case app
        /// The page that tells an iPad from a Mac.
        case page
        /// The card for link previews.
        case preview
    }

    /// A text that many clicks share. A reference, so that a click is copied without its texts.
    package final class Name: Sendable {
        package let text: String
        package init(_ text: String) { self.text = text }
    }

    // Inlined, because clicks are made where they are to lie: a copy counts two references up and down.
    @inlinable @inline(__always)
    package init(
        link: LinkID, time: Timestamp, kind: VisitorClass, destination: Destination, isProfiled: Bool = true,
        country: CountryCode? = nil, language: LanguageTag? = nil, referrerHost: Name? = nil, campaign: Name? = nil,
        address: (high: UInt64, low: UInt64) = (0, 0)
    ) {
        self.link = link
        self.time = time
        self.kind = kind
        self.destination = destination
        self.isProfiled = isProfiled
        self.country = country
        self.language = language
        self.referrerHost = referrerHost
        self.campaign = campaign
        self.address = address
    }

    /// Whether a person clicked, and not a program.
    @inlinable
    package var isPersons: Bool { kind.bot == nil }
}

extension Resolution {
    /// What a visitor who is answered so was given; nil where that is nothing.
    package var clickDestination: Click.Destination? {
        switch self {
        case .redirect(let destination):
            switch destination.kind {
            case .web: .web
            case .store: .store
            case .intent: .app
            }
        case .openApp: .app
        case .distinguishMac: .page
        case .preview: .preview
        case .nowhere, .disabled, .expired, .exhausted, .scheduled: nil
        }
    }
}

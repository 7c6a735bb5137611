/// A visit on its way from the thread that answered it to the store: small, because many wait in memory at once, and
/// with whatever is yet to be made less telling (`ClickBlockWriter` does so).
///
/// In the order of the fields' sizes, here and in the profile, so that it takes 64 bytes: what a processor moves at once.
@usableFromInline
package struct Click: Sendable {
    @usableFromInline package var link: LinkID
    @usableFromInline package var time: Timestamp
    /// A number for what one subscriber has: an IPv4 address, or the first 64 bits of an IPv6 one. It is never stored.
    @usableFromInline package var subscriber: UInt64
    @usableFromInline package var profile: ClickProfile

    /// What the visitor was given.
    @usableFromInline
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
    @usableFromInline
    package final class Name: Sendable {
        package let text: String
        package init(_ text: String) { self.text = text }
    }

    // Inlined, because redirects that are ready make one each.
    @inlinable @inline(__always)
    package init(
        link: LinkID, time: Timestamp, kind: VisitorClass, destination: Destination, isProfiled: Bool = true,
        country: CountryCode? = nil, language: LanguageTag? = nil, referrerHost: Name? = nil, campaign: Name? = nil,
        subscriber: UInt64 = 0
    ) {
        self.link = link
        self.time = time
        self.subscriber = subscriber
        profile = ClickProfile(
            referrerHost: referrerHost, campaign: campaign, language: language, country: country, kind: kind,
            destination: destination, isProfiled: isProfiled)
    }

    /// Whether a person clicked, and not a program.
    @inlinable
    package var isPersons: Bool { profile.kind.bot == nil }
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

/// A visit on its way from the thread that responded to it to the store: small, because many wait in memory, and not
/// yet anonymised (see `ClickBlockWriter`).
///
/// Fields are ordered by size, here and in the profile, so that a click takes 64 bytes: one cache line.
@usableFromInline
package struct Click: Sendable {
    /// Or the number under which clicks on long links are recorded.
    @usableFromInline package var link: LinkID
    @usableFromInline package var time: Timestamp
    /// The subscriber: an IPv4 address, or the first 64 bits of an IPv6 address. Never stored.
    @usableFromInline package var subscriber: UInt64
    @usableFromInline package var profile: ClickProfile

    /// The destination of the visitor.
    @usableFromInline
    package enum Destination: String, Sendable, CaseIterable {
        case web, store
        /// An app, directly or through a button.
        case app
        /// The page that distinguishes an iPad from a Mac.
        case page
        /// The social card for link previews.
        case preview
    }

    /// A text shared by many clicks. A reference, so that copying a click does not copy texts.
    @usableFromInline
    package final class Name: Sendable {
        package let text: String
        /// Whether the visitor chose it: there may be any number of them.
        package let isVisitors: Bool

        package init(_ text: String, isVisitors: Bool = false) {
            self.text = text
            self.isVisitors = isVisitors
        }

        /// The host of the referring page.
        package convenience init(referrer host: HostName) {
            self.init(ClickField.recorded(host), isVisitors: true)
        }

        /// The package of the referring Android app.
        package convenience init(referrerApp package: String) {
            self.init(ClickField.recorded(app: package), isVisitors: true)
        }

        static let rest = Name(ClickField.rest)
    }

    // Inlined, because each cached redirect creates one.
    @inlinable @inline(__always)
    package init(
        link: LinkID, time: Timestamp, kind: VisitorClass, destination: Destination, isProfiled: Bool = true,
        country: CountryCode? = nil, language: LanguageTag? = nil, referrerHost: Name? = nil, campaign: Name? = nil,
        rule: ClickRule = .none, subscriber: UInt64 = 0, detail: ClickDetail = .full
    ) {
        self.link = link
        self.time = time
        self.subscriber = subscriber
        profile = ClickProfile(
            referrerHost: referrerHost, campaign: campaign, language: language, country: country, kind: kind,
            destination: destination, rule: rule, isProfiled: isProfiled, detail: detail)
    }

    /// Whether a person clicked rather than a program.
    @inlinable
    package var isPersons: Bool { profile.kind.bot == nil }

    /// Whether it adds to the clicks of its link: it is a person's, and there is a link.
    @inlinable
    package var isCounted: Bool { isPersons && !link.isOfLongLinks }
}

extension Resolution {
    /// The destination recorded for this resolution; nil if there is none.
    package var clickDestination: Click.Destination? {
        switch self {
        case .redirect(let destination):
            switch destination.kind {
            case .web: .web
            case .store: .store
            case .intent: .app
            }
        case .openApp: .app
        case .distinguishMac, .scan: .page
        case .preview: .preview
        case .locked, .nowhere, .disabled, .expired, .exhausted, .scheduled: nil
        }
    }
}

/// How a visit ends: a case for every way there is, and the values that rendering it needs.
///
/// Made by one pure function, `Link.resolve`, and turned into a response in one place.
package enum Resolution: Sendable, Equatable {
    /// Straight to an http(s), store or `intent:` URL.
    case redirect(Destination)
    /// The page with one button that opens the app; nothing starts by itself.
    case openApp(AppOpening)
    /// A link-preview crawler gets the social card.
    case preview(SocialCard, url: String)
    /// An iPad may call itself a Mac: a page tells them apart.
    case distinguishMac(mac: Destination, ipad: Resolution.OnIPad)
    case disabled
    case expired
    case exhausted
    case scheduled

    /// What an iPad that called itself a Mac is given.
    package enum OnIPad: Sendable, Equatable {
        case redirect(Destination)
        case openApp(AppOpening)
    }

    /// A finished URL and where it came from.
    package struct Destination: Sendable, Equatable {
        package enum Kind: Sendable { case web, store, intent, app }
        /// Absolute and encoded; safe as a header value.
        package var url: String
        package var kind: Kind
        /// In the words of an explanation: `link.urls.iphone`, `template product, ios`, `fallback store`…
        package var source: String
        package init(url: String, kind: Kind, source: String) {
            self.url = url
            self.kind = kind
            self.source = source
        }
    }

    /// What the open-the-app page shows.
    package struct AppOpening: Sendable, Equatable {
        /// The button: the same slug on `openHost`, else the custom scheme's URL.
        package var open: String
        /// Always visible: the store or web page.
        package var fallback: Destination
        package init(open: String, fallback: Destination) {
            self.open = open
            self.fallback = fallback
        }
    }
}

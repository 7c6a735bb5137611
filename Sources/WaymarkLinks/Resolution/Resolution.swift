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
    case distinguishMac(mac: Resolution.OnDevice, ipad: Resolution.OnDevice)
    /// The application was changed since, and gives this visitor nothing: a page that says so, 404.
    case nowhere
    case disabled
    case expired
    case exhausted
    case scheduled

    /// What the page that tells an iPad from a Mac gives one of the two.
    package enum OnDevice: Sendable, Equatable {
        case redirect(Destination)
        case openApp(AppOpening)
    }

    /// A finished URL and where it came from.
    package struct Destination: Sendable, Equatable {
        package enum Kind: Sendable { case web, store, intent }
        /// Absolute and encoded; safe as a header value.
        package var url: String
        package var kind: Kind
        package var source: DestinationSource

        package init(url: String, kind: Kind, source: DestinationSource) {
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
        /// What a button puts on the clipboard for the app to find at its first start, where the fallback is a store: the
        /// smart link as it was opened, with the click's id.
        package var handover: String?
        /// Where the page stands in an app's own browser, which may swallow the button's URL: what to open in a browser
        /// instead, the smart link itself.
        package var elsewhere: String?
        package init(open: String, fallback: Destination, handover: String? = nil, elsewhere: String? = nil) {
            self.open = open
            self.fallback = fallback
            self.handover = handover
            self.elsewhere = elsewhere
        }
    }
}

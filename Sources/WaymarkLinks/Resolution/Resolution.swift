/// How a visit is answered: a case for every kind of response, with the values needed to render it.
///
/// Created by one pure function, `Link.resolve`, and converted to a response in one place.
package enum Resolution: Sendable, Equatable {
    /// A redirect to an http(s), store or `intent:` URL.
    case redirect(Destination)
    /// The page with a button that opens the app; nothing opens automatically.
    case openApp(AppOpening)
    /// The social card for link-preview crawlers.
    case preview(SocialCard, url: String)
    /// An iPad may identify as a Mac: a page distinguishes them.
    case distinguishMac(mac: Resolution.OnDevice, ipad: Resolution.OnDevice)
    /// The application has changed since and has no destination for this visitor: a page, 404.
    case nowhere
    case disabled
    case expired
    case exhausted
    case scheduled

    /// The response for one of the two devices that the page distinguishes.
    package enum OnDevice: Sendable, Equatable {
        case redirect(Destination)
        case openApp(AppOpening)
    }

    /// A complete URL and its source.
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

    /// The contents of the page that opens the app.
    package struct AppOpening: Sendable, Equatable {
        /// The button's URL: the same slug on `openHost`, or the custom scheme's URL.
        package var open: String
        /// Always visible: the store or web page.
        package var fallback: Destination
        /// The text that a button copies to the clipboard for the app's first launch, if the fallback is a store: the
        /// smart link as opened, with the click ID.
        package var handover: String?
        /// Set in an in-app browser, which may block the button's URL: the smart link itself, to open in a browser
        /// instead.
        package var elsewhere: String?
        package init(open: String, fallback: Destination, handover: String? = nil, elsewhere: String? = nil) {
            self.open = open
            self.fallback = fallback
            self.handover = handover
            self.elsewhere = elsewhere
        }
    }
}

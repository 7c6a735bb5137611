/// What a destination was taken from, small on the way and words only for who asks.
package enum DestinationSource: Sendable, Hashable {
    /// One of the link's own rules, by its place.
    case linkRule(Int)
    /// One of the application's rules, by its place.
    case applicationRule(Int)
    /// An entry of the link's own `urls`.
    case link(Platform)
    case template(name: String, Platform)
    /// The application's custom scheme with the link's route behind it.
    case scheme(Platform)
    /// `web.baseURL` with the link's route behind it.
    case webRoute
    case webBase
    case store
    /// The URL that an entry names for visitors without the app.
    case fallbackURL
    /// The smart link's own "where does this lead" page, where an application was changed until nothing else is left.
    case ownPage
    /// The card for link previews.
    case social

    /// In the words of an explanation: `link.urls.iphone`, `template product, ios`, `fallback store`…
    package var text: String {
        switch self {
        case .linkRule(let index): "link.rules[\(index)]"
        case .applicationRule(let index): "application.rules[\(index)]"
        case .link(let platform): "link.urls.\(platform.rawValue)"
        case .template(let name, let platform): "template \(name), \(platform.rawValue)"
        case .scheme(let platform): "\(platform.rawValue).urlScheme with the route"
        case .webRoute: "web.baseURL with the route"
        case .webBase: "web.baseURL"
        case .store: "fallback store"
        case .fallbackURL: "fallback URL"
        case .ownPage: "the link's own page"
        case .social: "link.social"
        }
    }
}

/// The source of a destination; compact, and converted to text only for explanations.
package enum DestinationSource: Sendable, Hashable {
    /// One of the link's own rules, by its index.
    case linkRule(Int)
    /// One of the application's rules, by its index.
    case applicationRule(Int)
    /// An entry in the link's own `urls`.
    case link(Platform)
    case template(name: String, Platform)
    /// The application's custom scheme followed by the link's route.
    case scheme(Platform)
    /// `web.baseURL` followed by the link's route.
    case webRoute
    case webBase
    case store
    /// The fallback URL of an entry, for visitors without the app.
    case fallbackURL
    /// The smart link's own preview page, if a change of the application has left no other destination.
    case ownPage
    /// The card for link previews.
    case social

    /// The text in explanations: `link.urls.iphone`, `template product, ios`, `fallback store`…
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

import WaymarkHTTP
import WaymarkLinks
import WaymarkService

/// How a visit's query changes a cached response.
enum QueryEffect {
    /// No visit with a query came yet.
    case unknown
    /// Each such visit must be decided.
    case unforeseen
    case insertion(PreparedQuery)
}

/// Where a query goes in a cached redirect to a web page.
struct PreparedQuery {
    /// Nil if the link forwards no query.
    let place: QueryPlace?
    /// Of the place in the head of the response.
    let offset: Int
    /// Whether `d=1` asks for the page that shows where the link leads.
    let mayAskForDetails: Bool
    /// Whether the query names the campaign of the click.
    let namesCampaign: Bool

    /// - Parameters:
    ///   - response: to visitors without a query.
    ///   - resolution: the redirect of that response.
    init?(_ response: PreparedResponse, _ resolution: Resolution, _ place: QueryPlace?, _ cached: CachedLink) {
        guard case .redirect(let destination) = resolution, !response.isVariable,
            let location = response.offset(of: Array((": " + destination.url + "\r\n").utf8))
        else { return nil }
        self.place = place
        offset = location + 2 + (place?.offset ?? 0)
        mayAskForDetails = cached.application.application.firebase?.isEnabled == true
        namesCampaign = place != nil && cached.campaign == nil
    }
}

extension QueryEffect {
    /// - Parameters:
    ///   - response: to visitors without a query.
    ///   - found: that visitor's redirect, and what a query changes in it.
    init(
        _ response: PreparedResponse, _ found: (bare: Resolution, effect: QueryPlace.Effect), _ cached: CachedLink
    ) {
        let place: QueryPlace?
        switch found.effect {
        case .nothing: place = nil
        case .insertion(let found): place = found
        case .unforeseen:
            self = .unforeseen
            return
        }
        self = PreparedQuery(response, found.bare, place, cached).map { .insertion($0) } ?? .unforeseen
    }
}

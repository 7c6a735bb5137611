public import Foundation
import WaymarkBytes
import WaymarkKit

extension HOKDeeplinking {
    /// Resolves a smart link and opens its destination.
    ///
    /// - Parameters:
    ///   - smartlink: the link's URL.
    ///   - completion: called once with the deep link and its metadata, whether or not a filter held it back; with nil
    ///     if the link could not be resolved.
    public func openSmartlink(_ smartlink: String, completion: (@MainActor (HOKDeeplink?) -> Void)? = nil) {
        let links = links
        router.openSmartlink(smartlink) { completion?($0.map { links.link(for: $0) }) }
    }

    /// Creates a smart link, and calls one of the two closures after this function has returned.
    ///
    /// - Parameters:
    ///   - deeplink: a link with a mapped route, or with URLs of its own.
    ///   - success: receives the smart link's URL.
    ///   - failure: receives the error. Domain `Hoko`: 1 without a service, 8 if the service sent no link, 9 if it could
    ///     not be reached, 10 for a route that is not mapped, 11 for nil or missing route parameters. Domain
    ///     `HokoServerError`: the service refused.
    public func generateSmartlinkForDeeplink(
        _ deeplink: HOKDeeplink?, success: (@MainActor (String) -> Void)?,
        failure: (@MainActor (NSError) -> Void)? = nil
    ) {
        Task {
            do {
                guard let deeplink else { throw DeeplinkingError.missingRouteParameters([]) }
                let smartlink = try await router.generateSmartlink(for: try deeplink.shared())
                success?("\(smartlink)")
            } catch {
                let error = HOKError.log(error)
                failure?(error)
            }
        }
    }

    /// A URL that creates its smart link on the first visit, `http://DOMAIN/lazy?uri=…`. No request is sent.
    ///
    /// - Parameters:
    ///   - deeplink: a link with a mapped route and without URLs of its own.
    ///   - domain: a host that serves the app's smart links; a leading `http://` or `https://` is ignored.
    /// - Returns: nil if the link is nil, has no mapped route, lacks parameters or has URLs of its own, or if the domain
    ///   is invalid.
    public func generateLazySmartlinkForDeeplink(_ deeplink: HOKDeeplink?, domain: String) -> String? {
        guard let deeplink, deeplink.error == nil, deeplink.base.urls.isEmpty, let url = deeplink.base.url,
            router.isMapped(deeplink.route ?? "")
        else { return nil }
        var domain = domain
        for scheme in ["http://", "https://"] where domain.hasPrefix(scheme) { domain.removeFirst(scheme.count) }
        guard !domain.isEmpty, DeepLinkURL("//" + domain).authority == domain else { return nil }
        return "http://\(domain)/lazy?uri=" + PercentEncoding.encode(url)
    }
}

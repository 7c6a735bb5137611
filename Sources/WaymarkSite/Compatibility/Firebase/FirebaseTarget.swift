import WaymarkAPI
import WaymarkLinks
import WaymarkService

/// The link that a URL in a body means: a short link, or a long one.
struct FirebaseTarget: Sendable {
    let link: Link
    let application: Application
    /// The deep link of iOS and the parameters that come with it.
    let deepLink: DeepLink

    /// - Throws: `FirebaseError` if there is no such link of the caller's application; `StoreError`.
    init(_ text: String?, _ call: FirebaseCall) async throws {
        guard let text, let url = WebURL(text), let host = url.host else {
            throw FirebaseError(.invalidArgument, "requestedLink is missing or not a URL.")
        }
        guard let (domain, served) = try call.domain(at: host) else { throw FirebaseError.linkUnknown }
        if let query = url.query, FirebaseQuery.isLongLink(query), try await !call.site.service.isSlug(url) {
            switch call.site.service.longLink(at: host, path: url.path, query: query, for: served) {
            case .found(let found, _): self.init(found.link, served.application)
            case .invalid(_, let problems):
                let problem = problems.first.map { "Parameter \($0.field) \($0.problem)." }
                throw FirebaseError(.invalidArgument, problem ?? "The link is not valid.")
            case .notServed: throw FirebaseError.linkUnknown
            }
            return
        }
        guard let slug = SmartlinkAddress(url)?.slug,
            let link = try await call.site.service.find(domain, slug, for: .one(served.id)),
            link.state(at: call.site.now) == .active
        else { throw FirebaseError.linkUnknown }
        self.init(link, served.application)
    }

    init(_ link: Link, _ application: Application) {
        self.link = link
        self.application = application
        deepLink = link.deepLink(application: application, platform: .ios)
    }

    /// The link written out in a URL.
    var longLink: String {
        if let address = link.content.longLink { return address }
        let parameters = link.content.firebase ?? FirebaseParameters([.link: deepLink.url ?? ""])
        let prefix = link.slug.encoded.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        return application.address(on: link.domain) + prefix + "/?" + parameters.query
    }
}

import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// One request to the REST API of Firebase Dynamic Links, its key accepted.
struct FirebaseCall: Sendable {
    let site: Site
    let caller: Caller
    let peer: Peer
    /// The link in the path of `linkStats`.
    let pathLink: String
    let query: QueryString
    var body: [UInt8] = []

    enum Caller: Sendable {
        /// A Google API key: it creates links and asks for attribution, for one application.
        case apiKey(ApplicationID)
        case waymark(KeyIdentity)

        var application: ApplicationID? {
            switch self {
            case .apiKey(let application): application
            case .waymark(let key): key.grant.application
            }
        }

        func may(_ scope: KeyScope) -> Bool {
            switch self {
            case .apiKey: scope == .create || scope == .resolve
            case .waymark(let key): key.may(scope)
            }
        }

        var key: KeyIdentity? { if case .waymark(let key) = self { key } else { nil } }
    }

    enum Method: Sendable, Hashable, CaseIterable {
        case shortLinks, managedShortLinks, linkStatistics, reopenAttribution, exchangeShortLink, installAttribution

        var scope: KeyScope {
            switch self {
            case .shortLinks, .managedShortLinks: .create
            case .linkStatistics: .read
            case .reopenAttribution, .exchangeShortLink, .installAttribution: .resolve
            }
        }

        var limit: CallerLimits.Kind {
            switch self {
            case .shortLinks, .managedShortLinks: .create
            case .linkStatistics: .statistics
            case .reopenAttribution, .exchangeShortLink: .resolve
            case .installAttribution: .claim
            }
        }

        var hasBody: Bool { self != .linkStatistics }
    }

    var directory: ApplicationDirectory { site.service.applications.directory.current }

    /// The domain at a host and its application.
    ///
    /// - Throws: `FirebaseError` if the host is not one of the caller's.
    func domain(at host: HostName?) throws(FirebaseError) -> (domain: HostName, application: ServedApplication)? {
        guard let host else { return nil }
        guard let id = caller.application else { return directory.firebaseDomain(at: host) }
        guard let application = directory.application(id) else { return nil }
        return directory.firebaseDomain(at: host, for: application)
    }

    func answer(_ method: Method) async throws -> Response {
        switch method {
        case .shortLinks: try await FirebaseShortLinks(self).create()
        case .managedShortLinks: try await FirebaseShortLinks(self).createManaged()
        case .linkStatistics: try await FirebaseStatistics(self).answer()
        case .reopenAttribution: try await FirebaseAttribution(self).reopen()
        case .exchangeShortLink: try await FirebaseAttribution(self).exchange()
        case .installAttribution: try await FirebaseAttribution(self).install()
        }
    }
}

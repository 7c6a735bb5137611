import WaymarkBytes
import WaymarkClicks
package import WaymarkLinks
import WaymarkStores

/// The result of looking up a long link's URL.
package enum LongLinkLookup: Sendable {
    /// No application of the host serves long links, or the URL is not one.
    case notServed
    /// The problems of the parameters.
    case invalid(ServedApplication, [FieldProblem])
    /// Not stored, but created from the URL.
    case found(CachedLink, FirebaseQuery)
}

extension LinkService {
    /// Parses a long Firebase Dynamic Link: one with its parameters in the URL.
    ///
    /// - Parameters:
    ///   - path: `/`, or a prefix of up to three segments.
    ///   - query: without `?`.
    ///   - application: nil for the host's application that serves long links.
    package func longLink(
        at host: HostName, path: String, query: String, for application: ServedApplication? = nil
    ) -> LongLinkLookup {
        let directory = applications.directory.current
        guard directory.servesFirebase, FirebaseQuery.isLongLink(query), let prefix = Self.prefix(path),
            let (domain, served) = directory.firebaseDomain(at: host, for: application),
            application != nil || served.application.firebase?.servesLongLinks == true
        else { return .notServed }
        let read = FirebaseQuery(query)
        let draft = FirebaseLinkDraft(read.parameters, for: served.application, onlyOwnHosts: true)
        guard draft.problems.isEmpty else { return .invalid(served, draft.problems) }
        switch draft.draft.validateForStorage(for: served.application, notInto: directory.smartlinkHosts) {
        case .invalid(let problems): return .invalid(served, problems)
        case .valid(let valid):
            guard let link = link(valid, on: domain, prefix: prefix, of: served) else { return .notServed }
            return .found(link, read)
        }
    }

    /// Whether the URL is a valid long link.
    package func isLongLink(_ url: WebURL) -> Bool { longLink(url.text) != nil }

    /// A long link by its complete URL.
    func longLink(_ url: String) -> CachedLink? {
        guard let url = WebURL(url), let host = url.host, let query = url.query,
            case .found(let link, _) = longLink(at: host, path: url.path, query: query)
        else { return nil }
        return link
    }

    private func link(
        _ valid: ValidLink, on domain: HostName, prefix: String, of served: ServedApplication
    ) -> CachedLink? {
        var content = valid.content
        guard var parameters = content.firebase, let slug = Self.slug else { return nil }
        let address = served.application.address(on: domain) + prefix + "/?" + parameters.query
        parameters.address = address
        content.firebase = parameters
        let now = dependencies.now()
        let link = Link(
            id: .unstored, application: served.id, domain: domain, slug: slug, content: content, createdAt: now,
            updatedAt: now)
        return CachedLink(
            link, application: served, quota: nil, clickSecret: clickSecret(ofLongLink: address))
    }

    /// A placeholder, because long links have no slug; never shown.
    private static let slug = Slug("long-link")

    /// `""` or `/a/b`; nil if the path is not possible for a long link.
    private static func prefix(_ path: String) -> String? {
        var path = path[...]
        while path.last == "/" { path = path.dropLast() }
        guard !path.isEmpty else { return "" }
        guard let slug = Slug(String(path.dropFirst())), slug.text.split(separator: "/").count <= 3 else { return nil }
        return String(path)
    }
}

extension ApplicationDirectory {
    /// The domain at a host, and its application, which serves Firebase Dynamic Links.
    ///
    /// - Parameter application: the application that the host must belong to; nil: any.
    package func firebaseDomain(
        at host: HostName, for application: ServedApplication? = nil
    ) -> (domain: HostName, application: ServedApplication)? {
        guard servesFirebase, let lookup = lookup(at: host) else { return nil }
        for candidate in lookup.candidates where !candidate.isOpenHost {
            for id in candidate.applications where application == nil || application?.id == id {
                guard let served = self.application(id), served.application.firebase?.isEnabled == true else {
                    continue
                }
                // Several applications may share a host, but each only serves its own domains.
                if served.linkDomains.contains(candidate.domain) { return (candidate.domain, served) }
            }
        }
        return nil
    }
}

extension LinkService {
    /// Counts that the link opened an app.
    package func noteOpening(of link: Link) {
        activity.add(LinkActivity(opens: 1), of: link.id, at: dependencies.now())
    }
}

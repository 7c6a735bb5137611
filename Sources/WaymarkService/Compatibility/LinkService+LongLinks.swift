package import WaymarkAPI
import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

/// The result of looking up a long link's URL.
package enum LongLinkLookup: Sendable {
    /// No application of the host serves long links, or the URL is not one.
    case notServed
    /// The problems of the parameters.
    case invalid(ServedApplication, [FieldProblem])
    /// Not stored, but created from the URL.
    case found(CachedLink, LongLinkQuery)
}

/// What a long link's query says about the visit.
package struct LongLinkQuery: Sendable, Equatable {
    /// Whether the response is a page that explains the link.
    package var isPreview = false
    /// The part that is passed on like the query of a short link.
    package var forwarded: String?
    /// The number under which clicks are recorded; nil as long as the store has given none.
    package var number: LinkID?
}

extension LinkService {
    /// Parses a long link of Firebase Dynamic Links or of Branch: one with its parameters in the URL.
    ///
    /// - Parameters:
    ///   - path: `/`, or a prefix of up to three segments.
    ///   - query: without `?`.
    ///   - application: nil for the host's application that serves long links.
    package func longLink(
        at host: HostName, path: String, query: String, for application: ServedApplication? = nil
    ) -> LongLinkLookup {
        let directory = applications.directory.current
        guard directory.servesLongLinks || application != nil, let prefix = Self.prefix(path) else { return .notServed }
        let address = LongLinkAddress(prefix: prefix, query: query)
        if FirebaseQuery.isLongLink(query),
            let (domain, served) = directory.firebaseDomain(at: host, for: application),
            application != nil || served.application.firebase?.servesLongLinks == true
        {
            return firebaseLink(address, on: domain, of: served)
        }
        if BranchQuery.isLongLink(path, query),
            let (domain, served) = directory.domain(at: host, for: application, where: \.servesBranch)
        {
            return branchLink(address, on: domain, of: served)
        }
        return .notServed
    }

    private func firebaseLink(
        _ address: LongLinkAddress, on domain: HostName, of served: ServedApplication
    ) -> LongLinkLookup {
        let read = FirebaseQuery(address.query)
        let draft = FirebaseLinkDraft(read.parameters, for: served.application, onlyOwnHosts: true)
        guard draft.problems.isEmpty else { return .invalid(served, draft.problems) }
        return lookup(
            draft.draft, from: draft.origin, address.prefix + "/?", on: domain, of: served,
            LongLinkQuery(isPreview: read.isPreview))
    }

    private func branchLink(
        _ address: LongLinkAddress, on domain: HostName, of served: ServedApplication
    ) -> LongLinkLookup {
        let read = BranchQuery(address.query)
        let draft = BranchLinkDraft(read.data, for: served.application, onlyOwnHosts: true)
        guard draft.problems.isEmpty else { return .invalid(served, draft.problems) }
        return lookup(
            draft.draft, address.prefix + (address.prefix.isEmpty ? "/?" : "?") + read.query, on: domain, of: served,
            LongLinkQuery(forwarded: read.own))
    }

    /// - Parameter path: Behind the host; with the parameters of Firebase, as far as they took effect, behind it.
    private func lookup(
        _ draft: LinkRequest, from origin: LinkOrigin = LinkOrigin(), _ path: String, on domain: HostName,
        of served: ServedApplication, _ query: LongLinkQuery
    ) -> LongLinkLookup {
        let hosts = applications.directory.current.smartlinkHosts
        switch draft.validateForStorage(for: served.application, notInto: hosts, from: origin) {
        case .invalid(let problems): return .invalid(served, problems)
        case .valid(let valid):
            guard let slug = Self.slug else { return .notServed }
            var content = valid.content
            let address = served.application.address(on: domain) + path + (content.firebase.map(\.query) ?? "")
            content.longLink = address
            var query = query
            query.number = served.longLinks[domain]
            let now = dependencies.now()
            let link = Link(
                id: .unstored, application: served.id, domain: domain, slug: slug, content: content, createdAt: now,
                updatedAt: now)
            return .found(
                CachedLink(link, application: served, quota: nil, clickSecret: clickSecret(ofLongLink: address)), query)
        }
    }

    /// Whether the URL's path is that of a stored link, which comes before a long link of the same URL.
    package func isSlug(_ url: WebURL) async throws(StoreError) -> Bool {
        guard let host = url.host,
            let reading = try await locate(OpenedPath.Target(url.path.dropFirst()), at: host, remembering: false),
            case .found = try await load(at: host, slug: reading.slug, remembering: false)
        else { return false }
        return true
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

/// The parts of a long link's URL.
private struct LongLinkAddress {
    /// Empty, or a path without its last slash.
    var prefix: String
    var query: String
}

extension ApplicationDirectory {
    /// The domain at a host, and its application, which serves Firebase Dynamic Links.
    ///
    /// - Parameter application: the application that the host must belong to; nil: any.
    package func firebaseDomain(
        at host: HostName, for application: ServedApplication? = nil
    ) -> (domain: HostName, application: ServedApplication)? {
        guard servesFirebase else { return nil }
        return domain(at: host, for: application) { $0.firebase?.isEnabled == true }
    }

    /// The domain at a host, and its first application that meets the condition.
    fileprivate func domain(
        at host: HostName, for application: ServedApplication?, where serves: (Application) -> Bool
    ) -> (domain: HostName, application: ServedApplication)? {
        guard let lookup = lookup(at: host) else { return nil }
        for candidate in lookup.candidates where !candidate.isOpenHost {
            for id in candidate.applications where application == nil || application?.id == id {
                guard let served = self.application(id), serves(served.application) else { continue }
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

package import WaymarkLinks

extension LinkService {
    /// The link, straight from the store; nil where there is none of an application that the asker reaches.
    package func find(
        _ domain: HostName, _ slug: Slug, for asker: ApplicationID?
    ) async throws(StoreError) -> Link? {
        guard let link = try await store.link(domain, slug), asker == nil || asker == link.application else {
            return nil
        }
        return link
    }

    /// The link of that slug, where there is only one that the asker reaches.
    package func find(_ slug: Slug, for asker: ApplicationID?) async throws(StoreError) -> SlugSearch {
        let links = try await store.links(slug: slug, limit: Self.slugSearchLimit)
            .filter { asker == nil || asker == $0.application }
        guard let link = links.first else { return .unknown }
        return links.count == 1 ? .one(link) : .several(links.map(\.domain))
    }

    /// Read before the asker's are picked out, so it is far above the domains of any installation.
    private static var slugSearchLimit: Int { 10_000 }

    /// A page of links, newest first; `asker` sees only its own.
    package func list(_ listing: LinkListing, for asker: ApplicationID?) async throws(StoreError) -> LinkPage {
        guard let asker else { return try await store.list(listing) }
        if let asked = listing.application, asked != asker { return LinkPage(links: [], next: nil) }
        var own = listing
        own.application = asker
        return try await store.list(own)
    }

    /// The metadata as sent, and its link; for operators.
    package func metadata(
        _ domain: HostName, _ slug: Slug, for asker: ApplicationID?
    ) async throws(StoreError) -> (link: Link, metadata: [UInt8]?)? {
        guard let link = try await find(domain, slug, for: asker) else { return nil }
        return (link, link.hasMetadata ? try await store.metadata(of: link.id) : nil)
    }

    /// Changes a link. Once it returns, no visit anywhere in this process is served from the old one.
    ///
    /// `change` is given the link, its application and its metadata (nil: none) as they stand; it is asked again where
    /// another change came in between and `expecting` is nil.
    package func patch<Refusal: Sendable>(
        _ domain: HostName, _ slug: Slug, for asker: ApplicationID?, expecting: Int?,
        change: @Sendable (Link, ServedApplication, _ metadata: [UInt8]?) -> PatchDecision<Refusal>
    ) async throws(StoreError) -> PatchOutcome<Refusal> {
        while true {
            guard let link = try await find(domain, slug, for: asker),
                let application = applications.directory.current.application(link.application)
            else { return .unknown }
            if let expecting, expecting != link.version { return .versionMismatch(current: link.version) }
            let metadata = link.hasMetadata ? try await store.metadata(of: link.id) : nil
            let decided: LinkChange
            switch change(link, application, metadata) {
            case .refuse(let refusal): return .refused(refusal)
            case .change(let change): decided = change
            }
            switch try await update(link, to: decided) {
            case .updated(let link): return .updated(link)
            case .unknown: return .unknown
            case .versionMismatch(let current):
                if expecting != nil { return .versionMismatch(current: current) }
            }
        }
    }

    private func update(_ link: Link, to change: LinkChange) async throws(StoreError) -> UpdateOutcome {
        let limits = change.content.maxClicks != link.content.maxClicks
        // Clicks that came while there was no limit count under it, also those that are not written down yet.
        if limits { try await clicks.flush() }
        let outcome: UpdateOutcome
        do {
            outcome = try await store.update(link.id, expecting: link.version, to: change, at: dependencies.now())
        } catch {
            // Whether it was committed is not known.
            forget(link.key)
            throw error
        }
        forget(link.key)
        if limits { await quotas.revoke(link.id) }
        return outcome
    }

    /// Deletes a link that the asker reaches, where its version still is `expecting` (nil: whatever it is).
    package func delete(
        _ domain: HostName, _ slug: Slug, for asker: ApplicationID?, expecting: Int? = nil
    ) async throws(StoreError) -> LinkDeletion {
        guard let link = try await find(domain, slug, for: asker) else { return .unknown }
        let outcome: LinkDeletion
        do {
            outcome = try await store.delete(link.id, expecting: expecting)
        } catch {
            forget(link.key)
            throw error
        }
        forget(link.key)
        if case .versionMismatch = outcome { return outcome }
        await quotas.revoke(link.id)
        return outcome
    }
}

/// What a slug alone leads to.
package enum SlugSearch: Sendable, Equatable {
    case unknown
    case one(Link)
    /// It stands on these domains.
    case several([HostName])
}

/// What a patch comes to, seen against the link that it is for.
package enum PatchDecision<Refusal: Sendable>: Sendable {
    case change(LinkChange)
    case refuse(Refusal)
}

package enum PatchOutcome<Refusal: Sendable>: Sendable {
    case updated(Link)
    case unknown
    case versionMismatch(current: Int)
    case refused(Refusal)
}

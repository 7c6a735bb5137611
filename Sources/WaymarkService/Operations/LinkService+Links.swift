package import WaymarkLinks
package import WaymarkStores

extension LinkService {
    /// The link, always read from the store; nil if there is none of an application that the caller has access to.
    package func find(
        _ domain: HostName, _ slug: Slug, for asker: ApplicationReach
    ) async throws(StoreError) -> Link? {
        guard let link = try await store.link(domain, slug), asker.contains(link.application) else {
            return nil
        }
        return link
    }

    /// The link with this slug, if the caller has access to only one.
    package func find(_ slug: Slug, for asker: ApplicationReach) async throws(StoreError) -> SlugSearch {
        let links = try await store.links(slug: slug, limit: Self.slugSearchLimit)
            .filter { asker.contains($0.application) }
        guard let link = links.first else { return .unknown }
        return links.count == 1
            ? .one(link)
            : .several(
                links.map { link in link.address(foldedLike: slug)?.domain ?? link.domain })
    }

    /// Applied before filtering by application, so it is far above the number of domains of any installation.
    private static var slugSearchLimit: Int { 10_000 }

    /// A page of links; `asker` only sees its own.
    ///
    /// - Parameter key: the ID of the caller's key, by which callers take turns.
    package func list(
        _ listing: LinkListing, for asker: ApplicationReach, key: String = ""
    ) async throws(StoreError) -> LinkPage {
        var own = listing
        own.now = dependencies.now()
        if let asked = listing.filter.application, !asker.contains(asked) {
            return LinkPage(
                links: [], next: nil, count: listing.counts ? LinkCount(links: 0, isLowerBound: false) : nil)
        }
        own.filter = listing.filter.limited(to: asker)
        let turns = own.isIndexed ? pageTurns : searchTurns
        let page = try await turns.withTurn(of: .init(application: asker.single, key: key)) {
            () async throws(StoreError) in try await store.list(own)
        }
        if let id = page.unreadable.first {
            warnings.raise(
                .unreadableLinks,
                """
                a listing left out links that are damaged, or of a later version, the first with the id \(id.rawValue); \
                waymark check names them
                """)
        }
        return page
    }

    /// The metadata as sent, with its link; for operators.
    package func metadata(
        _ domain: HostName, _ slug: Slug, for asker: ApplicationReach
    ) async throws(StoreError) -> (link: Link, metadata: [UInt8]?)? {
        guard let link = try await find(domain, slug, for: asker) else { return nil }
        return (link, link.hasMetadata ? try await store.metadata(of: link.id) : nil)
    }

    /// Changes a link. When this returns, no visit in this process is served from the old one.
    ///
    /// `change` receives the current link, its application and its metadata (nil: none). It is called again if
    /// another change was made meanwhile and `expecting` is nil.
    package func patch<Refusal: Sendable>(
        _ domain: HostName, _ slug: Slug, for asker: ApplicationReach, expecting: Int?,
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

    func update(_ link: Link, to change: LinkChange) async throws(StoreError) -> UpdateOutcome {
        let limits = change.content.maxClicks != link.content.maxClicks
        // Clicks from before there was a limit count towards it, including those not yet written.
        if limits { try await clicks.flush() }
        let outcome: UpdateOutcome
        do {
            outcome = try await store.update(link.id, expecting: link.version, to: change, at: dependencies.now())
        } catch {
            // It is unknown whether the transaction was committed.
            forget(link)
            throw error
        }
        forget(link)
        if limits { await quotas.revoke(link.id) }
        return outcome
    }

    /// Gives a link another slug; it still answers under its earlier ones. When this returns, no visit in this process is
    /// served from the old one.
    package func rename(
        _ domain: HostName, _ slug: Slug, to other: Slug, for asker: ApplicationReach, by author: ChangeAuthor,
        expecting: Int?
    ) async throws(StoreError) -> RenameOutcome {
        guard let link = try await find(domain, slug, for: asker) else { return .unknown }
        // Also the new slug, which a domain that is searched later may have.
        let draft = NewLink(
            application: link.application, domain: link.domain, slug: other, content: link.content, metadata: nil,
            identity: nil)
        defer {
            forget(link)
            forget(link.domain, other)
            uncover([draft])
        }
        let outcome = try await store.rename(
            link.id, expecting: expecting, to: other, by: author, at: dependencies.now())
        if case .renamed(let renamed) = outcome { forget(renamed) }
        return outcome
    }

    /// Deletes a link that the caller has access to, if its version is still `expecting` (nil: any).
    package func delete(
        _ domain: HostName, _ slug: Slug, for asker: ApplicationReach, expecting: Int? = nil
    ) async throws(StoreError) -> LinkDeletion {
        while true {
            guard let link = try await find(domain, slug, for: asker) else { return .unknown }
            if let expecting, expecting != link.version { return .versionMismatch(current: link.version) }
            let outcome: LinkDeletion
            do {
                // This version, because another one may have further addresses in the cache.
                outcome = try await store.delete(link.id, expecting: link.version, at: dependencies.now())
            } catch {
                forget(link)
                throw error
            }
            forget(link)
            if case .versionMismatch = outcome {
                if expecting != nil { return outcome }
                continue
            }
            await quotas.revoke(link.id)
            return outcome
        }
    }
}

/// The result of looking up a slug without a domain.
package enum SlugSearch: Sendable, Equatable {
    case unknown
    case one(Link)
    /// It exists on these domains.
    case several([HostName])
}

/// The result of applying a patch to the current link.
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

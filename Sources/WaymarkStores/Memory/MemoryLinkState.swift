import WaymarkLinks

/// The data of a `MemoryLinkStore`, and its changes that are more than one assignment.
struct MemoryLinkState: Sendable {
    struct Record: Sendable {
        enum Kept: Sendable {
            case answer([UInt8])
            case redeem(RedeemRecord)
            case claim(ClaimRecord)
            case event
        }
        var fingerprint: [UInt8]
        var expiresAt: Timestamp
        var kept: Kept
    }

    struct Identity: Hashable, Sendable {
        var application: ApplicationID
        var digest: [UInt8]
    }

    var isClosed = false
    var links: [LinkID: Link] = [:]
    /// Ascending, because IDs only grow.
    var order: [LinkID] = []
    var lastID: Int64 = 0
    /// The links with the same slug, each on a different domain.
    var bySlug: [Slug: [LinkID]] = [:]
    var byIdentity: [Identity: LinkID] = [:]
    var metadata: [LinkID: [UInt8]] = [:]
    var applications: [ApplicationID: StoredApplication] = [:]
    var keys: [String: StoredKey] = [:]
    /// By path.
    var routes: [ApplicationID: [String: RegisteredRoute]] = [:]
    var secrets: [String: [UInt8]] = [:]
    var events: [LinkID: EventCounts] = [:]
    /// By day.
    var activity: [LinkID: [Int: LinkActivity]] = [:]
    /// For each link, in ascending order of their keys.
    var clickBlocks: [LinkID: [ClickBlock]] = [:]
    /// By quarter, encoded.
    var clickTotals: [ApplicationID: [Int: [UInt8]]] = [:]
    var linkTotals: [TotalsChange.PageKey: [UInt8]] = [:]
    /// Idempotency records, claims and event digests by scope.
    var records: [[UInt8]: Record] = [:]
    /// By writer.
    var batches: [[UInt8]: WrittenBatch] = [:]

    mutating func create(_ draft: NewLink) -> CreationOutcome {
        guard let application = applications[draft.application],
            application.domains.isEmpty || application.domains.contains(draft.domain)
        else { return .applicationUnknown }
        let identity = draft.identity.map { Identity(application: draft.application, digest: $0) }
        if let identity, let id = byIdentity[identity], let link = links[id], link.isGivenAgain(at: draft.createdAt) {
            return .existing(link)
        }
        guard !(bySlug[draft.storedSlug] ?? []).contains(where: { links[$0]?.domain == draft.domain }) else {
            return .slugTaken
        }
        lastID += 1
        let link = draft.link(id: LinkID(rawValue: lastID))
        links[link.id] = link
        order.append(link.id)
        bySlug[link.slug, default: []].append(link.id)
        metadata[link.id] = draft.metadata
        if let identity { byIdentity[identity] = link.id }
        return .created(link)
    }

    mutating func update(_ id: LinkID, expecting: Int?, to change: LinkChange, at now: Timestamp) -> UpdateOutcome {
        guard var link = links[id] else { return .unknown }
        if let expecting, expecting != link.version { return .versionMismatch(current: link.version) }
        link.content = change.content
        switch change.metadata {
        case .keep: break
        case .set(let bytes): metadata[id] = bytes
        case .remove: metadata[id] = nil
        }
        link.hasMetadata = metadata[id] != nil
        link.updatedAt = now
        link.version += 1
        links[id] = link
        return .updated(link)
    }

    mutating func delete(_ id: LinkID, expecting: Int?) -> LinkDeletion {
        guard let link = links[id] else { return .unknown }
        if let expecting, expecting != link.version { return .versionMismatch(current: link.version) }
        links[id] = nil
        metadata[id] = nil
        events[id] = nil
        activity[id] = nil
        clickBlocks[id] = nil
        if let index = position(of: id) { order.remove(at: index) }
        bySlug[link.slug]?.removeAll { $0 == id }
        if bySlug[link.slug]?.isEmpty == true { bySlug[link.slug] = nil }
        return .deleted
    }

    func list(_ listing: LinkListing) -> LinkPage {
        var found: [Link] = []
        var index = listing.before.map { firstIndex(notBelow: $0) } ?? order.count
        var examined = 0
        let limit = max(1, listing.limit)
        let search = listing.query.map { LiteralSearch($0) }
        let budget = listing.budget.begin()
        while index > 0 {
            // A full page has a cursor whenever any link is left, whether it matches or not.
            let isLate = listing.isSearch && examined > 0 && budget.isSpent
            if found.count == limit || examined == max(1, listing.examining) || isLate {
                return LinkPage(links: found, next: order[index])
            }
            index -= 1
            examined += 1
            guard let link = links[order[index]] else { continue }
            if let application = listing.application, link.application != application { continue }
            if let tag = listing.tag, !link.content.tags.contains(tag) { continue }
            if let search, !link.isFound(by: search) { continue }
            found.append(link)
        }
        return LinkPage(links: found, next: nil)
    }

    func use(of id: ApplicationID) -> ApplicationUse {
        var use = ApplicationUse(links: 0, domains: [:], templateRoutes: [:])
        for link in links.values where link.application == id {
            use.links += 1
            use.domains[link.domain, default: 0] += 1
            if let route = link.content.templateRoute { use.templateRoutes[route, default: 0] += 1 }
        }
        return use
    }

    private func firstIndex(notBelow id: LinkID) -> Int {
        var low = 0
        var high = order.count
        while low < high {
            let middle = (low + high) / 2
            if order[middle].rawValue < id.rawValue { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func position(of id: LinkID) -> Int? {
        let index = firstIndex(notBelow: id)
        return index < order.count && order[index] == id ? index : nil
    }
}

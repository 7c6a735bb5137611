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

    struct ImportRun {
        var run: StoredImportRun
        var report: [[UInt8]] = []
    }

    var isClosed = false
    var links: [LinkID: Link] = [:]
    /// Ascending, because IDs only grow.
    var order: [LinkID] = []
    var lastID: Int64 = 0
    /// The links with the same slug or alias, each on a different domain.
    var bySlug: [Slug: [LinkID]] = [:]
    var byIdentity: [Identity: LinkID] = [:]
    var metadata: [LinkID: [UInt8]] = [:]
    /// In ascending order of versions.
    var history: [LinkID: [LinkHistoryEntry]] = [:]
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
    var summaries: [ClickSummaryKey: MemorySummary] = [:]
    /// By application, the earliest day (since 1970) on which a link with clicks was created that is deleted.
    var linkDeletions: [ApplicationID: Int] = [:]
    /// By application and day.
    var unknownVisits: [ApplicationID: [Int: UnknownVisits]] = [:]
    var webhooks: [Webhook] = []
    var outbox: [(number: Int64, event: OutboxEvent)] = []
    var lastEvent: Int64 = 0
    /// Bodies of messages by their number.
    var messages: [Int64: [UInt8]] = [:]
    /// By endpoint and number.
    var deliveries: [String: [Int64: WebhookDelivery]] = [:]
    var rounds: [String: [Int64: Int]] = [:]
    var conversions: [ConversionKey: ConversionTotal] = [:]
    /// By ID.
    var imports: [String: ImportRun] = [:]
    /// Links that expired until then are reported.
    var expiryReport: Timestamp?
    /// Idempotency records, claims and event digests by scope.
    var records: [[UInt8]: Record] = [:]
    /// By writer.
    var batches: [[UInt8]: WrittenBatch] = [:]

    mutating func create(_ draft: NewLink) -> CreationOutcome {
        guard let application = applications[draft.application],
            application.domains.isEmpty || draft.areDomains(application.domains.contains)
        else { return .applicationUnknown }
        let identity = draft.identity.map { Identity(application: draft.application, digest: $0) }
        if let identity, let id = byIdentity[identity], let link = links[id], link.isGivenAgain(at: draft.createdAt) {
            return .existing(link)
        }
        let rules = application.slugRules
        let aliases = draft.content.furtherAddresses(of: draft.domain)
        guard isFree(LinkAddress(domain: draft.domain, slug: draft.storedSlug), rules),
            aliases.isEmpty || draft.addresses.areDistinct, aliases.allSatisfy({ isFree($0, rules) })
        else { return .slugTaken }
        lastID += 1
        let link = draft.link(id: LinkID(rawValue: lastID))
        links[link.id] = link
        order.append(link.id)
        bySlug[link.slug, default: []].append(link.id)
        for alias in aliases where bySlug[alias.slug]?.last != link.id {
            bySlug[alias.slug, default: []].append(link.id)
        }
        metadata[link.id] = draft.metadata
        if let identity { byIdentity[identity] = link.id }
        report(.linkCreated, link, at: link.createdAt, [])
        return .created(link)
    }

    mutating func update(_ update: LinkUpdate, at now: Timestamp) -> UpdateOutcome {
        let (id, change) = (update.id, update.change)
        guard var link = links[id] else { return .unknown }
        if let expecting = update.expecting, expecting != link.version {
            return .versionMismatch(current: link.version)
        }
        let fields = change.fields(of: link)
        link.replaceContent(by: change.content)
        switch change.metadata {
        case .keep: break
        case .set(let bytes): metadata[id] = bytes
        case .remove: metadata[id] = nil
        }
        link.hasMetadata = metadata[id] != nil
        link.updatedAt = now
        link.version += 1
        links[id] = link
        note(fields, of: link, by: change.author)
        report(.linkUpdated, link, at: now, [.init("changed", .list(fields))])
        return .updated(link)
    }

    mutating func rename(
        _ id: LinkID, expecting: Int?, to slug: Slug, by author: ChangeAuthor?, at now: Timestamp
    ) -> RenameOutcome {
        guard let link = links[id], let rules = applications[link.application]?.slugRules else { return .unknown }
        if let expecting, expecting != link.version { return .versionMismatch(current: link.version) }
        guard rules.permit(slug) else { return .slugReserved }
        if slug == link.slug { return .renamed(link) }
        let address = LinkAddress(domain: link.domain, slug: slug)
        guard isFree(address, rules, besides: id) else { return .slugTaken }
        guard let renamed = link.renamed(to: slug, at: now) else { return .tooManyAliases }
        links[id] = renamed
        if bySlug[slug]?.contains(id) != true { bySlug[slug, default: []].append(id) }
        note(["slug"], of: renamed, by: author)
        report(.linkUpdated, renamed, at: now, [.init("changed", .list(["slug"]))])
        return .renamed(renamed)
    }

    private func isFree(_ address: LinkAddress, _ rules: SlugRules, besides id: LinkID? = nil) -> Bool {
        guard rules.permit(address.slug) else { return false }
        let holders = (bySlug[address.slug] ?? []).filter { $0 != id }
        if holders.contains(where: { links[$0]?.addresses.contains(address) == true }) { return false }
        guard rules.contains(.ignoreCase) else { return true }
        return folded(address.slug).allSatisfy { $0.link.id == id || $0.domain != address.domain }
    }

    /// The links of applications that ignore case with a slug or alias that differs from this one in case at most, and the
    /// domain of that.
    func folded(_ slug: Slug) -> [(link: Link, domain: HostName)] {
        let ignoring = Set(applications.values.filter { $0.slugRules.contains(.ignoreCase) }.map(\.id))
        guard !ignoring.isEmpty else { return [] }
        let folded = slug.caseFolded
        return links.values.filter { ignoring.contains($0.application) }.flatMap { link in
            link.addresses.filter { $0.slug.caseFolded == folded }.map { (link, $0.domain) }
        }
    }

    /// How the links of an application break the rules.
    func clash(of id: ApplicationID, with rules: SlugRules) -> SlugClash? {
        var known: [HostName: [String: Link]] = [:]
        for link in links.values where link.application == id {
            for address in link.addresses {
                let slug = address.slug
                if !rules.permit(slug) { return .reserved(address.domain, slug) }
                guard rules.contains(.ignoreCase) else { continue }
                let other = known[address.domain, default: [:]].updateValue(link, forKey: slug.caseFolded)
                guard let other, other.id != link.id else { continue }
                return .sameButForCase(address.domain, other.address(foldedLike: slug)?.slug ?? other.slug, slug)
            }
        }
        return nil
    }

    private mutating func note(_ fields: [String], of link: Link, by author: ChangeAuthor?) {
        guard !fields.isEmpty else { return }
        var entries = history[link.id] ?? []
        entries.removeAll { $0.version <= link.version - LinkHistoryEntry.limit }
        entries.append(
            LinkHistoryEntry(version: link.version, at: link.updatedAt, author: author, fields: fields))
        history[link.id] = entries
    }

    mutating func delete(_ removal: LinkRemoval) -> LinkDeletion {
        let (id, expecting) = (removal.id, removal.expecting)
        guard let link = links[id] else { return .unknown }
        if let expecting, expecting != link.version { return .versionMismatch(current: link.version) }
        if link.clicks > 0 || !(clickBlocks[id] ?? []).isEmpty { noteDeletion(of: link) }
        links[id] = nil
        metadata[id] = nil
        events[id] = nil
        activity[id] = nil
        clickBlocks[id] = nil
        if let index = position(of: id) { order.remove(at: index) }
        history[id] = nil
        for slug in Set(link.addresses.map(\.slug)) {
            bySlug[slug]?.removeAll { $0 == id }
            if bySlug[slug]?.isEmpty == true { bySlug[slug] = nil }
        }
        report(.linkDeleted, link, at: removal.at, [])
        return .deleted
    }

    func list(_ listing: LinkListing) -> LinkPage {
        var builder = LinkPageBuilder(listing)
        collect(listing, after: listing.after, into: &builder)
        var page = builder.page
        if listing.counts {
            var all = listing
            all.budget = listing.countBudget
            var counting = LinkPageBuilder(all, counting: true)
            collect(listing, after: nil, into: &counting)
            page.count = counting.total
        }
        return page
    }

    private func collect(_ listing: LinkListing, after: LinkPosition?, into builder: inout LinkPageBuilder) {
        for position in positions(listing.sort, after: after) {
            let link = links[position.id]
            // As the other stores do for applications with few links.
            if listing.filter.search != nil, let application = listing.filter.application,
                link?.application != application
            {
                continue
            }
            guard case .goOn = builder.begin() else { return }
            builder.pass(position)
            if let link { builder.add(link) }
        }
    }

    /// All links after the position, in the order of the listing.
    private func positions(_ sort: LinkSort, after: LinkPosition?) -> any Sequence<LinkPosition> {
        switch sort {
        case .newest:
            return order[..<(after.map { firstIndex(notBelow: $0.id) } ?? order.count)].lazy.reversed()
                .map { LinkPosition($0) }
        case .oldest:
            let first = after.map { firstIndex(notBelow: LinkID(rawValue: $0.id.rawValue + 1)) } ?? 0
            return order[first...].lazy.map { LinkPosition($0) }
        case .clicks:
            return sorted(after: after, ascending: { _ in false }) { Int64($0.clicks) }
        case .expiry:
            return sorted(after: after, ascending: { $0 != LinkPosition.neverExpires }) {
                $0.content.expiresAt?.rawValue ?? LinkPosition.neverExpires
            }
        }
    }

    private func sorted(
        after: LinkPosition?, ascending: (Int64) -> Bool, by key: (Link) -> Int64
    ) -> [LinkPosition] {
        func isBefore(_ one: LinkPosition, _ other: LinkPosition) -> Bool {
            if one.key != other.key { return ascending(min(one.key, other.key)) == (one.key < other.key) }
            return ascending(one.key) == (one.id.rawValue < other.id.rawValue) && one.id != other.id
        }
        return links.values.map { LinkPosition($0.id, key: key($0)) }
            .filter { after == nil || isBefore(after ?? $0, $0) }
            .sorted(by: isBefore)
    }

    func use(of id: ApplicationID) -> ApplicationUse {
        var use = ApplicationUse()
        for link in links.values where link.application == id {
            for (kind, name) in link.content.uses(on: link.domain) { _ = use.add(kind.rawValue, name, 1) }
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

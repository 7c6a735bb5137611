package import WaymarkLinks
package import WaymarkStores

/// What something was at a time, or in a version.
package enum FormerState<Value: Sendable>: Sendable {
    case found(Value)
    /// It did not exist yet.
    case notYet(since: Timestamp?)
    /// Its values of then were not stored.
    case notStored
}

/// One version in a link's history.
package struct LinkVersion: Sendable {
    package var entry: LinkHistoryEntry
    /// Nil for the creation, and where values are not stored.
    package var before: LinkHistoryEntry.Former?
    /// Nil where values are not stored.
    package var after: LinkHistoryEntry.Former?
}

package enum RestoreOutcome<Refusal: Sendable>: Sendable {
    case restored(Link)
    case unknown
    case unknownVersion
    /// The values of the version are not stored.
    case notStored
    case versionMismatch(current: Int)
    case refused(Refusal)
    /// The version had another slug, which the link can't have again.
    case notRenamed(RenameOutcome, Slug)
}

extension LinkService {
    /// The versions of a link that changed something, newest first; the creation is the last.
    ///
    /// - Parameter through: the newest version to list; nil for all.
    /// - Returns: at most `limit` versions, and the newest version of the next page.
    package func history(
        of link: Link, through: Int?, limit: Int
    ) async throws(StoreError) -> (versions: [LinkVersion], next: Int?) {
        let start = min(through ?? link.version, link.version)
        // The next change that changed something: what it replaced is what the one before it made.
        var following = (version: start + 1, former: try await former(of: link, version: start))
        var versions: [LinkVersion] = []
        // Without a row if it is not known who created the link.
        var creation = LinkHistoryEntry(version: 1, at: link.createdAt, author: nil, fields: [])
        for row in try await store.changes(of: link.id, through: start, limit: limit + 1) {
            guard row.version > 1 else {
                creation = row
                break
            }
            guard versions.count < limit else { return (versions, row.version) }
            versions.append(LinkVersion(entry: row, before: row.former, after: following.former))
            following = (row.version, row.former)
        }
        guard versions.count < limit else { return (versions, 1) }
        // The changes between may have been of nothing, or be from before changes were stored.
        if following.version > 2 { following.former = try await former(of: link, version: 1) }
        versions.append(LinkVersion(entry: creation, before: nil, after: following.former))
        return (versions, nil)
    }

    /// When a link got a version; nil if it has had no such version, or the time of it is not stored.
    package func time(of version: Int, of link: Link) async throws(StoreError) -> Timestamp? {
        if version == 1 { return link.createdAt }
        guard version <= link.version else { return nil }
        let entry = try await store.changes(of: link.id, from: version).first
        return entry?.version == version ? entry?.at : nil
    }

    /// The changes of a link after a time and until another, newest first.
    ///
    /// - Parameter limit: of changes; older ones are left out.
    package func changes(
        of link: Link, after start: Timestamp, until end: Timestamp, limit: Int
    ) async throws(StoreError) -> [LinkHistoryEntry] {
        guard let last = try await store.changes(of: link.id, around: end).first, last.at <= end else { return [] }
        return try await store.changes(of: link.id, through: last.version, limit: limit).filter {
            $0.at > start && $0.version > 1
        }
    }

    /// The link, read from the store; nil if it was deleted.
    package func stored(_ link: Link) async throws(StoreError) -> Link? { try await store.link(link.id) }

    /// A link as it was at a time that is past. Its counts are the present ones.
    package func state(of link: Link, at time: Timestamp) async throws(StoreError) -> FormerState<Link> {
        guard time.end >= link.createdAt else { return .notYet(since: link.createdAt) }
        let changes = try await store.changes(of: link.id, around: time)
        guard let first = changes.first else { return link.version == 1 ? .found(link) : .notStored }
        // The version at that time, and the change that ended it.
        let isMade = first.at <= time
        let version = isMade ? first.version : 1
        guard let end = isMade ? changes.dropFirst().first : first else {
            return version == link.version ? .found(link) : .notStored
        }
        guard end.version == version + 1 else { return .notStored }
        var former = end.former
        if former == nil, end.fields.isEmpty { former = try await self.former(of: link, version: version) }
        guard let former else { return .notStored }
        return .found(link.holding(former, version: version, updatedAt: isMade ? first.at : link.createdAt))
    }

    /// An application as it was at a time that is past.
    package func state(
        of application: ServedApplication, at time: Timestamp
    ) async throws(StoreError) -> FormerState<ServedApplication> {
        let changes = try await store.changes(of: application.id, around: time)
        guard let first = changes.first else { return .notStored }
        guard first.at <= time || first.version == 1 && first.at <= time.end else {
            return first.version == 1 ? .notYet(since: first.at) : .notStored
        }
        guard let end = changes.dropFirst().first else {
            return first.version == application.version ? .found(application) : .notStored
        }
        guard end.version == first.version + 1, let document = end.former,
            let former = applications.former(application, document, version: first.version)
        else { return .notStored }
        return .found(former)
    }

    /// A link of a time that is past, for the decision on a visit: as if `maxClicks` was not used up, because the clicks of then
    /// are not known.
    package func former(_ link: Link, of application: ServedApplication) -> CachedLink {
        var link = link
        (link.clicks, link.freeClicks, link.reservedClicks) = (0, 0, 0)
        return CachedLink(link, application: application, quota: nil)
    }

    /// Gives a link the values of one of its versions, in a new version, without metadata, password and counts. When this
    /// returns, no visit in this process is served from the old one.
    ///
    /// - Parameter change: called as that of `patch`, also with the content of the version.
    package func restore<Refusal: Sendable>(
        _ domain: HostName, _ slug: Slug, version: Int, for asker: ApplicationReach, expecting: Int?,
        change: @Sendable (Link, ServedApplication, LinkContent) -> PatchDecision<Refusal>
    ) async throws(StoreError) -> RestoreOutcome<Refusal> {
        while true {
            guard let link = try await find(domain, slug, for: asker),
                let application = applications.directory.current.application(link.application)
            else { return .unknown }
            if let expecting, expecting != link.version { return .versionMismatch(current: link.version) }
            guard (1...link.version).contains(version) else { return .unknownVersion }
            guard let former = try await former(of: link, version: version) else { return .notStored }
            let decided: LinkChange
            switch change(link, application, former.content) {
            case .refuse(let refusal): return .refused(refusal)
            case .change(let change): decided = change
            }
            if former.slug != link.slug {
                let outcome = try await rename(link, to: former.slug, restoring: decided)
                switch outcome {
                case .renamed(let link): return .restored(link)
                case .unknown: return .unknown
                case .versionMismatch(let current):
                    if expecting != nil { return .versionMismatch(current: current) }
                case .slugTaken, .slugReserved, .tooManyAliases: return .notRenamed(outcome, former.slug)
                }
                continue
            }
            switch try await update(link, to: decided) {
            case .updated(let link): return .restored(link)
            case .unknown: return .unknown
            case .versionMismatch(let current):
                if expecting != nil { return .versionMismatch(current: current) }
            }
        }
    }

    private func former(of link: Link, version: Int) async throws(StoreError) -> LinkHistoryEntry.Former? {
        if version == link.version { return LinkHistoryEntry.Former(link) }
        let changes = try await store.changes(of: link.id, from: version + 1)
        guard let end = changes.first, end.version == version + 1 else { return nil }
        if end.former != nil || !end.fields.isEmpty { return end.former }
        // It changed nothing, so that what the next change replaced was so before, too.
        guard let next = changes.dropFirst().first else { return LinkHistoryEntry.Former(link) }
        return next.former
    }

    private func rename(
        _ link: Link, to slug: Slug, restoring change: LinkChange
    ) async throws(StoreError) -> RenameOutcome {
        let limits = change.content.maxClicks != link.content.maxClicks
        if limits { try await clicks.flush() }
        defer { forget(link) }
        let outcome = try await store.rename(
            link.id, expecting: link.version, to: slug, by: change.author, restoring: change.content,
            at: dependencies.now())
        if case .renamed(let renamed) = outcome { forget(renamed) }
        if limits { await quotas.revoke(link.id) }
        return outcome
    }
}

extension Link {
    fileprivate func holding(_ former: LinkHistoryEntry.Former, version: Int, updatedAt: Timestamp) -> Link {
        var link = self
        link.slug = former.slug
        link.content = former.content
        link.version = version
        link.updatedAt = updatedAt
        return link
    }
}

extension Timestamp {
    /// The last millisecond that the time may mean: the API answers with the whole seconds of creations.
    fileprivate var end: Timestamp { rawValue % 1_000 == 0 ? advanced(byMilliseconds: 999) : self }
}

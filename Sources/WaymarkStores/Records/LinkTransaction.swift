import WaymarkAPI
package import WaymarkLinks

/// The transaction in which a store changes links. The rules of these changes are here, once for all stores; a store only looks
/// up and stores.
///
/// The caller must have exclusive access to the links, addresses, identities and scopes concerned until the commit.
package protocol LinkTransaction {
    // MARK: Records

    mutating func record(of key: RequestKey, at now: Timestamp) throws -> FoundRecord
    /// Until when the record of the scope is stored; nil if there is none.
    mutating func end(ofScope scope: [UInt8]) throws -> Timestamp?
    /// Replaces an expired record.
    mutating func add(_ record: RequestRecord, of key: RequestKey, until end: Timestamp) throws
    /// The result of the write if it was already performed; otherwise nil.
    mutating func result(of write: WriteID) throws -> Int?
    mutating func remember(_ write: WriteID, result: Int) throws

    // MARK: Links

    mutating func link(_ id: LinkID) throws -> Link?
    /// Nil also for a link that can't be read.
    mutating func readableLink(_ id: LinkID) throws -> Link?
    /// The application of a link, also of one that can't be read.
    mutating func application(ofLink id: LinkID) throws -> ApplicationID?
    /// As sent.
    mutating func metadata(of id: LinkID) throws -> [UInt8]?
    /// What creations depend on; nil if it does not exist.
    mutating func domainsAndRules(of application: ApplicationID) throws -> (domains: [HostName], rules: SlugRules)?
    /// The link of the application that was created with the identity.
    mutating func link(withIdentity identity: [UInt8], of application: ApplicationID) throws -> Link?
    /// The link is never returned for its identity again.
    mutating func removeIdentity(of id: LinkID) throws
    /// Whether a link of an application that ignores case has the address, if case is ignored.
    mutating func isFoldedTaken(_ address: LinkAddress) throws -> Bool
    /// Inserts the link with its aliases, under the next ID. Nil, and nothing is stored, if another link has one of the addresses.
    mutating func insert(_ new: EncodedLink) throws -> Link?
    mutating func addFolded(_ addresses: [LinkAddress], of id: LinkID) throws
    /// Replaces what the link had, except its metadata, tags and expiry.
    mutating func save(_ link: Link, replacing old: Link) throws
    /// Removes the link with all that belongs to it, except its tags and expiry.
    mutating func remove(_ link: Link) throws
    /// Nil removes it.
    mutating func save(metadata: [UInt8]?, of id: LinkID) throws
    mutating func add(tags: Set<String>, to id: LinkID) throws
    mutating func remove(tags: Set<String>, from id: LinkID) throws
    mutating func addExpiry(_ end: Timestamp?, of id: LinkID) throws
    mutating func removeExpiry(_ end: Timestamp?, of id: LinkID) throws
    /// Changes how many links use the application's domains and routes, or are in its folders.
    ///
    /// - Parameter link: exists.
    mutating func count(_ change: Int, _ uses: [(kind: StoredUse.Kind, name: String)], by link: Link) throws
    mutating func add(_ entry: LinkHistoryEntry, toHistoryOf id: LinkID) throws

    // MARK: Counts

    /// Takes one redeem in `link` and the store if fewer than `limit` are taken.
    mutating func takeRedeem(of link: inout Link, limit: Int) throws -> Bool
    mutating func setReservedClicks(_ count: Int, of link: Link) throws
    /// Down to 0; also of a link that can't be read.
    mutating func subtractReservedClicks(_ count: Int, of id: LinkID) throws
    mutating func count(_ kind: AppEvent.Kind, for id: LinkID) throws
    mutating func add(_ total: ConversionTotal, to key: ConversionKey) throws

    // MARK: Others

    /// Whether an endpoint of any application subscribes to such events.
    mutating func hasSubscriber(of type: EventType) throws -> Bool
    /// Adds an event of a link to the outbox if it has a subscriber.
    mutating func report(
        _ type: EventType, _ link: Link, at now: Timestamp,
        _ attributes: @autoclosure () -> [OutboxEvent.Attribute]
    ) throws
    /// Tells other servers on commit.
    mutating func noteChange(of link: Link)
    /// The call whose changes these are; nil if no call makes them.
    var auditCall: AuditCall? { get }
    mutating func add(_ entry: AuditEntry) throws
}

/// A link to be created with its content as encoded by `LinkContentCodec`: encoded before the transaction, which others wait for.
package struct EncodedLink: Sendable {
    package let link: NewLink
    package let content: [UInt8]
    /// For its entry in the audit; nil if it has none of its own.
    let audited: [UInt8]?

    package init(_ link: NewLink) {
        self.link = link
        content = LinkContentCodec.encode(link.content)
        audited = Self.audited(link)
    }
}

extension LinkTransaction {
    package mutating func noteChange(of link: Link) {}

    /// The rules of `LinkStore.create`.
    package mutating func create(
        _ links: [EncodedLink], idempotency: Idempotency<[CreationOutcome]>?
    ) throws -> Replayable<[CreationOutcome]> {
        if let idempotency {
            switch try record(of: idempotency.key, at: idempotency.now) {
            case .nothing: break
            case .record(.response(let bytes)): return .replay(bytes)
            case .mismatch, .record: return .mismatch
            }
        }
        let outcomes = try links.map { try create($0) }
        if let idempotency, let response = idempotency.answer(outcomes) {
            try add(.response(response), of: idempotency.key, until: idempotency.expiresAt)
        }
        return .done(outcomes)
    }

    private mutating func create(_ new: EncodedLink) throws -> CreationOutcome {
        let draft = new.link
        guard let (domains, rules) = try domainsAndRules(of: draft.application),
            domains.isEmpty || draft.areDomains(domains.contains)
        else { return .applicationUnknown }
        let former = try draft.identity.flatMap { try link(withIdentity: $0, of: draft.application) }
        if let former, former.isGivenAgain(at: draft.createdAt) { return .existing(former) }
        let addresses = draft.addresses
        // Callers say before that a slug is reserved; only the rules may have changed since.
        guard addresses.areDistinct, addresses.allSatisfy({ rules.permit($0.slug) }) else { return .slugTaken }
        let ignoresCase = rules.contains(.ignoreCase)
        if ignoresCase {
            for address in addresses where try isFoldedTaken(address) { return .slugTaken }
        }
        // It is never given again (an expired link stays expired), so its identity passes to the link that is created now.
        if let former { try removeIdentity(of: former.id) }
        guard let link = try insert(new) else { return .slugTaken }
        if ignoresCase { try addFolded(addresses, of: link.id) }
        if let metadata = draft.metadata { try save(metadata: metadata, of: link.id) }
        try add(tags: draft.content.indexedTags(of: draft.application), to: link.id)
        try addExpiry(draft.content.expiresAt, of: link.id)
        try count(1, draft.content.uses(on: draft.domain), by: link)
        if let author = auditCall?.actor.author {
            let creation = LinkHistoryEntry(version: link.version, at: link.createdAt, author: author, fields: [])
            try add(creation, toHistoryOf: link.id)
        }
        noteChange(of: link)
        try report(.linkCreated, link, at: link.createdAt, [])
        try audit(created: link, new)
        return .created(link)
    }

    /// The rules of `LinkStore.update`.
    package mutating func update(_ update: LinkUpdate, at now: Timestamp) throws -> UpdateOutcome {
        guard let old = try link(update.id) else { return .unknown }
        if let expecting = update.expecting, expecting != old.version { return .versionMismatch(current: old.version) }
        return try self.update(update, of: old, at: now)
    }

    /// - Parameter old: the link as it was when the transaction began to change it.
    package mutating func update(_ update: LinkUpdate, of old: Link, at now: Timestamp) throws -> UpdateOutcome {
        let (id, change) = (update.id, update.change)
        let fields = change.fields(of: old)
        var link = change.slug.flatMap { $0 == old.slug ? nil : old.renamed(to: $0, at: now) } ?? old
        switch change.metadata {
        case .keep: break
        case .set(let bytes):
            try save(metadata: bytes, of: id)
            link.hasMetadata = true
        case .remove:
            try save(metadata: nil, of: id)
            link.hasMetadata = false
        }
        let former = old.content.indexedTags(of: old.application)
        let tags = change.content.indexedTags(of: old.application)
        try remove(tags: former.subtracting(tags), from: id)
        try add(tags: tags.subtracting(former), to: id)
        if change.content.expiresAt != old.content.expiresAt {
            try removeExpiry(old.content.expiresAt, of: id)
            try addExpiry(change.content.expiresAt, of: id)
        }
        if old.content.templateRoute != change.content.templateRoute {
            try count(-1, old.content.routeUses, by: old)
            try count(1, change.content.routeUses, by: old)
        }
        if old.content.labels[.folder] != change.content.labels[.folder] {
            try count(-1, old.content.folderUses, by: old)
            try count(1, change.content.folderUses, by: old)
        }
        link.replaceContent(by: change.content)
        link.updatedAt = now
        link.version = old.version + 1
        try save(link, replacing: old)
        // Even if it changed nothing, so that `waymark check` misses deleted entries; then without values.
        try add(
            LinkHistoryEntry(
                version: link.version, at: now, author: change.author, fields: fields,
                former: fields.isEmpty ? nil : .init(old)),
            toHistoryOf: id)
        noteChange(of: link)
        try report(.linkUpdated, link, at: now, [.init("changed", .list(fields))])
        try audit(changed: old, to: link, fields)
        return .updated(link)
    }

    /// The rules of `LinkStore.delete`.
    package mutating func delete(_ removal: LinkRemoval) throws -> LinkDeletion {
        guard let link = try link(removal.id) else { return .unknown }
        if let expecting = removal.expecting, expecting != link.version {
            return .versionMismatch(current: link.version)
        }
        try remove(tags: link.content.indexedTags(of: link.application), from: link.id)
        try removeExpiry(link.content.expiresAt, of: link.id)
        try count(-1, link.content.uses(on: link.domain), by: link)
        try remove(link)
        noteChange(of: link)
        try report(.linkDeleted, link, at: removal.at, [])
        try audit(deleted: link)
        return .deleted
    }
}

extension LinkContent {
    fileprivate var routeUses: [(kind: StoredUse.Kind, name: String)] {
        templateRoute.map { [(.route, $0)] } ?? []
    }

    fileprivate var folderUses: [(kind: StoredUse.Kind, name: String)] {
        self.labels[.folder].map { [(.folder, $0)] } ?? []
    }
}

package import WaymarkLinks

/// A whole store as commands use it that copy, check or mend one. Every function blocks; one thread at a time.
///
/// Other connections may use the same database meanwhile, a server's among them, except while a store is imported.
package protocol StoreArchive: AnyObject {
    // MARK: Reading

    /// From now on everything that is read is of one moment, until `endReading`.
    func beginReading() throws(StoreError)
    func endReading()

    /// Whether nothing is stored that an import would bring.
    func isEmpty() throws(StoreError) -> Bool
    func linkCount() throws(StoreError) -> Int
    /// The highest id that a link was ever given; no link gets it again.
    func lastID() throws(StoreError) -> Int64
    func applications() throws(StoreError) -> [StoredApplication]
    func keys() throws(StoreError) -> [StoredKey]
    /// By application and path.
    func routes() throws(StoreError) -> [ArchivedRoute]
    func secrets() throws(StoreError) -> [StoredSecret]
    /// In rising order of their scopes.
    func records(after scope: [UInt8]?, limit: Int) throws(StoreError) -> [ArchivedRecord]
    /// In rising order of their ids.
    func links(after id: LinkID?, limit: Int) throws(StoreError) -> [ArchivedRow]
    /// In rising order of their places, those of links that there are not left out.
    func clickBlocks(after key: ClickBlock.Key?, limit: Int) throws(StoreError) -> [ClickBlock]
    /// In rising order of links and days, without links that no longer exist. Counts are as stored, even negative ones.
    func activity(after key: DailyActivity.Key?, limit: Int) throws(StoreError) -> [DailyActivity]
    /// In rising order of the links' ids, as it is stored.
    func metadata(after id: LinkID?, limit: Int) throws(StoreError) -> [StoredMetadata]

    // MARK: What only a check asks

    func uses() throws(StoreError) -> [StoredUse]
    func tagCount() throws(StoreError) -> Int
    /// Those of the pairs that are not stored.
    func missingTags(_ tags: [StoredTag]) throws(StoreError) -> [StoredTag]
    /// What the database itself finds wrong, a sentence each: damaged pages, rows without their link.
    func faults() throws(StoreError) -> [String]

    // MARK: Writing

    /// Adds the entries and replaces the secret `progress.name` by its value, in one transaction. What an earlier call
    /// has added may come again, links excepted.
    ///
    /// - Parameter expecting: What the secret must hold so far; nil where there must be none.
    /// - Throws: `.unavailable` where it holds something else: somebody else imports.
    func add(_ entries: [ArchiveEntry], progress: StoredSecret, expecting: [UInt8]?) throws(StoreError)
    /// - Returns: Whether there was one.
    func removeSecret(_ name: String) throws(StoreError) -> Bool
    /// Stores it where there is none of that name.
    func addSecret(_ secret: StoredSecret) throws(StoreError)
    /// Replaces metadata that still is as it was read, in one short transaction; gives how many were replaced.
    func reseal(_ changes: [ResealedMetadata]) throws(StoreError) -> Int

    func close()
}

/// A link with everything that a store keeps of it.
package struct ArchivedLink: Sendable, Equatable {
    package var link: Link
    package var identity: [UInt8]?
    /// As it is stored: perhaps sealed.
    package var metadata: [UInt8]?
    package var events: EventCounts
    /// What the store compares with, beside what the content says; the same, where nothing is wrong.
    package var redeemLimit: Int
    package var maxClicks: Int?

    package init(
        link: Link, identity: [UInt8]?, metadata: [UInt8]?, events: EventCounts, redeemLimit: Int, maxClicks: Int?
    ) {
        self.link = link
        self.identity = identity
        self.metadata = metadata
        self.events = events
        self.redeemLimit = redeemLimit
        self.maxClicks = maxClicks
    }
}

package enum ArchivedRow: Sendable, Equatable {
    case link(ArchivedLink)
    /// Its row can't be understood.
    case damaged(LinkID)

    package var id: LinkID {
        switch self {
        case .link(let archived): archived.link.id
        case .damaged(let id): id
        }
    }
}

/// An idempotency record, a claim or the digest of an event, as every store keeps them.
package struct ArchivedRecord: Sendable, Equatable {
    package var scope: [UInt8]
    package var fingerprint: [UInt8]
    package var expiresAt: Timestamp
    /// 1: an answer; 2: a redeem record; 3: a claim; 4: an event.
    package var kind: Int64
    package var answer: [UInt8]

    package init(scope: [UInt8], fingerprint: [UInt8], expiresAt: Timestamp, kind: Int64, answer: [UInt8]) {
        self.scope = scope
        self.fingerprint = fingerprint
        self.expiresAt = expiresAt
        self.kind = kind
        self.answer = answer
    }
}

package enum ArchiveEntry: Sendable, Equatable {
    case application(StoredApplication)
    case key(StoredKey)
    /// Behind its application.
    case route(ArchivedRoute)
    case secret(StoredSecret)
    case record(ArchivedRecord)
    case link(ArchivedLink)
    /// Behind its link.
    case clicks(ClickBlock)
    /// Behind all clicks.
    case activity(DailyActivity)
    /// Ids up to this one are never given again.
    case lastID(Int64)
}

package struct ArchivedRoute: Sendable, Equatable {
    package var application: ApplicationID
    package var route: RegisteredRoute

    package init(application: ApplicationID, route: RegisteredRoute) {
        self.application = application
        self.route = route
    }

    package var hasNoApplication: StoreError {
        .corrupt("the registered route \(route.path.text) is of an unknown application, \(application.text)")
    }
}

package struct StoredMetadata: Sendable, Equatable {
    package var link: LinkID
    package var bytes: [UInt8]

    package init(link: LinkID, bytes: [UInt8]) {
        self.link = link
        self.bytes = bytes
    }
}

package struct ResealedMetadata: Sendable, Equatable {
    package var link: LinkID
    package var before: [UInt8]
    package var after: [UInt8]

    package init(link: LinkID, before: [UInt8], after: [UInt8]) {
        self.link = link
        self.before = before
        self.after = after
    }
}

package struct StoredTag: Sendable, Hashable {
    package var tag: String
    package var link: LinkID

    package init(tag: String, link: LinkID) {
        self.tag = tag
        self.link = link
    }
}

/// How many links of an application a store counts on a domain, or on a route that needs a template.
package struct StoredUse: Sendable, Hashable {
    package enum Kind: Sendable, Hashable { case domain, route }
    package var application: String
    package var kind: Kind
    package var name: String
    package var links: Int

    package init(application: String, kind: Kind, name: String, links: Int) {
        self.application = application
        self.kind = kind
        self.name = name
        self.links = links
    }
}

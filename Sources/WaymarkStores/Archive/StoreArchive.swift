import WaymarkAPI
package import WaymarkLinks

/// A whole store, for commands that copy, check or repair one. Every function blocks; use it from one thread at a time.
///
/// Other connections, such as a server's, may use the same database meanwhile, except during an import.
package protocol StoreArchive: AnyObject {
    // MARK: Reading

    /// Starts a snapshot: all reads are from one point in time until `endReading`.
    func beginReading() throws(StoreError)
    func endReading()

    /// Whether the store has none of the data that an import adds.
    func isEmpty() throws(StoreError) -> Bool
    func linkCount() throws(StoreError) -> Int
    /// The highest ID ever assigned to a link; IDs are not reused.
    func lastID() throws(StoreError) -> Int64
    /// Without their slug rules.
    func applications() throws(StoreError) -> [StoredApplication]
    /// As `PeopleStore` lists them.
    func people() throws(StoreError) -> [Person]
    func extras() throws(StoreError) -> [ApplicationExtra]
    /// In the order of application and version.
    func applicationChanges(
        after key: ArchivedApplicationChange.Key?, limit: Int
    ) throws(StoreError) -> [ArchivedApplicationChange]
    func associationVersions() throws(StoreError) -> [AssociationVersion]
    func associationFetches() throws(StoreError) -> [AssociationFetch]
    func keys() throws(StoreError) -> [StoredKey]
    /// By application and path.
    func routes() throws(StoreError) -> [ArchivedRoute]
    func secrets() throws(StoreError) -> [StoredSecret]
    /// In the order in which they were created.
    func webhooks() throws(StoreError) -> [Webhook]
    /// In ascending order of their names.
    func documents() throws(StoreError) -> [StoredDocument]
    /// In the order in which they were written.
    func auditEntries(after number: Int64?, limit: Int) throws(StoreError) -> [(number: Int64, entry: AuditEntry)]
    /// In ascending order of their scopes.
    func records(after scope: [UInt8]?, limit: Int) throws(StoreError) -> [ArchivedRecord]
    /// In ascending order of their IDs.
    func links(after id: LinkID?, limit: Int) throws(StoreError) -> [ArchivedRow]
    /// In ascending order of their position, without those of links and of numbers of long links that don't exist.
    func clickBlocks(after key: ClickBlock.Key?, limit: Int) throws(StoreError) -> [ClickBlock]
    /// The same of some days, with what their links are.
    func shippedBlocks(
        days: ClosedRange<Int>, after key: ClickBlock.Key?, limit: Int
    ) throws(StoreError) -> [ShippedBlock]
    /// In ascending order of links and days, without links that no longer exist. Counts are as stored, even if
    /// negative.
    func activity(after key: DailyActivity.Key?, limit: Int) throws(StoreError) -> [DailyActivity]
    /// In ascending order of their keys.
    func conversions(after key: ConversionKey?, limit: Int) throws(StoreError) -> [ArchivedConversions]
    /// In ascending order of the links' IDs, as stored.
    func metadata(after id: LinkID?, limit: Int) throws(StoreError) -> [StoredMetadata]

    /// By application and quarter, those of unknown applications left out.
    func totals(after key: ArchivedTotal.Key?, limit: Int) throws(StoreError) -> [ArchivedTotal]
    /// In ascending order of their keys.
    func linkTotals(after key: TotalsChange.PageKey?, limit: Int) throws(StoreError) -> [LinkTotalsRow]
    /// As `ClickTotalStore.totalsStart`.
    func totalsStart() throws(StoreError) -> Int?

    // MARK: Checks

    /// Calls the body with each row of a table, in no particular order. Memory holds some hundred rows.
    ///
    /// - Throws: also `.corrupt`, if a value is of another kind than its column.
    func scan(_ columns: TableColumns, _ body: (TableRow) throws -> Void) throws
    /// All tables, by the names that `scan` takes.
    func tables() throws(StoreError) -> [String]
    /// The days of all totals, in ascending order.
    func totalsDays() throws(StoreError) -> [Int]
    func storedTotals(of day: Int) throws(StoreError) -> DayTotals
    /// A count of the day's click records, of links and numbers of long links that exist.
    func countedTotals(of day: Int) throws(StoreError) -> DayTotals
    /// Those that are of links, or numbers of long links.
    func existing(_ links: [LinkID]) throws(StoreError) -> Set<LinkID>
    func searchState() throws(StoreError) -> SearchState
    /// Calls the body with each leaf of a part, in ascending order of their first words.
    func searchLeaves(of part: SearchPart, _ body: (_ first: [UInt8], _ bytes: [UInt8]) throws -> Void) throws
    /// Links of a range that were changed since they were indexed.
    func searchChanges(in range: ClosedRange<Int64>) throws(StoreError) -> Set<LinkID>
    /// Links whose expiry is not in the index of expiries.
    func missingExpiries(_ links: [(id: LinkID, end: Timestamp)]) throws(StoreError) -> [LinkID]
    /// Clicks of links with these IDs, as the order by clicks has them.
    func clickOrder(in range: ClosedRange<Int64>) throws(StoreError) -> [LinkID: Int]
    /// Links that were changed later have a history entry for their version; nil: all links.
    func historyStart() throws(StoreError) -> Timestamp?

    func uses() throws(StoreError) -> [StoredUse]
    func tagCount() throws(StoreError) -> Int
    /// The pairs that are not stored.
    func missingTags(_ tags: [StoredTag]) throws(StoreError) -> [StoredTag]
    func aliasCount() throws(StoreError) -> Int
    /// The aliases that are not stored, or are of another link.
    func missingAliases(_ aliases: [StoredAlias]) throws(StoreError) -> [StoredAlias]
    /// The slugs and aliases of applications that ignore case which are not found by another case.
    func missingFolded(_ names: [StoredAlias]) throws(StoreError) -> [StoredAlias]
    /// The aliases that are slugs of links, at most `limit`, in an order that stays the same.
    func aliasClashes(limit: Int) throws(StoreError) -> [AliasClash]
    /// Whether no link has the slug or alias.
    func isFree(_ slug: Slug, on domain: HostName) throws(StoreError) -> Bool
    /// Problems found by the database itself, one sentence each: damaged pages, rows without their link.
    func faults() throws(StoreError) -> [String]

    // MARK: Writing

    /// Adds the entries and sets the secret `progress.name`, in one transaction. Entries of an earlier call may be
    /// repeated, except links.
    ///
    /// - Parameter expecting: the current value of the secret; nil if there must be none.
    /// - Throws: `.unavailable` if it has another value: another import is running.
    func add(_ entries: [ArchiveEntry], progress: StoredSecret, expecting: [UInt8]?) throws(StoreError)
    /// - Returns: whether it existed.
    func removeSecret(_ name: String) throws(StoreError) -> Bool
    /// Stores the secret if there is none with this name.
    func addSecret(_ secret: StoredSecret) throws(StoreError)
    /// Replaces metadata that has not changed since it was read, in one short transaction; returns the number replaced.
    func reseal(_ changes: [ResealedMetadata]) throws(StoreError) -> Int
    /// Replaces an endpoint that has not changed since it was read; returns whether it did.
    func reseal(_ webhook: Webhook, as resealed: Webhook) throws(StoreError) -> Bool
    /// Replaces the content of a document that has not changed since it was read, in a new version; returns whether it did.
    func reseal(_ document: StoredDocument, as content: [UInt8]) throws(StoreError) -> Bool

    /// Gives the taker of a clash another slug, without an alias.
    func move(_ clash: AliasClash, to slug: Slug, at now: Timestamp) throws(StoreError)
    /// Deletes the alias of a clash.
    func removeAlias(of clash: AliasClash) throws(StoreError)
    /// Deletes aliases of links that don't exist; returns their number.
    func removeOrphanedAliases() throws(StoreError) -> Int
    /// Deletes what is derived from the applications' slug rules, which the next start of a server makes again.
    func forgetSlugRules() throws(StoreError)

    /// The next day with click records.
    func nextClickDay(after day: Int?) throws(StoreError) -> Int?
    /// Replaces a day's totals by a count of its click records, in one transaction. Clicks of deleted links are not
    /// counted.
    func rebuildTotals(of day: Int) throws(StoreError)
    /// Totals are complete from now on, and summaries are made again.
    func endRebuilding() throws(StoreError)
    /// Discards the index of the link search and the order by clicks. Servers fill both again, and the index of expiries.
    func discardSearchIndex() throws(StoreError)

    func close()
}

/// A link with all of its stored data.
package struct ArchivedLink: Sendable, Equatable {
    package var link: Link
    package var identity: [UInt8]?
    /// As stored: may be sealed.
    package var metadata: [UInt8]?
    package var events: EventCounts
    /// The values that the store's conditions use; equal to the content's unless the database is damaged.
    package var redeemLimit: Int
    package var maxClicks: Int?
    /// In ascending order of versions.
    package var history: [LinkHistoryEntry]
    /// Whether values in the history are damaged. They are nil there.
    package var hasDamagedHistory = false

    package init(
        link: Link, identity: [UInt8]?, metadata: [UInt8]?, events: EventCounts, redeemLimit: Int, maxClicks: Int?,
        history: [LinkHistoryEntry] = []
    ) {
        self.history = history
        self.link = link
        self.identity = identity
        self.metadata = metadata
        self.events = events
        self.redeemLimit = redeemLimit
        self.maxClicks = maxClicks
    }
}

extension ArchivedLink {
    /// Whether its last change has no entry in its history.
    package var lacksHistory: Bool { link.version > 1 && history.last?.version != link.version }
}

package enum ArchivedRow: Sendable, Equatable {
    case link(ArchivedLink)
    /// Its row is invalid.
    case damaged(LinkID)

    package var id: LinkID {
        switch self {
        case .link(let archived): archived.link.id
        case .damaged(let id): id
        }
    }
}

/// An idempotency record, a claim or the digest of an event, as stored.
package struct ArchivedRecord: Sendable, Equatable {
    package var scope: [UInt8]
    package var fingerprint: [UInt8]
    package var expiresAt: Timestamp
    /// 1: a response; 2: a redeem record; 3: a claim; 4: an event.
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
    /// After its application.
    case extra(ApplicationExtra)
    /// After its application.
    case applicationChange(ArchivedApplicationChange)
    /// After the applications of the memberships.
    case person(Person)
    case key(StoredKey)
    /// After its application.
    case route(ArchivedRoute)
    case secret(StoredSecret)
    /// After its application.
    case webhook(Webhook)
    case record(ArchivedRecord)
    case audit(AuditEntry)
    case link(ArchivedLink)
    /// After its link.
    case clicks(ClickBlock)
    /// After all clicks.
    case activity(DailyActivity)
    /// After all activity.
    case conversions(ArchivedConversions)
    /// After all conversions; replaces what was counted from clicks.
    case total(ArchivedTotal)
    case linkTotals(LinkTotalsRow)
    case totalsStart(Int)
    /// IDs up to this one are never assigned again.
    case lastID(Int64)
}

/// A change in the history of an application.
package struct ArchivedApplicationChange: Sendable, Equatable {
    package struct Key: Sendable, Equatable {
        package var application: ApplicationID
        package var version: Int
    }

    package var application: ApplicationID
    package var change: ApplicationChange

    package init(application: ApplicationID, change: ApplicationChange) {
        self.application = application
        self.change = change
    }

    package var key: Key { Key(application: application, version: change.version) }

    package var hasNoApplication: StoreError {
        .corrupt("the version \(change.version) is of an unknown application, \(application.text)")
    }
}

/// The conversions of a link with one name, on one day, in one currency.
package struct ArchivedConversions: Sendable, Equatable {
    package var key: ConversionKey
    package var total: ConversionTotal

    package init(key: ConversionKey, total: ConversionTotal) {
        self.key = key
        self.total = total
    }
}

package struct ArchivedTotal: Sendable, Equatable {
    package struct Key: Sendable, Equatable {
        package var application: ApplicationID
        package var quarter: Int

        package init(application: ApplicationID, quarter: Int) {
            self.application = application
            self.quarter = quarter
        }
    }

    package var key: Key
    package var bytes: [UInt8]

    package init(key: Key, bytes: [UInt8]) {
        self.key = key
        self.bytes = bytes
    }
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

/// An earlier slug of a link.
package struct StoredAlias: Sendable, Hashable {
    package var domain: HostName
    package var slug: Slug
    package var link: LinkID

    package init(domain: HostName, slug: Slug, link: LinkID) {
        self.domain = domain
        self.slug = slug
        self.link = link
    }

    package var address: LinkAddress { LinkAddress(domain: domain, slug: slug) }
}

/// A store's count of an application's links on a domain, with a route that needs a template, or in a folder.
package struct StoredUse: Sendable, Hashable {
    /// As stored: the numbers never change. Aliases are those on other domains than their link's, by domain.
    package enum Kind: Int64, Sendable, Hashable { case domain = 1, route, alias, folder }
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

extension LinkContent {
    /// What a link of the domain uses of its application, by kind and name; an alias each time.
    package func uses(on domain: HostName) -> [(kind: StoredUse.Kind, name: String)] {
        var uses: [(StoredUse.Kind, String)] = [(.domain, domain.text)]
        if let route = templateRoute { uses.append((.route, route)) }
        for case let domain? in self.aliases.map(\.domain) { uses.append((.alias, domain.text)) }
        if let folder = self.labels[.folder] { uses.append((.folder, folder)) }
        return uses
    }
}

extension ApplicationUse {
    package init() { self.init(links: 0, domains: [:], templateRoutes: [:]) }

    /// Adds what is stored; false where the kind or the name is none.
    package mutating func add(_ kind: Int64, _ name: String, _ count: Int) -> Bool {
        switch StoredUse.Kind(rawValue: kind) {
        case .domain:
            guard let domain = HostName(name) else { return false }
            domains[domain, default: 0] += count
            links += count
        case .route: templateRoutes[name, default: 0] += count
        case .alias:
            guard let domain = HostName(name) else { return false }
            aliases[domain, default: 0] += count
        case .folder: break
        case nil: return false
        }
        return true
    }
}

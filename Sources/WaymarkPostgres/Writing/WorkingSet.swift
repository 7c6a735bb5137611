#if PostgreSQL
    internal import WaymarkLinks
    internal import WaymarkStores

    /// The data of a group of writes, and their changes: loaded under locks in one round trip, decided here one write
    /// at a time, and written back in a second round trip.
    struct WorkingSet {
        struct Row {
            var link: Link
            var application: Int64
            /// Whether no other transaction can change it before the commit.
            var isLocked: Bool
        }

        struct KnownApplication {
            var number: Int64
            var domains: [HostName] = []
            var slugRules: SlugRules = []
        }

        struct Record {
            var fingerprint: [UInt8]
            var expiresAt: Timestamp
            var content: RequestRecord
        }

        struct Use: Hashable {
            var application: Int64
            var kind: StoredUse.Kind
            var name: String
        }

        struct LinkTag: Hashable {
            var tag: String
            var link: LinkID
        }

        struct Created {
            var id: LinkID
            var identity: [UInt8]?
            var content: [UInt8]
        }

        /// Increments of a link's counts, and the redeems that were read.
        struct Counts {
            var taken = 0
            var clicks = 0
            var reserved = 0
            var free = 0
        }

        /// The keys for encrypting stored metadata, and for reading it.
        var metadataKeys = MetadataKeys.none

        // Loaded data, updated by the changes.
        var rows: [LinkID: Row] = [:]
        /// As stored, possibly encrypted; decrypted only for the caller that receives it.
        var metadata: [LinkID: [UInt8]] = [:]
        var records: [[UInt8]: Record] = [:]
        /// By writer.
        var batches: [[UInt8]: WrittenBatch] = [:]
        var identities: [Identity: LinkID] = [:]
        var taken: Set<LinkAddress> = []
        /// Of applications that ignore case.
        var takenFolded: Set<FoldedAddress> = []
        var applications: [ApplicationID: KnownApplication] = [:]
        var subscriptions = EventSubscriptions()
        /// IDs for new links; the next one is last.
        var freeIDs: [Int64] = []

        // Changes to be written.
        var saved: Set<LinkID> = []
        var counts: [LinkID: Counts] = [:]
        var events: [LinkID: EventCounts] = [:]
        /// Nil if removed.
        var savedMetadata: [LinkID: [UInt8]?] = [:]
        var removedTags: Set<LinkTag> = []
        var addedTags: Set<LinkTag> = []
        var removedExpiries: [(end: Timestamp, link: LinkID)] = []
        var addedExpiries: [(end: Timestamp, link: LinkID)] = []
        var removed: Set<LinkID> = []
        var history: [(link: LinkID, entry: LinkHistoryEntry)] = []
        /// The removed links that had aliases.
        var withoutAliases: Set<LinkID> = []
        var withoutIdentity: Set<LinkID> = []
        var created: [Created] = []
        /// Those of created links of applications that ignore case.
        var createdFolded: [(address: FoldedAddress, link: LinkID)] = []
        var use: [Use: Int] = [:]
        var savedRecords: Set<[UInt8]> = []
        var savedBatches: Set<[UInt8]> = []
        var changes: [StoreChange] = []
        var outbox: [OutboxEvent] = []
        var entries: [AuditEntry] = []
        /// The call whose write is applied; nil if no call makes it.
        var auditCall: AuditCall?
        var conversions: [ConversionKey: ConversionTotal] = [:]

        /// Adds an event of a link to the outbox if it has a subscriber.
        mutating func report(
            _ type: EventType, _ link: Link, at now: Timestamp,
            _ attributes: @autoclosure () -> [OutboxEvent.Attribute]
        ) {
            guard subscriptions.includes(type, of: link.application) else { return }
            outbox.append(OutboxEvent(type, link, at: now, attributes()))
        }

        func record(of key: RequestKey, at now: Timestamp) -> FoundRecord {
            guard let record = records[key.scope], record.expiresAt > now else { return .nothing }
            return record.fingerprint == key.fingerprint ? .record(record.content) : .mismatch
        }

        func end(ofScope scope: [UInt8]) -> Timestamp? { records[scope]?.expiresAt }

        mutating func add(_ record: RequestRecord, of key: RequestKey, until end: Timestamp) {
            records[key.scope] = Record(fingerprint: key.fingerprint, expiresAt: end, content: record)
            savedRecords.insert(key.scope)
        }

        /// The result of the write if it was already performed; otherwise nil.
        func result(of write: WriteID) -> Int? { batches[write.writer]?.result(of: write) }

        mutating func remember(_ write: WriteID, result: Int = 0) {
            batches[write.writer] = WrittenBatch(write, result: result)
            savedBatches.insert(write.writer)
        }
    }
#endif

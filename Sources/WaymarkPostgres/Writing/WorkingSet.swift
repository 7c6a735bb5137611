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
            enum Kept {
                case answer([UInt8])
                case redeem(RedeemRecord)
                case claim(ClaimRecord)
                case event

                /// The link needed for a replay.
                var link: LinkID? {
                    switch self {
                    case .redeem(let record): record.link
                    case .claim(let record): record.match?.redeem.link
                    case .answer, .event: nil
                    }
                }
            }
            var fingerprint: [UInt8]
            var expiresAt: Timestamp
            var kept: Kept
        }

        struct Use: Hashable {
            var application: Int64
            var kind: StoredUse.Kind
            var name: String
        }

        /// Increments of a link's counts, and the redeems that were read.
        struct Counts {
            var redeemed: Int
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
        var removedTags: [(tag: String, link: LinkID)] = []
        var addedTags: [(tag: String, link: LinkID)] = []
        var removedExpiries: [(end: Timestamp, link: LinkID)] = []
        var addedExpiries: [(end: Timestamp, link: LinkID)] = []
        var removed: Set<LinkID> = []
        var history: [(link: LinkID, entry: LinkHistoryEntry)] = []
        /// The removed links that had aliases.
        var withoutAliases: Set<LinkID> = []
        var withoutIdentity: Set<LinkID> = []
        var created: [(id: LinkID, identity: [UInt8]?)] = []
        /// Those of created links of applications that ignore case.
        var createdFolded: [(address: FoldedAddress, link: LinkID)] = []
        var use: [Use: Int] = [:]
        var savedRecords: Set<[UInt8]> = []
        var savedBatches: Set<[UInt8]> = []
        var changes: [StoreChange] = []
        var outbox: [OutboxEvent] = []
        var conversions: [ConversionKey: ConversionTotal] = [:]

        /// Adds an event of a link to the outbox if it has a subscriber.
        mutating func report(
            _ type: EventType, _ link: Link, at now: Timestamp,
            _ attributes: @autoclosure () -> [OutboxEvent.Attribute]
        ) {
            guard subscriptions.includes(type, of: link.application) else { return }
            outbox.append(OutboxEvent(type, link, at: now, attributes()))
        }

        mutating func count(_ change: Int, application: Int64, _ uses: [(kind: StoredUse.Kind, name: String)]) {
            for (kind, name) in uses {
                use[Use(application: application, kind: kind, name: name), default: 0] += change
            }
        }

        mutating func count(_ change: Int, application: Int64, route: String?) {
            if let route { count(change, application: application, [(.route, route)]) }
        }

        mutating func noteChange(of link: Link) { changes += StoreChange.of(link) }

        /// The record that applies, if there is one that has not expired.
        func record(scope: [UInt8], at now: Timestamp) -> Record? {
            guard let record = records[scope], record.expiresAt > now else { return nil }
            return record
        }

        mutating func keep(_ kept: Record.Kept, scope: [UInt8], fingerprint: [UInt8], until end: Timestamp) {
            records[scope] = Record(fingerprint: fingerprint, expiresAt: end, kept: kept)
            savedRecords.insert(scope)
        }

        /// The result of the write if it was already performed; otherwise nil.
        func result(of write: WriteID) -> Int? { batches[write.writer]?.result(of: write) }

        mutating func remember(_ write: WriteID, result: Int = 0) {
            batches[write.writer] = WrittenBatch(write, result: result)
            savedBatches.insert(write.writer)
        }
    }

    extension WorkingSet: ClaimTransaction {
        func keptClaim(scope: [UInt8], fingerprint: [UInt8], at now: Timestamp) -> KeptClaim {
            guard let record = record(scope: scope, at: now) else { return .nothing }
            guard record.fingerprint == fingerprint, case .claim(let claim) = record.kept else { return .mismatch }
            return .claim(claim)
        }

        mutating func keep(_ claim: ClaimRecord, scope: [UInt8], fingerprint: [UInt8], until end: Timestamp) {
            keep(Record.Kept.claim(claim), scope: scope, fingerprint: fingerprint, until: end)
        }

        func claimedLink(_ id: LinkID) -> Link? { rows[id]?.link }

        func claimedMetadata(of id: LinkID) throws -> [UInt8]? { try openedMetadata(of: id) }

        mutating func takeRedeem(
            _ id: LinkID, at now: Timestamp, ignoringMaxClicks: Bool
        ) throws -> RedeemOutcome {
            try redeem(id, at: now, taking: true, ignoringMaxClicks: ignoringMaxClicks, idempotency: nil)
        }

        mutating func record(_ events: [AppEvent], at now: Timestamp) -> [EventOutcome] {
            events.map { record($0, at: now) }
        }

        private mutating func record(_ event: AppEvent, at now: Timestamp) -> EventOutcome {
            guard record(scope: event.digest, at: now) == nil else { return .duplicate }
            keep(Record.Kept.event, scope: event.digest, fingerprint: [], until: event.expiresAt)
            guard let id = event.link, let link = rows[id]?.link, event.counts(for: link) else { return .unattributed }
            self.events[id, default: EventCounts()].add(event.kind)
            report(event.kind == .open ? .appOpened : .appInstalled, link, at: now, [])
            return .counted
        }
    }
#endif

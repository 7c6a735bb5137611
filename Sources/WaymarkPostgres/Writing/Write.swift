#if PostgreSQL
    internal import WaymarkStores
    internal import WaymarkLinks

    /// A caller's write that waits for its transaction.
    struct Write: WaitingEntry {
        enum Work: Sendable {
            /// A change of links, which shares a transaction with others.
            case links(LinkWrite)
            /// Statements in their own transaction; returns the completion to run once it is committed.
            case alone(@Sendable (Transaction) throws -> Completion)
        }
        typealias Completion = @Sendable () -> Void

        var work: Work
        /// Number of rows affected; bounds the size of a transaction.
        var weight: Int
        var fail: @Sendable (StoreError) -> Void
        var expiry = Deadline.after(milliseconds: TimeLimit.waiting)

        /// Maximum weight of one transaction; the rest waits for the next.
        static let weightLimit = 4_096

        static func groupSize(_ line: [Write]) -> Int {
            guard case .links = line[0].work else { return 1 }
            var end = 1
            var weight = line[0].weight
            while end < line.count, weight < weightLimit, case .links = line[end].work {
                weight += line[end].weight
                end += 1
            }
            return end
        }
    }

    /// A change of links in two steps: the data it needs, and the decision. The decision runs without the database,
    /// on the data loaded for the whole group; it may run again.
    struct LinkWrite: Sendable {
        /// The order within a group, in which writes that affect others come last: all callers are concurrent, so any
        /// order is valid. A redeem is decided on the content that the group leaves.
        enum Order: Int, Sendable { case change, count, delete, create }

        var order: Order
        var gather: @Sendable (inout Needs) -> Void
        var apply: @Sendable (inout WorkingSet) throws -> Write.Completion
    }

    /// The data that a group of writes needs, and the links that it must lock.
    struct Needs {
        var links: Set<LinkID> = []
        /// Links of which only the counts are needed. Contents are large, and counts are written for many links at
        /// once. If another write of the group needs the whole link, it is loaded whole.
        var countedLinks: Set<LinkID> = []
        /// Links of both sets that must be locked in any case. Of the others, those whose redeems are counted are
        /// locked too.
        var lockedLinks: Set<LinkID> = []
        /// Links whose metadata may be returned.
        var metadata: Set<LinkID> = []
        /// Applications in which links are created.
        var applications: Set<ApplicationID> = []
        /// Links whose applications must not be replaced or deleted concurrently.
        var changedLinks: Set<LinkID> = []
        var addresses: Set<LinkAddress> = []
        /// Whether links are created with aliases, for which other creations wait: triggers take the lock of creations for
        /// links first and the one for aliases next, so that two such transactions would wait for each other.
        var addsAliases = false
        var identities: Set<Identity> = []
        /// The scopes of idempotency records.
        var scopes: Set<[UInt8]> = []
        /// Writers whose last batches are needed.
        var writers: Set<[UInt8]> = []
        /// Maximum number of new links.
        var newLinks = 0

        /// A link that is patched or deleted.
        mutating func change(_ id: LinkID) {
            links.insert(id)
            lockedLinks.insert(id)
            changedLinks.insert(id)
        }
    }

    /// Equal for addresses that differ in case alone.
    struct FoldedAddress: Hashable, Sendable {
        var domain: HostName
        var slug: String

        init(_ address: LinkAddress) {
            domain = address.domain
            slug = address.slug.caseFolded
        }
    }

    struct Identity: Hashable, Sendable {
        var application: ApplicationID
        var digest: [UInt8]
    }
#endif

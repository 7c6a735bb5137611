#if PostgreSQL
    internal import WaymarkLinks

    /// One caller's write, waiting for its transaction.
    struct Write: WaitingEntry {
        enum Work: Sendable {
            /// A change of links, which shares a transaction with others.
            case links(LinkWrite)
            /// Statements of its own, in a transaction of its own; gives what to do once it is committed.
            case alone(@Sendable (Transaction) throws -> Completion)
        }
        typealias Completion = @Sendable () -> Void

        var work: Work
        /// How many rows it is about; bounds the size of a transaction.
        var weight: Int
        var fail: @Sendable (StoreError) -> Void
        var expiry = Deadline.after(milliseconds: TimeLimit.waiting)

        /// Rows that one transaction takes before the rest waits for the next.
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

    /// A change of links, in two parts: what it has to know, and what it does then. The second runs without the
    /// database, on what was loaded for the whole group; it may run again.
    struct LinkWrite: Sendable {
        /// Within a group, what would hinder the others comes behind them: all callers are there at once, so that any
        /// order is as good. A redeem is decided on the content that the group leaves.
        enum Order: Int, Sendable { case change, count, delete, create }

        var order: Order
        var gather: @Sendable (inout Needs) -> Void
        var apply: @Sendable (inout WorkingSet) throws -> Write.Completion
    }

    /// What a group of writes has to know before it can be decided, and which links it must have to itself.
    struct Needs {
        var links: Set<LinkID> = []
        /// Links of which only the numbers are needed. Contents are large, and counts are written for many links at once. Where
        /// another write of the group needs a link whole, it is loaded whole.
        var countedLinks: Set<LinkID> = []
        /// Those of both that must not change meanwhile, whatever they are. Of the others, those whose redeems are
        /// counted are locked all the same.
        var lockedLinks: Set<LinkID> = []
        /// Those of `links` whose metadata may be handed out.
        var metadata: Set<LinkID> = []
        /// Applications in which links are made.
        var applications: Set<ApplicationID> = []
        /// Links whose applications must not be replaced or deleted meanwhile.
        var changedLinks: Set<LinkID> = []
        var addresses: Set<Address> = []
        var identities: Set<Identity> = []
        /// Of idempotency records.
        var scopes: Set<[UInt8]> = []
        /// Whose last batches must be known.
        var writers: Set<[UInt8]> = []
        /// How many links may be made.
        var newLinks = 0
    }

    struct Address: Hashable, Sendable {
        var domain: HostName
        var slug: Slug
    }

    struct Identity: Hashable, Sendable {
        var application: ApplicationID
        var digest: [UInt8]
    }
#endif

#if PostgreSQL
    /// Keys of PostgreSQL's advisory locks, all with a common prefix ("WAYM"), because other programs may use locks
    /// in the same database. A collision only makes two things wait for each other.
    enum LockKey {
        private static let mark: Int64 = 0x5741_594D << 32

        static let migrations = mark
        /// Held while changing applications.
        static let registry = mark | 1 << 24
        /// Plus an application's number: held shared while making, changing or deleting its links, exclusively while
        /// replacing or deleting it.
        static let application = mark | 2 << 24

        static func application(_ number: Int64) -> Int64 { application + number }

        /// Held shared while adding to a share of the totals of clicks, exclusively while no transaction may do so, and while
        /// changing the rows that servers of earlier versions share.
        static let totals = mark | 3 << 24

        /// Held while updating the search index.
        static let searchIndex = mark | 4 << 24

        /// Held by the server that sends webhooks, for as long as its connection lasts.
        static let dispatch = mark | 5 << 24

        /// Held shared while adding links, exclusively while changing slugs or adding aliases, by triggers: the number is
        /// part of a migration.
        static let names = mark | 6 << 24

        /// Plus a level: held shared by each connection of a program that reads the formats of this level.
        static let level = mark | 7 << 24

        /// Held by the server that ships clicks to another database, for as long as its connection lasts.
        static let shipping = mark | 8 << 24

        /// Plus a share's number: held while changing the rows of this share of the totals of clicks. 0: while rows of shares are
        /// merged into those without.
        static let share = mark | 9 << 24

        /// Held while adding visits of unknown addresses, which have few rows that all servers change.
        static let unknownVisits = mark | 10 << 24

        /// Held by the server that verifies links, for as long as its connection lasts.
        static let verification = mark | 11 << 24

        /// Held while deciding by an idempotency record or an identity. Few keys, because a transaction may need
        /// thousands of names, and PostgreSQL's lock table has room for a few thousand in total.
        static func name(_ digest: [UInt8]) -> Int64 {
            // FNV-1a; the hash must be the same in every process.
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in digest { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            return mark | 0x80 << 24 | Int64((hash ^ hash >> 32) & 511)
        }
    }
#endif

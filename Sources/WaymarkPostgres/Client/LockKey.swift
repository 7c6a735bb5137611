#if PostgreSQL
    /// Keys of PostgreSQL's advisory locks, all under one mark ("WAYM"), because other programs may lock in the same
    /// database. Two things that share a key wait for each other and are right all the same.
    enum LockKey {
        private static let mark: Int64 = 0x5741_594D << 32

        static let migrations = mark
        /// Held by whoever changes the applications.
        static let registry = mark | 1 << 24
        /// Plus an application's number: shared by whoever makes, changes or deletes its links, alone by whoever
        /// replaces or deletes it.
        static let application = mark | 2 << 24

        static func application(_ number: Int64) -> Int64 { application + number }

        /// Held by whoever decides by an idempotency record or an identity. Few keys, because a transaction may need
        /// thousands of names, and PostgreSQL has room for some thousand locks in all.
        static func name(_ digest: [UInt8]) -> Int64 {
            // FNV-1a; a hash that is seeded in each process would not do.
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in digest { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            return mark | 0x80 << 24 | Int64((hash ^ hash >> 32) & 511)
        }
    }
#endif

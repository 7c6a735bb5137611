extension SQLStore {
    package func secret(
        _ name: String, make: @escaping @Sendable () -> [UInt8]
    ) async throws(StoreError) -> [UInt8] {
        try await transact(as: .secret) { transaction in
            let value = { try transaction.rows(StoredSecret.value(of: name)) { try $0.bytes(0) }.first }
            if let found = try value() { return found }
            // If a concurrent call has made one, nothing is inserted, and that one is read.
            try transaction.run(StoredSecret(name: name, value: make()).insertion)
            guard let stored = try value() else { throw StoreError.corrupt("a secret of the database is damaged") }
            return stored
        }
    }

    package func forgetSecrets(_ names: Range<String>) async throws(StoreError) {
        try await run(
            as: .forgetSecrets,
            SQLStatement(
                "DELETE FROM secret WHERE name >= $1 AND name < $2", .unicode(names.lowerBound),
                .unicode(names.upperBound)))
    }

    package func secrets(prefix: String) async throws(StoreError) -> [StoredSecret] {
        try await read(StoredSecret.all) { try StoredSecret($0) }.filter { $0.name.hasPrefix(prefix) }
    }
}

extension SQLArchive {
    package func secrets() throws(StoreError) -> [StoredSecret] { try rows(StoredSecret.all) { try StoredSecret($0) } }

    package func removeSecret(_ name: String) throws(StoreError) -> Bool {
        try run(SQLStatement("DELETE FROM secret WHERE name = $1", .unicode(name))) > 0
    }

    package func addSecret(_ secret: StoredSecret) throws(StoreError) { try run(secret.insertion) }
}

extension StoredSecret {
    fileprivate static let all = SQLStatement("SELECT name, value FROM secret ORDER BY name")

    package static func value(of name: String) -> SQLStatement {
        SQLStatement("SELECT value FROM secret WHERE name = $1", .unicode(name))
    }

    fileprivate var insertion: SQLStatement {
        SQLStatement(
            "INSERT INTO secret (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING", .unicode(name), .bytes(value))
    }

    package var replacement: SQLStatement {
        SQLStatement(
            """
            INSERT INTO secret (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """, .unicode(name), .bytes(value))
    }

    fileprivate init(_ row: any SQLRow) throws { self.init(name: try row.unicode(0), value: try row.bytes(1)) }
}

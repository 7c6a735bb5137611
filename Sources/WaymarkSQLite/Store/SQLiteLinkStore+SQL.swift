internal import GRDB
package import WaymarkStores

extension SQLiteLinkStore: SQLStore {
    package func read<Value: Sendable>(
        as operation: StoreOperation?, on queue: SQLReadQueue, _ statement: SQLStatement,
        _ decode: @escaping @Sendable (any SQLRow) throws -> Value
    ) async throws(StoreError) -> [Value] {
        let body: @Sendable (Database) throws -> [Value] = { try $0.rows(statement, decode) }
        return switch queue {
        case .lookups: try await read(as: operation, body)
        case .listings: try await readListing(as: operation, body)
        case .background: try await readBackground(body)
        }
    }

    package func transact<Value: Sendable>(
        as operation: StoreOperation?, weight: Int,
        _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await write(as: operation, weight: weight) { try body($0) }
    }

    package func admit(_ need: () -> FormatNeed?) {}
}

extension WriteSession: SQLTransaction {
    func rows<Value>(_ statement: SQLStatement, _ decode: (any SQLRow) throws -> Value) throws -> [Value] {
        try database.rows(statement, decode)
    }

    @discardableResult
    func run(_ statements: [SQLStatement]) throws -> [Int] {
        // A statement may change an endpoint.
        knownSubscriptions = nil
        return try statements.map { try database.run($0) }
    }

    func storedApplications() throws -> [StoredApplication] { try database.applications() }

    func lockRegistry() {}

    /// Does nothing, because no other server uses the file.
    func note(_ change: StoreChange) {}
}

extension SQLiteArchive: SQLArchive {
    package func rows<Value>(
        _ statement: SQLStatement, _ decode: (any SQLRow) throws -> Value
    ) throws(StoreError) -> [Value] {
        try perform { try $0.rows(statement, decode) }
    }

    @discardableResult
    package func run(_ statement: SQLStatement) throws(StoreError) -> Int { try perform { try $0.run(statement) } }
}

extension Database {
    func rows<Value>(_ statement: SQLStatement, _ decode: (any SQLRow) throws -> Value) throws -> [Value] {
        try rows(statement.text, statement.arguments) { try decode($0) }
    }

    func run(_ statement: SQLStatement) throws -> Int {
        try run(statement.text, statement.arguments)
        return changesCount
    }
}

extension SQLStatement {
    /// In the order in which the text first names their places, because SQLite numbers `$1`, `$2` and so on by that.
    /// Not by name: SQLite compares a name with each that the statement has.
    fileprivate var arguments: StatementArguments {
        StatementArguments(placesByFirstUse.map { values[$0 - 1].databaseValue })
    }
}

extension SQLValue {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .number(let number): number?.databaseValue ?? .null
        case .text(let text), .unicode(let text): text?.databaseValue ?? .null
        case .bytes(let bytes): bytes.blob
        }
    }
}

extension Row: SQLRow {
    func optionalUnicode(_ column: Int) throws(StoreError) -> String? { try optionalText(column) }

    func optionalBytes(_ column: Int) throws(StoreError) -> [UInt8]? {
        let value: DatabaseValue = self[column]
        return value.isNull ? nil : try bytes(column)
    }
}

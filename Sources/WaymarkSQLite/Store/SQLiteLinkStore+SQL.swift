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
        // A statement may change an endpoint, or whether clicks are shipped.
        knownSubscriptions = nil
        knownShipping = nil
        // Most are the same few, with other values.
        var known: [(text: String, statement: RawStatement, places: [Int])] = []
        return try statements.map { statement in
            if let same = known.first(where: { $0.text == statement.text }) {
                return try same.statement.run(statement.values, at: same.places)
            }
            let new = try RawStatement(statement.text, database)
            let places = statement.placesByFirstUse
            known.append((statement.text, new, places))
            return try new.run(statement.values, at: places)
        }
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
        let raw = try RawStatement(statement.text, self)
        raw.bind(statement.values, at: statement.placesByFirstUse)
        var values: [Value] = []
        try raw.forEachRow { values.append(try decode($0)) }
        return values
    }

    func run(_ statement: SQLStatement) throws -> Int {
        try RawStatement(statement.text, self).run(statement.values, at: statement.placesByFirstUse)
    }
}

extension RawStatement {
    /// - Parameter places: those of the values, in the order in which the text first names them, because SQLite numbers `$1`, `$2`
    ///   and so on by that. Not by name: SQLite compares a name with each that the statement has.
    fileprivate func bind(_ values: [SQLValue], at places: [Int]) {
        for (index, place) in zip(Int32(1)..., places) {
            switch values[place - 1] {
            case .number(let number): bind(index, number)
            case .text(let text), .unicode(let text): bind(index, Self.upToNull(text))
            case .bytes(let bytes): bind(index, bytes)
            }
        }
    }

    /// As GRDB binds the texts of other statements, with which these are compared.
    private static func upToNull(_ text: String?) -> String? {
        guard let text, let end = text.utf8.firstIndex(of: 0) else { return text }
        return String(text[..<end])
    }

    /// - Returns: How many rows it changed.
    fileprivate func run(_ values: [SQLValue], at places: [Int]) throws -> Int {
        bind(values, at: places)
        return try run()
    }
}

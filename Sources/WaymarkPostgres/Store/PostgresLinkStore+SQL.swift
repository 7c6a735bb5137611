#if PostgreSQL
    package import WaymarkStores

    extension PostgresLinkStore: SQLStore {
        package func read<Value: Sendable>(
            as operation: StoreOperation?, on queue: SQLReadQueue, _ statement: SQLStatement,
            _ decode: @escaping @Sendable (any SQLRow) throws -> Value
        ) async throws(StoreError) -> [Value] {
            let command = Connection.Command(statement)
            let body: @Sendable (Connection, Deadline) throws -> [Value] = { connection, deadline in
                try connection.run(command, by: deadline).rows(decode)
            }
            return switch queue {
            case .lookups: try await read(as: operation, command) { try $0.rows(decode) }
            case .listings: try await readListing(as: operation, body)
            case .background: try await inBackground(body)
            }
        }

        package func transact<Value: Sendable>(
            as operation: StoreOperation?, weight: Int,
            _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
        ) async throws(StoreError) -> Value {
            try await writeAlone(as: operation) { try body($0) }
        }
    }

    extension Transaction: SQLTransaction {
        func rows<Value>(_ statement: SQLStatement, _ decode: (any SQLRow) throws -> Value) throws -> [Value] {
            try exchange([.init(statement)]).flatMap { try $0.rows(decode) }
        }

        @discardableResult
        func run(_ statements: [SQLStatement]) throws -> [Int] {
            guard !statements.isEmpty else { return [] }
            return try exchange(statements.map { .init($0) }).map(\.changed)
        }

        func storedApplications() throws -> [StoredApplication] { try StoredApplication.all(of: run(.applications)) }
        func lockRegistry() throws { _ = try run(.lock, .number(LockKey.registry)) }
    }

    extension PostgresArchive: SQLArchive {
        package func rows<Value>(
            _ statement: SQLStatement, _ decode: (any SQLRow) throws -> Value
        ) throws(StoreError) -> [Value] {
            let result = try run(.init(statement))
            do {
                return try result.rows(decode)
            } catch {
                throw StoreError(error)
            }
        }

        @discardableResult
        package func run(_ statement: SQLStatement) throws(StoreError) -> Int { try run(.init(statement)).changed }
    }

    extension Connection.Command {
        init(_ statement: SQLStatement) {
            self.init(sql: statement.text + (statement.locksRows ? " FOR UPDATE" : ""))
            arguments = statement.values.map { value in
                switch value {
                case .number(let number): .number(number)
                case .text(let text): .text(text)
                case .unicode(let text): .bytes(text.map { Array($0.utf8) })
                case .bytes(let bytes): .bytes(bytes)
                }
            }
        }
    }

    extension QueryResult {
        func rows<Value>(_ decode: (any SQLRow) throws -> Value) throws -> [Value] {
            try (0..<count).map { try decode(ResultRow(result: self, index: $0)) }
        }
    }

    private struct ResultRow: SQLRow {
        let result: QueryResult
        let index: Int

        func optionalNumber(_ column: Int) throws(StoreError) -> Int64? { try result.optionalNumber(index, column) }
        func optionalText(_ column: Int) throws(StoreError) -> String? { try result.optionalText(index, column) }
        func optionalUnicode(_ column: Int) throws(StoreError) -> String? { try result.optionalText(index, column) }
        func optionalBytes(_ column: Int) throws(StoreError) -> [UInt8]? { try result.optionalBytes(index, column) }
    }
#endif

/// A store in an SQL database. What is neither frequent nor about links is written here once, a file for each feature.
package protocol SQLStore: SealingStore, ImportRunStore, WebhookStore, ConversionStore, PeopleStore, AuditStore,
    OAuthStore, ApplicationExtraStore, ClickShipmentStore, AssociationFileStore, VerificationStore
{
    /// Runs a statement on a connection for reads.
    ///
    /// - Parameter operation: What is measured; nil if nothing is.
    func read<Value: Sendable>(
        as operation: StoreOperation?, on queue: SQLReadQueue, _ statement: SQLStatement,
        _ decode: @escaping @Sendable (any SQLRow) throws -> Value
    ) async throws(StoreError) -> [Value]

    /// Runs the body in a transaction; returns when it is committed. The body may run again.
    ///
    /// - Parameter weight: Number of rows affected.
    func transact<Value: Sendable>(
        as operation: StoreOperation?, weight: Int, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws(StoreError) -> Value

    /// The blocks with these keys, in the same order, without those that are gone or whose link is.
    func storedBlocks(_ keys: [ClickBlock.Key]) async throws(StoreError) -> [ShippedBlock]

    /// Refuses what another server of the database could not read.
    ///
    /// - Parameter need: Computed only where it matters.
    func admit(_ need: () -> FormatNeed?) async throws(StoreError)
}

/// Which connections read, so that short reads don't wait for long ones.
package enum SQLReadQueue { case lookups, listings, background }

extension SQLStore {
    package func read<Value: Sendable>(
        as operation: StoreOperation? = nil, _ statement: SQLStatement,
        _ decode: @escaping @Sendable (any SQLRow) throws -> Value
    ) async throws(StoreError) -> [Value] {
        try await read(as: operation, on: .lookups, statement, decode)
    }

    package func transact<Value: Sendable>(
        as operation: StoreOperation? = nil, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await transact(as: operation, weight: 1, body)
    }

    /// Runs a statement in a transaction of its own; returns the number of rows that it changed.
    @discardableResult
    package func run(
        as operation: StoreOperation? = nil, _ statement: SQLStatement
    ) async throws(StoreError) -> Int {
        try await transact(as: operation) { try $0.run(statement) }
    }
}

/// A transaction that writes.
package protocol SQLTransaction {
    func rows<Value>(_ statement: SQLStatement, _ decode: (any SQLRow) throws -> Value) throws -> [Value]
    /// Runs statements in order, in one round trip; returns the number of rows that each changed.
    @discardableResult func run(_ statements: [SQLStatement]) throws -> [Int]
    /// Until the end, no other transaction changes applications or adds routes or keys. SQLite has one writer.
    func lockRegistry() throws
    /// Until the end, no other transaction adds clicks.
    func lockClickTotals() throws
    /// Does nothing while clicks are not shipped.
    func add(_ note: ClickNote) throws
    func storedApplications() throws -> [StoredApplication]
    /// Adds those events to the outbox that have a subscriber.
    func publish(_ events: [OutboxEvent]) throws
    /// Tells other servers of the database on commit.
    func note(_ change: StoreChange)
    /// The call whose changes these are; nil if no call makes them.
    var auditCall: AuditCall? { get }
    /// With its event.
    func add(_ entry: AuditEntry) throws
}

extension SQLTransaction {
    @discardableResult
    package func run(_ statement: SQLStatement) throws -> Int { try run([statement]).reduce(0, +) }

    package func count(_ statement: SQLStatement) throws -> Int { try rows(statement) { try $0.count(0) }.first ?? 0 }
}

/// A database as commands read and write it.
package protocol SQLArchive: StoreArchive {
    func rows<Value>(
        _ statement: SQLStatement, _ decode: (any SQLRow) throws -> Value
    ) throws(StoreError) -> [Value]
    /// - Returns: The number of rows that it changed.
    @discardableResult func run(_ statement: SQLStatement) throws(StoreError) -> Int
}

/// `DocumentStore`.
extension SQLStore {
    package func document(_ name: String) async throws(StoreError) -> StoredDocument? {
        let one = SQLStatement("SELECT name, version, content FROM document WHERE name = $1", .text(name))
        return try await read(one) { try StoredDocument($0) }.first
    }

    package func documents(prefix: String) async throws(StoreError) -> [StoredDocument] {
        try await read(StoredDocument.all(prefix: prefix)) { try StoredDocument($0) }.sorted()
    }

    package func writeDocument(
        _ name: String, _ content: [UInt8], replacing version: Int?, reporting events: [OutboxEvent],
        recording entry: AuditEntry?
    ) async throws(StoreError) -> Bool {
        let insertion = SQLStatement(
            "INSERT INTO document (name, version, content) VALUES ($1, 1, $2) ON CONFLICT DO NOTHING", .text(name),
            .bytes(content))
        return try await change(
            version.map { StoredDocument.update(name, from: $0, to: content) } ?? insertion, reporting: events,
            recording: entry)
    }

    package func removeDocument(_ name: String, recording entry: AuditEntry?) async throws(StoreError) -> Bool {
        try await change(SQLStatement("DELETE FROM document WHERE name = $1", .text(name)), recording: entry)
    }

    /// - Returns: Whether it changed a document.
    private func change(
        _ statement: SQLStatement, reporting events: [OutboxEvent] = [], recording entry: AuditEntry?
    ) async throws(StoreError) -> Bool {
        try await transact { transaction in
            guard try transaction.run(statement) > 0 else { return false }
            try transaction.publish(events)
            if let entry { try transaction.add(entry) }
            transaction.note(.documents)
            return true
        }
    }
}

extension SQLArchive {
    package func documents() throws(StoreError) -> [StoredDocument] {
        try rows(StoredDocument.all(prefix: "")) { try StoredDocument($0) }.sorted()
    }

    package func reseal(_ document: StoredDocument, as content: [UInt8]) throws(StoreError) -> Bool {
        try run(StoredDocument.update(document.name, from: document.version, to: content)) > 0
    }
}

extension StoredDocument {
    fileprivate static func all(prefix: String) -> SQLStatement {
        SQLStatement(
            "SELECT name, version, content FROM document WHERE substr(name, 1, length($1)) = $1", .text(prefix))
    }

    fileprivate static func update(_ name: String, from version: Int, to content: [UInt8]) -> SQLStatement {
        SQLStatement(
            "UPDATE document SET version = version + 1, content = $1 WHERE name = $2 AND version = $3",
            .bytes(content), .text(name), .number(version))
    }

    fileprivate init(_ row: any SQLRow) throws {
        self.init(name: try row.text(0), version: try row.count(1), content: try row.bytes(2))
    }
}

extension [StoredDocument] {
    /// By the bytes of their names, which databases would order by language.
    fileprivate func sorted() -> [StoredDocument] { sorted { $0.name < $1.name } }
}

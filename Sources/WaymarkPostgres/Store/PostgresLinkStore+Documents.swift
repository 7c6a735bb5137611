#if PostgreSQL
    package import WaymarkStores

    /// `DocumentStore`.
    extension PostgresLinkStore {
        package func document(_ name: String) async throws(StoreError) -> StoredDocument? {
            let command = Connection.Command(
                sql: "SELECT name, version, content FROM waymark.document WHERE name = $1::text", .text(name))
            return try await read(command) { $0.count > 0 ? try StoredDocument($0, 0) : nil }
        }

        package func documents(prefix: String) async throws(StoreError) -> [StoredDocument] {
            try await read(Connection.Command(sql: StoredDocument.selection, .text(prefix))) { result in
                try (0..<result.count).map { try StoredDocument(result, $0) }
            }
        }

        package func writeDocument(
            _ name: String, _ content: [UInt8], replacing version: Int?
        ) async throws(StoreError) -> Bool {
            try await writeAlone { transaction in
                let result =
                    if let version {
                        try transaction.run(
                            sql: """
                                UPDATE waymark.document SET version = version + 1, content = $2::bytea
                                WHERE name = $1::text AND version = $3::int8
                                """, .text(name), .bytes(content), .number(Int64(version)))
                    } else {
                        try transaction.run(
                            sql: """
                                INSERT INTO waymark.document (name, version, content) VALUES ($1::text, 1, $2::bytea)
                                ON CONFLICT DO NOTHING
                                """, .text(name), .bytes(content))
                    }
                guard result.changed > 0 else { return false }
                transaction.note(.documents)
                return true
            }
        }

        package func removeDocument(_ name: String) async throws(StoreError) -> Bool {
            try await writeAlone { transaction in
                let removed = try transaction.run(
                    sql: "DELETE FROM waymark.document WHERE name = $1::text", .text(name))
                guard removed.changed > 0 else { return false }
                transaction.note(.documents)
                return true
            }
        }
    }

    extension StoredDocument {
        static let selection = """
            SELECT name, version, content FROM waymark.document WHERE starts_with(name, $1::text)
            ORDER BY name COLLATE "C"
            """

        init(_ result: QueryResult, _ row: Int) throws {
            self.init(
                name: try result.text(row, 0), version: try result.count(row, 1), content: try result.bytes(row, 2))
        }
    }
#endif

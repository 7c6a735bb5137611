internal import GRDB
package import WaymarkStores

/// `DocumentStore`.
extension SQLiteLinkStore {
    package func document(_ name: String) async throws(StoreError) -> StoredDocument? {
        try await read { database in
            try database.row("SELECT name, version, content FROM document WHERE name = ?", [name]) {
                try StoredDocument($0)
            }
        }
    }

    package func documents(prefix: String) async throws(StoreError) -> [StoredDocument] {
        try await read { try $0.documents(prefix: prefix) }
    }

    package func writeDocument(
        _ name: String, _ content: [UInt8], replacing version: Int?
    ) async throws(StoreError) -> Bool {
        try await write { session in
            let database = session.database
            if let version {
                try database.run(
                    "UPDATE document SET version = version + 1, content = ? WHERE name = ? AND version = ?",
                    [content.blob, name, version])
            } else {
                try database.run(
                    "INSERT OR IGNORE INTO document (name, version, content) VALUES (?, 1, ?)", [name, content.blob])
            }
            return database.changesCount > 0
        }
    }

    package func removeDocument(_ name: String) async throws(StoreError) -> Bool {
        try await write { session in
            try session.database.run("DELETE FROM document WHERE name = ?", [name])
            return session.database.changesCount > 0
        }
    }
}

extension Database {
    func documents(prefix: String) throws -> [StoredDocument] {
        try rows(
            "SELECT name, version, content FROM document WHERE substr(name, 1, length(?1)) = ?1 ORDER BY name", [prefix]
        ) { try StoredDocument($0) }
    }
}

extension StoredDocument {
    fileprivate init(_ row: Row) throws {
        self.init(name: try row.text(0), version: try row.count(1), content: try row.bytes(2))
    }
}

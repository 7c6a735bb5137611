/// Small named documents that all servers of a database share, such as certificates. Each change has a version, so that of
/// two servers that change the same one only the first succeeds.
///
/// Throws: `StoreError` only.
package protocol DocumentStore: Sendable {
    func document(_ name: String) async throws(StoreError) -> StoredDocument?
    /// In ascending order of their names, by bytes.
    func documents(prefix: String) async throws(StoreError) -> [StoredDocument]
    /// Creates or replaces a document; durable when it returns.
    ///
    /// - Parameters:
    ///   - version: Of the document that is replaced; nil: there must be none.
    ///   - events: Published in the same transaction.
    ///   - entry: Of the audit, in the same transaction.
    /// - Returns: Whether it was written: false if there is another version.
    func writeDocument(
        _ name: String, _ content: [UInt8], replacing version: Int?, reporting events: [OutboxEvent],
        recording entry: AuditEntry?
    ) async throws(StoreError) -> Bool
    /// - Returns: Whether there was one.
    func removeDocument(_ name: String, recording entry: AuditEntry?) async throws(StoreError) -> Bool
}

package struct StoredDocument: Sendable, Equatable {
    /// Visible ASCII.
    package var name: String
    /// From 1.
    package var version: Int
    /// Sealed where metadata is.
    package var content: [UInt8]

    package init(name: String, version: Int, content: [UInt8]) {
        self.name = name
        self.version = version
        self.content = content
    }
}

/// Documents whose content is sealed with the metadata keys of the store.
package struct SealedDocuments: Sendable {
    private let store: any SealingStore

    package init(_ store: any SealingStore) { self.store = store }

    /// - Throws: `.unavailable` if its key is missing. A damaged one is empty, so that it can be replaced.
    package func document(_ name: String) async throws(StoreError) -> StoredDocument? {
        guard var stored = try await store.document(name) else { return nil }
        do throws(StoreError) {
            return try opened(stored)
        } catch {
            guard case .corrupt = error else { throw error }
            stored.content = []
            return stored
        }
    }

    /// - Parameter onUnreadable: Receives the names of documents that can't be opened. A damaged one is empty, so that it can
    ///   be replaced; one whose key is missing is left out.
    package func documents(
        prefix: String, onUnreadable: (_ name: String, StoreError) -> Void = { _, _ in }
    ) async throws(StoreError) -> [StoredDocument] {
        var documents: [StoredDocument] = []
        for stored in try await store.documents(prefix: prefix) {
            do throws(StoreError) {
                documents.append(try opened(stored))
            } catch {
                onUnreadable(stored.name, error)
                if case .corrupt = error {
                    documents.append(StoredDocument(name: stored.name, version: stored.version, content: []))
                }
            }
        }
        return documents
    }

    /// - Parameter content: Must not begin with byte 1.
    package func write(
        _ name: String, _ content: [UInt8], replacing version: Int?, reporting events: [OutboxEvent] = [],
        recording entry: AuditEntry? = nil
    ) async throws(StoreError) -> Bool {
        let stored = store.metadataKeys.current.stored(content, of: .document(name))
        return try await store.writeDocument(name, stored, replacing: version, reporting: events, recording: entry)
    }

    package func remove(_ name: String, recording entry: AuditEntry? = nil) async throws(StoreError) -> Bool {
        try await store.removeDocument(name, recording: entry)
    }

    private func opened(_ stored: StoredDocument) throws(StoreError) -> StoredDocument {
        var document = stored
        document.content = try store.metadataKeys.current.opened(stored.content, of: .document(stored.name))
        return document
    }
}

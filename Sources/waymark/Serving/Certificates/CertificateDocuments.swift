import WaymarkACME
import WaymarkArchive
import WaymarkStores

/// The documents of certificates in the service's database.
struct CertificateDocuments: CertificateStorage {
    private let documents: SealedDocuments

    init(_ store: any SealingStore) { documents = SealedDocuments(store) }

    func document(_ name: String) async throws(CertificateStorageError) -> CertificateDocument? {
        try await trying { () async throws(StoreError) in
            try await documents.document(name).map { CertificateDocument($0) }
        }
    }

    func documents(prefix: String) async throws(CertificateStorageError) -> [CertificateDocument] {
        try await trying { () async throws(StoreError) in
            try await documents.documents(prefix: prefix).map { CertificateDocument($0) }
        }
    }

    func write(
        _ name: String, _ content: [UInt8], ifVersion version: Int?
    ) async throws(CertificateStorageError) -> Bool {
        try await trying { () async throws(StoreError) in
            try await documents.write(name, content, replacing: version)
        }
    }

    func remove(_ name: String) async throws(CertificateStorageError) {
        _ = try await trying { () async throws(StoreError) in try await documents.remove(name) }
    }

    private func trying<Value>(
        _ work: () async throws(StoreError) -> Value
    ) async throws(CertificateStorageError) -> Value {
        do throws(StoreError) {
            return try await work()
        } catch {
            throw CertificateStorageError(reason: error.sentence)
        }
    }
}

extension CertificateDocument {
    fileprivate init(_ document: StoredDocument) {
        self.init(name: document.name, version: document.version, content: document.content)
    }
}

import Logging
import Synchronization
import WaymarkACME
import WaymarkArchive
import WaymarkStores

/// The documents of certificates in the service's database.
final class CertificateDocuments: CertificateStorage {
    private let documents: SealedDocuments
    private let logger: Logger
    /// The names of documents that were reported once.
    private let reported = Mutex<Set<String>>([])

    init(_ store: any SealingStore, logger: Logger) {
        documents = SealedDocuments(store)
        self.logger = logger
    }

    func document(_ name: String) async throws(CertificateStorageError) -> CertificateDocument? {
        try await trying { () async throws(StoreError) in
            try await documents.document(name).map { CertificateDocument($0) }
        }
    }

    func documents(prefix: String) async throws(CertificateStorageError) -> [CertificateDocument] {
        try await trying { () async throws(StoreError) in
            try await documents.documents(prefix: prefix) { name, error in report(name, error) }
                .map { CertificateDocument($0) }
        }
    }

    private func report(_ name: String, _ error: StoreError) {
        guard reported.withLock({ $0.insert(name).inserted }) else { return }
        logger.error("the document \(name) can't be read and is ignored: \(error.sentence)")
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

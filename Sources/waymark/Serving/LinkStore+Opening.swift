import WaymarkLinks
import WaymarkSQLite

#if PostgreSQL
    import WaymarkPostgres
#endif

extension DatabaseURL {
    /// Opens the store behind the URL. Blocks while tables are brought up to date.
    ///
    /// - Parameter metadataKeys: Used once they were found to be the right ones (`SealingStore.use`).
    /// - Parameter isPatient: Whether a database server that can't be reached now will do; a file must be there.
    func open(metadataKeys: MetadataKeyRing, isPatient: Bool = false) throws -> any SealingStore {
        do throws(StoreError) {
            switch self {
            case .memory: return try SQLiteLinkStore(path: ":memory:", metadataKeys: metadataKeys)
            case .file(let path): return try SQLiteLinkStore(path: path, metadataKeys: metadataKeys)
            #if PostgreSQL
                case .postgres(let url):
                    return try PostgresLinkStore(url: url, isPatient: isPatient, metadataKeys: metadataKeys)
            #endif
            }
        } catch {
            throw CommandFailure(error)
        }
    }
}

extension CommandFailure {
    init(_ error: StoreError) {
        switch error {
        case .unavailable(let sentence), .corrupt(let sentence): self = .failed(sentence)
        }
    }
}

extension LinkStore {
    /// What other servers on the same database change; nil where there can be none.
    var changesByOthers: AsyncStream<StoreChange>? {
        #if PostgreSQL
            (self as? PostgresLinkStore)?.changes
        #else
            nil
        #endif
    }
}

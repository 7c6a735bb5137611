import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

#if PostgreSQL
    import WaymarkPostgres
#endif

extension DatabaseURL {
    /// Opens the store of the URL. Blocks while tables are migrated.
    ///
    /// - Parameter metadataKeys: used after they were verified (`SealingStore.use`).
    /// - Parameter isPatient: whether an unreachable database server is acceptable; a file must exist.
    /// - Parameter report: receives the beginning and the end of a migration.
    func open(
        metadataKeys: MetadataKeyRing, isPatient: Bool = false,
        onMigration report: @escaping @Sendable (SchemaChange) -> Void
    ) throws -> any SealingStore {
        do throws(StoreError) {
            switch self {
            case .memory: return try SQLiteLinkStore(path: ":memory:", metadataKeys: metadataKeys)
            case .file(let path):
                return try SQLiteLinkStore(path: path, metadataKeys: metadataKeys, onMigration: report)
            #if PostgreSQL
                case .postgres(let url):
                    return try PostgresLinkStore(
                        url: url, isPatient: isPatient, metadataKeys: metadataKeys, onMigration: report)
            #endif
            }
        } catch {
            throw CommandFailure(error)
        }
    }
}

extension CommandFailure {
    init(_ error: StoreError) { self = .failed(error.sentence) }
}

extension LinkStore {
    /// Changes by other servers on the same database; nil if there can be none.
    var changesByOthers: AsyncStream<StoreChange>? {
        #if PostgreSQL
            (self as? PostgresLinkStore)?.changes
        #else
            nil
        #endif
    }
}

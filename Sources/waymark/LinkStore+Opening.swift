import WaymarkLinks
import WaymarkSQLite

#if PostgreSQL
    import WaymarkPostgres
#endif

extension DatabaseURL {
    /// Opens the store behind the URL. Blocks while tables are brought up to date.
    func open() throws -> any LinkStore {
        do throws(StoreError) {
            switch self {
            case .memory: return try SQLiteLinkStore(path: ":memory:")
            case .file(let path): return try SQLiteLinkStore(path: path)
            #if PostgreSQL
                case .postgres(let url): return try PostgresLinkStore(url: url)
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

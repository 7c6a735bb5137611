import Testing
import WaymarkSQLite
import WaymarkStores
import WaymarkTestSupport

#if PostgreSQL
    import WaymarkPostgres
#endif

/// The databases that a test can run on here.
enum TestDatabase: CaseIterable, CustomTestStringConvertible {
    case sqlite
    #if PostgreSQL
        case postgres
    #endif

    static var installed: [TestDatabase] {
        allCases.filter { database in
            switch database {
            case .sqlite: return true
            #if PostgreSQL
                case .postgres: return PostgresServer.isInstalled
            #endif
            }
        }
    }

    var testDescription: String { "\(self)" }

    /// With a new database of its own.
    func withStore(_ test: (any LinkStore) async throws -> Void) async throws {
        switch self {
        case .sqlite: try await test(SQLiteLinkStore(path: ":memory:"))
        #if PostgreSQL
            case .postgres:
                let store = try PostgresLinkStore(url: PostgresServer.shared.get().database())
                do {
                    try await test(store)
                } catch {
                    await store.close()
                    throw error
                }
                await store.close()
        #endif
        }
    }
}

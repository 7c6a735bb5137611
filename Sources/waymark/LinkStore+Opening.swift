import WaymarkLinks
import WaymarkSQLite

extension DatabaseURL {
    /// Opens the store behind the URL. Blocks while tables are brought up to date.
    func open() throws -> any LinkStore {
        do throws(StoreError) {
            switch self {
            case .memory: return try SQLiteLinkStore(path: ":memory:")
            case .file(let path): return try SQLiteLinkStore(path: path)
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

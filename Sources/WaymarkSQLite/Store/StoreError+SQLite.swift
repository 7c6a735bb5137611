internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

extension StoreError {
    /// The message for the store's callers about an SQLite error: one sentence, without SQL and without values.
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError: self = Self.sentence(for: error)
        default: self = .unavailable("the database could not be used")
        }
    }

    private static func sentence(for error: DatabaseError) -> StoreError {
        switch error.resultCode.primaryResultCode {
        case .SQLITE_FULL: .diskFull
        case .SQLITE_READONLY: .unavailable("the database file or its folder is read-only")
        case .SQLITE_BUSY, .SQLITE_LOCKED: .unavailable("the database is locked by another program")
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH: .unavailable("the database file can't be opened")
        case .SQLITE_IOERR: .unavailable("the disk that holds the database gives errors")
        case .SQLITE_NOMEM: .unavailable("there is not enough memory for the database")
        case .SQLITE_NOTADB: .corrupt("the file is not an SQLite database")
        case .SQLITE_CORRUPT: .corrupt("the database file is damaged")
        case .SQLITE_MISUSE: .unavailable("the store is closed")
        default: .unavailable("the database gives error \(error.extendedResultCode.rawValue)")
        }
    }
}

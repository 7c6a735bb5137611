internal import GRDB
import WaymarkLinks
package import WaymarkStores

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension SQLiteArchive {
    /// Number of pages copied between two progress reports: 4 MiB.
    private static let step: CInt = 1_024

    /// The approximate size of the database.
    package var byteCount: Int {
        let size = try? perform { database in
            (try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0)
                * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
        }
        return size ?? 0
    }

    /// Copies a snapshot of the database into an empty file, while others keep using it: their writes are not
    /// blocked, and not included in the copy. On return the copy has been verified and is on disk.
    ///
    /// - Parameter progress: Called periodically with the number of bytes copied.
    package func copy(into path: String, progress: @escaping (_ done: Int) -> Void) throws(StoreError) {
        do {
            try copyPages(to: path, progress: progress)
        } catch {
            throw StoreError(error)
        }
    }

    private func copyPages(to path: String, progress: @escaping (_ done: Int) -> Void) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        let target = try DatabaseQueue(path: DatabaseFile.absolute(path), configuration: configuration)
        defer {
            try? target.close()
            // Cleans up after a failed copy; unsafe because C reads the path through a pointer that lives as long as
            // the call.
            for name in ["-journal", "-wal", "-shm"] { unsafe unlink(path + name) }
        }
        try beginReading()
        defer { endReading() }
        let size = try perform { try Int.fetchOne($0, sql: "PRAGMA page_size") ?? 4_096 }
        // In a single transaction of the source, because the copy would restart with every commit of another
        // connection.
        try database.inDatabase { source in
            try target.inDatabase { target in
                try source.backup(to: target, pagesPerStep: Self.step) { state in
                    progress((state.totalPageCount - state.remainingPageCount) * size)
                }
            }
        }
        try target.inDatabase { target in
            guard try String.fetchAll(target, sql: "PRAGMA quick_check(1)") == ["ok"] else {
                throw StoreError.corrupt("the copy is damaged, and the database with it")
            }
        }
    }
}

internal import GRDB
package import WaymarkLinks

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension SQLiteArchive {
    /// Pages that are copied between two looks at the progress: 4 MiB.
    private static let step: CInt = 1_024

    /// The size of the database, roughly.
    package var byteCount: Int {
        let size = try? perform { database in
            (try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0)
                * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
        }
        return size ?? 0
    }

    /// Copies the database as it is at this moment into a file that is empty so far, while others go on using it: their
    /// writes wait for nothing, and none made from now on is in the copy. The copy is looked through, and is on the disk
    /// when this returns.
    ///
    /// - Parameter progress: Told now and then how many bytes are copied.
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
            // Where the copy was given up; unsafe because C reads the path through a pointer that lives as long as the call.
            for name in ["-journal", "-wal", "-shm"] { unsafe unlink(path + name) }
        }
        try beginReading()
        defer { endReading() }
        let size = try perform { try Int.fetchOne($0, sql: "PRAGMA page_size") ?? 4_096 }
        // Within one transaction of the source, because the copy would begin again with every commit of somebody else's.
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

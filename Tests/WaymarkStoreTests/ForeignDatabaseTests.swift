import Foundation
import GRDB
import Testing
import WaymarkSQLite

/// Databases that other programs, and strangers, wrote.
@Suite struct ForeignDatabaseTests {
    private let path = FileManager.default.temporaryDirectory.appendingPathComponent("foreign-\(UUID().uuidString)")
        .path

    private func make(_ statements: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA writable_schema = ON")
            try database.execute(sql: statements)
        }
        try queue.close()
    }

    private func rows(_ table: String = "links", _ columns: [String] = ["id", "address"]) throws -> [[String]] {
        defer { try? FileManager.default.removeItem(atPath: path) }
        var rows: [[String]] = []
        try ForeignDatabase(path: path).read(table, columns) { row in
            rows.append(row.map { String(decoding: $0, as: UTF8.self) })
            return rows.count < 100
        }
        return rows
    }

    @Test func rowsOfATableAreRead() throws {
        try make(
            """
            CREATE TABLE links (id INTEGER PRIMARY KEY, address, other);
            INSERT INTO links VALUES (1, 'a', x''), (2, NULL, 1), (3, 1.5, 2), (4, x'62', 3);
            """)
        #expect(try rows() == [["1", "a"], ["2", ""], ["3", "1.5"], ["4", "b"]])
    }

    static let hostile = [
        """
        CREATE VIEW links AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)
            SELECT 1 AS id, 'a' AS address FROM r WHERE n < 0
        """,
        "CREATE VIEW links AS SELECT 1 AS id, hex(zeroblob(400000000)) AS address",
        "CREATE VIRTUAL TABLE links USING fts5(id, address)",
        "CREATE TABLE links (id INTEGER PRIMARY KEY)",
        "CREATE TABLE Other (id, address)",
        """
        CREATE TABLE real (id, address); CREATE VIEW links AS SELECT * FROM real;
        UPDATE sqlite_master SET type = 'table', rootpage = 2 WHERE name = 'links'
        """,
    ]

    @Test(arguments: hostile) func onlyRealTablesAreRead(_ statements: String) throws {
        try make(statements)
        #expect(throws: ForeignDatabase.Failure.self) { try rows() }
    }

    @Test func computedValuesAreBounded() throws {
        try make(
            """
            CREATE TABLE links (id INTEGER PRIMARY KEY, address AS (hex(zeroblob(400000000))));
            INSERT INTO links VALUES (1)
            """)
        #expect(throws: ForeignDatabase.Failure.tooLarge) { try rows() }
    }

    @Test func aLoopOfValuesIsNoMoreThanTheFile() throws {
        // Each row is computed from nothing, and is larger than the file.
        try make(
            """
            CREATE TABLE links (id INTEGER PRIMARY KEY, address AS (hex(zeroblob(400000))));
            INSERT INTO links WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 50) SELECT n FROM r
            """)
        #expect(throws: ForeignDatabase.Failure.tooLarge) { try rows() }
    }

    @Test(arguments: [20, 100, 4_096, 8_192]) func aCutFileIsNoDatabase(bytes: Int) throws {
        try make(
            """
            CREATE TABLE links (id INTEGER PRIMARY KEY, address);
            INSERT INTO links WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 9000)
                SELECT n, 'address of a link' FROM r
            """)
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.truncate(atOffset: UInt64(bytes))
        try file.close()
        #expect(throws: ForeignDatabase.Failure.self) { try rows() }
    }

    @Test func nothingIsMadeBesideTheFile() throws {
        try make("PRAGMA journal_mode = WAL; CREATE TABLE links (id INTEGER PRIMARY KEY, address)")
        let folder = FileManager.default.temporaryDirectory.path
        #expect(try rows().isEmpty)
        let name = (path as NSString).lastPathComponent
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(name) }.isEmpty)
    }
}

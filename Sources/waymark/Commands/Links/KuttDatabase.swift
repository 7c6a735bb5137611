import WaymarkImports
import WaymarkSQLite

/// Kutt's own database file, read where it lies.
enum KuttDatabase {
    private static let query = """
        SELECT links.id, links.address, links.target, links.description, domains.address AS domain,
            CASE WHEN links.password IS NULL OR links.password = '' THEN '' ELSE '1' END AS password, links.banned,
            links.expire_in, links.visit_count, links.created_at
        FROM links LEFT JOIN domains ON domains.id = links.domain_id
        WHERE links.id > ? ORDER BY links.id LIMIT 1000
        """
    private static let columns = [
        "id", "address", "target", "description", "domain", "password", "banned", "expire_in", "visit_count",
        "created_at",
    ]

    /// Nil where the file is none of SQLite's.
    static func source(_ files: [String], time: ForeignTime) throws -> (any LinkSource)? {
        guard let path = files.first, ForeignDatabase.isDatabase(path) else { return nil }
        guard files.count == 1 else { throw SourceError("give one database at a time") }
        return TableSource(
            [
                SourceFile(name: path) {
                    do {
                        return Reader(try ForeignDatabase(path: path))
                    } catch {
                        throw SourceError(
                            "\(path): the database can't be read; copy it with its -wal file while Kutt stands still")
                    }
                }
            ], ForeignService.kutt, time: time)
    }

    private final class Reader: CellReader {
        private let database: ForeignDatabase
        private var rows: ArraySlice<[String]> = []
        private var last: Int64 = 0

        init(_ database: ForeignDatabase) { self.database = database }

        func headings() throws -> [String]? { KuttDatabase.columns }

        func next() throws -> CSVReader.Record? {
            if rows.isEmpty {
                do {
                    rows = try database.rows(KuttDatabase.query, after: last)[...]
                } catch {
                    throw SourceError("the database has no table of links as Kutt has it")
                }
                last = rows.last.flatMap { $0.first }.flatMap { Int64($0) } ?? last
            }
            return rows.popFirst().map { CSVReader.Record(cells: $0.map { Array($0.utf8) }) }
        }
    }
}

/// Whose rules of quoting a dump follows.
enum SQLDialect: Sendable {
    /// Backslashes escape in texts. Also for dumps that don't say which program wrote them.
    case mysql
    /// Backslashes escape in `E'…'` only; texts may be in dollar quotes; `COPY` gives rows.
    case postgresql
    /// Backslashes are characters; line ends are written with `replace()` or `unistr()`.
    case sqlite

    /// Bytes at a dump's beginning in which it is looked for.
    static let headLength = 1 << 13

    /// By the comments and settings ahead of the first table. Texts of links don't count: anybody may have written them.
    init(head: some Collection<UInt8>) {
        for line in head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let text = String(decoding: line.prefix(200), as: UTF8.self).uppercased()
            func begins(_ starts: String...) -> Bool { starts.contains { text.hasPrefix($0) } }
            if begins("-- POSTGRESQL", "SET CLIENT_ENCODING", "SET STANDARD_CONFORMING_STRINGS", "\\RESTRICT", "COPY ")
            {
                self = .postgresql
                return
            }
            if begins("PRAGMA ", "BEGIN TRANSACTION;") {
                self = .sqlite
                return
            }
            if begins("-- MYSQL", "-- MARIADB", "/*!", "/*M!", "-- PHPMYADMIN", "INSERT", "REPLACE", "CREATE") { break }
        }
        self = .mysql
    }
}

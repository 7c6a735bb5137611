/// Whose rules of quoting a dump follows.
enum SQLDialect: Sendable {
    /// Backslashes escape in texts. Also for dumps that don't say which program wrote them.
    case mysql
    /// Backslashes escape in `E'…'` only; texts may be in dollar quotes; `COPY` gives rows.
    case postgresql
    /// Backslashes are characters; line ends are written with `replace()` or `unistr()`.
    case sqlite

    /// By the comments and settings ahead of the first table. Texts of links don't count: anybody may have written them.
    init(head: some Collection<UInt8>) {
        for text in Self.lines(of: head) {
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
            if begins("-- MYSQL", "-- MARIADB", "/*!", "/*M!", "-- PHPMYADMIN") { break }
        }
        self = .mysql
    }

    /// In capitals, up to the first table.
    private static func lines(of head: some Collection<UInt8>) -> [String] {
        var lines: [String] = []
        for line in head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let text = String(decoding: line.prefix(200), as: UTF8.self).uppercased()
            let isTable = ["INSERT ", "REPLACE ", "CREATE TABLE", "COPY "].contains { text.hasPrefix($0) }
            if !isTable || text.hasPrefix("COPY ") { lines.append(text) }
            if isTable { break }
        }
        return lines
    }

    /// The encoding that a dump declares: MySQL's `SET NAMES`, PostgreSQL's `client_encoding`. SQLite's are UTF-8.
    ///
    /// - Throws: `SourceError` for one that is not read.
    static func encoding(declaredIn head: some Collection<UInt8>) throws -> TextEncoding? {
        let dialect = SQLDialect(head: head)
        if dialect == .sqlite { return .utf8 }
        for line in lines(of: head) {
            guard let mark = line.firstRange(of: dialect == .mysql ? "SET NAMES " : "SET CLIENT_ENCODING") else {
                continue
            }
            let name = line[mark.upperBound...].drop { " ='\"".contains($0) }
                .prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }
            switch name {
            case "UTF8", "UTF8MB3", "UTF8MB4", "UNICODE", "ASCII", "US7ASCII": return .utf8
            case "LATIN1" where dialect == .mysql: return .windows1252
            case "WIN1252": return .windows1252
            case "LATIN1": return .latin1
            case "SQL_ASCII", "BINARY", "DEFAULT", "": return nil
            default:
                throw SourceError(
                    "its text is in \(name.lowercased().excerpt(40)), which is not read; make the dump in UTF-8, with mysqldump "
                        + "--default-character-set=utf8mb4 or pg_dump --encoding=UTF8")
            }
        }
        return nil
    }
}

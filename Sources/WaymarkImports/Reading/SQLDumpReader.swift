/// Reads the rows of one table out of a database dump: the `INSERT` statements of mysqldump, phpMyAdmin, SQLite and `pg_dump
/// --inserts`, the `COPY` blocks of pg_dump, and the columns of `CREATE TABLE` where an `INSERT` names none.
///
/// Its cost is linear in the file, and it holds one piece of the file and one row: a statement may have any length.
package final class SQLDumpReader: CellReader {
    /// A table with the names that a column's numbers stand for. Where it is behind the rows, the file is read for it first.
    package struct Lookup: Sendable {
        let table: String
        let key: String
        let value: String
        /// The column of the rows that has the key, and the one that the value becomes.
        let column: String
        let heading: String

        /// Names that are kept, and bytes of each.
        static let limit = 10_000
        static let longest = 253
    }

    private struct Table {
        /// How its name ends: prefixes are anybody's choice.
        let name: String
        var columns: [String] = []
        /// Of each column its place in the statement's rows; nil: they are in the columns' order.
        var order: [Int?]?
        /// Where it is, empty without one: `public`, or the first that the dump names.
        var schema: String?
        /// Others that have a table of the name, up to ten.
        var others: [String] = []
    }

    private enum Form { case insert, copy }

    private var tokens: SQLTokens
    /// The one whose rows are wanted, then that of the lookup.
    private var tables: [Table]
    private let lookup: Lookup?
    private let reopen: (() throws -> PieceReader)?
    private var names: [[UInt8]: [UInt8]] = [:]
    /// The table whose rows follow.
    private var current: (table: Int, form: Form)?
    private var isCut = false
    private var first: CSVReader.Record?
    private var count = 0

    package init(
        table: String, lookup: Lookup? = nil, _ read: @escaping PieceReader, reopen: (() throws -> PieceReader)? = nil
    ) {
        tables = [Table(name: table)] + (lookup.map { [Table(name: $0.table)] } ?? [])
        self.lookup = lookup
        self.reopen = reopen
        tokens = SQLTokens(read, reopen: reopen)
    }

    package var note: String? {
        let notes = tables.flatMap { table in
            table.others.map { "the table \($0).\(table.name) was not read, but \(table.schema ?? "").\(table.name)" }
        }
        let all = [tokens.note].compactMap { $0 } + notes
        return all.isEmpty ? nil : all.joined(separator: "; ")
    }

    package var usedHeadings: [String] { lookup.map { [$0.column] } ?? [] }

    package func headings() async throws -> [String]? {
        first = try await row()
        if names.isEmpty, first != nil { try await readNamesBehindRows() }
        guard let table = tables.first, !table.columns.isEmpty else {
            throw SourceError("it has no INSERT into and no COPY of a table whose name ends in \"\(tables[0].name)\"")
        }
        return table.columns + (lookup.map { [$0.heading] } ?? [])
    }

    package func next() async throws -> CSVReader.Record? {
        if let record = first {
            first = nil
            return withName(record)
        }
        return try await row().map(withName)
    }

    private func row() async throws -> CSVReader.Record? {
        while true {
            while let (table, form) = current {
                guard let cells = try await form == .copy ? tokens.copyRow() : values() else {
                    current = nil
                    break
                }
                count += 1
                let record = cells.ordered(tables[table].order)
                if table == 0 { return record }
                keepName(of: record, tables[table].columns)
            }
            guard !isCut else { throw SQLTokens.cut("a statement") }
            guard try await tokens.findLine(beginningWith: ["INSERT", "REPLACE", "CREATE", "COPY"]) else { return nil }
            if tokens.isKeyword("CREATE") {
                try await readDefinition()
            } else if tokens.isKeyword("COPY") {
                try await readCopy()
            } else {
                try await readInsertion()
            }
        }
    }

    // MARK: Names of a lookup

    private func keepName(of record: CSVReader.Record, _ columns: [String]) {
        guard let lookup, names.count < Lookup.limit,
            let key = columns.firstIndex(of: lookup.key),
            let value = columns.firstIndex(of: lookup.value), max(key, value) < record.count,
            record.bytes(at: value).count <= Lookup.longest
        else { return }
        names[Array(record.bytes(at: key))] = Array(record.bytes(at: value))
    }

    /// The first row waits meanwhile, and gets its name when it is given.
    private func readNamesBehindRows() async throws {
        guard let lookup, let reopen else { return }
        let reader = SQLDumpReader(table: lookup.table, try reopen(), reopen: reopen)
        do {
            guard let columns = try await reader.headings() else { return }
            while let record = try await reader.next() { keepName(of: record, columns) }
        } catch is SourceError {
            // There is none, or the file is damaged, which its rows will say.
        }
    }

    /// With the name behind the number, or the column and its number where the dump has no such name.
    private func withName(_ record: CSVReader.Record) -> CSVReader.Record {
        guard let lookup, let columns = tables.first?.columns else { return record }
        var record = record
        while record.count < columns.count { record.ends.append(record.bytes.count) }
        if let column = columns.firstIndex(of: lookup.column), !record.bytes(at: column).isEmpty {
            let key = Array(record.bytes(at: column))
            record.bytes += names[key] ?? Array("\(lookup.column) ".utf8) + key
        }
        record.ends.append(record.bytes.count)
        return record
    }

    // MARK: Statements

    /// A name with its schema, and the token behind it.
    private func name() async throws -> (text: String, next: SQLTokens.Token?) {
        var name: [UInt8] = tokens.bytes
        var next = try await tokens.next()
        let dot = UInt8(ascii: ".")
        while next == .word || next == .text, name.last == dot || (next == .word && tokens.bytes.first == dot) {
            name += tokens.bytes
            // Each token is bounded, their number is not.
            guard name.count <= CSVReader.longestRecord else {
                throw SourceError(
                    "the name of a table is longer than \(CSVReader.longestRecord) bytes; the file is damaged")
            }
            next = try await tokens.next()
        }
        return (String(decoding: name, as: UTF8.self), next)
    }

    /// Which of the tables has the name.
    private func table(_ name: String) -> Int? {
        let last = name.split(separator: ".").last.map(String.init) ?? name
        return tables.firstIndex { last == $0.name || last.hasSuffix("_" + $0.name) }
    }

    /// Whether a table is of the schema that is read. Definitions of all schemas precede the rows, so they decide.
    ///
    /// - Throws: `SourceError` where rows of another schema were read before those of `public`.
    private func isRead(_ table: Int, _ name: String, isDefinition: Bool) throws -> Bool {
        let schema = name.split(separator: ".").dropLast().last.map(String.init) ?? ""
        guard let known = tables[table].schema, !known.isEmpty, !schema.isEmpty, known != schema else {
            if tables[table].schema?.isEmpty ?? true { tables[table].schema = schema }
            return true
        }
        guard schema != "public" else {
            guard isDefinition || count == 0 else {
                throw SourceError(
                    "its table \(tables[table].name) is in the schemas \(known.excerpt(60)) and public; make the dump with "
                        + "pg_dump --schema=public")
            }
            (tables[table].schema, tables[table].columns) = (schema, [])
            keepOther(known, of: table)
            return true
        }
        keepOther(schema, of: table)
        return false
    }

    private func keepOther(_ schema: String, of table: Int) {
        let name = schema.excerpt(60)
        guard tables[table].others.count < 10, !tables[table].others.contains(name) else { return }
        tables[table].others.append(name)
    }

    private func readDefinition() async throws {
        var token = try await tokens.next()
        guard token == .word, tokens.isKeyword("TABLE") else { return try await tokens.skipStatement(from: token) }
        token = try await tokens.next()
        while token == .word, ["IF", "NOT", "EXISTS"].contains(where: { tokens.isKeyword($0) }) {
            token = try await tokens.next()
        }
        guard token == .word || token == .text else { return try await tokens.skipStatement(from: token) }
        let (name, next) = try await name()
        if next == .open, let table = table(name), try isRead(table, name, isDefinition: true),
            tables[table].columns.isEmpty
        {
            tables[table].columns = try await definedColumns()
        }
        try await tokens.skipStatement(from: next)
    }

    /// The names that the definitions begin with, up to the parenthesis that ends them.
    private func definedColumns() async throws -> [String] {
        let keywords = ["PRIMARY", "KEY", "UNIQUE", "CONSTRAINT", "INDEX", "FULLTEXT", "SPATIAL", "FOREIGN", "CHECK"]
        var names = ColumnNames()
        var depth = 0
        var isStart = true
        while let token = try await tokens.next() {
            switch token {
            case .text, .word:
                if isStart, token == .text || !keywords.contains(where: { tokens.isKeyword($0) }) {
                    try names.add(tokens.bytes)
                }
                isStart = false
            case .open: depth += 1
            case .close:
                if depth == 0 { return names.texts }
                depth -= 1
            case .comma: isStart = isStart || depth == 0
            case .sign: break
            }
        }
        return names.texts
    }

    private func readCopy() async throws {
        var token = try await tokens.next()
        guard token == .word || token == .text else { return try await tokens.skipStatement(from: token) }
        let (name, next) = try await name()
        token = next
        let named = try await namedColumns(&token)
        guard token == .word, tokens.isKeyword("FROM") else { return try await tokens.skipStatement(from: token) }
        token = try await tokens.next()
        guard token == .word, tokens.isKeyword("STDIN") else { return try await tokens.skipStatement(from: token) }
        token = try await tokens.next()
        let isText = token == .semicolon
        try await tokens.skipStatement(from: token)
        try await tokens.skipLine()
        guard let table = table(name), try isRead(table, name, isDefinition: false) else {
            return try await tokens.skipCopy()
        }
        guard isText else {
            throw SourceError("COPY \(name.excerpt(100)) has options, which are not read; make the dump with pg_dump")
        }
        try setColumns(named, of: table, name)
        current = (table, .copy)
    }

    private func readInsertion() async throws {
        var token = try await tokens.next()
        while token == .word, ["INTO", "IGNORE", "OR", "REPLACE"].contains(where: { tokens.isKeyword($0) }) {
            token = try await tokens.next()
        }
        guard token == .word || token == .text else { return try await tokens.skipStatement(from: token) }
        let (name, next) = try await name()
        guard let table = table(name), try isRead(table, name, isDefinition: false) else {
            return try await tokens.skipStatement(from: next)
        }
        token = next
        let named = try await namedColumns(&token)
        guard token == .word, tokens.isKeyword("VALUES") else { return try await tokens.skipStatement(from: token) }
        try setColumns(named, of: table, name)
        current = (table, .insert)
    }

    /// The names in parentheses; nil if there are none.
    private func namedColumns(_ token: inout SQLTokens.Token?) async throws -> [String]? {
        guard token == .open else { return nil }
        var names = ColumnNames()
        token = try await tokens.next()
        while let found = token, found != .close {
            if found == .word || found == .text { try names.add(tokens.bytes) }
            token = try await tokens.next()
        }
        token = try await tokens.next()
        return names.texts
    }

    private func setColumns(_ named: [String]?, of table: Int, _ name: String) throws {
        if tables[table].columns.isEmpty {
            guard let named else {
                throw SourceError(
                    "an INSERT into \(name.excerpt(100)) names no columns, and there is no CREATE TABLE before it; dump "
                        + "the table with both, or with mysqldump --complete-insert")
            }
            tables[table].columns = named
        }
        tables[table].order = nil
        guard let named, named != tables[table].columns else { return }
        var places = Dictionary(named.enumerated().map { ($1, $0) }) { first, _ in first }
        // Each once, or a table of many columns of one name would have one cell in all of them.
        tables[table].order = tables[table].columns.map { places.removeValue(forKey: $0) }
    }

    /// The next row of an INSERT; nil behind the last one.
    private func values() async throws -> CSVReader.Record? {
        guard !isCut else { return nil }
        let token = try await tokens.next()
        guard token == .open else {
            try await tokens.skipStatement(from: token)
            return nil
        }
        var cells = SQLRowCells(dialect: tokens.dialect)
        var depth = 0
        while true {
            guard let token = try await tokens.next() else { throw SQLTokens.cut("row \(count + 1)") }
            guard cells.record.count < CSVReader.mostCells,
                cells.record.bytes.count <= CSVReader.longestRecord - tokens.bytes.count
            else {
                throw SourceError(
                    "row \(count + 1): it is longer than \(CSVReader.longestRecord) bytes or \(CSVReader.mostCells) cells; "
                        + "a quote is not closed")
            }
            switch token {
            case .word: cells.addWord(tokens.bytes, depth: depth)
            case .text: try cells.addText(tokens.bytes)
            case .open: depth += 1
            case .comma where depth == 0: cells.end()
            case .close where depth == 0:
                cells.end()
                let behind = try await tokens.next(isKept: false)
                if behind != .comma {
                    current = nil
                    // The row itself is whole.
                    if behind == nil { isCut = true } else { try await tokens.skipStatement(from: behind) }
                }
                return cells.record
            case .close: depth -= 1
            case .comma: break
            case .sign: throw SQLTokens.cut("row \(count + 1)")
            }
        }
    }
}

/// Names of columns, as many as a record may have.
private struct ColumnNames {
    private(set) var texts: [String] = []
    private var bytes = 0

    mutating func add(_ name: [UInt8]) throws {
        bytes += name.count
        guard texts.count < CSVReader.mostCells, bytes <= CSVReader.longestRecord else {
            throw SourceError("the table has more than \(CSVReader.mostCells) columns; a parenthesis is missing")
        }
        texts.append(String(decoding: name, as: UTF8.self))
    }
}

extension CSVReader.Record {
    /// A row of a database.
    package init(cells: [[UInt8]]) {
        self.init(bytes: [], ends: [], isSpreadsheets: false)
        for cell in cells {
            bytes += cell
            ends.append(bytes.count)
        }
    }

    /// The cells in another order; one without a place is empty.
    fileprivate func ordered(_ places: [Int?]?) -> CSVReader.Record {
        guard let places else { return self }
        return CSVReader.Record(
            cells: places.map { place in
                guard let place, place < count else { return [] }
                return Array(bytes(at: place))
            })
    }
}

/// Reads the rows of one table out of a database dump: the `INSERT` statements that mysqldump and phpMyAdmin write, and the
/// columns of its `CREATE TABLE` where an `INSERT` names none.
///
/// Its cost is linear in the file, and it holds one piece of the file and one row: a statement may have any length.
package final class SQLDumpReader: CellReader {
    private var tokens: SQLTokens
    /// How the table's name ends: prefixes are anybody's choice.
    private let table: String
    private var columns: [String] = []
    /// Of each column its place in the statement's rows; nil: they are in the columns' order.
    private var order: [Int?]?
    private var isInRows = false
    private var first: CSVReader.Record?
    private var count = 0

    package init(table: String, _ read: @escaping PieceReader) {
        self.table = table
        tokens = SQLTokens(read)
    }

    package func headings() async throws -> [String]? {
        first = try await row()
        guard !columns.isEmpty else { throw SourceError("no INSERT into a table whose name ends in \"\(table)\"") }
        return columns
    }

    package func next() async throws -> CSVReader.Record? {
        if let record = first {
            first = nil
            return record
        }
        return try await row()
    }

    private func row() async throws -> CSVReader.Record? {
        while true {
            if isInRows, let record = try await values() { return record }
            isInRows = false
            guard try await tokens.findLine(beginningWith: ["INSERT", "REPLACE", "CREATE"]) else { return nil }
            if tokens.isKeyword("CREATE") { try await readDefinition() } else { try await readInsertion() }
        }
    }

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

    private func isWanted(_ name: String) -> Bool {
        let last = name.split(separator: ".").last.map(String.init) ?? name
        return last == table || last.hasSuffix("_" + table)
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
        if next == .open, isWanted(name), columns.isEmpty { columns = try await definedColumns() }
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

    private func readInsertion() async throws {
        var token = try await tokens.next()
        while token == .word, ["INTO", "IGNORE", "OR", "REPLACE"].contains(where: { tokens.isKeyword($0) }) {
            token = try await tokens.next()
        }
        guard token == .word || token == .text else { return try await tokens.skipStatement(from: token) }
        let (name, next) = try await name()
        guard isWanted(name) else { return try await tokens.skipStatement(from: next) }
        token = next
        var named: [String]?
        if token == .open {
            var names = ColumnNames()
            token = try await tokens.next()
            while let found = token, found != .close {
                if found == .word || found == .text { try names.add(tokens.bytes) }
                token = try await tokens.next()
            }
            named = names.texts
            token = try await tokens.next()
        }
        guard token == .word, tokens.isKeyword("VALUES") else { return try await tokens.skipStatement(from: token) }
        if columns.isEmpty {
            guard let named else {
                throw SourceError(
                    "an INSERT into \(name.excerpt(100)) names no columns, and there is no CREATE TABLE before it; dump "
                        + "the table with both, or with mysqldump --complete-insert")
            }
            columns = named
        }
        order = nil
        if let named, named != columns {
            var places = Dictionary(named.enumerated().map { ($1, $0) }) { first, _ in first }
            // Each once, or a table of many columns of one name would have one cell in all of them.
            order = columns.map { places.removeValue(forKey: $0) }
        }
        isInRows = true
    }

    /// The next row of the statement; nil behind the last one.
    private func values() async throws -> CSVReader.Record? {
        let token = try await tokens.next()
        guard token == .open else {
            try await tokens.skipStatement(from: token)
            return nil
        }
        var cells = RowCells()
        var depth = 0
        while true {
            guard let token = try await tokens.next() else {
                throw SourceError("the file ends within row \(count + 1); it is not complete")
            }
            guard cells.record.count < CSVReader.mostCells,
                cells.record.bytes.count <= CSVReader.longestRecord - tokens.bytes.count
            else {
                throw SourceError(
                    "row \(count + 1): it is longer than \(CSVReader.longestRecord) bytes or \(CSVReader.mostCells) cells; "
                        + "a quote is not closed")
            }
            switch token {
            case .word: if depth == 0 { cells.addWord(tokens.bytes) }
            case .text: cells.addText(tokens.bytes)
            case .open: depth += 1
            case .comma where depth == 0: cells.end()
            case .close where depth == 0:
                cells.end()
                count += 1
                let behind = try await tokens.next(isKept: false)
                if behind != .comma {
                    isInRows = false
                    try await tokens.skipStatement(from: behind)
                }
                return cells.record.ordered(order)
            case .close: depth -= 1
            case .sign: break
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

/// The cells of a row of SQL: a text in quotes, a number, or nothing for `NULL`.
private struct RowCells {
    var record = CSVReader.Record(bytes: [], ends: [])
    private var start = 0
    private var isBare = true

    mutating func addWord(_ word: [UInt8]) {
        if record.bytes.count > start { record.bytes.append(0x20) }
        record.bytes += word
    }

    /// Skips the word before a text, such as `_binary` or a function's name: it is not part of the value.
    mutating func addText(_ text: [UInt8]) {
        if isBare { record.bytes.removeLast(record.bytes.count - start) }
        record.bytes += text
        isBare = false
    }

    mutating func end() {
        if isBare, record.bytes.count - start == 4, record.bytes.suffix(4).elementsEqual("NULL".utf8) {
            record.bytes.removeLast(4)
        }
        start = record.bytes.count
        record.ends.append(start)
        isBare = true
    }
}

extension CSVReader.Record {
    package init(cells: [[UInt8]]) {
        self.init(bytes: [], ends: [])
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

/// Reads the rows of one table out of a database dump: the `INSERT` statements that mysqldump and phpMyAdmin write, and the
/// columns of its `CREATE TABLE` where an `INSERT` names none.
package final class SQLDumpReader: CellReader {
    private let lines: LineReader
    /// How the table's name ends: prefixes are anybody's choice.
    private let table: String
    private var columns: [String] = []
    private var pending: [CSVReader.Record] = []
    private var taken = 0
    private var statement: [UInt8] = []
    private var quotes = QuoteScanner()
    private static let longestStatement = 256 << 20

    package init(table: String, _ read: @escaping PieceReader) {
        self.table = table
        lines = LineReader(read)
    }

    package func headings() throws -> [String]? {
        try fill()
        guard !columns.isEmpty else { throw SourceError("no INSERT into a table whose name ends in \"\(table)\"") }
        return columns
    }

    package func next() throws -> CSVReader.Record? {
        if taken == pending.count { try fill() }
        guard taken < pending.count else { return nil }
        defer { taken += 1 }
        return pending[taken]
    }

    /// Reads statements until one has rows of the table.
    private func fill() throws {
        pending = []
        taken = 0
        while pending.isEmpty, let line = try lines.next() {
            if statement.isEmpty {
                let start = line.drop { $0 == 0x20 || $0 == 0x09 }
                guard
                    Self.begins(start, "INSERT") || Self.begins(start, "CREATE TABLE") || Self.begins(start, "REPLACE")
                else { continue }
            } else {
                statement.append(0x0A)
            }
            statement += line
            quotes.scan(line)
            guard statement.count <= Self.longestStatement else { throw SourceError("a statement is too long") }
            guard line.last(where: { $0 != 0x20 }) == UInt8(ascii: ";") else { continue }
            // The semicolon may be part of a text.
            guard !quotes.isOpen else { continue }
            var scanner = SQLScanner(statement)
            statement = []
            try take(&scanner)
        }
    }

    private static func begins(_ bytes: ArraySlice<UInt8>, _ word: String) -> Bool {
        bytes.count >= word.utf8.count && zip(bytes, word.utf8).allSatisfy { $0 == $1 || $0 == $1 | 0x20 }
    }

    private func take(_ scanner: inout SQLScanner) throws {
        guard let verb = scanner.word()?.uppercased() else { return }
        if verb == "CREATE" {
            guard scanner.word()?.uppercased() == "TABLE" else { return }
            var name = scanner.word()
            while let word = name?.uppercased(), ["IF", "NOT", "EXISTS"].contains(word) { name = scanner.word() }
            guard let name, isWanted(name), columns.isEmpty else { return }
            columns = scanner.columnDefinitions()
            return
        }
        var name = scanner.word()
        while let word = name?.uppercased(), ["INTO", "IGNORE"].contains(word) { name = scanner.word() }
        guard let name, isWanted(name) else { return }
        if scanner.isAt(0x28) {
            let named = scanner.names()
            if columns.isEmpty { columns = named }
            guard scanner.word()?.uppercased() == "VALUES" else { return }
            pending = scanner.rows(width: named.count).map { $0.ordered(from: named, to: columns) }
        } else {
            guard scanner.word()?.uppercased() == "VALUES" else { return }
            guard !columns.isEmpty else {
                throw SourceError(
                    "an INSERT into \(name) names no columns, and there is no CREATE TABLE before it; dump the table with both, "
                        + "or with mysqldump --complete-insert")
            }
            pending = scanner.rows(width: columns.count)
        }
    }

    private func isWanted(_ name: String) -> Bool {
        let last = name.split(separator: ".").last.map(String.init) ?? name
        return last == table || last.hasSuffix("_" + table)
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

    /// The cells in the order of other headings.
    func ordered(from: [String], to: [String]) -> CSVReader.Record {
        guard from != to else { return self }
        return CSVReader.Record(
            cells: to.map { name in
                guard let column = from.firstIndex(of: name), column < count else { return [] }
                return Array(bytes(at: column))
            })
    }
}

/// Whether a statement that is read line by line ends within a quoted text or name. Each byte is scanned once.
private struct QuoteScanner {
    private var quote: UInt8?

    var isOpen: Bool { quote != nil }

    mutating func scan(_ line: [UInt8]) {
        var index = 0
        while index < line.count {
            let byte = line[index]
            if let open = quote {
                if byte == 0x5C, open != 0x60 { index += 1 } else if byte == open { quote = nil }
            } else if byte == 0x27 || byte == 0x22 || byte == 0x60 {
                quote = byte
            }
            index += 1
        }
    }
}

/// Reads the parts of one SQL statement.
private struct SQLScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    mutating func isAt(_ byte: UInt8) -> Bool {
        skipSpace()
        return position < bytes.count && bytes[position] == byte
    }

    /// A bare word, or a name in quotes.
    mutating func word() -> String? {
        skipSpace()
        guard position < bytes.count else { return nil }
        var word: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            if byte == 0x60 || byte == 0x22 {
                position += 1
                while position < bytes.count, bytes[position] != byte {
                    word.append(bytes[position])
                    position += 1
                }
                position += 1
            } else if byte == 0x2E || byte == 0x5F || (0x30...0x39).contains(byte)
                || (0x41...0x5A).contains(byte & 0xDF)
            {
                word.append(byte)
                position += 1
            } else {
                break
            }
        }
        return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }

    mutating func names() -> [String] {
        var names: [String] = []
        position += 1
        while let name = word() {
            names.append(name)
            if isAt(0x2C) { position += 1 }
        }
        if isAt(0x29) { position += 1 }
        return names
    }

    /// The names that a `CREATE TABLE` begins its lines with.
    mutating func columnDefinitions() -> [String] {
        guard isAt(0x28) else { return [] }
        position += 1
        var names: [String] = []
        var depth = 0
        var isStart = true
        while position < bytes.count {
            let byte = bytes[position]
            if isStart, ![0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                isStart = false
                if byte == 0x60 || byte == 0x22 {
                    if let name = word() { names.append(name) }
                    continue
                }
                let before = position
                let bare = word()
                if let bare,
                    !["PRIMARY", "KEY", "UNIQUE", "CONSTRAINT", "INDEX", "FULLTEXT", "FOREIGN"].contains(
                        bare.uppercased())
                {
                    names.append(bare)
                }
                if position > before { continue }
            }
            switch byte {
            case 0x28: depth += 1
            case 0x29:
                if depth == 0 { return names }
                depth -= 1
            case 0x2C where depth == 0: isStart = true
            case 0x27:
                _ = value()
                continue
            default: break
            }
            position += 1
        }
        return names
    }

    /// `(…),(…)`; rows of another width are kept as they are.
    mutating func rows(width: Int) -> [CSVReader.Record] {
        var rows: [CSVReader.Record] = []
        while isAt(0x28) {
            position += 1
            var cells: [[UInt8]] = []
            cells.reserveCapacity(width)
            while position < bytes.count {
                skipSpace()
                cells.append(value())
                skipSpace()
                guard position < bytes.count else { break }
                position += 1
                if bytes[position - 1] == 0x29 { break }
            }
            rows.append(CSVReader.Record(cells: cells))
            guard isAt(0x2C) else { break }
            position += 1
        }
        return rows
    }

    /// A text in quotes, a number, or nothing for `NULL`.
    private mutating func value() -> [UInt8] {
        var value: [UInt8] = []
        if position < bytes.count, bytes[position] == 0x27 || bytes[position] == 0x22 {
            let quote = bytes[position]
            position += 1
            while position < bytes.count {
                let byte = bytes[position]
                position += 1
                if byte == quote {
                    guard position < bytes.count, bytes[position] == quote else { return value }
                    position += 1
                    value.append(quote)
                } else if byte == 0x5C, position < bytes.count {
                    value.append(Self.escaped(bytes[position]))
                    position += 1
                } else {
                    value.append(byte)
                }
            }
            return value
        }
        while position < bytes.count, bytes[position] != 0x2C, bytes[position] != 0x29 {
            value.append(bytes[position])
            position += 1
        }
        while value.last == 0x20 { value.removeLast() }
        return value.elementsEqual("NULL".utf8) ? [] : value
    }

    private static func escaped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "0"): 0x00
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "Z"): 0x1A
        default: byte
        }
    }
}

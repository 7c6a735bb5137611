/// The cells of a row of an INSERT: a text in quotes, a number, or nothing for `NULL`.
struct SQLRowCells {
    private let dialect: SQLDialect?
    private(set) var record = CSVReader.Record(bytes: [], ends: [], isSpreadsheets: false)
    private var start = 0
    private var isBare = true
    private var function = Function.none
    /// What `replace()` looks for in the cell.
    private var replaced: [UInt8]?
    private var replacements = 0
    /// One for each kind of line ends; each reads the cell again.
    private static let mostReplacements = 2

    /// With which SQLite's shell writes texts of several lines: `replace('a\nb','\n',char(10))`, one within another for two
    /// kinds of line ends, and `unistr('a\u000ab')`.
    private enum Function { case none, replace, unistr }

    init(dialect: SQLDialect?) { self.dialect = dialect }

    mutating func addWord(_ word: [UInt8], depth: Int) {
        if depth > 0 {
            if let pattern = replaced, let number = Int(String(decoding: word, as: UTF8.self)),
                (1...31).contains(number)
            {
                replace(pattern, by: UInt8(number))
                replaced = nil
            } else {
                setFunction(word)
            }
            return
        }
        setFunction(word)
        if record.bytes.count > start { record.bytes.append(0x20) }
        record.bytes += word
    }

    private mutating func setFunction(_ word: [UInt8]) {
        guard dialect == .sqlite, isBare, word.count <= 7 else { return }
        switch String(decoding: word, as: UTF8.self).lowercased() {
        case "replace": function = .replace
        case "unistr": function = .unistr
        default: break
        }
    }

    /// Skips the word before a text, such as `_binary` or a function's name: it is not part of the value.
    ///
    /// - Throws: `SourceError` for a text with escapes that are none.
    mutating func addText(_ text: [UInt8]) throws {
        if isBare {
            record.bytes.removeLast(record.bytes.count - start)
            record.bytes += function == .unistr ? try Self.unescaped(text) : text
        } else if function == .replace {
            replaced = text
        } else {
            record.bytes += text
        }
        isBare = false
    }

    mutating func end() {
        if isBare, record.bytes.count - start == 4, record.bytes.suffix(4).elementsEqual("NULL".utf8) {
            record.bytes.removeLast(4)
        }
        start = record.bytes.count
        record.ends.append(start)
        isBare = true
        function = .none
        replaced = nil
        replacements = 0
    }

    private mutating func replace(_ pattern: [UInt8], by byte: UInt8) {
        replacements += 1
        guard !pattern.isEmpty, pattern.count <= 16, replacements <= Self.mostReplacements else { return }
        let cell = record.bytes[start...]
        var text: [UInt8] = []
        var position = cell.startIndex
        while position < cell.endIndex {
            if cell[position...].starts(with: pattern) {
                text.append(byte)
                position += pattern.count
            } else {
                text.append(cell[position])
                position += 1
            }
        }
        record.bytes.replaceSubrange(start..., with: text)
    }

    /// `\XXXX`, `\uXXXX`, `\+XXXXXX`, `\UXXXXXXXX` and two backslashes, as https://www.sqlite.org/lang_corefunc.html#unistr
    /// has them.
    private static func unescaped(_ text: [UInt8]) throws -> [UInt8] {
        var unescaped: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                unescaped.append(byte)
                continue
            }
            if rest.first == UInt8(ascii: "\\") {
                unescaped.append(byte)
                rest.removeFirst()
                continue
            }
            let length =
                switch rest.first {
                case UInt8(ascii: "u"): 4
                case UInt8(ascii: "U"): 8
                case UInt8(ascii: "+"): 6
                default: 0
                }
            if length > 0 { rest.removeFirst() }
            let digits = rest.prefix(max(4, length))
            guard digits.count == max(4, length),
                let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
                let scalar = Unicode.Scalar(value)
            else { throw SourceError("a text of unistr() has an escape that is none; make the dump again") }
            unescaped += Array(String(scalar).utf8)
            rest = rest.dropFirst(digits.count)
        }
        return unescaped
    }
}

package import WaymarkJSON

/// A row as its source has it: cells under headings, or members of an object. It is read by the rules of its
/// service, not by what an import makes of it, so that `links verify` finds a wrong import.
package struct SourceValues: Sendable, Equatable {
    private enum Form: Sendable {
        case cells(CSVReader.Record, ColumnPlaces)
        case members(JSONObject)
    }

    private var form: Form

    init(_ record: CSVReader.Record, _ names: ColumnPlaces) { form = .cells(record, names) }

    package init(_ object: JSONObject) { form = .members(object) }

    /// A link is the same whichever row it was read from.
    package static func == (left: SourceValues, right: SourceValues) -> Bool { true }

    /// Adds what the service answers in a second response.
    mutating func add(_ name: String, _ value: JSONValue?) {
        guard case .members(var object) = form, let value else { return }
        object[name] = value
        form = .members(object)
    }

    /// The first of the columns or members that has a value, as text. A dot leads into an object.
    func text(_ names: String...) -> String? { text(of: names) }

    func text(of names: [String]) -> String? {
        for name in names {
            switch form {
            case .cells(let record, let columns):
                guard let column = columns[name], column < record.count else { continue }
                let text = record[column].trimmed
                // CSV made of JSON has the word.
                if !text.isEmpty, text.utf8.count != 4 || text.lowercased() != "null" { return text }
            case .members(let object):
                if let text = Self.member(name, of: object)?.asText { return text }
            }
        }
        return nil
    }

    /// The first of them that is an object or an array, in a cell as JSON.
    func value(_ names: String...) -> JSONValue? {
        for name in names {
            switch form {
            case .members(let object):
                if let value = Self.member(name, of: object), !value.isNull { return value }
            case .cells:
                guard let text = text(name), text.hasPrefix("[") || text.hasPrefix("{") else { continue }
                if let value = JSONText.value(Array(text.utf8)) { return value }
            }
        }
        return nil
    }

    /// Nil for anything that is not a flag.
    func flag(_ names: String...) -> Bool? {
        switch text(of: names)?.lowercased() {
        case "true", "1", "yes", "y", "t", "on": true
        case "false", "0", "no", "n", "f", "off": false
        default: nil
        }
    }

    /// All that have a value, under the names that the source gives them.
    var texts: [(name: String, value: String)] {
        switch form {
        case .cells(let record, let columns):
            columns.headings.enumerated().compactMap { column, heading in
                guard column < record.count, !record[column].isEmpty else { return nil }
                return (heading, record[column])
            }
        case .members(let object):
            object.members.compactMap { member in member.value.asText.map { (member.name, $0) } }
        }
    }

    /// Those whose names begin so, without it.
    func texts(withPrefix prefix: String) -> [(String, String)] {
        texts.compactMap {
            $0.name.hasPrefix(prefix) ? (String($0.name.dropFirst(prefix.count)), $0.value) : nil
        }
    }

    private static func member(_ name: String, of object: JSONObject) -> JSONValue? {
        if let value = object[name] { return value }
        guard let dot = name.firstIndex(of: "."), let inner = object[String(name[..<dot])]?.object else {
            return nil
        }
        return member(String(name[name.index(after: dot)...]), of: inner)
    }
}

extension JSONValue {
    /// A text, a number or a flag; nil for an empty text and for anything else.
    var asText: String? {
        switch kind {
        case .string(let text): text.isEmpty ? nil : text
        case .number(let number): number.text
        case .bool(let flag): flag ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}

/// Where a column is, by its heading without case and signs, by the name in parentheses behind it, or by
/// `--map`.
struct ColumnPlaces: Sendable {
    /// Those of `--map` by the name of their field.
    private(set) var headings: [String]
    private var places: [String: Int] = [:]

    init(_ headings: [String], _ map: ColumnMap) {
        self.headings = headings
        for (column, heading) in headings.enumerated() {
            var names = [heading]
            if heading.hasSuffix(")"), let open = heading.lastIndex(of: "(") {
                names += [String(heading[open...]), String(heading[..<open])]
            }
            for name in names.map(ServiceTable.key) where places[name] == nil { places[name] = column }
        }
        for (column, heading) in headings.enumerated() {
            guard let field = map.fields[heading] ?? map.fields[String(column + 1)] else { continue }
            places[ServiceTable.key(field.name)] = column
            self.headings[column] = field.name
        }
    }

    subscript(name: String) -> Int? { places[ServiceTable.key(name)] }
}

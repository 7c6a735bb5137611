import WaymarkLinks

/// How one service names what its files say about a link.
package struct ServiceTable: Sendable {
    /// By heading, of which only letters and digits count and no case.
    var columns: [String: ImportField]
    /// What a file must have: of each list one.
    var required: [[ImportField]]
    /// After the last cell of a row.
    var finish: @Sendable (inout ForeignLink) -> Void = { _ in }

    /// Of a heading as it is, or of the name that it has in parentheses: `Android package name (apn)`.
    func field(_ heading: String) -> ImportField? {
        if let field = columns[Self.key(heading)] { return field }
        guard heading.utf8.last == UInt8(ascii: ")"), let open = heading.utf8.lastIndex(of: UInt8(ascii: "(")) else {
            return nil
        }
        return columns[Self.key(String(heading[open...]))]
    }

    static func key(_ heading: String) -> String {
        String(
            decoding: heading.utf8.compactMap { byte -> UInt8? in
                switch byte {
                case 0x30...0x39, 0x61...0x7A: byte
                case 0x41...0x5A: byte | 0x20
                default: nil
                }
            }, as: UTF8.self)
    }
}

/// What `--map` says: which field a column is, by its heading or its number.
package struct ColumnMap: Sendable, Equatable {
    private(set) var fields: [String: ImportField] = [:]

    package init() {}

    /// - Parameter texts: `COLUMN=FIELD` each.
    /// - Throws: `SourceError` with the text and what is allowed, but not the option's name.
    package init(_ texts: [String]) throws {
        for text in texts {
            guard let equals = text.lastIndex(of: "="), equals != text.startIndex else {
                throw SourceError("\"\(text)\" is not allowed; give COLUMN=FIELD, such as Target=urls.web")
            }
            let name = String(text[text.index(after: equals)...])
            guard let field = ImportField(name) else {
                throw SourceError(
                    "\"\(name)\" is not a field of a link; use slug, smartlink, domain, urls.web, urls.ios, title, tags, "
                        + "createdAt, importedClicks or another member of a link")
            }
            fields[String(text[..<equals])] = field
        }
    }
}

/// Which field each column of a file is.
struct ColumnPlan {
    let fields: [ImportField?]
    let headings: [String]
    /// Of a column for a field that another column has already, that one.
    let firsts: [Int?]
    let names: ColumnPlaces

    /// - Parameter used: Headings whose cells are in others.
    /// - Throws: `SourceError` where something is missing that a link needs.
    init(_ headings: [String], used: [String], _ table: ServiceTable, _ map: ColumnMap) throws {
        var fields: [ImportField?] = headings.enumerated().map { index, heading in
            map.fields[heading] ?? map.fields[String(index + 1)] ?? table.field(heading) ?? ImportField(heading)
                ?? (used.contains(heading) ? .ignored : nil)
        }
        for (name, _) in map.fields where !headings.contains(name) {
            guard let number = Int(name), (1...max(1, headings.count)).contains(number) else {
                throw SourceError("it has no column \"\(name)\"; its columns are \(Self.list(headings))")
            }
        }
        // Of two columns for the same field the one that was mapped counts, else the first.
        var places: [ImportField: Int] = [:]
        func isMapped(_ index: Int) -> Bool {
            map.fields[headings[index]] != nil || map.fields[String(index + 1)] != nil
        }
        for index in fields.indices where isMapped(index) { if let field = fields[index] { places[field] = index } }
        var firsts: [Int?] = Array(repeating: nil, count: fields.count)
        for index in fields.indices where !isMapped(index) {
            guard let field = fields[index] else { continue }
            if let first = places[field] {
                firsts[index] = first
                fields[index] = nil
            } else {
                places[field] = index
            }
        }
        let present = Set(fields.compactMap { $0 })
        for choices in table.required where present.isDisjoint(with: choices) {
            throw SourceError(
                "no column says what \(choices.map(\.name).joined(separator: " or ")) is; its columns are "
                    + "\(Self.list(headings)); name it with --map COLUMN=FIELD")
        }
        self.fields = fields
        self.headings = headings
        self.firsts = firsts
        names = ColumnPlaces(headings, map)
    }

    private static func list(_ headings: [String]) -> String {
        let shown = headings.prefix(40).map { "\"\($0.excerpt(60))\"" }.joined(separator: ", ")
        return headings.count > 40 ? shown + "…" : shown
    }
}

extension ImportField {
    /// As `--map` takes it.
    package var name: String {
        switch self {
        case .url(let platform): "urls.\(platform)"
        case .fallback(let platform): "urls.\(platform).fallback"
        case .firebase(let parameter): parameter.rawValue
        case .routeParameter(let name): "routeParameters.\(name)"
        case .queryParameter(let name): "queryParameters.\(name)"
        case .json(let member): member.rawValue
        case .metadata(let name): name.map { "metadata.\($0)" } ?? "metadata"
        case .campaign(let part): "campaign.\(part.rawValue)"
        case .social(let part): "social.\(part.rawValue)"
        case .minimumVersion(let isAndroid): isAndroid ? "minimumVersion.android" : "minimumVersion.ios"
        default: "\(self)"
        }
    }
}

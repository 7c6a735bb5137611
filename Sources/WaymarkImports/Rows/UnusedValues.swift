/// The columns, or members, of a source that were not used, and how many rows have a value in each.
struct UnusedValues {
    /// Names that are kept: a source may have a million.
    static let limit = 100
    /// Characters of a name.
    static let longestName = 60

    private var rows: [String: Int] = [:]
    private var names: [String] = []
    private var hasMore = false

    mutating func add(_ name: String, rows count: Int = 1) {
        guard count > 0 else { return }
        let name = name.excerpt(Self.longestName)
        if let known = rows[name] {
            rows[name] = known + count
        } else if names.count < Self.limit {
            names.append(name)
            rows[name] = count
        } else {
            hasMore = true
        }
    }

    /// One sentence for each, in the order of the source.
    ///
    /// - Parameter kind: `column` or `member`.
    func notes(_ kind: String) -> [String] {
        let notes = names.map { name in
            let count = rows[name] ?? 0
            return "the \(kind) \"\(name)\" was not used: "
                + (count == 1 ? "1 row has a value in it" : "\(count) rows have a value in it")
        }
        return hasMore ? notes + ["more than \(Self.limit) \(kind)s were not used"] : notes
    }

    /// Whether a cell says anything; `false` and `0` are what a service writes where nobody set anything.
    static func isValue(_ cell: some Collection<UInt8>) -> Bool {
        guard cell.count <= 5 else { return true }
        let text = String(decoding: cell, as: UTF8.self)
        return !["", "0", "\\n", "null", "false", "[]", "{}"].contains(text.lowercased())
            && !cell.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }
}

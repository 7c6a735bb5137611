/// The items of a query as written: what stands between `&`, split at the first `=`.
struct QueryItems: Sequence {
    private let query: String

    init(_ query: String) {
        self.query = query
    }

    /// The value is nil where the item holds no `=`.
    func makeIterator() -> IndexingIterator<[(name: String, value: String?)]> {
        let items: [(name: String, value: String?)] = query.utf8.split(separator: UInt8(ascii: "&")).map { item in
            guard let mark = item.firstIndex(of: UInt8(ascii: "=")) else { return (String(Substring(item)), nil) }
            return (String(Substring(item[..<mark])), String(Substring(item[item.index(after: mark)...])))
        }
        return items.makeIterator()
    }
}

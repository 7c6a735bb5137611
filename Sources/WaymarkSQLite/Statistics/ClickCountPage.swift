internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

/// The human clicks of each of 64 links with consecutive IDs, as stored in a row of `click_count`: eight bytes per
/// link, big-endian; never negative.
///
/// With one row per link, each link clicked within a second had to be found and written separately. Ten thousand
/// links with consecutive IDs take only 157 rows.
struct ClickCountPage {
    /// A link's part of its row, or NULL if none of the 64 has been clicked; for statements with `link`.
    static let column = """
        (SELECT substr(counts, (link.id & \(mask)) * \(width) + 1, \(width)) FROM click_count
        WHERE page = link.id >> \(bits))
        """

    /// The low bits of an ID, which select a link within a page.
    private static let bits: Int64 = 6
    private static let mask: Int64 = 1 << bits - 1
    private static let width = 8
    private static let size = Int(mask + 1) * width

    let number: Int64
    private(set) var counts: [UInt8]

    /// - Parameter counts: The stored bytes; nil if there are none.
    init(_ number: Int64, counts: [UInt8]?) throws(StoreError) {
        self.number = number
        self.counts = counts ?? [UInt8](repeating: 0, count: Self.size)
        guard self.counts.count == Self.size else { throw Row.damaged }
    }

    static func number(of id: LinkID) -> Int64 { id.rawValue >> bits }

    private static func index(of id: LinkID) -> Range<Int> {
        let start = Int(id.rawValue & mask) * width
        return start..<start + width
    }

    /// Adds to the count of a link in this page. The sum saturates at the largest Int64.
    mutating func add(_ count: Int, of id: LinkID) throws(StoreError) {
        let (sum, isOver) = try Self.count(counts[Self.index(of: id)]).addingReportingOverflow(count)
        set(isOver ? .max : sum, of: id)
    }

    mutating func set(_ count: Int, of id: LinkID) {
        var rest = UInt64(count)
        for index in Self.index(of: id).reversed() {
            counts[index] = UInt8(truncatingIfNeeded: rest)
            rest >>= 8
        }
    }

    /// - Parameter bytes: The bytes of one link.
    static func count(_ bytes: some Collection<UInt8>) throws(StoreError) -> Int {
        let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard bytes.count == width, let count = Int(exactly: bits) else { throw Row.damaged }
        return count
    }
}

extension Row {
    /// Decodes the value of `ClickCountPage.column`.
    func clicks(_ column: Int) throws(StoreError) -> Int {
        let value: DatabaseValue = self[column]
        switch value.storage {
        case .null: return 0
        case .blob(let bytes): return try ClickCountPage.count(bytes)
        default: throw Self.damaged
        }
    }
}

extension WriteSession {
    func addClicks(_ counts: ClickCounts, as write: WriteID) throws {
        guard try result(of: write) == nil else { return }
        try remember(write)
        // Ids that were never assigned are skipped: a link that gets one later starts at zero. Deleted ones are never
        // reused, so late counts for them are harmless.
        let last = try database.lastLinkID()
        for (id, count) in counts.free {
            try database.run(
                "UPDATE link SET free_clicks = min(free_clicks, ?1 - ?2) + ?2 WHERE id = ?3",
                [Int64.max, count, id.rawValue])
        }
        try database.yielding {
            var rest = counts.links
            while let first = rest.first {
                let number = ClickCountPage.number(of: first.id)
                let links = rest.prefix { ClickCountPage.number(of: $0.id) == number }
                rest = rest.dropFirst(links.count)
                let clicked = links.filter { $0.count > 0 && $0.id.rawValue <= last }
                guard !clicked.isEmpty else { continue }
                try change(number) { (page) throws(StoreError) in
                    for link in clicked { try page.add(link.count, of: link.id) }
                }
            }
        }
    }

    /// Overwrites the count.
    func setClicks(_ count: Int, of id: LinkID) throws {
        let number = ClickCountPage.number(of: id)
        guard try count > 0 || storedClicks(number) != nil else { return }
        try change(number) { (page) throws(StoreError) in page.set(count, of: id) }
    }

    private func change(_ number: Int64, _ body: (inout ClickCountPage) throws(StoreError) -> Void) throws {
        var page = try ClickCountPage(number, counts: try storedClicks(number))
        try body(&page)
        let writing = try RawStatement(
            """
            INSERT INTO click_count (page, counts) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET counts = excluded.counts
            """, database)
        writing.bind(1, number)
        writing.bind(2, page.counts)
        try writing.run()
    }

    private func storedClicks(_ number: Int64) throws -> [UInt8]? {
        let reading = try RawStatement("SELECT counts FROM click_count WHERE page = ?1", database)
        reading.bind(1, number)
        return try reading.bytes()
    }
}

internal import GRDB
internal import WaymarkLinks

/// How often people clicked each of 64 links whose ids follow one another, as a row of `click_count` holds it: eight bytes a
/// link, the highest first; never negative.
///
/// With a row for each link, each that is clicked within a second had to be found and written by itself. Of ten thousand
/// links that were made one after another the counts stand in 157 rows.
struct ClickCountPage {
    /// A link's part of its row, or NULL where none of the 64 has been clicked; in a statement that has `link`.
    static let column = """
        (SELECT substr(counts, (link.id & \(mask)) * \(width) + 1, \(width)) FROM click_count
        WHERE page = link.id >> \(bits))
        """

    /// Of an id, those that tell the links of a page apart.
    private static let bits: Int64 = 6
    private static let mask: Int64 = 1 << bits - 1
    private static let width = 8
    private static let size = Int(mask + 1) * width

    let number: Int64
    private(set) var counts: [UInt8]

    /// - Parameter counts: What is stored; nil where nothing is.
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

    /// Of a link whose page this is. A sum past 63 bits stays at the highest number.
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

    /// - Parameter bytes: One link's.
    static func count(_ bytes: some Collection<UInt8>) throws(StoreError) -> Int {
        let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard bytes.count == width, let count = Int(exactly: bits) else { throw Row.damaged }
        return count
    }
}

extension Row {
    /// What `ClickCountPage.column` gave.
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
        // Ids that were never given are passed over: a link that gets one later begins at nothing. Deleted ones are never
        // given again, and what comes late for them tells nobody anything.
        let last = try database.lastLinkID()
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

    /// Whatever it was before.
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
        _ = try writing.run()
    }

    private func storedClicks(_ number: Int64) throws -> [UInt8]? {
        let reading = try RawStatement("SELECT counts FROM click_count WHERE page = ?1", database)
        reading.bind(1, number)
        return try reading.bytes()
    }
}

package import WaymarkBytes
package import WaymarkLinks

/// Packs clicks of one link on one day into blocks (`ClickBlock+Contents` reads them).
///
/// Anonymises visitors: the address is hashed, times are whole seconds, and for visitors who send a do-not-track
/// header only the hour and the kind of program are stored. Format: its number; the distinct names; the profiles,
/// each a row of indexes of names, without rules if no profile has one; then for each click the seconds since the previous one, its profile, and its
/// visitor plus one, or zero.
///
/// Each profile is evaluated once for all blocks, because most have few clicks.
package struct ClickBlockWriter {
    /// The properties of a profile shared by all blocks.
    private struct Shared {
        /// Its row; profiles with different name objects may share a row.
        let row: Int
        let isProfiled: Bool
        let hasVisitor: Bool
        let deviceCode: UInt64
    }

    private let profiles: [Shared]
    /// For each row the index of each field's name, or -1.
    private let rows: [[Int]]
    private let form: UInt8
    private let names: [[UInt8]]
    private let table: ClickProfiles
    private var rowIndexes: Indexes
    private var nameIndexes: Indexes
    /// A row that is being written.
    private var rowBytes: [UInt8]

    private var salt: SipHash?
    private var previous: Int64 = 0
    private var count = 0
    private var nameList = BinaryWriter()
    private var rowList = BinaryWriter()
    private var clicks = BinaryWriter()
    private var quarters: [ClickTally.Quarter] = []
    private var quarter = ClickTally.Quarter(number: .min)
    /// The clicks of the current quarter of an hour, by row.
    private var counts: [Int32]
    private var expected = 0

    package init(_ profiles: [ClickProfile]) {
        var rows = Ordered<[Int]>()
        var names = Ordered<String>()
        let hasRules = profiles.contains { $0.rule != .none }
        let fields = hasRules ? ClickField.allCases : ClickField.first
        form = hasRules ? ClickBlock.ruleForm : ClickBlock.plainForm
        rowBytes = [UInt8](repeating: 0, count: fields.count)
        self.profiles = profiles.map { profile in
            let row = fields.map { field in profile[field].map { names.index(of: $0) } ?? -1 }
            return Shared(
                row: rows.index(of: row), isProfiled: profile.isProfiled, hasVisitor: profile.hasVisitor,
                deviceCode: UInt64(profile.deviceCode))
        }
        self.rows = rows.elements
        self.names = names.elements.map { Array($0.utf8) }
        table = ClickProfiles(
            rows.elements.map { row in
                ClickRecord.Profile(
                    values: row.map { $0 < 0 ? nil : names.elements[$0] }
                        + Array(repeating: nil, count: ClickField.allCases.count - row.count))
            })
        counts = Array(repeating: 0, count: rows.elements.count)
        rowIndexes = Indexes(count: rows.elements.count)
        nameIndexes = Indexes(count: names.elements.count)
    }

    /// - Parameters:
    ///   - day: the day of all clicks until `finish`.
    ///   - salt: the day's salt; without one, nothing is stored that identifies visitors.
    package mutating func begin(day: Int, salt: SipHash?, clicks expected: Int = 0) {
        self.salt = salt
        self.expected = expected
        previous = Int64(day) * Timestamp.secondsOfDay
        count = 0
        nameList.removeAll()
        rowList.removeAll()
        clicks.removeAll()
        rowIndexes.forget()
        nameIndexes.forget()
    }

    package mutating func add(second exact: Int64, subscriber: UInt64, profile: Int) {
        let shared = profiles[profile]
        let second = shared.isProfiled ? exact : exact / 3600 * 3600
        clicks.signed(second - previous)
        previous = second
        clicks.number(UInt64(index(ofRow: shared.row)))
        let visitor = shared.hasVisitor ? salt.map { $0.hash(subscriber, shared.deviceCode) & 0xFF_FFFF_FFFF } : nil
        clicks.number(visitor.map { $0 + 1 } ?? 0)
        count += 1
        let number = ClickTotal.quarter(ofSecond: second)
        if quarter.number != number { begin(quarter: number) }
        if counts[shared.row] == 0 { quarter.counts.append((Int32(shared.row), 0)) }
        counts[shared.row] += 1
        if let visitor { quarter.visitors.append(VisitorSketch.Item(visitor: visitor)) }
    }

    private mutating func begin(quarter number: Int) {
        if quarter.number != .min {
            for index in quarter.counts.indices {
                let row = Int(quarter.counts[index].profile)
                quarter.counts[index].count = counts[row]
                counts[row] = 0
            }
            quarters.append(quarter)
        }
        quarter = ClickTally.Quarter(number: number)
        guard number != .min else { return }
        quarter.counts.reserveCapacity(min(expected, counts.count))
        quarter.visitors.reserveCapacity(expected)
    }

    /// What the block adds to totals; call once for each block.
    package mutating func takeTally() -> ClickTally {
        begin(quarter: .min)
        defer { quarters = [] }
        return ClickTally(profiles: table, quarters: quarters)
    }

    /// The block's bytes.
    package func finish() -> [UInt8] {
        var writer = BinaryWriter()
        writer.reserve(nameList.bytes.count + rowList.bytes.count + clicks.bytes.count + 16)
        writer.byte(form)
        writer.number(UInt64(nameIndexes.taken))
        writer.append(nameList)
        writer.number(UInt64(rowIndexes.taken))
        writer.append(rowList)
        writer.number(UInt64(count))
        writer.append(clicks)
        return writer.bytes
    }

    private mutating func index(ofRow row: Int) -> Int {
        let (index, isNew) = rowIndexes.index(of: row)
        guard isNew else { return index }
        let isShort = nameIndexes.taken + rowBytes.count < 0x80
        for (field, name) in rows[row].enumerated() {
            var number = 0
            if name >= 0 {
                let (index, isNew) = nameIndexes.index(of: name)
                if isNew { nameList.run(names[name]) }
                number = index + 1
            }
            if isShort { rowBytes[field] = UInt8(number) } else { rowList.number(UInt64(number)) }
        }
        // Usually all numbers take one byte. Appended one by one they would cost twice as much.
        if isShort { rowList.append(rowBytes) }
        return index
    }
}

/// The indexes in the current block of everything known to the writer.
private struct Indexes {
    /// By number: the block and, in the lower half, the index in it.
    private var indexes: [UInt64]
    /// The current block; incrementing it invalidates the indexes of the previous one.
    private var block: UInt64 = 1
    private(set) var taken = 0

    init(count: Int) { indexes = Array(repeating: 0, count: count) }

    mutating func forget() {
        block += 1
        taken = 0
    }

    mutating func index(of number: Int) -> (index: Int, isNew: Bool) {
        let known = indexes[number]
        if known >> 32 == block { return (Int(known & 0xFFFF_FFFF), false) }
        indexes[number] = block << 32 | UInt64(taken)
        taken += 1
        return (taken - 1, true)
    }
}

/// Distinct elements in the order of first occurrence.
private struct Ordered<Element: Hashable> {
    private(set) var elements: [Element] = []
    private var indexes: [Element: Int] = [:]

    mutating func index(of element: Element) -> Int {
        if let index = indexes[element] { return index }
        indexes[element] = elements.count
        elements.append(element)
        return elements.count - 1
    }
}

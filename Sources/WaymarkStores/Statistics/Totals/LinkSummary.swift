package import WaymarkLinks

/// The clicks on some days of the links whose ids share all but the last 16 bits, by application. Of links that exist: those
/// deleted before it was made are not in it.
package struct LinkSummary: Sendable {
    package struct Entry: Sendable, Equatable {
        /// The last 16 bits of the link's id.
        package var index: Int
        package var count: ClickCount

        package init(index: Int, count: ClickCount) {
            self.index = index
            self.count = count
        }
    }

    /// Links of a part.
    package static let linkCount = 1 << bits
    private static let bits: Int64 = 16

    /// In rising order of their indexes.
    package var entries: [ApplicationID: [Entry]] = [:]

    package init() {}

    package static func part(of link: LinkID) -> Int64 { link.rawValue >> bits }
    package static func index(of link: LinkID) -> Int { Int(link.rawValue & (1 << bits - 1)) }
    package static func link(_ index: Int, of part: Int64) -> LinkID {
        LinkID(rawValue: part << bits | Int64(index))
    }

    /// The applications in `encoded` bytes.
    package static func applications(_ bytes: [UInt8]) throws(StoreError) -> [ApplicationID] {
        var found: [ApplicationID] = []
        try LinkSummaryCounts.read(bytes) { application, _ throws(StoreError) in found.append(application) }
        return found
    }

    /// Form 1: the form's number; for each application its id, and the length of its entries and these: the difference to the
    /// index before, the clicks of people times two, plus one if there are clicks of bots, and then those.
    package var encoded: [UInt8] {
        var writer = BinaryWriter()
        writer.byte(1)
        for (application, entries) in entries.sorted(by: { $0.key.text < $1.key.text }) where !entries.isEmpty {
            writer.text(application.text)
            var part = BinaryWriter()
            var last = 0
            for entry in entries {
                part.number(UInt64(entry.index - last))
                part.number(UInt64(entry.count.people) << 1 | (entry.count.bots > 0 ? 1 : 0))
                if entry.count.bots > 0 { part.number(UInt64(entry.count.bots)) }
                last = entry.index
            }
            writer.run(part.bytes)
        }
        return writer.bytes
    }
}

/// Clicks of the links of one part, added up.
package struct LinkSummaryCounts: Sendable {
    private var people = [Int](repeating: 0, count: LinkSummary.linkCount)
    private var bots = [Int](repeating: 0, count: LinkSummary.linkCount)

    package init() {}

    package mutating func add(_ count: ClickCount, at index: Int) {
        people[index] += count.people
        bots[index] += count.bots
    }

    /// Adds the clicks of the links of some applications.
    ///
    /// - Parameter bytes: `LinkSummary.encoded`.
    /// - Throws: `.corrupt` for other bytes.
    package mutating func add(_ bytes: [UInt8], of applications: Set<ApplicationID>) throws(StoreError) {
        try Self.read(bytes) { application, entries throws(StoreError) in
            guard applications.contains(application) else { return }
            try add(entries)
        }
    }

    /// The entries in rising order of their indexes.
    package func forEach(_ body: (Int, ClickCount) -> Void) {
        for index in people.indices where people[index] | bots[index] != 0 {
            body(index, ClickCount(people: people[index], bots: bots[index]))
        }
    }

    /// Calls `body` with each application of a summary, and the bytes of its entries.
    package static func read(
        _ bytes: [UInt8], _ body: (ApplicationID, ArraySlice<UInt8>) throws(StoreError) -> Void
    ) throws(StoreError) {
        var reader = BinaryReader(bytes[...])
        guard reader.byte() == 1 else { throw damaged }
        while !reader.isAtEnd {
            guard let application = reader.text().flatMap({ ApplicationID($0) }), let entries = reader.run() else {
                throw damaged
            }
            try body(application, entries)
        }
    }

    private static let damaged = StoreError.corrupt("summaries of clicks are damaged")

    /// Millions of entries are read for a report, so this is written for speed: most numbers are a byte.
    package mutating func add(_ entries: ArraySlice<UInt8>) throws(StoreError) {
        let bytes = entries.span
        var position = 0
        var index = 0
        func number() -> Int? {
            var value = 0
            var shift = 0
            while position < bytes.count, shift < 56 {
                let byte = Int(bytes[position])
                position += 1
                value |= (byte & 0x7F) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
            return nil
        }
        while position < bytes.count {
            guard let step = number(), let coded = number() else { throw Self.damaged }
            index += step
            guard index < LinkSummary.linkCount else { throw Self.damaged }
            people[index] += coded >> 1
            if coded & 1 == 1 {
                guard let count = number() else { throw Self.damaged }
                bots[index] += count
            }
        }
    }
}

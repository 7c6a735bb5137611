package import WaymarkLinks

extension ClickBlock {
    /// The numbers of the formats: without the fields of rules, as earlier versions read it, and with them.
    static let plainForm: UInt8 = 1
    static let ruleForm: UInt8 = 2

    /// The contents of a block: clicks in the order they were recorded, each with the index of its profile.
    package struct Contents: Sendable, Equatable {
        package struct Entry: Sendable, Equatable {
            package var time: Timestamp
            /// As in `ClickRecord`.
            package var visitor: UInt64?
            package var profile: Int
        }

        package var profiles: [ClickRecord.Profile]
        package var entries: [Entry]

        package var records: [ClickRecord] {
            entries.map { ClickRecord(time: $0.time, visitor: $0.visitor, profile: profiles[$0.profile]) }
        }
    }

    /// Nil if the day is impossible or the bytes are damaged or in a newer format. Every entry's profile exists.
    package var contents: Contents? {
        var reader = BinaryReader(bytes[...])
        guard Self.days.contains(key.day), let fields = Self.fields(ofForm: reader.byte()),
            let names = list(&reader, { $0.text() }),
            let profiles = list(&reader, { Self.profile(&$0, names, fields) })
        else { return nil }
        var second = Int64(key.day) * Timestamp.secondsOfDay
        let entries = list(&reader) { reader -> Contents.Entry? in
            guard let step = reader.signed(), let profile = reader.number(), profile < UInt64(profiles.count),
                let visitor = reader.number()
            else { return nil }
            let (sum, isOver) = second.addingReportingOverflow(step)
            guard !isOver else { return nil }
            second = sum
            return Contents.Entry(
                time: Timestamp(seconds: sum), visitor: visitor == 0 ? nil : visitor - 1, profile: Int(profile))
        }
        guard let entries, reader.isAtEnd else { return nil }
        return Contents(profiles: profiles, entries: entries)
    }

    /// The profiles alone; nil as for `contents`.
    package var profiles: [ClickRecord.Profile]? {
        var reader = BinaryReader(bytes[...])
        guard let fields = Self.fields(ofForm: reader.byte()), let names = list(&reader, { $0.text() }) else {
            return nil
        }
        return list(&reader) { Self.profile(&$0, names, fields) }
    }

    /// How many clicks there are, without reading them; none if the bytes are damaged or in a newer format.
    package var clickCount: Int {
        if let tally { return tally.quarters.reduce(0) { $1.counts.reduce($0) { $0 + Int($1.count) } } }
        var reader = BinaryReader(bytes[...])
        guard let fields = Self.fields(ofForm: reader.byte()), list(&reader, { $0.run() }) != nil,
            list(&reader, { reader in fields.allSatisfy { _ in reader.number() != nil } ? true : nil }) != nil,
            let count = reader.number(), count <= UInt64(bytes.count)
        else { return 0 }
        return Int(count)
    }

    private func list<Element>(
        _ reader: inout BinaryReader, _ element: (inout BinaryReader) -> Element?
    ) -> [Element]? {
        // Each element takes at least one byte: a larger count means damage, and must not reserve memory.
        guard let count = reader.number(), count <= UInt64(bytes.count) else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(Int(count))
        for _ in 0..<count {
            guard let next = element(&reader) else { return nil }
            elements.append(next)
        }
        return elements
    }

    private static func fields(ofForm form: UInt8?) -> [ClickField]? {
        switch form {
        case plainForm: ClickField.first
        case ruleForm: ClickField.allCases
        default: nil
        }
    }

    /// What a program must read to read the block; nil if every program can.
    package var need: FormatNeed? { bytes.first == Self.ruleForm ? FormatNeed(.v0_3, "rules of clicks") : nil }

    /// The same clicks without their rules, for servers that can't read these. As it is if it can't be read.
    package var withoutRules: ClickBlock {
        var reader = BinaryReader(bytes[...])
        guard reader.byte() == Self.ruleForm, let names = list(&reader, { $0.run() }),
            let rows = list(
                &reader,
                { reader in
                    let row = ClickField.allCases.compactMap { _ in reader.number() }
                    return row.count == ClickField.allCases.count ? row : nil
                })
        else { return self }
        var writer = BinaryWriter()
        writer.byte(Self.plainForm)
        writer.number(UInt64(names.count))
        for name in names { writer.run(Array(name)) }
        writer.number(UInt64(rows.count))
        for row in rows { for number in row.prefix(ClickField.first.count) { writer.number(number) } }
        return ClickBlock(key: key, bytes: writer.bytes + reader.remainder)
    }

    private static func profile(
        _ reader: inout BinaryReader, _ names: [String], _ fields: [ClickField]
    ) -> ClickRecord.Profile? {
        var profile = ClickRecord.Profile()
        for field in fields {
            guard let index = reader.number(), index <= UInt64(names.count) else { return nil }
            profile[field] = index == 0 ? nil : names[Int(index) - 1]
        }
        return profile
    }
}

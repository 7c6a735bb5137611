package import WaymarkLinks

extension ClickBlock {
    /// The number of the current format.
    static let form: UInt8 = 1

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
        guard Self.days.contains(key.day), reader.byte() == Self.form, let names = list(&reader, { $0.text() }),
            let profiles = list(&reader, { Self.profile(&$0, names) })
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

    private static func profile(_ reader: inout BinaryReader, _ names: [String]) -> ClickRecord.Profile? {
        var profile = ClickRecord.Profile()
        for field in ClickField.allCases {
            guard let index = reader.number(), index <= UInt64(names.count) else { return nil }
            profile[field] = index == 0 ? nil : names[Int(index) - 1]
        }
        return profile
    }
}

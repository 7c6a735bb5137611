import WaymarkLinks
package import WaymarkStores

/// The rows of a shipment, in the format and the columns that are sent. Made of the same blocks, they are the same bytes.
package struct ClickRows: Sendable {
    package private(set) var bytes: [UInt8]
    package private(set) var count = 0
    /// Those that this program can't read: damaged, or of a later version.
    package private(set) var unreadable: [ClickBlock.Key] = []

    /// The days that a `Date` of ClickHouse can hold.
    static let days = 0...Int(UInt16.max)

    /// - Parameter shipment: the token, which each row carries.
    package init(_ blocks: some Collection<ShippedBlock>, shipment: String) {
        var writer = RowBinaryWriter()
        for shipped in blocks {
            let key = shipped.block.key
            guard Self.days.contains(key.day), let contents = shipped.block.contents else {
                unreadable.append(key)
                continue
            }
            var link = RowBinaryWriter()
            link.text(shipped.application.text)
            link.text(shipped.domain.text)
            link.text(shipped.slug ?? "")
            link.number(key.link.rawValue)
            let profiles = contents.profiles.map { profile in
                var fields = link
                for field in ClickField.allCases {
                    if field == .bot { fields.optionalText(profile[field]) } else { fields.text(profile[field] ?? "") }
                }
                return fields
            }
            for (place, entry) in contents.entries.enumerated() {
                writer.number(UInt16(key.day))
                writer.number(UInt32(clamping: entry.time.seconds))
                writer.append(profiles[entry.profile])
                // A visitor's number may be 0, which stands for none.
                writer.number(entry.visitor.map { $0 + 1 } ?? 0)
                writer.number(key.number)
                writer.number(UInt32(place))
                writer.text(shipment)
            }
            count += contents.entries.count
        }
        bytes = writer.bytes
    }
}

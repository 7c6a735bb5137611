/// Writes values in ClickHouse's format `RowBinary`: numbers in little-endian order, texts behind their length, and a byte before what
/// may be missing.
package struct RowBinaryWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func number(_ value: some FixedWidthInteger) {
        var rest = value
        for _ in 0..<type(of: value).bitWidth / 8 {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    package mutating func text(_ value: String) {
        var length = value.utf8.count
        while length >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: length) | 0x80)
            length >>= 7
        }
        bytes.append(UInt8(length))
        bytes += value.utf8
    }

    package mutating func optionalText(_ value: String?) {
        bytes.append(value == nil ? 1 : 0)
        if let value { text(value) }
    }

    /// What another writer wrote.
    package mutating func append(_ other: RowBinaryWriter) { bytes += other.bytes }

    package mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(count) }
}

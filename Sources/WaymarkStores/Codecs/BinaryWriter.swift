/// Writes the compact binary format of stores: bytes, varints (LEB128: seven bits per byte, lowest first) and
/// length-prefixed runs.
struct BinaryWriter {
    private(set) var bytes: [UInt8] = []

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func number(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Zigzag-encoded, so that small negative numbers stay short.
    mutating func signed(_ value: Int64) {
        number(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    mutating func text(_ value: String) {
        number(UInt64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    mutating func run(_ value: [UInt8]) {
        number(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    /// Keeps the memory for reuse.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

    mutating func append(_ other: some Collection<UInt8>) { bytes.append(contentsOf: other) }

    mutating func append(_ other: BinaryWriter) { bytes.append(contentsOf: other.bytes) }

    /// A field's tag, followed by the length of its payload and the payload.
    mutating func field(_ tag: UInt8, _ payload: (inout BinaryWriter) -> Void) {
        bytes.append(tag)
        let index = bytes.count
        bytes.append(0)
        payload(&self)
        let count = bytes.count - index - 1
        if count < 0x80 {
            bytes[index] = UInt8(count)
        } else {
            // Rare: moves the payload to make space for a length of several bytes.
            var length = BinaryWriter()
            length.number(UInt64(count))
            bytes.replaceSubrange(index...index, with: length.bytes)
        }
    }
}

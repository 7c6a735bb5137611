/// Bytes and numbers as hexadecimal digits.
@usableFromInline
package enum Hexadecimal {
    /// The digit of a value below 16, in lower case.
    @inlinable package static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 &+ value : 0x57 &+ value }

    /// The digit of a value below 16, in upper case.
    @inlinable package static func capital(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 &+ value : 0x37 &+ value }

    /// Two digits a byte, in lower case.
    @inlinable
    package static func digits(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 15))
        }
        return digits
    }

    /// Two digits a byte, in lower case.
    @inlinable
    package static func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: digits(bytes), as: UTF8.self) }

    /// `width` digits, in lower case, of the number's low bits.
    package static func text(_ number: UInt64, width: Int) -> String {
        let digits = (0..<width).reversed().map { digit(UInt8(truncatingIfNeeded: number >> UInt64(4 * $0) & 15)) }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Nil where the text is anything but pairs of digits, of either case.
    package static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var digits = text.utf8.makeIterator()
        while let high = digits.next(), let low = digits.next() {
            guard let high = high.hexadecimalValue, let low = low.hexadecimalValue else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

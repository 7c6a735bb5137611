import WaymarkBytes
import WaymarkLinks

/// Where a page of links ends, as a text that says nothing to anyone else.
enum Cursor {
    // Odd, so that multiplying is reversible; the sum of the halves tells a mistyped cursor from a real one.
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let inverse: UInt64 = 0xF1DE_83E1_9937_733D

    static func text(_ id: LinkID) -> String {
        let number = UInt64(bitPattern: id.rawValue) &* factor
        return Hexadecimal.text(number, width: 16) + Hexadecimal.text(UInt64(check(number)), width: 4)
    }

    /// Nil for what `text` never gave.
    static func link(_ text: String) -> LinkID? {
        guard text.utf8.count == 20, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
            let number = UInt64(text.prefix(16), radix: 16), let sum = UInt16(text.suffix(4), radix: 16),
            sum == check(number)
        else { return nil }
        let id = Int64(bitPattern: number &* inverse)
        return id > 0 ? LinkID(rawValue: id) : nil
    }

    private static func check(_ number: UInt64) -> UInt16 {
        UInt16(truncatingIfNeeded: number ^ number >> 16 ^ number >> 32 ^ number >> 48 ^ 0x5741)
    }
}

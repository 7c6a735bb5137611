/// The canonical form of an exact decimal value: `digits` times ten to the power of `exponent`.
///
/// Nothing is rounded or overflows, whatever the length of the number: the exponent is stored as text, because JSON
/// does not limit it and two different numbers must not share a fingerprint.
struct ExactDecimal: Equatable {
    /// False for zero: `-0` and `0` are equal.
    let isNegative: Bool
    /// Without leading or trailing zeros; `0` for zero.
    let digits: String
    /// A decimal integer without leading zeros or a plus sign; `0` for zero.
    let exponent: String

    /// Expects a valid JSON number; other bytes are ignored.
    init(_ text: String) {
        var significant: [UInt8] = []
        var written: [UInt8] = []
        var fractionLength = 0
        var isNegative = false
        var exponentIsNegative = false
        var part = Part.whole
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if part == .exponent {
                    if byte != UInt8(ascii: "0") || !written.isEmpty { written.append(byte) }
                } else {
                    if byte != UInt8(ascii: "0") || !significant.isEmpty { significant.append(byte) }
                    if part == .fraction { fractionLength += 1 }
                }
            case UInt8(ascii: "."): part = .fraction
            case UInt8(ascii: "e"), UInt8(ascii: "E"): part = .exponent
            case UInt8(ascii: "-"):
                if part == .exponent { exponentIsNegative = true } else { isNegative = true }
            default: break
            }
        }
        var dropped = 0
        while significant.last == UInt8(ascii: "0") {
            significant.removeLast()
            dropped += 1
        }
        guard !significant.isEmpty else {
            self.isNegative = false
            digits = "0"
            exponent = "0"
            return
        }
        self.isNegative = isNegative
        digits = String(decoding: significant, as: UTF8.self)
        exponent = Self.sum(of: written, isNegative: exponentIsNegative, and: dropped - fractionLength)
    }

    private enum Part { case whole, fraction, exponent }

    /// - Parameter digits: the absolute value, without leading zeros; empty for zero.
    private static func sum(of digits: [UInt8], isNegative: Bool, and change: Int) -> String {
        // 18 digits plus a change of at most a text's length can't overflow an Int.
        if digits.count <= 18 {
            let size = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            return String((isNegative ? -size : size) + change)
        }
        // Beyond that the change can't alter the sign, so it is a carry that propagates from the right.
        var digits = digits
        var carry = isNegative ? -change : change
        var index = digits.count
        while carry != 0, index > 0 {
            index -= 1
            let total = Int(digits[index] - UInt8(ascii: "0")) + carry
            let digit = ((total % 10) + 10) % 10
            digits[index] = UInt8(ascii: "0") + UInt8(digit)
            carry = (total - digit) / 10
        }
        let leading = carry > 0 ? String(carry) : ""
        let trimmed = leading.isEmpty ? digits.drop { $0 == UInt8(ascii: "0") } : digits[...]
        return (isNegative ? "-" : "") + leading + String(decoding: trimmed, as: UTF8.self)
    }
}

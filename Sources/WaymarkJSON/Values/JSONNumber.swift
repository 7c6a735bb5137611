/// A JSON number, stored as its original text: the service never rounds it.
///
/// Two numbers are equal if they have exactly the same value: `1`, `1.0` and `10e-1` are, `0.1` and the nearest
/// `Double` are not.
package struct JSONNumber: Sendable {
    /// The number as written; always matches the grammar in RFC 8259, section 6.
    package let text: String

    /// - Precondition: the text matches the grammar.
    init(validated text: String) {
        self.text = text
    }

    package init(_ value: Int) {
        text = String(value)
    }

    /// The shortest text that parses to the same `Double`; nil for infinities and NaN.
    package init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = value.description
    }

    /// The value if it is integral and fits, in any format (`100`, `100.0`, `1e2`); else nil.
    package var integer: Int? {
        if let plain = Int(text) { return plain }
        let exact = ExactDecimal(text)
        // 19 digits and a larger exponent exceed Int in any case, so nothing below can become large.
        guard let exponent = Int(exact.exponent), (0...18).contains(exponent), exact.digits.utf8.count <= 19 else {
            return nil
        }
        return Int((exact.isNegative ? "-" : "") + exact.digits + String(repeating: "0", count: exponent))
    }

    /// The value without an exponent and without redundant digits: `42` for `42.0` and `4.20e1`, `100` for `1e2`,
    /// `0.5` for `5e-1`. Exact for any number of digits. If that would take more than a thousand zeros, the exponent
    /// remains: `1e100000`.
    package var plainText: String {
        let bytes = text.utf8
        if bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) { return text }
        let exact = ExactDecimal(text)
        let sign = exact.isNegative ? "-" : ""
        guard let exponent = Int(exact.exponent), exponent <= 1_000 else { return canonicalText }
        guard exponent < 0 else { return sign + exact.digits + String(repeating: "0", count: exponent) }
        let whole = exact.digits.utf8.count + exponent
        if whole > 0 { return sign + exact.digits.prefix(whole) + "." + exact.digits.dropFirst(whole) }
        guard whole >= -1_000 else { return canonicalText }
        return sign + "0." + String(repeating: "0", count: -whole) + exact.digits
    }

    /// The nearest `Double`; nil if the number is out of its range.
    package var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }
}

extension JSONNumber: Equatable {
    package static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        left.text == right.text || ExactDecimal(left.text) == ExactDecimal(right.text)
    }
}

/// A JSON number, kept as the text it was written with: nothing is rounded on the way through the service.
///
/// Two numbers are equal when they have exactly the same value: `1`, `1.0` and `10e-1` are, `0.1` and the `Double`
/// nearest to it are not.
package struct JSONNumber: Sendable {
    /// The number as written; always of the grammar in RFC 8259, section 6.
    package let text: String

    /// The caller has checked the grammar.
    init(validated text: String) {
        self.text = text
    }

    package init(_ value: Int) {
        text = String(value)
    }

    /// The shortest text that reads back as the same `Double`; nil for infinities and for what is not a number.
    package init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = value.description
    }

    /// The value where it is integral and fits, however it is written (`100`, `100.0`, `1e2`); else nil.
    package var integer: Int? {
        if let plain = Int(text) { return plain }
        let exact = ExactDecimal(text)
        // 19 digits and a larger exponent are beyond Int in any case, so nothing below can become large.
        guard let exponent = Int(exact.exponent), (0...18).contains(exponent), exact.digits.utf8.count <= 19 else {
            return nil
        }
        return Int((exact.isNegative ? "-" : "") + exact.digits + String(repeating: "0", count: exponent))
    }

    /// The value without an exponent and without digits that say nothing: `42` for `42.0` and `4.20e1`, `100` for `1e2`,
    /// `0.5` for `5e-1`. Exact, whatever the number of digits. Where that would take more than a thousand zeros the power
    /// of ten stays written: `1e100000`.
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

    /// The nearest `Double`; nil where the number is beyond its range.
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

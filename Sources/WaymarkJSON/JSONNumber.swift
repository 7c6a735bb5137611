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

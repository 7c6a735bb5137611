import WaymarkBytes

/// One JSON value (RFC 8259), read from a text or built in code.
///
/// A value that was read stores its range in the text, so that a caller can pass on exactly the original text
/// (`JSONDocument.text(of:)`) or report its position. Equality ignores the range and compares the meaning (order of
/// members does not matter, `1` equals `1.0`, strings compare scalar by scalar).
package struct JSONValue: Sendable {
    /// The type of a value, with its content.
    package enum Kind: Sendable, Equatable {
        case null
        case bool(Bool)
        case number(JSONNumber)
        case string(String)
        case array([JSONValue])
        case object(JSONObject)
    }

    package let kind: Kind

    /// The range of the value in its text, without surrounding white space; empty for a value built in code.
    package let range: Range<Int>

    init(_ kind: Kind, at range: Range<Int>) {
        self.kind = kind
        self.range = range
    }

    package init(_ kind: Kind) {
        self.init(kind, at: 0..<0)
    }

    package init(_ value: String) { self.init(.string(value)) }
    package init(_ value: Int) { self.init(.number(JSONNumber(value))) }
    package init(_ value: Bool) { self.init(.bool(value)) }
    package init(_ value: JSONObject) { self.init(.object(value)) }
    package init(_ value: [JSONValue]) { self.init(.array(value)) }

    /// Nil for infinities and NaN, which JSON can't represent.
    package init?(_ value: Double) {
        guard let number = JSONNumber(value) else { return nil }
        self.init(.number(number))
    }

    package static let null = JSONValue(.null)
}

extension JSONValue {
    package var isNull: Bool {
        if case .null = kind { true } else { false }
    }

    /// Nil if the value is not `true` or `false`.
    package var bool: Bool? {
        if case .bool(let value) = kind { value } else { nil }
    }

    /// Nil if the value is not a number.
    package var number: JSONNumber? {
        if case .number(let value) = kind { value } else { nil }
    }

    /// Nil if the value is not a number, not integral, or out of the range of `Int`; `1.0` and `1e2` are integral.
    package var integer: Int? { number?.integer }

    /// Nil if the value is not a string. May contain any scalar, including U+0000.
    package var string: String? {
        if case .string(let value) = kind { value } else { nil }
    }

    /// Nil if the value is not an array.
    package var array: [JSONValue]? {
        if case .array(let value) = kind { value } else { nil }
    }

    /// Nil if the value is not an object.
    package var object: JSONObject? {
        if case .object(let value) = kind { value } else { nil }
    }

    /// The member with this name; nil if there is none or the value is not an object.
    package subscript(name: String) -> JSONValue? { object?[name] }

    /// The kind as text for messages, with its article: `a string`, `an object`, `null`.
    package var noun: String {
        switch kind {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue: Equatable {
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left.kind, right.kind) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): ExactText(left) == ExactText(right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

extension JSONValue.Kind {
    package static func == (left: JSONValue.Kind, right: JSONValue.Kind) -> Bool {
        JSONValue(left) == JSONValue(right)
    }
}

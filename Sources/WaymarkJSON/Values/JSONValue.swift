/// One JSON value (RFC 8259), read from a text or built in code.
///
/// A value that was read keeps its place in the text, so that a caller can hand on exactly what was sent
/// (`JSONDocument.text(of:)`) or point at it in a message. Equality ignores the place: it asks whether two values
/// mean the same (order of members does not matter, `1` equals `1.0`, strings compare scalar by scalar).
package struct JSONValue: Sendable {
    /// What a value is.
    package enum Kind: Sendable, Equatable {
        case null
        case bool(Bool)
        case number(JSONNumber)
        case string(String)
        case array([JSONValue])
        case object(JSONObject)
    }

    package let kind: Kind

    /// The bytes of the value in the text it was read from, without white space around it; empty for a value built in
    /// code.
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

    /// Nil for infinities and for what is not a number: JSON has no form for them.
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

    /// Nil where the value is not `true` or `false`.
    package var bool: Bool? {
        if case .bool(let value) = kind { value } else { nil }
    }

    /// Nil where the value is not a number.
    package var number: JSONNumber? {
        if case .number(let value) = kind { value } else { nil }
    }

    /// Nil where the value is not a number, not integral, or beyond `Int`; `1.0` and `1e2` are integral.
    package var integer: Int? { number?.integer }

    /// Nil where the value is not a string. May hold any scalar, U+0000 included.
    package var string: String? {
        if case .string(let value) = kind { value } else { nil }
    }

    /// Nil where the value is not an array.
    package var array: [JSONValue]? {
        if case .array(let value) = kind { value } else { nil }
    }

    /// Nil where the value is not an object.
    package var object: JSONObject? {
        if case .object(let value) = kind { value } else { nil }
    }

    /// The member of that name; nil where there is none or the value is not an object.
    package subscript(name: String) -> JSONValue? { object?[name] }

    /// The kind in words for messages, with its article: `a string`, `an object`, `null`.
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

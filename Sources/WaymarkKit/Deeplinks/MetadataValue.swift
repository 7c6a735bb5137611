package import WaymarkJSON

/// One JSON value (RFC 8259) inside of a link's metadata.
public enum MetadataValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number that is integral and within `Int`, however it is written.
    case integer(Int)
    /// Any other number, as the nearest `Double`; one beyond its range is infinite. The exact digits are in
    /// `DeeplinkMetadata.json`.
    case double(Double)
    /// A string.
    case string(String)
    /// An array, in order.
    case array([MetadataValue])
    /// An object, without the order of its members.
    case object([String: MetadataValue])

    package init(_ value: JSONValue) {
        switch value.kind {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .number(let number):
            if let integer = number.integer {
                self = .integer(integer)
            } else {
                self = .double(number.double ?? (number.text.hasPrefix("-") ? -.infinity : .infinity))
            }
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map(MetadataValue.init))
        case .object(let object):
            var members: [String: MetadataValue] = [:]
            for member in object.members { members[member.name] = MetadataValue(member.value) }
            self = .object(members)
        }
    }
}

extension MetadataValue {
    /// The string; nil for any other kind.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The integer; nil for any other kind.
    public var integer: Int? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The number, integral or not; nil for any other kind.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The boolean; nil for any other kind.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The elements; nil for any other kind.
    public var array: [MetadataValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members; nil for any other kind.
    public var object: [String: MetadataValue]? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The member of that name; nil where there is none or the value is no object.
    public subscript(name: String) -> MetadataValue? { object?[name] }
}

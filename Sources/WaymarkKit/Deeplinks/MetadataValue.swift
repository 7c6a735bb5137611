import Foundation
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

extension MetadataValue: ExpressibleByStringLiteral {
    /// A string that stands in the code.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension MetadataValue: ExpressibleByIntegerLiteral {
    /// An integer that stands in the code.
    public init(integerLiteral value: Int) { self = .integer(value) }
}

extension MetadataValue: ExpressibleByFloatLiteral {
    /// A number that stands in the code.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension MetadataValue: ExpressibleByBooleanLiteral {
    /// A boolean that stands in the code.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension MetadataValue: ExpressibleByNilLiteral {
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
}

extension MetadataValue: ExpressibleByArrayLiteral {
    /// An array that stands in the code.
    public init(arrayLiteral elements: MetadataValue...) { self = .array(elements) }
}

extension MetadataValue: ExpressibleByDictionaryLiteral {
    /// An object that stands in the code; the last of equal names counts.
    public init(dictionaryLiteral elements: (String, MetadataValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}

extension MetadataValue {
    /// A value of the app as JSON: strings, booleans, integers, finite numbers, arrays, dictionaries with string keys,
    /// `MetadataValue`, nil and `NSNull`. Nil for anything else, wherever in it that stands, and for what is nested more
    /// than 32 deep (what the service reads).
    init?(any value: Any, depth: Int = 0) {
        guard depth <= JSONDocument.defaultDepthLimit else { return nil }
        switch value {
        case let value as MetadataValue: self = value
        case is NSNull: self = .null
        case let value as any EmptyOptional where value.isEmptyOptional: self = .null
        case let value as String: self = .string(value)
        case let flag as Bool where type(of: value) == Bool.self: self = .bool(flag)
        case let value as any BinaryInteger:
            if let integer = Int(exactly: value) { self = .integer(integer) } else { self = .double(Double(value)) }
        case let value as any BinaryFloatingPoint: self.init(finite: Double(value))
        case let number as NSNumber: self.init(number)
        case let elements as [Any]:
            var values: [MetadataValue] = []
            for element in elements {
                guard let value = MetadataValue(any: element, depth: depth + 1) else { return nil }
                values.append(value)
            }
            self = .array(values)
        case let members as [String: Any]:
            var values: [String: MetadataValue] = [:]
            for (name, member) in members {
                guard let value = MetadataValue(any: member, depth: depth + 1) else { return nil }
                values[name] = value
            }
            self = .object(values)
        default: return nil
        }
    }

    private init?(finite value: Double) {
        guard value.isFinite else { return nil }
        self = .double(value)
    }

    /// A cast would make a boolean of the number 1, so kinds are told apart by what the number says that it holds.
    private init?(_ number: NSNumber) {
        switch UInt8(truncatingIfNeeded: number.objCType.pointee) {
        case UInt8(ascii: "c"), UInt8(ascii: "B"): self = .bool(number.boolValue)
        case UInt8(ascii: "f"), UInt8(ascii: "d"): self.init(finite: number.doubleValue)
        default:
            if let integer = Int(number.stringValue) {
                self = .integer(integer)
            } else {
                self.init(finite: number.doubleValue)
            }
        }
    }
}

/// Nil inside of an `Any`, which no cast to a concrete type finds.
private protocol EmptyOptional {
    var isEmptyOptional: Bool { get }
}

extension Optional: EmptyOptional {
    fileprivate var isEmptyOptional: Bool {
        if case .none = self { true } else { false }
    }
}

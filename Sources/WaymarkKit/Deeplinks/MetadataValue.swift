import Foundation
package import WaymarkJSON

/// One JSON value (RFC 8259) in a link's metadata.
public enum MetadataValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// An integral number within the range of `Int`, in any notation.
    case integer(Int)
    /// Any other number, as the nearest `Double`; infinite if out of range. `DeeplinkMetadata.json` has the exact
    /// digits.
    case double(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([MetadataValue])
    /// An object; the order of its members is lost.
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

    /// The member with this name; nil if there is none or the value is not an object.
    public subscript(name: String) -> MetadataValue? { object?[name] }
}

extension MetadataValue: ExpressibleByStringLiteral {
    /// Creates a string from a literal.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension MetadataValue: ExpressibleByIntegerLiteral {
    /// Creates an integer from a literal.
    public init(integerLiteral value: Int) { self = .integer(value) }
}

extension MetadataValue: ExpressibleByFloatLiteral {
    /// Creates a number from a literal.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension MetadataValue: ExpressibleByBooleanLiteral {
    /// Creates a boolean from a literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension MetadataValue: ExpressibleByNilLiteral {
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
}

extension MetadataValue: ExpressibleByArrayLiteral {
    /// Creates an array from a literal.
    public init(arrayLiteral elements: MetadataValue...) { self = .array(elements) }
}

extension MetadataValue: ExpressibleByDictionaryLiteral {
    /// Creates an object from a literal; the last of duplicate names wins.
    public init(dictionaryLiteral elements: (String, MetadataValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}

extension MetadataValue {
    /// Converts a value of the app to JSON: strings, booleans, integers, finite numbers, arrays, dictionaries with
    /// string keys, `MetadataValue`, nil and `NSNull`. Nil if it contains anything else or is nested more than 32
    /// deep (the service's limit).
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

    /// A cast would turn the number 1 into a boolean, so the kind is decided by the stored type.
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

/// Detects nil in an `Any`, which no cast to a concrete type finds.
private protocol EmptyOptional {
    var isEmptyOptional: Bool { get }
}

extension Optional: EmptyOptional {
    fileprivate var isEmptyOptional: Bool {
        if case .none = self { true } else { false }
    }
}

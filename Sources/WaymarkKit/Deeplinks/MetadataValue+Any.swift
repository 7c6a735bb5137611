import Foundation
import WaymarkJSON

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

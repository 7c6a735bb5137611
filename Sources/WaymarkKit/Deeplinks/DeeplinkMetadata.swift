public import Foundation
public import WaymarkAPI
import WaymarkJSON

/// Private data that a smart link carries to the app: a JSON object (RFC 8259). It is never part of a URL; only a
/// resolve returns it, as often as the link's redeem limit allows.
///
/// `json` holds the service's bytes unchanged, with all digits of numbers; the members are parsed from it once. The
/// service accepts at most 16 KiB.
public struct DeeplinkMetadata: Sendable, Hashable {
    /// The object as JSON text: as received, or compact and sorted by name if created in the app.
    public let json: RawJSON
    /// The members.
    public let members: [String: MetadataValue]

    /// Creates metadata received from a service.
    public init(json: RawJSON) {
        self.json = json
        let value = try? JSONValue(parsing: json.bytes)
        members = value.flatMap { MetadataValue($0).object } ?? [:]
    }

    /// Creates metadata from the app's values: strings, booleans, integers, finite numbers, nil, arrays of these, and
    /// dictionaries with string keys, nested at most 32 deep.
    ///
    /// Throws `DeeplinkingError.invalidMetadata` with the name of a member that is not JSON (such as a date).
    public init(_ values: [String: Any]) throws(DeeplinkingError) {
        var members: [String: MetadataValue] = [:]
        for (name, value) in values {
            guard let value = MetadataValue(any: value, depth: 1) else { throw .invalidMetadata(member: name) }
            members[name] = value
        }
        guard let json = MetadataWriter.json(of: members) else { throw .invalidMetadata(member: "") }
        self.json = json
        self.members = members
    }

    /// The member with this name; nil if there is none.
    public subscript(name: String) -> MetadataValue? { members[name] }

    /// Decodes the metadata as one of the app's types.
    ///
    ///     struct Offer: Decodable { let coupon: String }
    ///     let offer = try deeplink.metadata?.decode(Offer.self)
    ///
    /// Throws the decoder's errors, such as `DecodingError` if a member is missing or has another type.
    ///
    /// - Parameters:
    ///   - type: the type to decode.
    ///   - decoder: a custom decoder, for other formats of dates and names.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: Data(json.bytes))
    }
}

/// Writes metadata as JSON.
private enum MetadataWriter {
    /// Sorted by name, so that equal metadata has equal text. Nil if a number is infinite or the nesting is too deep.
    static func json(of members: [String: MetadataValue]) -> RawJSON? {
        json(.object(members)).flatMap { RawJSON($0.bytes()) }
    }

    private static func json(_ value: MetadataValue) -> JSONValue? {
        switch value {
        case .null: return .null
        case .bool(let flag): return JSONValue(flag)
        case .integer(let number): return JSONValue(number)
        case .double(let number): return JSONValue(number)
        case .string(let text): return JSONValue(text)
        case .array(let elements):
            let values = elements.compactMap(json)
            return values.count == elements.count ? JSONValue(values) : nil
        case .object(let members):
            var object = JSONObject()
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                guard let value = json(member) else { return nil }
                object[name] = value
            }
            return JSONValue(object)
        }
    }
}

public import Foundation
public import WaymarkAPI
import WaymarkJSON

/// Private data that a smart link carries to the app: a JSON object (RFC 8259). It is never part of a URL; only a resolve
/// hands it out, as often as the link's redeem limit says.
///
/// What a service sent is kept byte by byte in `json`, numbers with all their digits; the members are read from it once.
/// The service takes at most 16 KiB.
public struct DeeplinkMetadata: Sendable, Hashable {
    /// The object as JSON text: as it was sent, or compact and sorted by name where it was made here.
    public let json: RawJSON
    /// The members.
    public let members: [String: MetadataValue]

    /// Metadata as a service sent it.
    public init(json: RawJSON) {
        self.json = json
        let value = try? JSONValue(parsing: json.bytes)
        members = value.flatMap { MetadataValue($0).object } ?? [:]
    }

    /// Metadata from values of the app: strings, booleans, integers, finite numbers, nil, arrays of these and dictionaries
    /// with string keys, at most 32 deep.
    ///
    /// Throws `DeeplinkingError.invalidMetadata` with the name of a member that is not JSON (a date, say).
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

    /// The member of that name; nil where there is none.
    public subscript(name: String) -> MetadataValue? { members[name] }

    /// The metadata as a value of the app's own type.
    ///
    ///     struct Offer: Decodable { let coupon: String }
    ///     let offer = try deeplink.metadata?.decode(Offer.self)
    ///
    /// Throws what the decoder throws, `DecodingError` where a member is missing or has another type.
    ///
    /// - Parameters:
    ///   - type: what to decode.
    ///   - decoder: for dates and names in another style.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: Data(json.bytes))
    }
}

/// Writes metadata as JSON.
private enum MetadataWriter {
    /// Sorted by name, so that equal metadata are equal texts. Nil where a number built in code is infinite, or what was
    /// given nests too deep.
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

import WaymarkJSON

/// A JSON object as its original text, so that no number is rounded and no member reordered.
public struct RawJSON: Sendable, Hashable {
    public let bytes: [UInt8]

    /// Nil if the bytes are not one JSON object.
    public init?(_ bytes: [UInt8]) {
        guard let value = try? JSONValue(parsing: bytes), value.object != nil else { return nil }
        self.bytes = bytes
    }

    /// For text that has already been parsed.
    package init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

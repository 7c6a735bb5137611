import WaymarkJSON

/// A JSON object as the text that was sent: handed on byte by byte, so that nothing in it is rounded or reordered.
public struct RawJSON: Sendable, Hashable {
    public let bytes: [UInt8]

    /// Nil where the bytes are not one JSON object.
    public init?(_ bytes: [UInt8]) {
        guard let value = try? JSONValue(parsing: bytes), value.object != nil else { return nil }
        self.bytes = bytes
    }

    /// The caller has read the text already.
    package init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

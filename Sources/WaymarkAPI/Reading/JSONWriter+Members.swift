package import WaymarkJSON

/// Common parts of bodies: optional members and arrays of values.
extension JSONWriter {
    /// Writes one complete text.
    ///
    /// - Parameter capacity: estimated size in bytes; a larger text is copied while it grows.
    package static func text(capacity: Int = 256, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(capacity: capacity)
        write(&writer)
        return writer.bytes
    }

    /// Writes the member unless the value is nil.
    package mutating func member(_ name: StaticString, ifGiven value: String?) {
        if let value { member(name, value) }
    }

    /// Writes the member unless the value is nil.
    package mutating func member(_ name: StaticString, ifGiven value: Int?) {
        if let value { member(name, value) }
    }

    /// Writes the member unless the value is nil.
    package mutating func member(_ name: StaticString, ifGiven value: Bool?) {
        if let value { member(name, value) }
    }

    package mutating func memberNull(_ name: StaticString) {
        self.name(name)
        null()
    }

    package mutating func array<Element>(
        _ name: StaticString, _ elements: some Sequence<Element>, write: (Element, inout JSONWriter) -> Void
    ) {
        self.name(name)
        beginArray()
        for element in elements { write(element, &self) }
        endArray()
    }

    package mutating func strings(_ name: StaticString, _ values: [String]) {
        array(name, values) { $1.string($0) }
    }
}

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

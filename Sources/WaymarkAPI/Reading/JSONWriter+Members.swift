package import WaymarkJSON

/// The shapes that bodies are made of: optional members, arrays of values.
extension JSONWriter {
    /// One whole text.
    ///
    /// - Parameter capacity: a guess at its bytes: what outgrows it is copied.
    package static func text(capacity: Int = 256, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(capacity: capacity)
        write(&writer)
        return writer.bytes
    }

    /// The member where there is a value, else nothing.
    package mutating func member(_ name: StaticString, ifGiven value: String?) {
        if let value { member(name, value) }
    }

    /// The member where there is a value, else nothing.
    package mutating func member(_ name: StaticString, ifGiven value: Int?) {
        if let value { member(name, value) }
    }

    /// The member where there is a value, else nothing.
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

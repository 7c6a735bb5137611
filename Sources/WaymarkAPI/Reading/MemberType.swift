import WaymarkJSON

/// How the value of a member is read, written and bounded.
package struct MemberType<Value: Sendable>: Sendable {
    let shape: JSONShape
    let scalar: ScalarType?
    /// Nil where the member is missing, null, or of another type, which is reported.
    let read: @Sendable (inout ObjectReader, String) -> Value?
    let write: @Sendable (inout JSONWriter, StaticString, Value) -> Void

    init(
        _ shape: JSONShape = .scalar, _ scalar: ScalarType? = nil,
        read: @escaping @Sendable (inout ObjectReader, String) -> Value?,
        write: @escaping @Sendable (inout JSONWriter, StaticString, Value) -> Void
    ) {
        self.shape = shape
        self.scalar = scalar
        self.read = read
        self.write = write
    }
}

package enum ScalarType: Sendable { case text, integer, flag }

extension MemberType<String> {
    static var text: Self {
        Self(.scalar, .text) {
            $0.string($1)
        } write: {
            $0.member($1, $2)
        }
    }
    /// The version of an Android app: text, or its version code as a number.
    static var version: Self {
        Self {
            $0.version($1)
        } write: {
            $0.member($1, $2)
        }
    }
}

extension MemberType<String?> {
    /// Null removes it.
    static var removableText: Self {
        Self(.scalar, .text) { reader, name in
            if let text = reader.string(name) { text } else { reader.isNull(name) ? .some(nil) : nil }
        } write: { writer, name, text in
            writer.member(name, text)
        }
    }
}

extension MemberType<Int> {
    static var integer: Self {
        Self(.scalar, .integer) {
            $0.integer($1)
        } write: {
            $0.member($1, $2)
        }
    }
}

extension MemberType<Bool> {
    static var flag: Self {
        Self(.scalar, .flag) {
            $0.bool($1)
        } write: {
            $0.member($1, $2)
        }
    }
}

extension MemberType<[String]> {
    static func texts(atMost limit: Int) -> Self {
        Self(.strings(atMost: limit)) {
            $0.strings($1)
        } write: {
            $0.strings($1, $2)
        }
    }
}

extension MemberType<[String: String]> {
    static var parameters: Self {
        Self(.map(.scalar, atMost: BodyMaximum.names)) {
            $0.parameters($1)
        } write: {
            $0.parameters($1, $2)
        }
    }
}

extension MemberType<[String: URLEntryRequest]> {
    static var urls: Self {
        Self(.urls) {
            $0.urls($1)
        } write: {
            $0.urls($1, $2)
        }
    }
    /// Of a template, whose entries may have names.
    static var namedURLs: Self {
        Self(.namedURLs) {
            $0.urls($1, isNamed: true)
        } write: {
            $0.urls($1, $2)
        }
    }
}

extension MemberType<RawJSON> {
    /// An object as its original text, of which at most this many bytes are read.
    static func rawObject(atMost bytes: Int) -> Self {
        Self(.bytes(atMost: bytes)) {
            $0.rawObject($1)
        } write: {
            $0.member($1, raw: $2.bytes)
        }
    }
}

extension MemberType {
    /// - Parameter make: the object of which nothing is given.
    static func object(_ table: MemberTable<Value>, _ make: @escaping @Sendable () -> Value) -> Self {
        Self(table.shape) { reader, name in
            reader.object(name) { reader in
                var part = make()
                table.read(&reader, into: &part)
                return part
            }
        } write: { writer, name, part in
            writer.name(name)
            table.write(part, to: &writer)
        }
    }

    /// - Parameter make: an element of which nothing is given; it replaces one that is no object, so that the indexes of the
    ///   others stay.
    static func objects<Element>(
        _ table: MemberTable<Element>, atMost limit: Int, _ make: @escaping @Sendable () -> Element
    ) -> Self where Value == [Element] {
        Self(.array(table.shape, atMost: limit)) { reader, name in
            reader.objects(name, instead: make()) { reader in
                var part = make()
                table.read(&reader, into: &part)
                return part
            }
        } write: { writer, name, parts in
            writer.array(name, parts) { table.write($0, to: &$1) }
        }
    }

    /// An object of this member alone.
    static func object(of member: StaticString, _ type: MemberType) -> Self {
        let text = String(describing: member)
        return Self(.object([text: type.shape])) { reader, name in
            reader.object(name) { type.read(&$0, text) } ?? nil
        } write: { writer, name, value in
            writer.name(name)
            writer.beginObject()
            type.write(&writer, member, value)
            writer.endObject()
        }
    }
}

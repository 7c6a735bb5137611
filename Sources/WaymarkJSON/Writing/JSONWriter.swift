/// Writes one JSON text incrementally into an array of bytes. It adds commas, colons and white space itself.
///
/// The calls follow the text: `beginObject()`, for every member `name(_:)` and one value (or `member(_:_:)` for
/// both), `endObject()`. The caller must balance every begin with an end.
///
///     var writer = JSONWriter()
///     writer.beginObject()
///     writer.member("slug", "Ab3dE9x")
///     writer.name("metadata")
///     writer.raw(metadata)
///     writer.endObject()
///     send(writer.bytes)
package struct JSONWriter: Sendable {
    /// The output so far.
    package private(set) var bytes: [UInt8] = []
    package let style: JSONStyle

    private var needsComma = false
    private var followsName = false
    private var depth = 0

    /// - Parameter capacity: number of bytes to reserve initially.
    package init(style: JSONStyle = .compact, capacity: Int = 256) {
        self.style = style
        bytes.reserveCapacity(capacity)
    }

    package mutating func beginObject() { begin(UInt8(ascii: "{")) }
    package mutating func endObject() { end(UInt8(ascii: "}")) }
    package mutating func beginArray() { begin(UInt8(ascii: "[")) }
    package mutating func endArray() { end(UInt8(ascii: "]")) }

    /// Writes the name of the next member, a constant: ASCII that needs no escape. Its value must follow.
    package mutating func name(_ name: StaticString) {
        // Safety: the bytes of a StaticString live as long as the program; the buffer carries their count.
        assert(
            name.withUTF8Buffer { text in unsafe !text.contains(where: JSONEscaping.isSuspicious) },
            "a name that needs escapes is given, not known")
        separate()
        // Put together first, and appended once: a link has 33 names. unsafe because the memory is lent; all of it is written before
        // it is read.
        name.withUTF8Buffer { text in
            let count = text.count
            unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count + 3) { quoted in
                unsafe quoted.initializeElement(at: 0, to: UInt8(ascii: "\""))
                _ = unsafe quoted[1...count].initialize(fromContentsOf: text)
                unsafe quoted.initializeElement(at: count + 1, to: UInt8(ascii: "\""))
                unsafe quoted.initializeElement(at: count + 2, to: UInt8(ascii: ":"))
                unsafe bytes.append(contentsOf: quoted)
            }
        }
        beginValue()
    }

    /// Writes an arbitrary name of the next member; its value must follow.
    package mutating func name(given name: String) {
        separate()
        appendQuoted(name)
        bytes.append(UInt8(ascii: ":"))
        beginValue()
    }

    private mutating func beginValue() {
        if style.isPretty { bytes.append(UInt8(ascii: " ")) }
        followsName = true
    }

    package mutating func null() { token("null") }
    package mutating func bool(_ value: Bool) { token(value ? "true" : "false") }

    package mutating func integer(_ value: Int) {
        separate()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
        needsComma = true
    }

    package mutating func number(_ value: JSONNumber) {
        separate()
        bytes.append(contentsOf: value.text.utf8)
        needsComma = true
    }

    package mutating func string(_ value: String) {
        separate()
        appendQuoted(value)
        needsComma = true
    }

    /// Writes a text that is JSON already, unchanged (such as stored metadata). The caller guarantees that it is one
    /// complete value; it is not escaped even if the style escapes markup.
    package mutating func raw(_ text: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: text)
        needsComma = true
    }

    /// Writes a whole value; numbers are written as they were read.
    package mutating func value(_ value: JSONValue) {
        switch value.kind {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let value): number(value)
        case .string(let value): string(value)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let object):
            beginObject()
            for member in object.members {
                name(given: member.name)
                self.value(member.value)
            }
            endObject()
        }
    }

    private mutating func token(_ text: StaticString) {
        separate()
        append(text)
        needsComma = true
    }

    private mutating func append(_ text: StaticString) {
        // Safe because the buffer is the program's constant text.
        text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        depth += 1
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        depth -= 1
        // Without a pending comma nothing was written since the opening bracket: `[]`, not a bracket on its own line.
        if needsComma { breakLine() }
        bytes.append(bracket)
        needsComma = true
    }

    /// Writes the separator before the next token.
    private mutating func separate() {
        guard !followsName else {
            followsName = false
            return
        }
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        if depth > 0 { breakLine() }
        needsComma = false
    }

    private mutating func breakLine() {
        guard style.isPretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(depth, 0) * 2))
    }

    private mutating func appendQuoted(_ text: String) {
        JSONEscaping.append(quoted: text, to: &bytes)
    }
}

extension JSONWriter {
    package mutating func member(_ name: StaticString, _ value: String) {
        self.name(name)
        string(value)
    }

    /// Nil is written as `null`.
    package mutating func member(_ name: StaticString, _ value: String?) {
        self.name(name)
        if let value { string(value) } else { null() }
    }

    package mutating func member(_ name: StaticString, _ value: Int) {
        self.name(name)
        integer(value)
    }

    /// Nil is written as `null`.
    package mutating func member(_ name: StaticString, _ value: Int?) {
        self.name(name)
        if let value { integer(value) } else { null() }
    }

    package mutating func member(_ name: StaticString, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    package mutating func member(_ name: StaticString, _ value: JSONValue) {
        self.name(name)
        self.value(value)
    }

    /// Writes a member with an arbitrary name.
    package mutating func member(given name: String, _ value: String) {
        self.name(given: name)
        string(value)
    }

    /// Writes a text that is JSON already, as `raw(_:)` does.
    package mutating func member(_ name: StaticString, raw text: some Collection<UInt8>) {
        self.name(name)
        raw(text)
    }
}

extension JSONValue {
    /// The value as a JSON text.
    package func bytes(style: JSONStyle = .compact) -> [UInt8] {
        var writer = JSONWriter(style: style)
        writer.value(self)
        return writer.bytes
    }

    /// The value as a JSON text.
    package func text(style: JSONStyle = .compact) -> String {
        String(decoding: bytes(style: style), as: UTF8.self)
    }
}

/// The layout of a JSON text. Every style writes valid JSON that reads back as an equal value.
package struct JSONStyle: Sendable, Equatable {
    /// One member or element per line, indented by two spaces; else no white space at all.
    package var isPretty: Bool

    /// For bodies of requests and responses.
    package static let compact = JSONStyle(isPretty: false)
    /// For command-line output.
    package static let pretty = JSONStyle(isPretty: true)
}

package import WaymarkJSON

/// A route or query parameter's value: a string, a number or a boolean, given back as the kind it came as.
public struct ParameterText: Sendable, Hashable {
    public enum Kind: Sendable, Hashable { case string, number, boolean }
    public let kind: Kind
    /// What is filled into URLs; a number keeps the digits it was sent with.
    public let text: String

    package init(kind: Kind, text: String) {
        self.kind = kind
        self.text = text
    }

    public init(_ text: String) { self.init(kind: .string, text: text) }
    public init(_ number: Int) { self.init(kind: .number, text: String(number)) }
    public init(_ flag: Bool) { self.init(kind: .boolean, text: flag ? "true" : "false") }

    /// Nil for what is neither string, number nor boolean.
    package init?(_ value: JSONValue) {
        switch value.kind {
        case .string(let text): self.init(kind: .string, text: text)
        case .number(let number): self.init(kind: .number, text: number.text)
        case .bool(let flag): self.init(flag)
        case .null, .array, .object: return nil
        }
    }

    package func write(to writer: inout JSONWriter) {
        switch kind {
        case .string: writer.string(text)
        // The text came out of a JSON number or an Int, so it is JSON already.
        case .number: writer.raw(text.utf8)
        case .boolean: writer.bool(text == "true")
        }
    }
}

extension ParameterText: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(text) }
}

extension ObjectReader {
    /// An object of parameters; every value that is none is a problem of its own.
    mutating func parameters(_ name: String) -> [String: ParameterText]? {
        dictionary(name) { value, field, reader in
            if let parameter = ParameterText(value) { return parameter }
            reader.reject(field, "must be a string, a number or a boolean, not \(value.noun)")
            return nil
        }
    }
}

extension JSONWriter {
    /// Sorted by name, so that equal links are equal texts.
    mutating func parameters(_ name: String, _ values: [String: ParameterText]) {
        self.name(name)
        beginObject()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            self.name(name)
            value.write(to: &self)
        }
        endObject()
    }
}

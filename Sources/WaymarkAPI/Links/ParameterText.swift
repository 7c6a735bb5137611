import WaymarkJSON

/// Route and query parameters on the wire. They are taken as strings, numbers or booleans and kept as the text that is
/// filled into URLs, so answers give strings. A number's text is its value (`42` for `42.0` and `4.20e1`), because many
/// clients have one type for all numbers and write what they like.
enum ParameterText {
    /// Nil for what is neither string, number nor boolean.
    static func read(_ value: JSONValue) -> String? {
        switch value.kind {
        case .string(let text): text
        case .number(let number): number.plainText
        case .bool(let flag): flag ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}

extension ObjectReader {
    /// An object of parameters; every value that is none is a problem of its own.
    mutating func parameters(_ name: String) -> [String: String]? {
        dictionary(name) { value, field, reader in
            if let parameter = ParameterText.read(value) { return parameter }
            reader.reject(field(), value, mustBe: "a string, a number or a boolean")
            return nil
        }
    }
}

extension JSONWriter {
    /// Sorted by name, so that equal links are equal texts.
    mutating func parameters(_ name: StaticString, _ values: [String: String]) {
        self.name(name)
        beginObject()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { member(given: name, value) }
        endObject()
    }
}

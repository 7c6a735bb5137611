import WaymarkJSON

/// Route and query parameters in JSON. Strings, numbers and booleans are accepted and stored as the text that is
/// inserted into URLs, so responses have strings. The text of a number is its value (`42` for `42.0` and `4.20e1`),
/// because many clients have one number type and format it in different ways.
enum ParameterText {
    /// Nil if the value is not a string, number or boolean.
    static func read(_ value: JSONValue) -> String? {
        switch value.kind {
        case .string(let text): text
        case .number(let number): number.plainText
        case .bool(let flag): flag ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// Those of an object's members that are parameters.
    static func readable(_ value: JSONValue?) -> [String: String] {
        var parameters: [String: String] = [:]
        for member in value?.object?.members ?? [] { parameters[member.name] = read(member.value) }
        return parameters
    }
}

extension ObjectReader {
    /// An object of parameters; each invalid value is reported.
    mutating func parameters(_ name: String) -> [String: String]? {
        dictionary(name) { value, field, reader in
            if let parameter = ParameterText.read(value) { return parameter }
            reader.reject(field(), value, mustBe: "a string, a number or a boolean")
            return nil
        }
    }
}

extension JSONWriter {
    /// Sorted by name, so that equal links have equal text.
    mutating func parameters(_ name: StaticString, _ values: [String: String]) {
        self.name(name)
        beginObject()
        if values.count == 1, let only = values.first {
            member(given: only.key, only.value)
        } else {
            for (name, value) in values.sorted(by: { $0.key < $1.key }) { member(given: name, value) }
        }
        endObject()
    }
}

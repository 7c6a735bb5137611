import WaymarkJSON

/// A JSON object as Google reads it: names in camelCase or snake_case, numbers and booleans also as text, unknown
/// members ignored, a member of the wrong type the same as none.
struct FirebaseObject {
    private let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    /// - Throws: `FirebaseError` if the body is not a JSON object. An empty body is an empty object.
    init(json: [UInt8]) throws(FirebaseError) {
        guard !json.isEmpty else {
            object = JSONObject()
            return
        }
        guard let value = try? JSONValue(parsing: json), let object = value.object else {
            throw FirebaseError(.invalidArgument, "Invalid JSON payload received. Expected an object.")
        }
        self.object = object
    }

    private func value(_ name: String) -> JSONValue? { object[name] ?? object[Self.snakeCase(name)] }

    /// Nil for an empty text, too.
    func text(_ name: String) -> String? {
        switch value(name)?.kind {
        case .string(let text) where !text.isEmpty: text
        case .number(let number): number.plainText
        case .bool(let bool): bool ? "true" : "false"
        default: nil
        }
    }

    /// Empty where there is none. PHP clients send an empty array for an empty object.
    func object(_ name: String) -> FirebaseObject { FirebaseObject(value(name)?.object ?? JSONObject()) }

    func has(_ name: String) -> Bool { value(name).map { !$0.isNull && $0.string != "" } ?? false }

    /// An enum's name, given as its name or number; nil if it is absent or unknown.
    func name(_ name: String, of names: [String]) -> String? {
        guard let text = text(name) else { return nil }
        if let number = Int(text) { return names.indices.contains(number) ? names[number] : nil }
        return names.first { $0 == text.uppercased() }
    }

    /// Equal objects have equal texts.
    var canonicalText: String { String(decoding: JSONValue(object).canonicalBytes, as: UTF8.self) }

    static func snakeCase(_ name: String) -> String {
        var text = ""
        for character in name {
            if character.isUppercase { text += "_" }
            text += character.lowercased()
        }
        return text
    }
}

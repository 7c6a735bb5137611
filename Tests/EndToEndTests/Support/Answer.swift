import WaymarkJSON

/// An HTTP answer as it came over the wire.
struct Answer: Sendable {
    let status: Int
    /// In the order in which they came.
    let fields: [(name: String, value: String)]
    let body: [UInt8]

    /// The field's value; nil where there is none. Names don't depend on case.
    subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON; null where it is none, so that what is looked up in it is missing.
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }

    /// The `type` of a problem document, without what all of them begin with.
    var problem: String? {
        guard self["Content-Type"]?.hasPrefix("application/problem+json") == true,
            let type = json["type"]?.string, type.hasPrefix("urn:waymark:problem:")
        else { return nil }
        return String(type.dropFirst("urn:waymark:problem:".count))
    }

    /// The fields that a problem document names.
    var problemFields: [String] { (json["errors"]?.array ?? []).compactMap { $0["field"]?.string } }
}

extension Answer: CustomStringConvertible {
    var description: String {
        "\(status) " + fields.map { "\($0.name): \($0.value)" }.joined(separator: "; ") + "\n" + text.prefix(1_000)
    }
}

import WaymarkJSON

/// What the tools take from the OpenAPI document: operations, with their schemas resolved, because clients of the Model Context
/// Protocol follow no `$ref`.
struct APIDocument {
    private let root: JSONValue

    /// Of a schema in a schema; the document's own have a tenth of it.
    private static let nestingLimit = 40

    /// - Parameter text: the document of this version; one that is not JSON has no operations.
    init(_ text: [UInt8]) {
        root = (try? JSONValue(parsing: text, depthLimit: 128)) ?? .null
    }

    var version: String { root["info"]?["version"]?.string ?? "" }

    /// Nil if there is none.
    func operation(_ method: String, _ path: String) -> Operation? {
        guard let item = root["paths"]?[path], let operation = item[method.lowercased()] else { return nil }
        let parameters = (item["parameters"]?.array ?? []) + (operation["parameters"]?.array ?? [])
        return Operation(
            parameters: parameters.map { resolved($0) }.compactMap { Operation.Parameter($0) },
            body: body(operation, "application/json"), form: body(operation, "multipart/form-data"),
            result: result(operation))
    }

    /// The schema with this name.
    func schema(_ name: String) -> JSONValue { resolved(["$ref": JSONValue("#/components/schemas/\(name)")]) }

    private func body(_ operation: JSONValue, _ mediaType: String) -> JSONValue? {
        (operation["requestBody"]?["content"]?[mediaType]?["schema"]).map { resolved($0) }
    }

    /// Of the first success that has JSON.
    private func result(_ operation: JSONValue) -> JSONValue? {
        let successes = (operation["responses"]?.object?.members ?? []).filter { $0.name.hasPrefix("2") }
        return successes.lazy.compactMap { $0.value["content"]?["application/json"]?["schema"] }.first
            .map { resolved($0) }
    }

    /// The value without references. What is beside a reference wins over what it refers to.
    private func resolved(_ value: JSONValue, depth: Int = 0) -> JSONValue {
        guard depth < Self.nestingLimit else { return .null }
        switch value.kind {
        case .array(let elements): return JSONValue(elements.map { resolved($0, depth: depth + 1) })
        case .object(let object):
            var result = JSONObject()
            if let reference = object["$ref"]?.string, let target = target(reference) {
                result = resolved(target, depth: depth + 1).object ?? result
            }
            for member in object.members where member.name != "$ref" {
                result[member.name] = resolved(member.value, depth: depth + 1)
            }
            return JSONValue(result)
        default: return value
        }
    }

    private func target(_ reference: String) -> JSONValue? {
        guard reference.hasPrefix("#/") else { return nil }
        return reference.dropFirst(2).split(separator: "/").reduce(root as JSONValue?) { $0?[String($1)] }
    }
}

/// One call of the REST API, as the document describes it.
struct Operation {
    struct Parameter {
        enum Place: String { case path, query, header }

        let name: String
        let place: Place
        let isRequired: Bool
        let schema: JSONValue

        init?(_ parameter: JSONValue) {
            guard let name = parameter["name"]?.string, let schema = parameter["schema"]?.object,
                let place = parameter["in"]?.string.flatMap({ Place(rawValue: $0) })
            else { return nil }
            self.name = name
            self.place = place
            isRequired = parameter["required"]?.bool ?? false
            var described = schema
            if let description = parameter["description"] { described["description"] = description }
            self.schema = JSONValue(described)
        }

        /// `ifMatch` for the field If-Match.
        var argument: String {
            guard place == .header, let first = name.first else { return name }
            return first.lowercased() + name.dropFirst().filter { $0 != "-" }
        }
    }

    let parameters: [Parameter]
    let body: JSONValue?
    let form: JSONValue?
    let result: JSONValue?
}

import WaymarkAPI
import WaymarkJSON

/// A tool as clients see it: a definition, and what the API document says about its call.
struct Tool: Sendable {
    /// Where the call has an argument.
    enum Place: Sendable {
        case path, query, member
        case header(String)
    }

    struct Argument: Sendable {
        let name: String
        let place: Place
        let schema: JSONValue
        var isRequired: Bool
    }

    let definition: ToolDefinition
    /// In the order of the API document.
    let arguments: [Argument]
    private let output: JSONValue?

    /// Nil if the document does not have the call.
    init?(_ definition: ToolDefinition, _ document: APIDocument) {
        guard let operation = document.operation(definition.method, definition.path) else { return nil }
        self.definition = definition
        let isGiven = { (name: String) in !definition.omitted.contains(name) && definition.fixed[name] == nil }
        let parameters = operation.parameters.filter { isGiven($0.name) }
            .map { parameter in
                let place: Place =
                    switch parameter.place {
                    case .path: .path
                    case .query: .query
                    case .header: .header(parameter.name)
                    }
                var schema = parameter.schema
                if let value = definition.defaults[parameter.argument], var changed = schema.object {
                    changed["default"] = JSONValue(value)
                    schema = JSONValue(changed)
                }
                return Argument(
                    name: parameter.argument, place: place, schema: schema, isRequired: parameter.isRequired)
            }
        arguments = parameters + Self.members(operation, definition).filter { isGiven($0.name) }
        output = operation.result.map { result in
            // Also what a refusal has: clients hold that to the schema, too.
            ["type": JSONValue("object"), "anyOf": JSONValue([result, document.schema("Problem")])]
        }
    }

    /// Of the body. One that can also be a form has the members of both, and needs those that both need.
    private static func members(_ operation: Operation, _ definition: ToolDefinition) -> [Argument] {
        func required(_ schema: JSONValue) -> Set<String> {
            Set((schema["required"]?.array ?? []).compactMap(\.string))
        }
        var members = operation.body?["properties"]?.object ?? JSONObject()
        var needed = operation.body.map(required) ?? []
        if let form = operation.form {
            for member in form["properties"]?.object?.members ?? [] where members[member.name] == nil {
                members[member.name] = member.value
            }
            needed.formIntersection(required(form))
        }
        return members.members.map {
            Argument(
                name: $0.name, place: .member, schema: definition.replaced[$0.name] ?? $0.value,
                isRequired: needed.contains($0.name))
        }
    }

    /// The schema of the arguments.
    var input: JSONValue {
        var properties = JSONObject()
        for argument in arguments { properties[argument.name] = argument.schema }
        var schema: JSONObject = ["type": JSONValue("object"), "properties": JSONValue(properties)]
        let required = arguments.filter(\.isRequired).map { JSONValue($0.name) }
        if !required.isEmpty { schema["required"] = JSONValue(required) }
        schema["additionalProperties"] = JSONValue(false)
        return JSONValue(schema)
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", definition.name)
        writer.member("title", definition.title)
        writer.member("description", definition.description)
        writer.member("inputSchema", input)
        if let output { writer.member("outputSchema", output) }
        writer.name("annotations")
        writer.beginObject()
        writer.member("title", definition.title)
        writer.member("readOnlyHint", !definition.behaviour.writes)
        writer.member("destructiveHint", definition.behaviour == .changes)
        writer.member("idempotentHint", definition.behaviour != .creates)
        // A dry run may ask the API of the other service.
        writer.member("openWorldHint", [.importsDry, .asksElsewhere].contains(definition.behaviour))
        writer.endObject()
        writer.endObject()
    }
}

extension ToolDefinition.Behaviour {
    fileprivate var writes: Bool { self == .creates || self == .changes }
}

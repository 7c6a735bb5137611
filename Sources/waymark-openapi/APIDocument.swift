import WaymarkJSON
import WaymarkSite
import WaymarkStores

/// Why there is no document.
struct DocumentError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// The API document, made of the route table and of the tables here: schemas, parameters, headers, standard responses and
/// messages of webhooks.
struct APIDocument {
    let json: JSONValue

    /// - Throws: a `DocumentError` that names what a table lacks.
    init(_ routes: [DocumentedRoute] = Site.documentedRoutes) throws(DocumentError) {
        guard !routes.isEmpty else {
            throw DocumentError("The routes have no texts: build this program without --configuration release.")
        }
        var paths = JSONObject()
        var used = UsedComponents()
        for route in routes {
            var item = JSONObject()
            if let object = paths[route.path]?.object { item = object } else { item = try Self.item(route.path, &used) }
            item[route.method.lowercased()] = JSONValue(try OperationObject(route, &used).json)
            paths[route.path] = JSONValue(item)
        }
        var webhooks = JSONObject()
        for message in WebhookMessage.all { webhooks[message.type.name] = JSONValue(message.json) }
        json = [
            "openapi": "3.1.0", "info": Self.info, "servers": [["url": "/"]], "tags": Self.tags,
            "paths": JSONValue(paths), "webhooks": JSONValue(webhooks), "components": JSONValue(try used.components()),
        ]
        try checkReferences()
        try checkNames(routes)
    }

    /// The text of `Public/openapi.json`.
    var text: String { DocumentText(json).text }

    private static func item(_ path: String, _ used: inout UsedComponents) throws(DocumentError) -> JSONObject {
        var parameters: [JSONValue] = []
        for part in path.split(separator: "{").dropFirst() {
            let name = String(part.prefix { $0 != "}" })
            guard let parameter = Parameter.variable(name, of: path) else {
                throw DocumentError("{\(name)} of \(path) is not described; add it to Parameter.swift.")
            }
            parameters.append(used.reference(parameter))
        }
        return parameters.isEmpty ? [:] : ["parameters": JSONValue(parameters)]
    }

    /// Every reference leads to a component, and every schema is used.
    private func checkReferences() throws(DocumentError) {
        var references: Set<String> = []
        func collect(_ value: JSONValue) {
            for member in value.object?.members ?? [] {
                if member.name == "$ref", let target = member.value.string { references.insert(target) }
                collect(member.value)
            }
            for element in value.array ?? [] { collect(element) }
        }
        collect(json)
        for reference in references.sorted() {
            let target = reference.split(separator: "/").dropFirst().reduce(json as JSONValue?) { $0?[String($1)] }
            if target == nil { throw DocumentError("\(reference) does not exist; is its name right?") }
        }
        for schema in Schemas.all where !references.contains("#/components/schemas/\(schema.name)") {
            throw DocumentError("The schema \(schema.name) is used nowhere; remove it.")
        }
    }

    private func checkNames(_ routes: [DocumentedRoute]) throws(DocumentError) {
        for (names, kind) in [(routes.map(\.operation.id), "operation"), (Schemas.all.map(\.name), "schema")] {
            var seen: Set<String> = []
            for name in names where !seen.insert(name).inserted {
                throw DocumentError("There are two of the \(kind) \(name); give one another name.")
            }
        }
    }
}

/// Components that are only in the document if something refers to them.
struct UsedComponents {
    private var parameters = JSONObject()

    /// The parameter, or a reference to it if calls share it.
    mutating func reference(_ parameter: Parameter) -> JSONValue {
        guard let name = parameter.shared else { return JSONValue(parameter.json) }
        parameters[name] = JSONValue(parameter.json)
        return ["$ref": JSONValue("#/components/parameters/\(name)")]
    }

    func components() throws(DocumentError) -> JSONObject {
        var headers = JSONObject()
        for header in ResponseHeader.all { headers[header.name] = JSONValue(header.json) }
        var responses = JSONObject()
        for response in StandardResponse.all { responses[response.name] = JSONValue(try response.json()) }
        var schemas = JSONObject()
        for schema in Schemas.all { schemas[schema.name] = JSONValue(schema.schema.json) }
        return [
            "securitySchemes": APIDocument.securitySchemes, "parameters": JSONValue(parameters),
            "headers": JSONValue(headers), "responses": JSONValue(responses), "schemas": JSONValue(schemas),
        ]
    }
}

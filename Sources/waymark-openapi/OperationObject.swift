import WaymarkJSON
import WaymarkSite

/// One call in the document.
struct OperationObject {
    private(set) var json: JSONObject

    init(_ route: DocumentedRoute, _ used: inout UsedComponents) throws(DocumentError) {
        let operation = route.operation
        json = ["operationId": JSONValue(operation.id), "summary": JSONValue(operation.summary)]
        json["description"] = operation.description.map { JSONValue($0) }
        json["tags"] = [JSONValue(operation.tag.rawValue)]
        json["security"] = Self.security(route).map { JSONValue($0) }
        let parameters = try Self.parameters(route).map { used.reference($0) }
        if !parameters.isEmpty { json["parameters"] = JSONValue(parameters) }
        json["requestBody"] = try Self.body(route)
        json["responses"] = JSONValue(try Self.responses(route))
    }

    /// The alternatives: OpenAPI requires all scopes of one. Google's keys come in three ways, which OpenAPI can't say in short.
    private static func security(_ route: DocumentedRoute) -> [JSONValue]? {
        switch route.kind {
        case .api(let scopes): scopes.map { scope -> JSONValue in ["key": [JSONValue(scope)]] }
        case .mcp where route.statuses.contains(401): [["key": []]]
        case .hoko: [["hokoToken": []]]
        case .firebase: nil
        case .session, .mcp, .visit, .file: []
        }
    }

    private static func parameters(_ route: DocumentedRoute) throws(DocumentError) -> [Parameter] {
        var parameters: [Parameter] = []
        if route.takesIdempotencyKey { parameters.append(.idempotencyKey) }
        if route.statuses.contains(412) { parameters.append(.ifMatch) }
        if route.statuses.contains(304) { parameters.append(.ifNoneMatch) }
        if route.statuses.contains(206) { parameters += [.range, .ifRange] }
        for name in route.operation.fields {
            guard let field = Parameter.field(name) else {
                throw DocumentError("The field \(name) is not described; add it to Parameter.swift.")
            }
            parameters.append(field)
        }
        for name in route.query {
            guard let parameter = Parameter.query(name, of: route.operation.id) else {
                let call = route.operation.id
                throw DocumentError(
                    "The parameter \(name) of \(call) is not described; add it to Parameter+Query.swift.")
            }
            parameters.append(parameter)
        }
        return parameters
    }

    private static func body(_ route: DocumentedRoute) throws(DocumentError) -> JSONValue? {
        if route.body == .picture {
            return [
                "required": true,
                "content": ["image/png": media(.binary, nil), "image/svg+xml": media(.binary, nil)],
            ]
        }
        guard (route.body != nil) == (route.operation.body != nil) else {
            throw DocumentError(
                "\(route.method) \(route.path): the route and its operation differ in whether there is a body.")
        }
        guard let body = route.operation.body else { return nil }
        var content = JSONObject()
        // openapi-python-client writes a body of two media types that can't be imported unless something else is optional.
        if route.body == .mergePatch, route.statuses.contains(412) {
            content["application/merge-patch+json"] = media(schema(body), nil)
        }
        content["application/json"] = media(schema(body), route.operation.example)
        if let form = route.operation.form { content["multipart/form-data"] = media(schema(form), nil) }
        return ["required": true, "content": JSONValue(content)]
    }

    private static func schema(_ body: APIOperation.Body) -> Schema {
        switch body {
        case .schema(let name): .named(name)
        case .list(let name, let maximum): .list(of: .named(name), atMost: maximum)
        }
    }

    private static func media(_ schema: Schema?, _ example: String?) -> JSONValue {
        var json = JSONObject()
        if let schema { json["schema"] = JSONValue(schema.json) }
        if let example { json["example"] = JSONValue(parsed: example) }
        return JSONValue(json)
    }
}

// Responses.
extension OperationObject {
    private static func responses(_ route: DocumentedRoute) throws(DocumentError) -> JSONObject {
        var responses = JSONObject()
        for status in route.statuses.sorted() {
            responses["\(status)"] = JSONValue(try response(route, status))
        }
        return responses
    }

    private static func response(_ route: DocumentedRoute, _ status: Int) throws(DocumentError) -> JSONObject {
        if let response = route.operation.responses.last(where: { $0.status == status }),
            let description = response.description
        {
            return try own(response, description, route)
        }
        guard let standard = StandardResponse.of(route, status) else {
            throw DocumentError(
                """
                \(route.method) \(route.path): there is no standard response for \(status); describe it in the route table.
                """)
        }
        return ["$ref": JSONValue("#/components/responses/\(standard.name)")]
    }

    private static func own(
        _ response: APIResponse, _ description: String, _ route: DocumentedRoute
    ) throws(DocumentError) -> JSONObject {
        var json: JSONObject = ["description": JSONValue(description)]
        var headers = response.headers
        if response.status < 300 {
            if route.isCrossOrigin { headers.append(.accessControlAllowOrigin) }
            if route.takesIdempotencyKey { headers.append(.idempotentReplayed) }
        }
        if !headers.isEmpty { json["headers"] = JSONValue(try ResponseHeader.fields(headers.map(\.rawValue))) }
        var content = JSONObject()
        for part in response.content {
            let example: JSONValue? = part.example.map { part.schema.isText ? JSONValue($0) : JSONValue(parsed: $0) }
            var media = JSONObject()
            if let schema = part.schema.schema { media["schema"] = JSONValue(schema.json) }
            media["example"] = example
            content[part.mediaType] = JSONValue(media)
        }
        if !content.isEmpty { json["content"] = JSONValue(content) }
        return json
    }
}

extension APIResponse.Content.Schema {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }

    fileprivate var schema: Schema? {
        switch self {
        case .named(let name): .named(name)
        case .text: .text
        case .binary: .binary
        case .any: nil
        }
    }
}

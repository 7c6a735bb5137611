import WaymarkJSON

extension Schemas {
    static let operation: [NamedSchema] = [
        NamedSchema(
            "Problem",
            .answer([
                Field("type", .text, "`urn:waymark:problem:` and a name."),
                Field("title", .text),
                Field("status", .integer),
                Field("detail", .text),
                Field(
                    optional: "errors",
                    .list(
                        of: .answer([
                            Field("field", .text.examples("urls.web")),
                            Field("problem", .text),
                        ])),
                    "With status 422."),
            ])),
        NamedSchema(
            "ProblemTypes",
            .answer([
                Field(
                    "problems",
                    .list(
                        of: .answer([
                            Field("type", .text),
                            Field("name", .text),
                            Field("status", .integer),
                            Field("title", .text),
                            Field("cause", .text),
                            Field("remedy", .text),
                        ])))
            ])),
        NamedSchema("Health", .anyObject),
        NamedSchema("APIDocument", .anyObject),
        NamedSchema(
            "MCPMessage",
            .object([
                Field(required: "jsonrpc", .constant("2.0")),
                Field("id", .anyType("string", "integer").orNull),
                Field("method", .text.examples("tools/list")),
                Field("params", .anyObject),
                Field("result", .anyObject),
                Field("error", .answer([Field("code", .integer), Field("message", .text)])),
            ]),
            """
            A message of JSON-RPC 2.0. A request has `id`, `method` and `params`, a notification no `id`, \
            an answer `id` and either `result` or `error`.
            """,
            example: """
                {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "find_links", \
                "arguments": {"search": "sale"}}}
                """),
    ]
}

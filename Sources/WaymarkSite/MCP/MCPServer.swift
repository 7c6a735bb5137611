import WaymarkJSON

/// A server of the Model Context Protocol without state: its tools are calls of the REST API.
///
/// It knows neither where messages come from nor where requests go: `RESTCaller` does the latter, with the caller's key.
package struct MCPServer: Sendable {
    package enum Answer: Sendable, Equatable {
        /// To a notification or a response.
        case none
        case message([UInt8])
        /// An error about a message that is not a valid request.
        case malformed([UInt8])
    }

    private let version: String
    private let tools: [Tool]
    private let list: [UInt8]

    /// How often and how long a tool waits for an import, in milliseconds.
    var importDelays = ImportWait.delays

    /// - Parameter apiDocument: the OpenAPI document, from which the tools take their arguments and results.
    package init(apiDocument: [UInt8]) {
        let document = APIDocument(apiDocument)
        version = document.version
        tools = ToolDefinition.all.compactMap { Tool($0, document) }
        var writer = JSONWriter(capacity: 65_536)
        writer.beginObject()
        writer.name("tools")
        writer.beginArray()
        for tool in tools { tool.write(to: &writer) }
        writer.endArray()
        writer.endObject()
        list = writer.bytes
    }

    /// - Parameter message: one message as JSON; its length is the transport's to limit.
    package func answer(to message: [UInt8], through caller: any RESTCaller) async -> Answer {
        switch IncomingMessage(message) {
        case .unanswered: return .none
        case .malformed(let error, let id): return .malformed(OutgoingMessage.error(error, to: id))
        case .request(let id, let method, let parameters):
            do throws(RPCError) {
                let result = try await result(method, parameters, caller)
                return .message(OutgoingMessage.result(result, to: id))
            } catch {
                return .message(OutgoingMessage.error(error, to: id))
            }
        }
    }

    /// The error about a message that is longer than the transport allows.
    package static func tooLong(limit: Int) -> [UInt8] {
        OutgoingMessage.error(RPCError(.invalidRequest, "A message has at most \(limit) bytes."), to: .unknown)
    }

    private func result(
        _ method: String, _ parameters: Parameters, _ caller: any RESTCaller
    ) async throws(RPCError) -> [UInt8] {
        switch method {
        case "initialize": return initialization(ProtocolVersion.negotiated(try parameters.string("protocolVersion")))
        case "ping": return Array("{}".utf8)
        case "tools/list":
            guard try parameters.object["cursor"] == nil else {
                throw RPCError(.invalidParameters, "There is one page of tools: leave cursor out.")
            }
            return list
        case "tools/call":
            let name = try parameters.string("name")
            guard let tool = tools.first(where: { $0.definition.name == name }) else {
                throw RPCError(.invalidParameters, "Unknown tool: \(name.prefix(100))")
            }
            let call = try ToolCall(tool, parameters)
            return await call.result(through: caller, importDelays: importDelays).json
        default: throw RPCError(.methodUnknown, "Unknown method: \(method.prefix(100))")
        }
    }

    private func initialization(_ protocolVersion: String) -> [UInt8] {
        let result: JSONValue = [
            "protocolVersion": JSONValue(protocolVersion),
            "capabilities": ["tools": JSONValue(JSONObject())],
            "serverInfo": [
                "name": JSONValue("waymark"), "title": JSONValue("Waymark"), "version": JSONValue(version),
            ],
            "instructions": JSONValue(Self.instructions),
        ]
        return result.bytes()
    }

    private static let instructions = """
        Waymark serves smart links: one URL that leads each visitor into the app, to its store or to the web page. A link is named \
        by its domain and slug: https://go.example.com/spring/sale has the domain go.example.com and the slug spring/sale. Find a \
        link with find_links before you change it. Before you change many links, plan_change or rehearse_change proves what would \
        happen, and gives the hash that change_links needs. explain_visit says why a visit ended where it did and counts no click; \
        lint_association and simulate_association say whether a URL opens an app. Times are RFC 3339, in UTC. A refusal names each \
        wrong argument and the reason.
        """
}

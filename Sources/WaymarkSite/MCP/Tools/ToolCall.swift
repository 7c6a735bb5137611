import WaymarkAPI
import WaymarkBytes
import WaymarkJSON

/// A call of a tool with its arguments, and the REST request that it is.
///
/// The API itself judges the values. Here only what could not be sent is refused, in the API's form.
struct ToolCall {
    private let tool: Tool
    private let given: [JSONObject.Member]
    private let document: JSONDocument
    /// Whether there are more arguments than any tool has.
    private let isOverlong: Bool

    /// - Throws: `RPCError` if `arguments` is something else than an object.
    init(_ tool: Tool, _ parameters: Parameters) throws(RPCError) {
        self.tool = tool
        document = parameters.document
        guard let arguments = try parameters.object["arguments"] else {
            given = []
            isOverlong = false
            return
        }
        guard let object = arguments.object else {
            throw RPCError(.invalidParameters, "The member params.arguments must be an object.")
        }
        given = object.members
        isOverlong = document.countBeyondMaximum(of: arguments) != nil
    }

    func result(through caller: any RESTCaller, importDelays: [Int]) async -> ToolResult {
        let request: RESTRequest
        do throws(Problem) {
            request = try self.request()
        } catch {
            return ToolResult(RESTResponse(status: error.status, body: error.json))
        }
        do throws(RESTFailure) {
            let response = try await caller.send(request)
            guard tool.definition.behaviour == .importsDry, response.status == 202 else { return ToolResult(response) }
            return try await ImportWait(delays: importDelays).result(of: response, through: caller)
        } catch {
            return ToolResult(failure: error.reason)
        }
    }

    /// - Throws: `Problem` with all arguments that can't be sent.
    func request() throws(Problem) -> RESTRequest {
        var problems: [FieldProblem] = []
        var path = tool.definition.path
        var query: [(name: String, value: String)] = []
        var fields: [RESTRequest.Field] = []
        var members: [(name: String, value: JSONValue)] = []
        if isOverlong {
            problems.append(FieldProblem(field: "arguments", problem: "are more than \(Parameters.argumentLimit)"))
        }
        for member in given {
            guard let argument = tool.arguments.first(where: { $0.name == member.name }) else {
                problems.append(FieldProblem(field: member.name, problem: unknown))
                continue
            }
            do throws(Refusal) {
                switch argument.place {
                case .path: path = path.replacing("{\(member.name)}", with: try Self.segment(member.value))
                case .query: query += try texts(member.value).map { (name: member.name, value: $0) }
                case .header(let name):
                    if let value = try Self.fieldValue(member.value) {
                        fields.append(RESTRequest.Field(name: name, value: value))
                    }
                case .member: members.append((member.name, member.value))
                }
            } catch {
                problems.append(FieldProblem(field: member.name, problem: error.reason))
            }
        }
        for argument in tool.arguments where argument.isRequired && !given.contains(where: { $0.name == argument.name })
        {
            problems.append(FieldProblem(field: argument.name, problem: "is missing"))
        }
        guard problems.isEmpty else { throw Problem(invalid: problems) }
        if tool.definition.method == "GET" {
            for (name, value) in tool.definition.defaults where !given.contains(where: { $0.name == name }) {
                query.append((name, value))
            }
        }
        // Sorted, so that equal calls are equal requests.
        let pairs = query.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.sorted()
        let target = pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
        return RESTRequest(
            method: tool.definition.method, target: target, fields: fields, body: try body(of: members))
    }

    private struct Refusal: Error {
        let reason: String
    }

    private var unknown: String {
        "is not an argument of \(tool.definition.name): \(tool.arguments.map(\.name).joined(separator: ", "))"
    }

    private func body(of members: [(name: String, value: JSONValue)]) throws(Problem) -> RESTRequest.Body? {
        guard tool.definition.method != "GET" else { return nil }
        if members.contains(where: { $0.name == FormBody.fileField }) {
            return try FormBody.body(
                members.filter { !$0.value.isNull }
                    .map { ($0.name, $0.value.string.map { Array($0.utf8) } ?? document.text(of: $0.value)) },
                fixed: tool.definition.fixed)
        }
        var writer = JSONWriter(capacity: 1_024)
        writer.beginObject()
        for member in members {
            writer.name(given: member.name)
            // As the client wrote it: numbers keep their digits, and nothing is built of it twice.
            writer.raw(document.text(of: member.value))
        }
        for member in tool.definition.fixed {
            writer.name(given: member.key)
            writer.value(member.value)
        }
        writer.endObject()
        return RESTRequest.Body(contentType: "application/json", bytes: writer.bytes)
    }

    /// Dots alone would be another path to proxies.
    private static func segment(_ value: JSONValue) throws(Refusal) -> String {
        guard let text = value.string, !text.isEmpty, text != ".", text != ".." else {
            throw Refusal(reason: "must be a name, as a string")
        }
        return PercentEncoding.encode(text)
    }

    /// A value for each time that the parameter is given; null: not at all.
    private func texts(_ value: JSONValue) throws(Refusal) -> [String] {
        guard value.array != nil else { return try Self.text(value).map { [$0] } ?? [] }
        // Only its place in the message is known so far.
        guard
            let list = try? JSONDocument(
                element: value, of: document, depthLimit: Parameters.depthLimit, shape: .array(.scalar, atMost: 101))
        else { throw Refusal(reason: "can't be read") }
        var texts: [String] = []
        for element in list.root.array ?? [] {
            guard let text = try Self.text(element) else { throw Refusal(reason: "must not contain null") }
            texts.append(text)
        }
        return texts
    }

    private static func text(_ value: JSONValue) throws(Refusal) -> String? {
        switch value.kind {
        case .null: nil
        case .bool(let value): value ? "true" : "false"
        case .number(let number): number.text
        case .string(let text): text
        case .array, .object: throw Refusal(reason: "must be a string, a number or a boolean, or an array of them")
        }
    }

    /// A value of a header field, which must not be able to end the field.
    private static func fieldValue(_ value: JSONValue) throws(Refusal) -> String? {
        if value.isNull { return nil }
        guard let text = value.string, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), text.utf8.count <= 1_024
        else { throw Refusal(reason: "must be a string of at most 1,024 visible ASCII characters") }
        return text
    }
}

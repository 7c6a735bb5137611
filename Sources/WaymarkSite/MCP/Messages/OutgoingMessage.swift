import WaymarkJSON

/// An error of JSON-RPC. Refusals of the REST API are results of a tool instead, which assistants read.
struct RPCError: Error, Equatable {
    enum Code: Int {
        case parse = -32700
        case invalidRequest = -32600
        case methodUnknown = -32601
        case invalidParameters = -32602
    }

    let code: Code
    let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// Messages to a client, each on one line.
enum OutgoingMessage {
    /// - Parameter result: JSON.
    static func result(_ result: [UInt8], to id: RequestID) -> [UInt8] {
        var writer = JSONWriter(capacity: result.count + id.text.count + 64)
        writer.beginObject()
        writer.member("jsonrpc", "2.0")
        writer.member("id", raw: id.text)
        writer.member("result", raw: result)
        writer.endObject()
        return writer.bytes
    }

    static func error(_ error: RPCError, to id: RequestID) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("jsonrpc", "2.0")
        writer.member("id", raw: id.text)
        writer.name("error")
        writer.beginObject()
        writer.member("code", error.code.rawValue)
        writer.member("message", error.message)
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }
}

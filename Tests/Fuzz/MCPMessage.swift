// needs: WaymarkSite WaymarkJSON
// links: ssl crypto z sqlite3
// begins with: Tests/Fuzz/Corpus/MCPMessage
// longest: 2048

import Dispatch
import WaymarkJSON
import WaymarkSite

/// Any bytes as a message of an assistant: the answer is one line of JSON, and a request of a tool is one that a server can read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let message = Array(UnsafeBufferPointer(start: start, count: count))
    let finished = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var answer = MCPServer.Answer.none
    Task.detached {
        answer = await server.answer(to: message, through: CheckingCaller())
        finished.signal()
    }
    finished.wait()
    switch answer {
    case .none: break
    case .message(let bytes), .malformed(let bytes):
        precondition(!bytes.contains(UInt8(ascii: "\n")), "the answer has several lines")
        let value = try? JSONValue(parsing: bytes, depthLimit: 128)
        precondition(value?["jsonrpc"]?.string == "2.0", "the answer is no message")
        precondition((value?["result"] == nil) != (value?["error"] == nil), "the answer has no outcome, or two")
    }
    return 0
}

private struct CheckingCaller: RESTCaller {
    func send(_ request: RESTRequest) async throws(RESTFailure) -> RESTResponse {
        precondition(request.target.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "the target has other characters")
        for field in request.fields {
            precondition(field.value.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "a field can end before its end")
        }
        if let body = request.body, body.contentType == "application/json" {
            let value = try? JSONValue(parsing: body.bytes, depthLimit: 128)
            precondition(value?.object != nil, "the body is no object")
        }
        return RESTResponse(status: 200, body: message(of: request))
    }

    private func message(of request: RESTRequest) -> [UInt8] { request.body?.bytes ?? Array("{}".utf8) }
}

private let server = MCPServer(apiDocument: Array(document.utf8))

/// Calls with each kind of argument.
private let document = """
    {"info": {"version": "1"}, "paths": {
      "/api/v1/links": {
        "get": {"parameters": [{"name": "app", "in": "query", "schema": {}}, {"name": "query", "in": "query", "schema": {}}]},
        "post": {"parameters": [{"name": "Idempotency-Key", "in": "header", "schema": {}}],
          "requestBody": {"content": {"application/json": {"schema": {"properties": {"slug": {}, "urls": {}}}}}}}},
      "/api/v1/links/{domain}/{slug}": {
        "patch": {"parameters": [{"name": "domain", "in": "path", "required": true, "schema": {}},
          {"name": "slug", "in": "path", "required": true, "schema": {}}, {"name": "If-Match", "in": "header", "schema": {}}],
          "requestBody": {"content": {"application/json": {"schema": {"properties": {"title": {}}}}}}}},
      "/api/v1/imports": {
        "post": {"requestBody": {"content": {
          "application/json": {"schema": {"properties": {"source": {}, "dryRun": {}, "credentials": {}}}},
          "multipart/form-data": {"schema": {"properties": {"source": {}, "file": {}, "map": {}}}}}}}}}}
    """

import Testing
import WaymarkJSON

@testable import WaymarkSite

/// `import_dry_run`, which waits for what its call starts.
@Suite struct ImportToolTests {
    private let server: MCPServer = {
        var server = MCPServer(apiDocument: APIDocumentFile.bytes)
        server.importDelays = [0, 0, 0]
        return server
    }()

    private static func state(_ state: String, rows: Int = 2) -> String {
        #"{"id":"imp_1","state":"\#(state)","counts":{"rows":\#(rows)}}"#
    }

    @Test func waitsAndAddsTheReport() async {
        let caller = RecordingCaller([
            (202, Self.state("running")), (200, Self.state("running")), (200, Self.state("finished")),
            (200, "row,outcome\r\n1,created\r\n"),
        ])
        let result = await server.call("import_dry_run", #"{"source":"csv","file":"a"}"#, caller)
        #expect(result["structuredContent"]?["state"] == "finished")
        #expect(result["content"]?.array?.last?["text"] == "row,outcome\r\n1,created\r\n")
        #expect(
            caller.requests.dropFirst().map(\.target) == [
                "/api/v1/imports/imp_1", "/api/v1/imports/imp_1", "/api/v1/imports/imp_1?format=csv",
            ])
    }

    @Test func waitsNoLongerThanItMay() async {
        let caller = RecordingCaller([(202, Self.state("running"))])
        let result = await server.call("import_dry_run", #"{"source":"csv","file":"a"}"#, caller)
        #expect(result["structuredContent"]?["state"] == "running")
        #expect(result["isError"] == JSONValue(false))
        #expect(result["content"]?.array?.last?["text"]?.string?.contains("imp_1") == true)
        #expect(caller.requests.count == 4)
    }

    @Test func `many rows are only counted`() async {
        let caller = RecordingCaller([(202, Self.state("running")), (200, Self.state("finished", rows: 1_001))])
        let result = await server.call("import_dry_run", #"{"source":"csv","file":"a"}"#, caller)
        #expect(result["structuredContent"]?["counts"]?["rows"] == JSONValue(1_001))
        #expect(caller.requests.count == 2)
    }

    @Test func sendsAFileAsAForm() async throws {
        let caller = RecordingCaller([(422, "{}")])
        let arguments = #"{"source":"csv","file":"a,b\r\n--x","map":{"a":"slug"},"app":null}"#
        _ = await server.call("import_dry_run", arguments, caller)
        let body = try #require(caller.requests.first?.body)
        let boundary = try #require(body.contentType.split(separator: "boundary=").last)
        let parts = String(decoding: body.bytes, as: UTF8.self).components("--\(boundary)")
        #expect(
            parts == [
                "", "\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\ncsv\r\n",
                "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"arguments.file\"\r\n\r\na,b\r\n--x\r\n",
                "\r\nContent-Disposition: form-data; name=\"map\"\r\n\r\n{\"a\":\"slug\"}\r\n",
                "\r\nContent-Disposition: form-data; name=\"dryRun\"\r\n\r\ntrue\r\n", "--\r\n",
            ])
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}

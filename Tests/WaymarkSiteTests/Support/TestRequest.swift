/// One request, as bytes that could stand on a wire.
struct TestRequest: Sendable {
    var method: String
    var target: String
    var host: String
    var headers: [(String, String)]
    var body: [UInt8]?

    init(
        _ method: String, _ target: String, host: String = "go.example.com", headers: [(String, String)] = [],
        body: [UInt8]? = nil
    ) {
        self.method = method
        self.target = target
        self.host = host
        self.headers = headers
        self.body = body
    }

    var head: [UInt8] {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host)"]
        lines += headers.map { "\($0.0): \($0.1)" }
        if let body { lines.append("Content-Length: \(body.count)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    var bytes: [UInt8] { head + (body ?? []) }
}

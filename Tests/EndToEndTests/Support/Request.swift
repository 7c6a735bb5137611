/// A request as a test writes it. Nothing is checked or added but what the members say.
struct Request: Sendable {
    var method = "GET"
    var target: String
    var host = Shop.host
    var fields: [(name: String, value: String)] = []
    var body: [UInt8]?

    static func get(_ target: String, host: String = Shop.host, userAgent: String? = nil) -> Request {
        var request = Request(target: target, host: host)
        if let userAgent { request.fields.append(("User-Agent", userAgent)) }
        return request
    }

    /// A call of the interface.
    ///
    /// - Parameter key: the API key; nil sends none.
    static func api(
        _ method: String, _ path: String, _ json: String? = nil, key: String? = Installation.adminKey,
        idempotencyKey: String? = nil
    ) -> Request {
        var request = Request(method: method, target: "/api/v1" + path)
        if let key { request.fields.append(("Authorization", "Bearer \(key)")) }
        if let idempotencyKey { request.fields.append(("Idempotency-Key", idempotencyKey)) }
        if let json {
            request.fields.append(("Content-Type", "application/json"))
            request.body = Array(json.utf8)
        }
        return request
    }

    static func create(_ json: String, idempotencyKey: String? = nil) -> Request {
        api("POST", "/links", json, idempotencyKey: idempotencyKey)
    }

    static func resolve(_ json: String, idempotencyKey: String? = nil) -> Request {
        api("POST", "/resolve", json, idempotencyKey: idempotencyKey)
    }

    /// Request line, fields and the empty line.
    var head: [UInt8] {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        if let body { text += "Content-Length: \(body.count)\r\n" }
        return Array((text + "\r\n").utf8)
    }

    var bytes: [UInt8] { head + (body ?? []) }
}

extension Connection {
    /// Sends the request and waits for its answer.
    func exchange(_ request: Request) throws -> Answer {
        try send(request.bytes)
        return try receive(hasBody: request.method != "HEAD")
    }
}

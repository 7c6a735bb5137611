/// One request to another server.
package struct HTTPRequest: Sendable {
    /// A body that is read while it is sent.
    package struct BodyStream: Sendable {
        /// In bytes; nil: it is sent in chunks.
        let length: Int?
        /// The next piece; empty at the end. Called on a thread that may block.
        let next: @Sendable () throws -> [UInt8]

        package init(length: Int?, next: @escaping @Sendable () throws -> [UInt8]) {
            self.length = length
            self.next = next
        }
    }

    package let method: String
    /// http or https.
    package let url: String
    /// Without `Host`, `User-Agent`, and the fields for the body's length.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]?
    /// Instead of `body`.
    package var stream: BodyStream?
    /// Time limit from the connection to the end of the response, in seconds.
    package let timeout: Int
    /// Of the response, in bytes; a longer body is cut off.
    package let bodyLimit: Int
    /// A PEM file with the only certificate authorities to trust; nil: those of the system.
    package var authority: String?

    package init(
        _ url: String, method: String = "GET", fields: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        timeout: Int, bodyLimit: Int
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.timeout = timeout
        self.bodyLimit = bodyLimit
    }

    /// The head, and the body unless it is a stream.
    ///
    /// - Parameter isLast: whether the connection is not used again.
    func message(to target: HTTPTarget, userAgent: String?, isLast: Bool) -> [UInt8] {
        var head = "\(method) \(target.path) HTTP/1.1\r\nHost: \(target.authority)\r\n"
        for field in fields { head += "\(field.name): \(Self.line(field.value))\r\n" }
        if let userAgent { head += "User-Agent: \(userAgent)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        if let stream {
            head += stream.length.map { "Content-Length: \($0)\r\n" } ?? "Transfer-Encoding: chunked\r\n"
            head += "Expect: 100-continue\r\n"
        }
        return Array((head + (isLast ? "Connection: close\r\n\r\n" : "\r\n")).utf8) + (body ?? [])
    }

    /// Without control characters: a key out of a file may end with a line break, which would begin another field.
    private static func line(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return value }
        return String(String.UnicodeScalarView(value.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }
}

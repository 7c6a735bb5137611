import WaymarkJSON

/// What came back.
struct TestAnswer: Sendable {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Reads field lines such as a `HeaderFields` holds.
    static func headers(_ lines: String) -> [(name: String, value: String)] {
        lines.split(separator: "\r\n").compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
    }

    subscript(header name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }

    /// The end of a problem's `type`.
    var problem: String? {
        json["type"]?.string.map { String($0.dropFirst("urn:waymark:problem:".count)) }
    }

    /// The fields that a 422 names, sorted.
    var fields: [String] {
        (json["errors"]?.array ?? []).compactMap { $0["field"]?.string }.sorted()
    }
}

import WaymarkJSON

/// The REST API for commands: a running server, or the database directly.
protocol API: Sendable {
    /// - Throws: `CommandFailure` if there is no response.
    func send(_ request: APIRequest) async throws -> APIResponse
    /// Closes the connection or database.
    func close() async
}

struct APIRequest: Sendable {
    var method: String
    /// Path and query, already encoded.
    var target: String
    var body: [UInt8]?
}

struct APIResponse: Sendable {
    var status: Int
    var body: [UInt8]
}

extension API {
    /// The response's JSON; null if the body is empty.
    ///
    /// - Throws: `CommandFailure` with the problem's text if the status is not 2xx.
    func json(_ method: String, _ target: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        let answer = try await send(APIRequest(method: method, target: target, body: body?.bytes()))
        let value = answer.body.isEmpty ? JSONValue.null : (try? JSONValue(parsing: answer.body)) ?? .null
        guard (200..<300).contains(answer.status) else {
            throw CommandFailure.failed(Self.sentence(answer.status, value))
        }
        return value
    }

    private static func sentence(_ status: Int, _ problem: JSONValue) -> String {
        let said = problem["detail"]?.string ?? problem["title"]?.string ?? "the server answered \(status)"
        let fields = (problem["errors"]?.array ?? []).compactMap { error -> String? in
            guard let field = error["field"]?.string, let text = error["problem"]?.string else { return nil }
            return "\(field): \(text)"
        }
        return fields.isEmpty ? said : fields.joined(separator: "; ")
    }
}

/// Percent-encoding for targets.
enum TargetEncoding {
    /// Encodes everything except RFC 3986's unreserved characters.
    static func encode(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                String(UnicodeScalar(byte))
            default:
                "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }

    static func query(_ pairs: [(String, String?)]) -> String {
        let given = pairs.compactMap { name, value in value.map { "\(name)=\(encode($0))" } }
        return given.isEmpty ? "" : "?" + given.joined(separator: "&")
    }
}

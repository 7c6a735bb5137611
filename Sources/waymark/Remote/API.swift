import WaymarkBytes
import WaymarkClient
import WaymarkJSON

/// The REST API for commands: a running server, or the database directly.
protocol API: Sendable {
    /// - Throws: `CommandFailure` if there is no response.
    func send(_ request: APIRequest) async throws -> HTTPResponse
    /// Closes the connection or database.
    func close() async
}

struct APIRequest: Sendable {
    var method: String
    /// Path and query, already encoded.
    var target: String
    var body: [UInt8]?
    /// Of the body.
    var contentType = "application/json"
    /// Further header fields.
    var fields: [(name: String, value: String)] = []
}

extension API {
    /// The response's JSON; null if the body is empty.
    ///
    /// - Throws: `CommandFailure` with the problem's text if the status is not 2xx.
    func json(_ method: String, _ target: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        let answer = try await send(APIRequest(method: method, target: target, body: body?.bytes()))
        let value = answer.body.isEmpty ? JSONValue.null : (try? JSONValue(parsing: answer.body)) ?? .null
        guard answer.isSuccess else {
            throw CommandFailure.failed(APIFailure.sentence(answer))
        }
        return value
    }
}

enum APIFailure {
    /// The text of a problem, or the status.
    static func sentence(_ answer: HTTPResponse) -> String {
        sentence((try? JSONValue(parsing: answer.body)) ?? .null) ?? "the server answered \(answer.status)"
    }

    /// The text of a problem; nil if the value is none.
    static func sentence(_ problem: JSONValue?) -> String? {
        guard let problem, let said = problem["detail"]?.string ?? problem["title"]?.string else { return nil }
        let fields = (problem["errors"]?.array ?? []).compactMap { error -> String? in
            guard let field = error["field"]?.string, let text = error["problem"]?.string else { return nil }
            return "\(field): \(text)"
        }
        return fields.isEmpty ? said : fields.joined(separator: "; ")
    }
}

extension PercentEncoding {
    /// A query with its question mark, of the pairs that have a value.
    static func query(_ pairs: [(String, String?)]) -> String {
        let given = pairs.compactMap { name, value in value.map { "\(name)=\(encode($0))" } }
        return given.isEmpty ? "" : "?" + given.joined(separator: "&")
    }
}

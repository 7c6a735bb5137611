import Synchronization
import WaymarkBytes
package import WaymarkClient

/// Sends statements to ClickHouse over HTTP. User and password travel in header fields, so that no log of URLs has them.
package final class ClickHouseClient: Sendable {
    package struct Settings: Sendable {
        /// http or https, without a query.
        package var url: String
        package var database: String
        package var user: String
        package var password: String?
        /// A PEM file with the only certificate authorities to trust; nil: those of the system.
        package var authority: String?
        /// After which ClickHouse deletes clicks.
        package var retentionDays: Int

        package init(
            url: String, database: String, user: String, password: String? = nil, authority: String? = nil,
            retentionDays: Int
        ) {
            self.url = url
            self.database = database
            self.user = user
            self.password = password
            self.authority = authority
            self.retentionDays = retentionDays
        }
    }

    /// A setting of one statement. A server that does not know it gets the statement without it.
    package typealias Option = (name: String, value: String)

    /// Of a statement that reads or writes rows, in seconds.
    package static let timeout = 60
    /// In bytes, of an answer.
    package static let answerLimit = 64 << 20
    /// In characters, of an error's text.
    private static let reasonLimit = 300

    package let settings: Settings
    private let sender: any HTTPSending
    /// Options that the server does not know.
    private let unknown = Mutex<Set<String>>([])

    package init(_ settings: Settings, _ sender: any HTTPSending) {
        self.settings = settings
        self.sender = sender
    }

    // MARK: Statements

    /// The rows of an answer in `TabSeparated`, whose texts are names without characters that are escaped.
    package func rows(
        _ query: String, options: [Option] = [], timeout: Int = timeout, byteLimit: Int = answerLimit
    ) async throws(ClickHouseFailure) -> [[String]] {
        let answer = try await answer(to: query, options: options, timeout: timeout, byteLimit: byteLimit)
        return String(decoding: answer, as: UTF8.self).split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// The rows of an answer in `TabSeparated`.
    ///
    /// - Parameter byteLimit: of the answer.
    func answer(
        to query: String, options: [Option], timeout: Int, byteLimit: Int
    ) async throws(ClickHouseFailure) -> [UInt8] {
        try await send(
            query + " FORMAT TabSeparated", options: [("wait_end_of_query", "1")] + options, timeout: timeout,
            byteLimit: byteLimit)
    }

    /// The only number of an answer; 0 if there is none.
    package func number(_ query: String, options: [Option] = []) async throws(ClickHouseFailure) -> Int {
        try await rows(query, options: options).first?.first.flatMap { Int($0) } ?? 0
    }

    package func execute(
        _ statement: String, options: [Option] = [], timeout: Int = timeout
    ) async throws(ClickHouseFailure) {
        _ = try await send(statement, options: options, timeout: timeout)
    }

    /// Inserts rows, all of them or none.
    ///
    /// - Parameters:
    ///   - insertion: the statement.
    ///   - token: ClickHouse ignores another batch with the same one.
    ///   - options: besides those that make the batch one part of each partition.
    package func insert(
        _ rows: [UInt8], by insertion: String, token: String, queryID: String, options: [Option]
    ) async throws(ClickHouseFailure) {
        let all: [Option] =
            [
                ("insert_deduplication_token", token), ("insert_deduplicate", "1"), ("async_insert", "0"),
                // More rows than a batch has: it is not split.
                ("max_insert_block_size", "1000000"), ("max_partitions_per_insert_block", "0"),
                // Would begin the response before the end is known.
                ("send_progress_in_http_headers", "0"),
            ] + options
        let answer = try await send(insertion, body: rows, options: all, queryID: queryID)
        // A proxy's page, or an error behind a head that was sent too early.
        guard answer.isEmpty else {
            throw .refused(status: 200, code: nil, reason: "an insertion got an answer: \(Self.reason(answer))")
        }
    }

    // MARK: Requests

    private func send(
        _ statement: String, body: [UInt8]? = nil, options: [Option], queryID: String? = nil, timeout: Int = timeout,
        byteLimit: Int = answerLimit
    ) async throws(ClickHouseFailure) -> [UInt8] {
        let began = ContinuousClock.now
        while true {
            let unknown = unknown.withLock { $0 }
            let known = options.filter { !unknown.contains($0.name) }
            let rest = timeout - Int((ContinuousClock.now - began).components.seconds)
            guard rest > 0 else { throw .late }
            do throws(ClickHouseFailure) {
                return try await answer(
                    statement, body: body, options: known, queryID: queryID, timeout: rest, byteLimit: byteLimit)
            } catch {
                guard case .refused(_, ClickHouseFailure.Code.unknownSetting, let reason) = error,
                    let name = Self.unknownSetting(in: reason), known.contains(where: { $0.name == name })
                else { throw error }
                self.unknown.withLock { _ = $0.insert(name) }
            }
        }
    }

    private func answer(
        _ statement: String, body: [UInt8]?, options: [Option], queryID: String?, timeout: Int, byteLimit: Int
    ) async throws(ClickHouseFailure) -> [UInt8] {
        var query = options
        if body != nil { query.insert(("query", statement), at: 0) }
        if let queryID { query.append(("query_id", queryID)) }
        let text = query.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
        let path = settings.url.hasSuffix("/") || settings.url.split(separator: "/").count > 2 ? "" : "/"
        var request = HTTPRequest(
            "\(settings.url)\(path)\(text.isEmpty ? "" : "?\(text)")", method: "POST",
            fields: [("X-ClickHouse-User", settings.user)], body: body ?? Array(statement.utf8), timeout: timeout,
            bodyLimit: byteLimit)
        if let password = settings.password { request.fields.append(("X-ClickHouse-Key", password)) }
        request.fields.append(("Content-Type", "application/octet-stream"))
        request.authority = settings.authority
        let response: HTTPResponse
        do throws(HTTPFailure) {
            response = try await sender.response(to: request)
        } catch {
            // It may be another server that answers next.
            unknown.withLock { $0 = [] }
            throw .connection(error)
        }
        let code = response["X-ClickHouse-Exception-Code"].flatMap { Int($0) }
        guard response.isSuccess, code == nil, !response.isCutOff else {
            let reason = response.isCutOff && response.isSuccess ? "the answer is too long" : Self.reason(response.body)
            throw .refused(status: response.status, code: code ?? Self.code(in: reason), reason: reason)
        }
        return response.body
    }

    /// The first line without control characters.
    private static func reason(_ body: [UInt8]) -> String {
        let line = String(decoding: body.prefix(4 * reasonLimit).prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        return String(
            line.prefix(reasonLimit).map {
                $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } ? " " : $0
            })
    }

    /// Of `Code: 60. DB::Exception: …` and `Code: 60, e.displayText() = …`.
    private static func code(in reason: String) -> Int? {
        guard reason.hasPrefix("Code: ") else { return nil }
        return Int(reason.dropFirst(6).prefix { $0.isASCII && $0.isNumber })
    }

    /// Of `Unknown setting async_insert`, `Unknown setting 'async_insert': Maybe you meant …` and `Setting async_insert is neither a
    /// builtin setting nor started with the prefix …`.
    private static func unknownSetting(in reason: String) -> String? {
        let words = reason.split { $0 == " " || $0 == "'" || $0 == "," || $0 == ":" || $0 == "." }
        guard let place = words.indices.first(where: { words[$0] == "setting" || words[$0] == "Setting" }),
            place + 1 < words.endIndex
        else {
            return nil
        }
        return String(words[place + 1])
    }
}

import Foundation
import Synchronization
import WaymarkBytes
import WaymarkTestSupport

/// ClickHouse on a port of this machine, as far as clicks need it: rows in monthly partitions, tokens, and the statements that
/// `ClickHouseTables` writes.
final class FakeClickHouse: Sendable {
    struct Row: Hashable, Sendable {
        var day: UInt16
        var link: Int64
        var block: Int64
        var place: UInt32
        var bot: String?
        var texts: [String]
        /// 0 for none.
        var visitor: UInt64
        var shipment: String

        var key: Key { Key(link: link, day: day, block: block) }
    }

    struct Key: Hashable, Sendable {
        var link: Int64
        var day: UInt16
        var block: Int64
    }

    /// What becomes of the next `INSERT`.
    enum Fate: Sendable {
        /// It is done, and its answer is lost.
        case answerLost
        /// Its first partition is written, and the server ends.
        case halfWritten
        case refused(Int, String)
        case silence
    }

    struct Insertion: Sendable {
        var token: String?
        var queryID: String
        var body: [UInt8]
    }

    private struct State {
        var rows: [Row] = []
        /// With the partition.
        var tokens: Set<String> = []
        var hasTables = true
        var version = 1
        var unknown: Set<String> = []
        var wording = "Unknown setting %"
        var fates: [Fate] = []
        var running = 0
        var insertions: [Insertion] = []
        var statements: [String] = []
        var heads: [String] = []
        var silent: [StreamSocket] = []
        var counters = FakeCounters()
        var script: (@Sendable (String) -> (Int, String)?)?
    }

    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    static let password = "secret"
    private let shared = Shared()
    private let listener: SocketListener

    init() throws {
        listener = try SocketListener { [shared] socket in
            while let request = Self.receive(socket), Self.serve(request, shared, socket) {}
        }
    }

    var url: String { "http://127.0.0.1:\(listener.port)" }
    var rows: [Row] { shared.state.withLock { $0.rows } }
    var insertions: [Insertion] { shared.state.withLock { $0.insertions } }
    /// All but insertions of rows.
    var statements: [String] { shared.state.withLock { $0.statements } }
    /// Request lines and fields.
    var heads: [String] { shared.state.withLock { $0.heads } }

    func next(_ fates: Fate...) { shared.state.withLock { $0.fates += fates } }
    /// Settings that the server does not know.
    func forget(_ names: String...) { shared.state.withLock { $0.unknown.formUnion(names) } }
    /// With % for the name.
    func setWording(_ text: String) { shared.state.withLock { $0.wording = text } }
    func forgetTokens() { shared.state.withLock { $0.tokens = [] } }
    func setTables(exist: Bool = true, version: Int = 1) {
        shared.state.withLock { state in
            state.hasTables = exist
            state.version = version
        }
    }
    /// Status and text for statements; nil for those that are answered as usual.
    func answer(_ script: @escaping @Sendable (String) -> (Int, String)?) {
        shared.state.withLock { $0.script = script }
    }
    /// Queries of any id that run.
    func setRunning(_ count: Int) { shared.state.withLock { $0.running = count } }
    /// The tables of counters.
    var counters: FakeCounters { shared.state.withLock { $0.counters } }
    func withCounters(_ body: (inout FakeCounters) -> Void) { shared.state.withLock { body(&$0.counters) } }
    func remove(where condition: (Row) -> Bool) { shared.state.withLock { $0.rows.removeAll(where: condition) } }
    func add(_ rows: [Row]) { shared.state.withLock { $0.rows += rows } }

    // MARK: Requests

    private struct Request {
        var head: String
        var parameters: [String: String]
        var body: [UInt8]
    }

    /// - Returns: whether the connection goes on.
    private static func serve(_ request: Request, _ shared: Shared, _ socket: StreamSocket) -> Bool {
        shared.state.withLock { state in
            state.heads.append(request.head)
            guard request.head.contains("X-ClickHouse-Key: \(password)\r\n") else {
                send(
                    403, "Code: 516. DB::Exception: waymark: Authentication failed. (AUTHENTICATION_FAILED)\nmore",
                    socket)
                return true
            }
            if let name = request.parameters.keys.first(where: { state.unknown.contains($0) }) {
                send(
                    404,
                    "Code: 115, e.displayText() = DB::Exception: " + state.wording.replacing("%", with: name),
                    socket)
                return true
            }
            if let query = request.parameters["query"], let table = FakeCounters.table(of: query) {
                state.counters.insert(request.body, table)
                send(200, "", socket)
                return true
            }
            guard request.parameters["query"] != nil else {
                let (status, text) = answer(String(decoding: request.body, as: UTF8.self), &state)
                send(status, text, socket)
                return true
            }
            let rows = rows(request.body)
            let token = request.parameters["insert_deduplication_token"]
            state.insertions.append(
                Insertion(token: token, queryID: request.parameters["query_id"] ?? "", body: request.body))
            let fate = state.fates.isEmpty ? nil : state.fates.removeFirst()
            switch fate {
            case .refused(let status, let text):
                send(status, text, socket)
            case .silence:
                state.silent.append(socket)
                return false
            case .halfWritten:
                let month = rows.first.map { $0.day / 31 }
                insert(rows.filter { $0.day / 31 == month }, token, &state)
                return false
            case .answerLost:
                insert(rows, token, &state)
                return false
            case nil:
                insert(rows, token, &state)
                send(200, "", socket)
            }
            return true
        }
    }

    private static func insert(_ rows: [Row], _ token: String?, _ state: inout State) {
        for (month, part) in Dictionary(grouping: rows, by: { $0.day / 31 }) {
            if let token, !state.tokens.insert("\(month) \(token)").inserted { continue }
            state.rows += part
        }
    }

    private static func answer(_ statement: String, _ state: inout State) -> (Int, String) {
        state.statements.append(statement)
        if let answer = state.script?(statement) { return answer }
        if statement.hasPrefix("CREATE") || statement.contains("MODIFY TTL") { return (200, "") }
        if statement.hasPrefix("INSERT INTO"), statement.contains("waymark_schema") {
            state.hasTables = true
            return (200, "")
        }
        if let answer = state.counters.answer(statement) { return answer }
        if statement.contains("version()") { return (200, "24.8.1\n") }
        if statement.contains("system.processes") { return (200, "\(state.running)\n") }
        guard state.hasTables else {
            return (404, "Code: 60. DB::Exception: Table clicks.clicks does not exist. (UNKNOWN_TABLE)\n")
        }
        if statement.contains("FROM `clicks`.waymark_schema") { return (200, "\(state.version)\t\n") }
        if statement.hasPrefix("ALTER TABLE"), let links = numbers(in: statement, after: "link IN (") {
            state.rows.removeAll { links.contains($0.link) }
            return (200, "")
        }
        if statement.hasPrefix("SELECT DISTINCT link"), let links = numbers(in: statement, after: "link IN (") {
            return (200, Set(state.rows.map(\.link)).intersection(links).map { "\($0)\n" }.joined())
        }
        guard let pairs = numbers(in: statement, after: "(link, block) IN (") else { return (500, "what?") }
        let wanted = Set(stride(from: 0, to: pairs.count - 1, by: 2).map { [pairs[$0], pairs[$0 + 1]] })
        let groups = Dictionary(grouping: state.rows.filter { wanted.contains([$0.link, $0.block]) }, by: \.key)
        return (200, groups.map { "\($0.link)\t\($0.day)\t\($0.block)\t\($1.count)\n" }.joined())
    }

    private static func numbers(in statement: String, after prefix: String) -> [Int64]? {
        guard let start = statement.range(of: prefix) else { return nil }
        let end = statement.range(of: " GROUP")?.lowerBound ?? statement.endIndex
        guard start.upperBound <= end else { return nil }
        return statement[start.upperBound..<end].split { !"-0123456789".contains($0) }.compactMap { Int64($0) }
    }

    private static func send(_ status: Int, _ text: String, _ socket: StreamSocket) {
        let head = "HTTP/1.1 \(status) X\r\nContent-Length: \(text.utf8.count)\r\n\r\n"
        try? socket.send(Array((head + text).utf8))
    }

    /// Nil at the end of the connection.
    private static func receive(_ socket: StreamSocket) -> Request? {
        var bytes: [UInt8] = []
        while true {
            if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self) + "\r\n"
                let length =
                    head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                    .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
                if bytes.count - end.upperBound >= length {
                    let target = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                    return Request(
                        head: head, parameters: parameters(target), body: Array(bytes[end.upperBound...].prefix(length))
                    )
                }
            }
            guard let part = try? socket.receive(), !part.isEmpty else { return nil }
            bytes += part
        }
    }

    private static func parameters(_ target: String) -> [String: String] {
        let query = target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let pairs = query.split(separator: "&").compactMap { pair -> (String, String)? in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let value = PercentEncoding.decodeText(parts[1]) else { return nil }
            return (String(parts[0]), value)
        }
        return Dictionary(pairs) { $1 }
    }

    // MARK: Rows

    private static func rows(_ body: [UInt8]) -> [Row] {
        var rest = body[...]
        func number<Value: FixedWidthInteger>(_: Value.Type) -> Value {
            let bytes = rest.prefix(Value.bitWidth / 8)
            rest = rest.dropFirst(bytes.count)
            return bytes.reversed().reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
        }
        func text() -> String {
            var (length, shift) = (0, 0)
            while let byte = rest.popFirst() {
                length |= Int(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 { break }
            }
            let bytes = rest.prefix(length)
            rest = rest.dropFirst(length)
            return String(decoding: bytes, as: UTF8.self)
        }
        var rows: [Row] = []
        while !rest.isEmpty {
            let day = number(UInt16.self)
            _ = number(UInt32.self)
            var texts = (0..<3).map { _ in text() }
            let link = number(Int64.self)
            texts += (0..<4).map { _ in text() }
            let bot = number(UInt8.self) == 1 ? nil : text()
            texts += (0..<7).map { _ in text() }
            let visitor = number(UInt64.self)
            rows.append(
                Row(
                    day: day, link: link, block: number(Int64.self), place: number(UInt32.self), bot: bot, texts: texts,
                    visitor: visitor, shipment: text()))
        }
        return rows
    }
}

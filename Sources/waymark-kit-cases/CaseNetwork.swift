import Synchronization
import WaymarkJSON
import WaymarkKit

/// Responds to each attempt with the next of `answers`.
final class CaseNetwork: HTTPTransport {
    static let service = "https://go.example.com"

    private struct State {
        var answers: [JSONValue]
        var requests: [TransportRequest] = []
    }

    private let state: Mutex<State>
    private let lateRequest = Mutex(LateRequest())
    /// Has an element for each late answer that may arrive now.
    let lateAnswers = AsyncStream.makeStream(of: Void.self)

    /// Is called at the next attempt, before its answer.
    let meanwhile = Mutex<(@Sendable () async -> Void)?>(nil)

    private struct LateRequest {
        var isWaiting = false
        var limit: AsyncStream<Void>.Continuation?
    }

    /// Returns when a late answer was asked for: the time limit of the opening ends.
    func waitForLateRequest() async throws {
        let (stream, limit) = AsyncStream.makeStream(of: Void.self)
        lateRequest.withLock { late in
            late.limit = limit
            if late.isWaiting { limit.yield() }
        }
        for await _ in stream { return lateRequest.withLock { $0.isWaiting = false } }
        throw CancellationError()
    }

    init(_ answers: [JSONValue]) {
        state = Mutex(State(answers: answers))
    }

    var attempts: Int { state.withLock { $0.requests.count } }

    /// Path and body of each attempt.
    var requests: JSONValue {
        let requests = state.withLock { $0.requests }
        return JSONValue(
            requests.map { request in
                var object = JSONObject()
                object["path"] = JSONValue(String(request.url.dropFirst(Self.service.utf8.count)))
                object["json"] = (try? JSONValue(parsing: request.body))?.withoutChangingMembers ?? .null
                return JSONValue(object)
            })
    }

    /// The click IDs or smart links of the events in each attempt.
    var batches: JSONValue {
        let batches = requests.array ?? []
        return JSONValue(
            batches.map { batch in
                JSONValue((batch["json"]?["events"]?.array ?? []).map { $0["clickID"] ?? $0["smartlink"] ?? .null })
            })
    }

    /// The idempotency key of each attempt, numbered in the order of appearance.
    var keys: JSONValue {
        let keys = state.withLock { $0.requests.map { $0.fields["Idempotency-Key"] } }
        var numbers: [String: Int] = [:]
        return JSONValue(
            keys.map { key in
                guard let key else { return .null }
                let number = numbers[key] ?? numbers.count + 1
                numbers[key] = number
                return JSONValue(number)
            })
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        state.withLock { $0.requests.append(request) }
        let call = meanwhile.withLock { call in
            defer { call = nil }
            return call
        }
        await call?()
        let answer = state.withLock { state -> JSONValue? in
            state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        if answer?["late"]?.bool == true {
            lateRequest.withLock { late in
                late.isWaiting = true
                late.limit?.yield()
            }
            for await _ in lateAnswers.stream { break }
        }
        switch answer?["failure"]?.string {
        case "offline": throw .offline
        case "timedOut": throw .timedOut
        case "notTrusted": throw .notTrusted("the case says so")
        case "unreachable": throw .unreachable("the case says so")
        default: break
        }
        guard let answer, let status = answer["status"]?.integer else { throw .unreachable("no answer is left") }
        return Self.response(status, answer)
    }

    private static func response(_ status: Int, _ answer: JSONValue) -> TransportResponse {
        var fields: [String: String] = [:]
        if answer["json"] != nil {
            fields["content-type"] = status < 400 ? "application/json" : "application/problem+json"
        }
        for (name, value) in answer.dictionary("headers") { fields[name.lowercased()] = value }
        let body =
            answer["json"]?.bytes() ?? answer["length"]?.integer.map { Array(repeating: 0x20, count: $0) }
            ?? Array((answer["text"]?.string ?? "").utf8)
        return TransportResponse(status: status, fields: fields, body: body)
    }
}

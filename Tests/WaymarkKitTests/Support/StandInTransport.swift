import Synchronization
import WaymarkAPI
import WaymarkJSON
import WaymarkKit

/// A service in the process that keeps the contract: idempotency keys, redeem limits, events by id. What goes wrong on
/// the way to it and back is written down beforehand, one fault for each attempt.
final class StandInTransport: HTTPTransport {
    enum Fault: Sendable {
        /// The request arrives and is acted on; the answer gets lost.
        case answerLost(TransportError)
        /// The request never arrives.
        case notSent(TransportError)
        /// Something on the way answers.
        case answers(TransportResponse)
        /// All is well.
        case none
    }

    private struct State {
        var faults: [Fault]
        var requests: [TransportRequest] = []
        var answers: [String: TransportResponse] = [:]
        var redeemed = 0
        var created = 0
        var countedEvents: [String] = []
        var deliveries = 0
        var claims = 0
    }

    let redeemLimit: Int
    /// The click that a deferred link waits for.
    let waitingClick: String?
    /// Events of which the service takes none that this matches.
    let refusesEvent: @Sendable (JSONValue) -> Bool
    /// Whether a refusal names the events.
    let namesRefused: Bool
    private let state: Mutex<State>

    init(
        faults: [Fault] = [], redeemLimit: Int = 1, waitingClick: String? = nil, namesRefused: Bool = true,
        refusesEvent: @escaping @Sendable (JSONValue) -> Bool = { _ in false }
    ) {
        self.redeemLimit = redeemLimit
        self.waitingClick = waitingClick
        self.namesRefused = namesRefused
        self.refusesEvent = refusesEvent
        state = Mutex(State(faults: faults))
    }

    var requests: [TransportRequest] { state.withLock { $0.requests } }
    var keys: [String?] { requests.map { $0.fields["Idempotency-Key"] } }
    var redeemed: Int { state.withLock { $0.redeemed } }
    var created: Int { state.withLock { $0.created } }
    var claims: Int { state.withLock { $0.claims } }
    /// Every id once, in the order in which it first arrived.
    var countedEvents: [String] { state.withLock { $0.countedEvents } }
    /// With those that arrived again.
    var deliveredEvents: Int { state.withLock { $0.deliveries } }

    func fail(_ faults: [Fault]) {
        state.withLock { $0.faults += faults }
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let outcome = state.withLock { state -> Result<TransportResponse, TransportError> in
            state.requests.append(request)
            switch state.faults.isEmpty ? .none : state.faults.removeFirst() {
            case .notSent(let error): return .failure(error)
            case .answers(let answer): return .success(answer)
            case .answerLost(let error):
                _ = answer(request, &state)
                return .failure(error)
            case .none: return .success(answer(request, &state))
            }
        }
        return try outcome.get()
    }

    private func answer(_ request: TransportRequest, _ state: inout State) -> TransportResponse {
        let path = request.url.replacing("https://go.example.com", with: "", maxReplacements: 1)
        let key = request.fields["Idempotency-Key"].map { path + " " + $0 }
        if let key, let kept = state.answers[key] { return kept }
        let body = (try? JSONValue(parsing: request.body)) ?? .null
        let answer =
            switch path {
            case "/api/v1/resolve": resolve(body, &state)
            case "/api/v1/links": create(&state)
            case "/api/v1/events": take(body, &state)
            case "/api/v1/deferred/claim": claim(body, &state)
            case "/api/v1/conversions": convert(body, &state)
            default: Self.refusal(Problem(.resourceUnknown, "There is nothing."))
            }
        if let key, (200..<300).contains(answer.status) { state.answers[key] = answer }
        return answer
    }

    private func resolve(_ body: JSONValue, _ state: inout State) -> TransportResponse {
        let takes = body["redeem"]?.bool ?? true
        if takes { state.redeemed += 1 }
        let isLeft = takes && state.redeemed <= redeemLimit
        return Self.answer(200, Self.resolved(metadata: isLeft ? #"{"coupon":"20"}"# : nil).json)
    }

    private func create(_ state: inout State) -> TransportResponse {
        state.created += 1
        return Self.answer(
            201,
            Array(
                """
                {"smartlink":"https://go.example.com/made\(state.created)","domain":"go.example.com",
                "slug":"made\(state.created)","app":"shop","redeem":{"limit":null,"used":0,"remaining":null},
                "state":"active","version":1}
                """.utf8))
    }

    private func take(_ body: JSONValue, _ state: inout State) -> TransportResponse {
        let events = body["events"]?.array ?? []
        guard events.count <= 100 else {
            return Self.refusal(Problem(invalid: [FieldProblem("events", "has more than 100 elements")]))
        }
        let refused = events.indices.filter { refusesEvent(events[$0]) }
        guard refused.isEmpty else {
            let fields = namesRefused ? refused.map { "events[\($0)].clickID" } : ["events"]
            return Self.refusal(Problem(invalid: fields.map { FieldProblem($0, "is none") }))
        }
        for event in events {
            state.deliveries += 1
            guard let id = event["id"]?.string, !state.countedEvents.contains(id) else { continue }
            state.countedEvents.append(id)
        }
        return Self.answer(202, EventsResponse(counted: events.count, unattributed: 0, duplicates: 0).json)
    }

    private func convert(_ body: JSONValue, _ state: inout State) -> TransportResponse {
        let ids = (body["conversions"]?.array ?? []).compactMap { $0["id"]?.string }
        let fresh = ids.filter { !state.countedEvents.contains($0) }
        state.countedEvents += fresh
        let outcome = EventsResponse(counted: fresh.count, unattributed: 0, duplicates: ids.count - fresh.count)
        return Self.answer(202, outcome.json)
    }

    private func claim(_ body: JSONValue, _ state: inout State) -> TransportResponse {
        state.claims += 1
        guard let waitingClick else { return Self.answer(200, Array(#"{"deeplink":null,"match":null}"#.utf8)) }
        let method = body["referrer"]?.string?.contains(waitingClick) == true ? "referrer" : "clipboard"
        var text = String(decoding: Self.resolved(metadata: #"{"coupon":"20"}"#).json, as: UTF8.self)
        text.removeLast()
        return Self.answer(200, Array((text + #","match":{"method":"\#(method)"}}"#).utf8))
    }

    private static func resolved(metadata: String?) -> ResolveResponse {
        ResolveResponse(
            deeplink: "shop://products/42?referrer=ana", route: "products/:product_id",
            routeParameters: ["product_id": "42"], queryParameters: ["referrer": "ana"],
            metadata: metadata.flatMap { RawJSON(Array($0.utf8)) },
            redeem: RedeemCount(limit: 1, used: 1, status: metadata == nil ? "exhausted" : "redeemed"))
    }

    static func answer(_ status: Int, _ body: [UInt8]) -> TransportResponse {
        TransportResponse(status: status, fields: ["Content-Type": "application/json"], body: body)
    }

    static func refusal(_ problem: Problem, retryAfter: String? = nil) -> TransportResponse {
        var fields = ["content-type": "application/problem+json"]
        fields["retry-after"] = retryAfter
        return TransportResponse(status: problem.status, fields: fields, body: problem.json)
    }
}

extension FieldProblem {
    fileprivate init(_ field: String, _ problem: String) {
        self.init(field: field, problem: problem)
    }
}

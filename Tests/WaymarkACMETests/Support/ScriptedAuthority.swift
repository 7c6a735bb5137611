import Synchronization
import TLSTestSupport
import WaymarkACME
import WaymarkBytes
import WaymarkClient
import WaymarkJSON
import WaymarkTLS

/// An authority in this process, reached without a network. It keeps to RFC 8555 except where the script says otherwise.
final class ScriptedAuthority: ScriptedClient {
    enum Resource: String, Sendable {
        case directory, nonce, account, newAccount, newOrder, order, authorization, challenge, finalize, certificate
        case renewalInfo, revoke
    }

    /// Instead of the right answer.
    enum Fault: Sendable {
        case status(Int, retryAfter: String? = nil)
        case problem(String, detail: String = "refused", status: Int = 403, retryAfter: String? = nil)
        case body(String)
        case bytes(count: Int)
        case noConnection
    }

    struct Script: Sendable {
        /// Given a resource, and how often it was requested before.
        var fault: @Sendable (Resource, Int) -> Fault? = { _, _ in nil }
        /// Whether a challenge succeeds; it is given the key authorization that it expects.
        var verifies: @Sendable (_ host: String, ChallengeKind, _ keyAuthorization: String) -> Bool = { _, _, _ in true
        }
        var kinds = ChallengeKind.allCases
        /// Looks at an authorization or an order before it is decided.
        var pendingLooks = 1
        var retryAfter: String?
        /// Of certificates, in seconds.
        var lifetime: Int64 = 90 * 86_400
        var names: [String]?
        var hasForeignKey = false
        /// Added to the clock for the times of certificates.
        var skew: Int64 = 0
        var hasRenewalInfo = false
        /// Seconds from now.
        var window: (start: Int64, end: Int64) = (0, 0)
        var requiresExternalAccount = false
        var scheme = "https"
    }

    private struct Order {
        var host: String
        var looks = 0
        var isInvalid = false
        var chosen: ChallengeKind?
        var isFinalized = false
        var chain: [UInt8]?
        var replaces: String?
        var account: String
    }

    private struct State {
        var script = Script()
        var counts: [Resource: Int] = [:]
        var nonces: Set<String> = []
        var issuedNonces = 0
        var accounts: [String: String] = [:]
        var contacts: [[String]] = []
        var bindings: [JSONValue] = []
        var orders: [Order] = []
        var validations: [(host: String, kind: ChallengeKind, at: Int64)] = []
        var revoked: [[UInt8]] = []
    }

    let directory: String
    private let name: String
    private let now: @Sendable () -> Int64
    private let signing = SigningAuthority()
    private let state = Mutex(State())

    init(_ name: String = "ca.test", scheme: String = "https", now: @escaping @Sendable () -> Int64) {
        self.name = name
        directory = "\(scheme)://\(name)/directory"
        self.now = now
        state.withLock { $0.script.scheme = scheme }
    }

    func script(_ change: (inout Script) -> Void) { state.withLock { change(&$0.script) } }
    func count(_ resource: Resource) -> Int { state.withLock { $0.counts[resource] ?? 0 } }
    var validations: [(host: String, kind: ChallengeKind, at: Int64)] { state.withLock { $0.validations } }
    var orderedHosts: [String] { state.withLock { $0.orders.map(\.host) } }
    var replaced: [String?] { state.withLock { $0.orders.map(\.replaces) } }
    var accountCount: Int { state.withLock { $0.accounts.count } }
    var contacts: [[String]] { state.withLock { $0.contacts } }
    var bindings: [JSONValue] { state.withLock { $0.bindings } }
    var revoked: [[UInt8]] { state.withLock { $0.revoked } }
    func forgetAccounts() { state.withLock { $0.accounts = [:] } }

    // MARK: Requests

    func answer(to request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
        let result = state.withLock { state in answer(request, &state) }
        guard let result else { throw .connection(.unreachable, host: name) }
        return result
    }

    private func url(_ path: String, _ state: State) -> String { "\(state.script.scheme)://\(name)/\(path)" }

    private func answer(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse? {
        let base = url("", state)
        guard request.url.hasPrefix(base) else { return respond(404, "{}", &state) }
        let path = request.url.dropFirst(base.count).split(separator: "/").map(String.init)
        guard let resource = path.first.flatMap(Resource.init) else { return respond(404, "{}", &state) }
        let count = state.counts[resource] ?? 0
        state.counts[resource] = count + 1
        if let fault = state.script.fault(resource, count) { return answer(fault, &state) }
        let number = path.dropFirst().first.flatMap { Int($0) } ?? -1
        switch resource {
        // Without a nonce, so that the client has to get one.
        case .directory: return HTTPResponse(status: 200, fields: [], body: Array(directoryText(state).utf8))
        case .nonce:
            // RFC 8555 section 7.2: GET has the status 204.
            return request.method == "GET" ? respond(204, "", &state) : respond(405, "", &state)
        case .renewalInfo: return renewalInfo(&state)
        default: break
        }
        let message: Message
        switch read(request, &state) {
        case .message(let found): message = found
        case .refusal(let response): return response
        }
        if resource != .newAccount, state.accounts.values.contains(message.account ?? "") == false {
            return problem("accountDoesNotExist", "no such account", 400, nil, &state)
        }
        switch resource {
        case .newAccount: return newAccount(message, &state)
        case .account:
            state.contacts.append(message.payload?["contact"]?.array?.compactMap(\.string) ?? [])
            return respond(200, "{\"status\": \"valid\"}", &state)
        case .newOrder: return newOrder(message, &state)
        case .revoke:
            state.revoked.append(Base64.bytes(lenient: message.payload?["certificate"]?.string ?? "") ?? [])
            return respond(200, "", &state)
        default: break
        }
        guard state.orders.indices.contains(number) else { return respond(404, "{}", &state) }
        switch resource {
        case .authorization: return authorization(number, &state)
        case .challenge: return challenge(number, path.last ?? "", message, &state)
        case .finalize: return finalize(number, message, &state)
        case .order: return order(number, 200, &state)
        default:
            return HTTPResponse(
                status: 200, fields: fields(&state), body: state.orders[number].chain ?? [])
        }
    }

    private func answer(_ fault: Fault, _ state: inout State) -> HTTPResponse? {
        switch fault {
        case .status(let status, let retryAfter):
            return HTTPResponse(status: status, fields: retryAfter.map { [("retry-after", $0)] } ?? [], body: [])
        case .problem(let type, let detail, let status, let retryAfter):
            return problem(type, detail, status, retryAfter, &state)
        case .body(let text): return respond(200, text, &state)
        case .bytes(let count):
            return HTTPResponse(status: 200, fields: [], body: [UInt8](repeating: 0x20, count: count))
        case .noConnection: return nil
        }
    }

    private struct Message {
        let payload: JSONValue?
        let account: String?
        let thumbprint: String
    }

    private enum Reading {
        case message(Message)
        case refusal(HTTPResponse)
    }

    /// The parts of a signed request. Signatures are checked by the tests with pebble.
    private func read(_ request: HTTPRequest, _ state: inout State) -> Reading {
        guard request.method == "POST", let body = try? JSONValue(parsing: request.body ?? []),
            let header = body["protected"]?.string.flatMap({ Base64.bytes(lenient: $0) }),
            let protected = try? JSONValue(parsing: header), protected["url"]?.string == request.url,
            protected["alg"]?.string == "ES256", Base64.bytes(lenient: body["signature"]?.string ?? "")?.count == 64,
            request.fields.contains(where: { $0 == ("Content-Type", "application/jose+json") }),
            (protected["kid"] == nil) != (protected["jwk"] == nil)
        else { return .refusal(problem("malformed", "not a signed request", 400, nil, &state)) }
        guard let nonce = protected["nonce"]?.string, state.nonces.remove(nonce) != nil else {
            return .refusal(problem("badNonce", "unknown nonce", 400, nil, &state))
        }
        let text = Base64.bytes(lenient: body["payload"]?.string ?? "") ?? []
        return .message(
            Message(
                payload: text.isEmpty ? nil : try? JSONValue(parsing: text), account: protected["kid"]?.string,
                thumbprint: protected["jwk"]?.text() ?? ""))
    }

    // MARK: Resources

    private func directoryText(_ state: State) -> String {
        var members = ["nonce": "newNonce", "newAccount": "newAccount", "newOrder": "newOrder", "revoke": "revokeCert"]
        if state.script.hasRenewalInfo { members["renewalInfo"] = "renewalInfo" }
        let text = members.map { "\"\($0.value)\": \"\(url($0.key, state))\"" }.joined(separator: ", ")
        return "{\(text), \"meta\": {\"externalAccountRequired\": \(state.script.requiresExternalAccount)}}"
    }

    private func renewalInfo(_ state: inout State) -> HTTPResponse {
        func text(_ seconds: Int64) -> String {
            let moment = now() + seconds
            let date = CivilDate(daysSince1970: moment / 86_400)
            let time = moment % 86_400
            func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
            return "\(date.year)-\(two(date.month))-\(two(date.day))"
                + "T\(two(time / 3_600)):\(two(time / 60 % 60)):\(two(time % 60))Z"
        }
        let (start, end) = state.script.window
        return respond(
            200, "{\"suggestedWindow\": {\"start\": \"\(text(start))\", \"end\": \"\(text(end))\"}}",
            retryAfter: "7200", &state)
    }

    private func newAccount(_ message: Message, _ state: inout State) -> HTTPResponse {
        guard message.payload?["termsOfServiceAgreed"]?.bool == true else {
            return problem("userActionRequired", "agree to the terms", 403, nil, &state)
        }
        if let binding = message.payload?["externalAccountBinding"] { state.bindings.append(binding) }
        state.contacts.append(message.payload?["contact"]?.array?.compactMap(\.string) ?? [])
        let known = state.accounts[message.thumbprint]
        let location = known ?? url("account/\(state.accounts.count)", state)
        state.accounts[message.thumbprint] = location
        return respond(known == nil ? 201 : 200, "{\"status\": \"valid\"}", location: location, &state)
    }

    private func newOrder(_ message: Message, _ state: inout State) -> HTTPResponse {
        let host = message.payload?["identifiers"]?.array?.first?["value"]?.string ?? ""
        state.orders.append(
            Order(host: host, replaces: message.payload?["replaces"]?.string, account: message.account ?? ""))
        return order(state.orders.count - 1, 201, &state)
    }

    private func order(_ number: Int, _ status: Int, _ state: inout State) -> HTTPResponse {
        let order = state.orders[number]
        let text: String
        if order.isInvalid {
            text = "invalid"
        } else if order.isFinalized {
            state.orders[number].looks += 1
            text = order.looks < state.script.pendingLooks ? "processing" : "valid"
        } else {
            text = order.chosen == nil ? "pending" : "ready"
        }
        let certificate = text == "valid" ? ", \"certificate\": \"\(url("certificate/\(number)", state))\"" : ""
        return respond(
            status,
            "{\"status\": \"\(text)\", \"authorizations\": [\"\(url("authorization/\(number)", state))\"],"
                + " \"finalize\": \"\(url("finalize/\(number)", state))\"\(certificate)}",
            location: url("order/\(number)", state), retryAfter: state.script.retryAfter, &state)
    }

    private func authorization(_ number: Int, _ state: inout State) -> HTTPResponse {
        var order = state.orders[number]
        var status = "pending"
        if let kind = order.chosen {
            order.looks += 1
            if order.looks > state.script.pendingLooks {
                order.looks = 0
                status = order.isInvalid ? "invalid" : "valid"
            }
            _ = kind
        }
        state.orders[number] = order
        let challenges = state.script.kinds.map { kind in
            let error =
                status == "invalid" && kind == order.chosen
                ? ", \"error\": {\"type\": \"urn:ietf:params:acme:error:connection\", \"detail\": \"connection refused\"}"
                : ""
            return "{\"type\": \"\(kind.rawValue)\", \"token\": \"\(Self.token(number, kind))\","
                + " \"url\": \"\(url("challenge/\(number)/\(kind.rawValue)", state))\"\(error)}"
        }
        return respond(
            200,
            "{\"status\": \"\(status)\", \"identifier\": {\"type\": \"dns\", \"value\": \"\(order.host)\"},"
                + " \"challenges\": [{\"type\": \"dns-01\"}, \(challenges.joined(separator: ", "))]}",
            retryAfter: state.script.retryAfter, &state)
    }

    static func token(_ number: Int, _ kind: ChallengeKind) -> String {
        "token-\(number)-\(kind == .http ? "h" : "t")"
    }

    private func challenge(_ number: Int, _ text: String, _ message: Message, _ state: inout State) -> HTTPResponse {
        guard let kind = ChallengeKind(rawValue: text), message.payload?.object?.isEmpty == true else {
            return respond(404, "{}", &state)
        }
        let host = state.orders[number].host
        let key = state.accounts.first { $0.value == message.account }?.key ?? ""
        let thumbprint = Base64.urlText(SHA256.digest(of: Array(key.utf8)))
        state.orders[number].chosen = kind
        state.validations.append((host, kind, now()))
        let isVerified = state.script.verifies(host, kind, "\(Self.token(number, kind)).\(thumbprint)")
        state.orders[number].isInvalid = !isVerified
        return respond(200, "{\"type\": \"\(text)\", \"status\": \"processing\"}", &state)
    }

    private func finalize(_ number: Int, _ message: Message, _ state: inout State) -> HTTPResponse {
        guard state.orders[number].chosen != nil, !state.orders[number].isInvalid, !state.orders[number].isFinalized
        else {
            return problem("orderNotReady", "the order is not ready", 403, nil, &state)
        }
        let request = Base64.bytes(lenient: message.payload?["csr"]?.string ?? "") ?? []
        let start = now() + state.script.skew
        guard
            let chain = signing.chain(
                for: request, from: start, to: start + state.script.lifetime, names: state.script.names,
                hasForeignKey: state.script.hasForeignKey)
        else { return problem("badCSR", "the request can't be read", 400, nil, &state) }
        state.orders[number].chain = chain
        state.orders[number].isFinalized = true
        return order(number, 200, &state)
    }

    // MARK: Responses

    private func fields(_ state: inout State) -> [(name: String, value: String)] {
        state.issuedNonces += 1
        let nonce = "nonce-\(state.issuedNonces)"
        state.nonces.insert(nonce)
        return [("replay-nonce", nonce)]
    }

    private func respond(
        _ status: Int, _ body: String, location: String? = nil, retryAfter: String? = nil, _ state: inout State
    ) -> HTTPResponse {
        var fields = fields(&state)
        if let location { fields.append(("Location", location)) }
        if let retryAfter { fields.append(("Retry-After", retryAfter)) }
        return HTTPResponse(status: status, fields: fields, body: Array(body.utf8))
    }

    private func problem(
        _ type: String, _ detail: String, _ status: Int, _ retryAfter: String?, _ state: inout State
    ) -> HTTPResponse {
        respond(
            status, "{\"type\": \"urn:ietf:params:acme:error:\(type)\", \"detail\": \"\(detail)\"}",
            retryAfter: retryAfter, &state)
    }
}

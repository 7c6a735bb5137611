import Synchronization
import WaymarkClient
import WaymarkJSON
import WaymarkTLS

/// Requests to one authority, signed with the key of one account.
///
/// Retries temporary failures a few times. Every call has a time limit. Safe to use from any thread.
final class ACMEClient: Sendable {
    /// Injected dependencies: clock, network, randomness.
    struct Environment: Sendable {
        var client: any HTTPSending
        /// Seconds since 1970.
        var now: @Sendable () -> Int64
        /// Throws when it is cancelled.
        var sleep: @Sendable (Duration) async throws -> Void
        /// Called before each request; throws to give up the work.
        var proceed: @Sendable () async throws(ACMEError) -> Void
    }

    /// Maximum size of a body of JSON, in bytes.
    private static let bodyLimit = 65_536
    /// Time limit of a request, in seconds: less than a lease lasts.
    private static let timeout = 30
    /// Attempts of a request whose nonce is rejected.
    private static let nonceAttempts = 6
    /// Attempts of a request that the authority can't answer now.
    private static let attempts = 3
    /// The longest `Retry-After` that a repetition waits for, in seconds; the request fails with a longer one.
    private static let patience = 10
    /// In seconds.
    private static let pausePiece = 20
    /// How long a directory is used, in seconds: 1 hour.
    private static let directorySeconds: Int64 = 3_600

    let key: P256Key
    let environment: Environment
    let rule: ACMEURLRule
    private let authority: ACMEAuthority
    private let nonces = NoncePool()
    private let state = Mutex(State())

    private struct State {
        var directory: (value: ACMEDirectory, at: Int64)?
        var account: String?
    }

    init(_ authority: ACMEAuthority, key: P256Key, account: String?, environment: Environment) {
        self.authority = authority
        self.key = key
        self.environment = environment
        rule = ACMEURLRule(directory: authority.directory)
        state.withLock { $0.account = account }
    }

    /// The URL of the account; nil before it is registered.
    var account: String? {
        get { state.withLock { $0.account } }
        set { state.withLock { $0.account = newValue } }
    }

    /// The authority's directory, read at most once an hour.
    func directory() async throws(ACMEError) -> ACMEDirectory {
        let known = state.withLock { $0.directory }
        if let known, abs(environment.now() - known.at) < Self.directorySeconds { return known.value }
        let response = try await get(authority.directory)
        let directory = try ACMEDirectory(try Self.json(response), rule)
        state.withLock { $0.directory = (directory, environment.now()) }
        return directory
    }

    /// A request without a signature.
    func get(_ url: String) async throws(ACMEError) -> HTTPResponse {
        try await repeated { () async throws(ACMEError) in
            let response = try await self.exchange(Self.get(url))
            return try self.checked(response)
        }
    }

    /// A signed request.
    ///
    /// - Parameters:
    ///   - payload: JSON; nil reads the resource (POST-as-GET).
    ///   - identity: nil for the account's.
    ///   - accept: the type of content that is wanted.
    /// - Returns: The response, whose status is 2xx.
    func post(
        _ url: String, _ payload: [UInt8]?, identity: JSONWebSignature.Identity? = nil, accept: String? = nil,
        bodyLimit: Int = ACMEClient.bodyLimit
    ) async throws(ACMEError) -> HTTPResponse {
        try await repeated { () async throws(ACMEError) in
            try await self.postOnce(url, payload, identity, accept, bodyLimit)
        }
    }

    private func postOnce(
        _ url: String, _ payload: [UInt8]?, _ identity: JSONWebSignature.Identity?, _ accept: String?, _ bodyLimit: Int
    ) async throws(ACMEError) -> HTTPResponse {
        var attempt = 1
        while true {
            guard let identity = identity ?? account.map({ .account($0) }) else {
                throw ACMEError(.unavailable, "there is no account at the authority yet")
            }
            let nonce = try await nonce()
            let body = JSONWebSignature.body(payload, key: key, identity: identity, nonce: nonce, url: url)
            var fields = [(name: "Content-Type", value: "application/jose+json")]
            if let accept { fields.append((name: "Accept", value: accept)) }
            let response = try await exchange(
                HTTPRequest(
                    url, method: "POST", fields: fields, body: body, timeout: Self.timeout, bodyLimit: bodyLimit))
            do throws(ACMEError) {
                return try checked(response)
            } catch {
                guard error.isRefusal("badNonce"), attempt < Self.nonceAttempts else { throw error }
                // The others are as old; the response's own is not.
                nonces.removeAll()
                nonces.add(response["Replay-Nonce"])
                attempt += 1
            }
        }
    }

    private func nonce() async throws(ACMEError) -> String {
        if let nonce = nonces.take() { return nonce }
        // GET, to which the response has no body (204): not every HTTP client reads a response to HEAD that has a length.
        let response = try await exchange(Self.get(try await directory().newNonce))
        guard response.isSuccess, let nonce = nonces.take() else {
            throw ACMEError(
                .unavailable, "the authority gives no nonce (status \(response.status))",
                retryAfter: retryAfter(response))
        }
        return nonce
    }

    /// Repeats what fails for the moment, after a pause.
    private func repeated(
        _ request: () async throws(ACMEError) -> HTTPResponse
    ) async throws(ACMEError) -> HTTPResponse {
        var attempt = 1
        while true {
            do throws(ACMEError) {
                return try await request()
            } catch {
                guard error.kind == .unavailable, attempt < Self.attempts, (error.retryAfter ?? 0) <= Self.patience
                else { throw error }
                try await pause(error.retryAfter.map { max(1, $0) } ?? 1 << (attempt - 1))
                attempt += 1
            }
        }
    }

    private static func get(_ url: String) -> HTTPRequest {
        HTTPRequest(url, timeout: timeout, bodyLimit: bodyLimit)
    }

    private func exchange(_ request: HTTPRequest) async throws(ACMEError) -> HTTPResponse {
        guard !Task.isCancelled else { throw ACMEError(.interrupted, "this server is stopping") }
        try await environment.proceed()
        var request = request
        request.authority = authority.trustedFile
        let response: HTTPResponse
        do throws(HTTPFailure) {
            response = try await environment.client.response(to: request)
        } catch {
            throw ACMEError(.unavailable, error.sentence)
        }
        guard !response.isCutOff, response.body.count <= request.bodyLimit else {
            throw ACMEError(.unavailable, "the authority's response is longer than \(request.bodyLimit) bytes")
        }
        nonces.add(response["Replay-Nonce"])
        return response
    }

    private func checked(_ response: HTTPResponse) throws(ACMEError) -> HTTPResponse {
        switch response.status {
        case 200..<300: return response
        case 400..<500:
            let problem = ACMEProblem(response)
            throw ACMEError(.refused(type: problem.type), problem.detail, retryAfter: retryAfter(response))
        default:
            throw ACMEError(.unavailable, ACMEProblem(response).detail, retryAfter: retryAfter(response))
        }
    }

    func retryAfter(_ response: HTTPResponse) -> Int? {
        response.retryAfter(now: environment.now())
    }

    /// Waits, in pieces that are short enough to renew the lease.
    ///
    /// - Parameter seconds: at least 1.
    func pause(_ seconds: Int) async throws(ACMEError) {
        var rest = seconds
        while rest > 0 {
            let piece = min(rest, Self.pausePiece)
            do {
                try await environment.sleep(.seconds(piece))
            } catch {
                throw ACMEError(.interrupted, "this server is stopping")
            }
            rest -= piece
            try await environment.proceed()
        }
    }

    static func json(_ response: HTTPResponse) throws(ACMEError) -> JSONValue {
        do throws(JSONError) {
            return try JSONValue(parsing: response.body)
        } catch {
            throw ACMEError(.unavailable, "the authority's response is not JSON (\(error))")
        }
    }
}

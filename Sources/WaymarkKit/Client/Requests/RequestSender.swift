import WaymarkAPI

/// Sends one request, with retries, and returns the response or the error.
struct RequestSender: Sendable {
    let address: ServiceAddress
    let key: String
    let transport: any HTTPTransport
    let clock: any ClientClock
    let random: RandomSource
    var policy: RetryPolicy
    let timeLimit: Duration
    let answerLimit: Int
    let onDiagnostic: (@Sendable (LinkDiagnostic) -> Void)?

    /// The same without retries.
    var once: RequestSender {
        var sender = self
        sender.policy = RetryPolicy(attempts: 1)
        return sender
    }

    /// Returns the response if its status is 2xx. Every attempt has the same body and idempotency key.
    func post(
        _ path: String, _ body: [UInt8], idempotencyKey: String? = nil
    ) async throws(WaymarkClientError) -> TransportResponse {
        let answer = try await exchange(path, body, idempotencyKey: idempotencyKey)
        guard (200..<300).contains(answer.status) else { throw read(answer) }
        return answer
    }

    /// Returns the response of the last attempt, whatever its status.
    func exchange(
        _ path: String, _ body: [UInt8], idempotencyKey: String? = nil
    ) async throws(WaymarkClientError) -> TransportResponse {
        var fields = [
            "Authorization": "Bearer \(key)", "Content-Type": "application/json",
            "Accept": "application/json, application/problem+json", "User-Agent": WaymarkClient.userAgent,
        ]
        fields["Idempotency-Key"] = idempotencyKey
        return try await exchange(
            TransportRequest(
                url: address.base + path, fields: fields, body: body, timeLimit: timeLimit, answerLimit: answerLimit))
    }

    /// Returns the response to a request without a body.
    func get(_ path: String) async throws(WaymarkClientError) -> TransportResponse {
        let fields = [
            "Authorization": "Bearer \(key)", "Accept": "application/json, application/problem+json",
            "User-Agent": WaymarkClient.userAgent,
        ]
        return try await exchange(
            TransportRequest(
                method: "GET", url: address.base + path, fields: fields, body: [], timeLimit: timeLimit,
                answerLimit: answerLimit))
    }

    private func exchange(_ request: TransportRequest) async throws(WaymarkClientError) -> TransportResponse {
        var attempt = 1
        while true {
            report(attempt == 1 ? .request : .retry)
            let outcome: Result<TransportResponse, WaymarkClientError>
            let failure: WaymarkClientError
            do throws(TransportError) {
                let answer = try await transport.send(request)
                report(.response, status: answer.status)
                if (200..<300).contains(answer.status) {
                    // A custom transport may not have enforced the limit.
                    guard answer.body.count <= answerLimit else { throw .answerTooLarge }
                    return answer
                }
                outcome = .success(answer)
                failure = read(answer)
            } catch {
                failure = WaymarkClientError(error)
                report(.response, error: failure.code)
                outcome = .failure(failure)
            }
            guard failure.isWorthRetrying,
                let wait = policy.wait(after: attempt, retryAfter: failure.retryAfter, fraction: random.fraction())
            else { return try outcome.get() }
            do {
                try await clock.sleep(for: wait)
            } catch {
                throw .cancelled
            }
            attempt += 1
        }
    }

    private func report(_ step: LinkDiagnostic.Step, status: Int? = nil, error: String? = nil) {
        onDiagnostic?(LinkDiagnostic(step, host: address.host, status: status, error: error))
    }

    func read(_ answer: TransportResponse) -> WaymarkClientError {
        let retryAfter = RetryAfter.read(answer.field("Retry-After"), now: clock.now)
        let mediaType = answer.field("Content-Type")?.lowercased() ?? ""
        // A proxy that repeats the request would put the key into the error's description.
        guard answer.status >= 400, mediaType.hasPrefix(Problem.mediaType), answer.body.count <= answerLimit,
            answer.body.firstRange(of: Array(key.utf8)) == nil, var problem = Problem(json: answer.body)
        else { return .unexpectedAnswer(status: answer.status, retryAfter: retryAfter) }
        // The HTTP status takes precedence over the one in the body.
        problem.status = answer.status
        return .refused(problem, retryAfter: retryAfter)
    }
}

/// The service's base URL: `https://go.example.com`, optionally with a port and a path prefix added by a proxy.
struct ServiceAddress: Sendable {
    /// Without a trailing slash.
    let base: String
    let host: String

    init(_ text: String, allowsPlainLoopback: Bool) throws(WaymarkClientError) {
        let url = DeepLinkURL(text)
        guard let host = url.host?.lowercased(), !host.isEmpty else { throw .invalidAddress("it has no host") }
        guard url.query == nil, url.fragment == nil else { throw .invalidAddress("it has a query or a fragment") }
        guard let authority = url.authority, !authority.utf8.contains(UInt8(ascii: "@")) else {
            throw .invalidAddress("it has a user")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw .invalidAddress("it has characters that no URL has")
        }
        switch url.scheme?.lowercased() {
        case "https": break
        case "http" where allowsPlainLoopback && LinkHosts.isLoopback(host): break
        case "http" where LinkHosts.isLoopback(host):
            throw .invalidAddress(
                "it must begin with https; for a service on this device set ClientOptions.allowsPlainLoopback")
        case "http": throw .invalidAddress("the key would be sent in the clear; it must begin with https")
        default: throw .invalidAddress("it must begin with https")
        }
        self.host = host
        var base = text[...]
        while base.utf8.last == UInt8(ascii: "/") { base.removeLast() }
        self.base = String(base)
    }
}

import WaymarkBytes
import WaymarkClient
import WaymarkJSON
import WaymarkTLS

/// Orders a certificate for one host (RFC 8555 section 7.4).
struct CertificateOrder: Sendable {
    /// Polling intervals in seconds; the last one repeats.
    private static let pauses = [1, 1, 2, 2, 3, 5]
    /// Polling timeout, in seconds.
    private static let timeout = 180
    /// By how much the authority's clock may be ahead, in seconds.
    private static let clockTolerance: Int64 = 300

    let client: ACMEClient
    let host: String
    /// URL of the authority's directory.
    let directory: String
    /// The certificate that is renewed (RFC 9773 section 5); nil for none of this authority.
    let replaces: String?
    /// Makes the challenges known to all servers, so that each of them can answer.
    let publish: @Sendable ([PendingChallenge]) async throws(ACMEError) -> Void

    /// - Parameter kind: the kind of challenge to use.
    /// - Returns: A certificate for the host with a new key, valid now.
    func certificate(by kind: ChallengeKind) async throws(ACMEError) -> StoredCertificate {
        var (url, order) = try await newOrder()
        for authorization in order.authorizations { try await authorize(authorization, by: kind) }
        order = try await poll(url) { $0.status != .pending }
        let key = P256Key.generate()
        if order.status == .ready {
            order = try await finalize(order, url, key)
        }
        guard order.status == .valid, let location = order.certificate else {
            throw ACMEError(.unavailable, order.problem?.detail ?? "the authority gave up the order")
        }
        let response = try await client.post(
            location, nil, accept: "application/pem-certificate-chain", bodyLimit: CertificateChain.sizeLimit)
        return try checked(response.body, key)
    }

    private func newOrder() async throws(ACMEError) -> (url: String, order: ACMEOrder) {
        let directory = try await client.directory()
        let isReplacing = directory.renewalInfo != nil
        let response: HTTPResponse
        do throws(ACMEError) {
            response = try await client.post(directory.newOrder, body(replaces: isReplacing ? replaces : nil))
        } catch {
            // Another order has replaced the certificate already, or the authority does not know it any more.
            let types = ["alreadyReplaced", "conflict", "malformed"]
            guard isReplacing, replaces != nil, types.contains(where: error.isRefusal) else { throw error }
            response = try await client.post(directory.newOrder, body(replaces: nil))
        }
        return (
            try client.rule.checked(response["Location"], "the order's URL"), try ACMEOrder(response, client.rule)
        )
    }

    private func body(replaces: String?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("identifiers")
        writer.beginArray()
        writer.beginObject()
        writer.member("type", "dns")
        writer.member("value", host)
        writer.endObject()
        writer.endArray()
        if let replaces { writer.member("replaces", replaces) }
        writer.endObject()
        return writer.bytes
    }

    // MARK: Authorization

    private func authorize(_ url: String, by kind: ChallengeKind) async throws(ACMEError) {
        let authorization = try await read(url)
        switch authorization.status {
        // Verified for an earlier order.
        case .valid: return
        case .pending: break
        default:
            throw ACMEError(.unavailable, "the authority's authorization is \(authorization.status.rawValue)")
        }
        guard let challenge = authorization.challenges.first(where: { $0.kind == kind }) else {
            throw ACMEError(.notOffered, "the authority offers no challenge \(kind.rawValue)")
        }
        let thumbprint = JSONWebSignature.thumbprint(client.key)
        // Of every kind, as the authority decides what it asks for.
        try await publish(
            authorization.challenges.map {
                PendingChallenge(
                    host: host, kind: $0.kind, token: $0.token, keyAuthorization: "\($0.token).\(thumbprint)")
            })
        _ = try await client.post(challenge.url, Array("{}".utf8))
        try await verified(url, kind)
    }

    private func verified(_ url: String, _ kind: ChallengeKind) async throws(ACMEError) {
        var poll = Poll()
        while true {
            let response = try await client.post(url, nil)
            let authorization = try ACMEAuthorization(response, host: host, client.rule)
            switch authorization.status {
            case .valid: return
            case .pending:
                let wait = poll.next(retryAfter: client.retryAfter(response))
                guard let wait else {
                    throw ACMEError(
                        .unavailable, "the authority did not verify the host within \(Self.timeout) seconds")
                }
                try await client.pause(wait)
            default:
                let problem =
                    authorization.challenges.first { $0.kind == kind }?.problem
                    ?? authorization.challenges.lazy.compactMap(\.problem).first
                throw ACMEError(
                    .validation,
                    "\(kind.rawValue): " + (problem?.detail ?? "the authority could not verify the host"))
            }
        }
    }

    private func read(_ url: String) async throws(ACMEError) -> ACMEAuthorization {
        try ACMEAuthorization(try await client.post(url, nil), host: host, client.rule)
    }

    // MARK: Issuance

    private func finalize(_ order: ACMEOrder, _ url: String, _ key: P256Key) async throws(ACMEError) -> ACMEOrder {
        guard let request = CertificateRequest.der(names: [host], key: key) else {
            throw ACMEError(.certificate, "no certificate can be requested for this name")
        }
        var writer = JSONWriter(capacity: 1_024)
        writer.beginObject()
        writer.member("csr", Base64.urlText(request))
        writer.endObject()
        do throws(ACMEError) {
            _ = try await client.post(order.finalize, writer.bytes)
        } catch {
            // A repeated request finds that the first one has arrived.
            guard error.isRefusal("orderNotReady") else { throw error }
        }
        return try await poll(url) { $0.status == .valid || $0.status == .invalid }
    }

    private func poll(
        _ url: String, until isDone: (ACMEOrder) -> Bool
    ) async throws(ACMEError) -> ACMEOrder {
        var poll = Poll()
        while true {
            let response = try await client.post(url, nil)
            let order = try ACMEOrder(response, client.rule)
            if isDone(order) { return order }
            guard let wait = poll.next(retryAfter: client.retryAfter(response)) else {
                throw ACMEError(
                    .unavailable, "the authority did not issue the certificate within \(Self.timeout) seconds")
            }
            try await client.pause(wait)
        }
    }

    private func checked(_ pem: [UInt8], _ key: P256Key) throws(ACMEError) -> StoredCertificate {
        let chain: CertificateChain
        do throws(CertificateChain.Failure) {
            chain = try CertificateChain(pem: pem)
        } catch {
            throw ACMEError(.certificate, "the certificate that was issued can't be read: \(error.reason)")
        }
        let now = client.environment.now()
        guard chain.matches(key) else {
            throw ACMEError(.certificate, "the certificate that was issued is for another key")
        }
        guard chain.isValid(for: host) else {
            throw ACMEError(.certificate, "the certificate that was issued is not valid for the host")
        }
        guard chain.notBefore <= now + Self.clockTolerance, chain.notAfter > now else {
            throw ACMEError(
                .certificate, "the certificate that was issued is not valid now; check the clock of this machine")
        }
        return StoredCertificate(
            IssuedCertificate(host: host, chain: pem, privateKey: key.pem), chain: chain, directory: directory)
    }

    /// How long to wait before the next look.
    private struct Poll {
        private var count = 0
        private var waited = 0

        /// In seconds; nil after the timeout.
        mutating func next(retryAfter: Int?) -> Int? {
            guard waited < timeout else { return nil }
            let wait = max(1, min(retryAfter ?? pauses[min(count, pauses.count - 1)], timeout - waited))
            count += 1
            waited += wait
            return wait
        }
    }
}

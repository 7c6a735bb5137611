import WaymarkAPI

extension WaymarkClient {
    /// The deferred deep link of this installation, at any time: nil if none was claimed. It has its metadata
    /// until its target has run, for at most 30 days; route and parameters stay.
    public var installationDeeplink: DeferredDeeplink? {
        links.installation.flatMap { DeferredDeeplink($0, KeptReference(store: links, place: .installation)) }
    }

    /// Resolves a link that the router opens. The answer is kept before its idempotency key is removed, so
    /// that it is lost at no time.
    func resolve(
        _ subject: ResolveRequest.Subject, of url: String?, as reference: KeptReference
    ) async throws(WaymarkClientError) -> ResolveResponse {
        let body = ResolveRequest(
            subject, platform: options.platform.rawValue, appVersion: options.appVersion)
        return try await requests.post(Endpoint.resolve, body.json, isShared: true) { [links] in
            ResolveResponse(json: $0).map { links.keep($0, of: url, as: reference) }
        }
    }

    /// Resolves a link to explain it: in one attempt, without a redeem, and without a stored idempotency key.
    func resolveOnce(_ smartlink: String) async throws(WaymarkClientError) -> ResolveResponse {
        let body = ResolveRequest(
            .smartlink(smartlink), platform: options.platform.rawValue, redeem: false,
            appVersion: options.appVersion)
        let answer = try await sender.once.post(Endpoint.resolve, body.json)
        guard let resolved = ResolveResponse(json: answer.body) else {
            throw .unexpectedAnswer(status: answer.status, retryAfter: nil)
        }
        return resolved
    }
}

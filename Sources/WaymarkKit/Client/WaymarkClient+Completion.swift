public import WaymarkAPI

/// Variants with completion handlers. Each completion is called once, on the main actor, after the function has
/// returned.
extension WaymarkClient {
    /// See `resolve(_:redeem:)`.
    public func resolve(
        _ subject: ResolveRequest.Subject, redeem: Bool = true,
        completion: @escaping @MainActor @Sendable (Result<ResolveResponse, WaymarkClientError>) -> Void
    ) {
        complete(completion) { client throws(WaymarkClientError) in try await client.resolve(subject, redeem: redeem) }
    }

    /// See `createSmartlink(_:)`.
    public func createSmartlink(
        _ link: LinkRequest, completion: @escaping @MainActor @Sendable (Result<String, WaymarkClientError>) -> Void
    ) {
        complete(completion) { client throws(WaymarkClientError) in try await client.createSmartlink(link) }
    }

    /// See `claimDeferredDeeplink(referrer:clipboard:)`.
    public func claimDeferredDeeplink(
        referrer: String? = nil, clipboard: String? = nil,
        completion: @escaping @MainActor @Sendable (Result<DeferredDeeplink?, WaymarkClientError>) -> Void
    ) {
        complete(completion) { client throws(WaymarkClientError) in
            try await client.claimDeferredDeeplink(referrer: referrer, clipboard: clipboard)
        }
    }

    /// See `flushEvents()`. The completion receives nil if all events were sent.
    public func flushEvents(completion: @escaping @MainActor @Sendable (WaymarkClientError?) -> Void) {
        Task { @MainActor in completion(await delivery.flush()) }
    }

    private func complete<Answer: Sendable>(
        _ completion: @escaping @MainActor @Sendable (Result<Answer, WaymarkClientError>) -> Void,
        _ ask: @escaping @Sendable (WaymarkClient) async throws(WaymarkClientError) -> Answer
    ) {
        Task { @MainActor in
            do throws(WaymarkClientError) {
                completion(.success(try await ask(self)))
            } catch {
                completion(.failure(error))
            }
        }
    }
}

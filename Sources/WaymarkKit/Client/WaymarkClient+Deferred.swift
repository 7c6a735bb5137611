import WaymarkAPI

extension WaymarkClient {
    /// Claims the deferred deep link of this installation. Call it once, on the first launch.
    ///
    /// A claim needs a trace of the link: Play's install referrer, or clipboard text, which the app reads with the
    /// user's consent; this function reads neither. Only a referrer with a click ID of the service and a link to one
    /// of `ClientOptions.domains` are sent. Without such a trace it returns nil without a request, and a later call
    /// may provide one.
    ///
    /// The service's response is final for this installation, even if there was no link or the link has expired:
    /// later calls return nil. If there is no response, the error is thrown and the next call repeats the claim. A
    /// successful claim counts as one resolve. While one call is running, concurrent calls return nil. The service
    /// requires the application: without `ClientOptions.app` it rejects the claim with status 422, and the next call
    /// tries again.
    ///
    /// The first call records the installation as an event; if only a later one has a trace, the installation is
    /// recorded once more, with the click. While the storage can't be read, a call returns nil and does nothing.
    ///
    /// - Parameters:
    ///   - referrer: Play's install referrer, unmodified.
    ///   - clipboard: the clipboard's text.
    public func claimDeferredDeeplink(
        referrer: String? = nil, clipboard: String? = nil
    ) async throws(WaymarkClientError) -> DeferredDeeplink? {
        try await claimDeferredDeeplink(referrer: referrer, clipboard: clipboard, appVersion: options.appVersion)
    }

    /// Claims the deferred deep link as another version of the app.
    package func claimDeferredDeeplink(
        referrer: String? = nil, clipboard: String?, appVersion: String?
    ) async throws(WaymarkClientError) -> DeferredDeeplink? {
        // Without the stored state the claim would be that of another installation.
        guard installation.isReadable else { return nil }
        let claim = DeferredClaim(referrer: referrer, clipboard: clipboard, hosts: LinkHosts(domains))
        recordInstallation(clickID: claim.clickID)
        guard !claim.isEmpty, claims.take() else { return nil }
        defer { claims.giveBack() }
        let (installID, isClaimed) = updateInstallation { ($0.id ?? "", $0.isClaimed) }
        guard !isClaimed else { return nil }
        do throws(WaymarkClientError) {
            let body = ClaimRequest(
                app: options.app ?? "", platform: options.platform.rawValue, installID: installID,
                referrer: claim.referrer, clipboard: claim.clipboard, appVersion: appVersion)
            // Kept before the idempotency key is removed: whenever the process ends, no second redeem is taken.
            let claimed = try await requests.post(Endpoint.deferredClaim, body.json, isShared: true) { bytes in
                let claimed = ClaimResponse(json: bytes)
                if let claimed {
                    links.keepInstallation(claimed, clickID: claim.clickID)
                    endClaim()
                }
                return claimed
            }
            return DeferredDeeplink(
                claimed, clickID: claim.clickID, kept: KeptReference(store: links, place: .installation))
        } catch {
            // An expired link stays expired, so asking again at every launch is useless. Other rejections are due to
            // a mistake in the app or an older service, and an update of either may fix them.
            switch error.problem?.known {
            case .linkUnknown, .linkExpired, .linkExhausted, .linkDisabled: endClaim()
            default: break
            }
            throw error
        }
    }

    /// Claims the deferred deep link of this installation and opens it. Call it at each start: a link that was claimed
    /// but not shown, because a filter held it back until the process ended, opens then, without a request.
    ///
    /// A link that the app was launched with takes precedence: if a link was opened or is waiting for the service,
    /// nothing is requested and the claim is over. If one is opened during the request, the deferred link is not
    /// opened; `installationDeeplink` has it.
    ///
    /// - Returns: the outcome; nil if there was no deferred deep link. `failed` with `timedOut` after the router's
    ///   `openingTimeLimit`: an answer that comes later is kept, and opens at the next call.
    @MainActor
    @discardableResult
    public func openDeferredDeeplink(
        in deeplinking: Deeplinking, referrer: String? = nil, clipboard: String? = nil
    ) async -> SmartlinkOpening? {
        guard !deeplinking.hasLink else {
            recordInstallation()
            endClaim()
            return nil
        }
        if let opening = deeplinking.restoredInstallation(from: links) { return await deeplinking.result(of: opening) }
        guard canClaim(referrer: referrer, clipboard: clipboard) else {
            // Records the installation.
            _ = try? await claimDeferredDeeplink(referrer: referrer, clipboard: clipboard)
            return nil
        }
        return await deeplinking.openDeferred { [self] () throws(WaymarkClientError) in
            try await claimDeferredDeeplink(referrer: referrer, clipboard: clipboard)
        }
    }

    /// Whether the service has not been asked for this installation's deferred deep link, or has not answered. The
    /// paste button is shown only then.
    public var isClaimable: Bool { installation.isReadable && !installation.value.isClaimed }

    private func canClaim(referrer: String?, clipboard: String?) -> Bool {
        isClaimable && !DeferredClaim(referrer: referrer, clipboard: clipboard, hosts: LinkHosts(domains)).isEmpty
    }

    private func endClaim() {
        updateInstallation { $0.isClaimed = true }
    }
}

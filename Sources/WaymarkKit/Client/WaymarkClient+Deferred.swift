import WaymarkAPI

extension WaymarkClient {
    /// Asks for the deep link that waited for this installation: at the first start, once.
    ///
    /// It must have a trace to ask by: Play's install referrer, or the text of the clipboard, which the app reads where
    /// its user agreed; nothing is read here. Only a referrer with a click of the service and a link to one of
    /// `ClientOptions.domains` are sent. Without such a trace the answer is nil, nothing is asked, and a later call may
    /// have one.
    ///
    /// The service's answer ends it for this installation, also where it is that nothing waited or that the link has
    /// expired: from then on the answer is nil. Where there was no answer the error is thrown and the next call asks the
    /// same again. An answer counts as one resolve. While one call runs, others answer nil. The service wants to know the
    /// application: where `ClientOptions.app` is not given it refuses with status 422, and the next call asks again.
    ///
    /// The first call notes the installation as an event.
    ///
    /// - Parameters:
    ///   - referrer: Play's install referrer as the store hands it out.
    ///   - clipboard: the text on the clipboard.
    public func claimDeferredDeeplink(
        referrer: String? = nil, clipboard: String? = nil
    ) async throws(WaymarkClientError) -> DeferredDeeplink? {
        let claim = DeferredClaim(referrer: referrer, clipboard: clipboard, hosts: LinkHosts(domains))
        recordInstallation(clickID: claim.clickID)
        guard !claim.isEmpty, claims.take() else { return nil }
        defer { claims.giveBack() }
        let (installID, isClaimed) = updateInstallation { ($0.id ?? "", $0.isClaimed) }
        guard !isClaimed else { return nil }
        do throws(WaymarkClientError) {
            let body = ClaimRequest(
                app: options.app ?? "", platform: options.platform.rawValue, installID: installID,
                referrer: claim.referrer, clipboard: claim.clipboard, appVersion: options.appVersion)
            let answer = try await requests.post(Endpoint.deferredClaim, body.json, isShared: true)
            guard let claimed = ClaimResponse(json: answer.body) else {
                throw WaymarkClientError.unexpectedAnswer(status: answer.status, retryAfter: nil)
            }
            endClaim()
            return DeferredDeeplink(claimed, clickID: claim.clickID)
        } catch {
            // An expired link stays expired; an app that asks for it at every start gains nothing. Anything else that the
            // service refuses is the app's mistake, or an older service, and an update of either may mend it.
            switch error.problem?.known {
            case .linkUnknown, .linkExpired, .linkExhausted, .linkDisabled: endClaim()
            default: break
            }
            throw error
        }
    }

    /// Asks for the deep link that waited for this installation, and opens it.
    ///
    /// An app that was started with a link has something to show already: where a link was opened, or waits for an answer of
    /// the service, nothing is asked and the claim is over; where one is opened while the service is asked, the deferred
    /// link is not opened.
    ///
    /// - Returns: how it ended; nil where nothing waited.
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
        do {
            guard let deferred = try await claimDeferredDeeplink(referrer: referrer, clipboard: clipboard) else {
                return nil
            }
            guard !deeplinking.hasLink else {
                return .notOpened(deeplinking.opening(of: deferred).deeplink)
            }
            return deeplinking.open(deferred)
        } catch {
            return .failed(error)
        }
    }

    private func endClaim() {
        updateInstallation { $0.isClaimed = true }
    }
}

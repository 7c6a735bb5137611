import Foundation
public import WaymarkAPI

extension WaymarkClient {
    /// Reports something that a person did because of a link, such as a purchase. Returns once the service has stored it.
    ///
    /// It is sent at once, with the options' retries, and not queued: if this throws, call it again with the same `id`.
    /// The service counts a conversion with the same `id` once within 90 days.
    ///
    /// - Parameters:
    ///   - id: 1 to 255 bytes without control characters, for example the number of an order.
    ///   - name: 1 to 100 bytes without control characters, such as `purchase`.
    ///   - deeplink: what the app was opened with. Without a click ID and a smart link, or nil: the click that led to
    ///     this installation, if `claimDeferredDeeplink` has found one.
    ///   - value: an exact decimal and a currency of ISO 4217.
    /// - Returns: Whether it was counted for a link now, and not before.
    @discardableResult
    public func reportConversion(
        id: String, name: String, of deeplink: Deeplink? = nil, value: ConversionRequest.Value? = nil
    ) async throws(WaymarkClientError) -> Bool {
        let isKnown = deeplink?.clickID != nil || deeplink?.smartlink != nil
        let installID = isKnown ? nil : updateInstallation { $0.id }
        let conversion = ConversionRequest(
            id: id, name: name, clickID: deeplink?.clickID, smartlink: deeplink?.smartlink, installID: installID,
            at: sender.clock.now.formatted(.iso8601), value: value)
        let answer = try await sender.post(Endpoint.conversions, ConversionsRequest(conversions: [conversion]).json)
        guard let outcome = EventsResponse(json: answer.body) else {
            throw .unexpectedAnswer(status: answer.status, retryAfter: nil)
        }
        return outcome.counted > 0
    }
}

public import Foundation
public import WaymarkAPI

/// Variants that take and return URLs, as `ShareLink` and `onOpenURL` do.
extension WaymarkClient {
    /// Resolves a smart link as it was opened, with its query. This takes a redeem if its metadata has a
    /// redeem limit.
    ///
    /// - Parameters:
    ///   - smartlink: a string, a `DeepLinkURL` or Foundation's `URL`.
    ///   - redeem: false to get everything except the metadata, without taking a redeem.
    public func resolve(
        _ smartlink: some DeepLinkURLConvertible, redeem: Bool = true
    ) async throws(WaymarkClientError) -> ResolveResponse {
        try await resolve(.smartlink(smartlink.deepLinkURL.text), redeem: redeem)
    }
}

extension Deeplinking {
    /// Creates a smart link that leads to the deep link, as a URL for `ShareLink` and share sheets.
    ///
    /// Throws the errors of `generateSmartlink(for:)`, and `DeeplinkingError.generationFailed` if the
    /// response is no URL.
    public func smartlinkURL(for deeplink: Deeplink) async throws -> URL {
        guard let url = URL(string: try await generateSmartlink(for: deeplink)) else {
            throw DeeplinkingError.generationFailed
        }
        return url
    }
}

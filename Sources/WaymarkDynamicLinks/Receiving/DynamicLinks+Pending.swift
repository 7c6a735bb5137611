import WaymarkKit

extension DynamicLinks {
    /// The link that led to the installation of the app. Call it on the first launch.
    ///
    /// Firebase's SDK asked for it by itself, read the clipboard, and opened the link through the app delegate. Here
    /// the app decides when to ask and passes the clipboard's text, for example of a `UIPasteControl`; this function
    /// does not read the clipboard. Without a link that has a click ID, on a host of the client's
    /// `ClientOptions.domains`, it returns nil without a request.
    ///
    /// The service's response is final for the installation: later calls return nil. Without a response, the error is
    /// thrown and the next call asks again, at this launch or the next one. The service requires the application's ID
    /// (`ClientOptions.app`, or `WaymarkApp` in Info.plist). The first call records the installation.
    ///
    /// - Parameter clipboard: the clipboard's text.
    /// - Returns: the link, whose match type is `unique`; nil if there is none.
    @discardableResult
    public func pendingDynamicLink(clipboard: String?) async throws -> DynamicLink? {
        let client = try client()
        do {
            let claimed = try await client.claimDeferredDeeplink(
                clipboard: clipboard, appVersion: Self.oldestVersion)
            return claimed.map { DynamicLink($0.answer) }
        } catch {
            throw DynamicLinksFailure(error, of: nil).error
        }
    }

    /// See `pendingDynamicLink(clipboard:)`. The completion is called once, on the main thread.
    @preconcurrency
    public func pendingDynamicLink(
        clipboard: String?, completion: @escaping @MainActor (DynamicLink?, (any Error)?) -> Void
    ) {
        Self.complete(completion) { try await self.pendingDynamicLink(clipboard: clipboard) }
    }
}

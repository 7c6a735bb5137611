package import WaymarkLinks

/// What an app asks at its first start: was it installed because of a link?
package struct ClaimInput: Sendable {
    /// Which app asks; the asker's key reaches it.
    package var application: ApplicationID
    package var platform: Platform
    /// Made by the app at its first start; the same as long as it stays installed.
    package var installation: String
    /// Play's install referrer, as the app was given it.
    package var referrer: String?
    /// What the person let the app paste.
    package var clipboard: String?
    package var idempotency: IdempotencyKey?

    package init(
        application: ApplicationID, platform: Platform, installation: String, referrer: String? = nil,
        clipboard: String? = nil, idempotency: IdempotencyKey? = nil
    ) {
        self.application = application
        self.platform = platform
        self.installation = installation
        self.referrer = referrer
        self.clipboard = clipboard
        self.idempotency = idempotency
    }
}

package enum ClaimAnswering: Sendable {
    case matched(ResolvedLink, ClaimRecord.Method)
    /// Nothing was found that is this installation's to have.
    case unmatched(isReplay: Bool)
    /// The idempotency key came with another body before.
    case mismatch
}

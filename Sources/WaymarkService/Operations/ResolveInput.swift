package import WaymarkLinks

/// A resolve by an app that was opened by a link.
package struct ResolveInput: Sendable {
    package enum Target: Sendable, Equatable {
        /// - Parameter query: the query of the opened URL, without `?`.
        case smartlink(HostName, Slug, query: String?)
        /// As received by the app.
        case clickID(String)
        /// The whole URL of a long link.
        case longLink(String)
    }

    package var target: Target
    package var platform: Platform
    /// False to get everything except the metadata, without taking a redeem.
    package var redeems: Bool
    /// The application of the caller's key; nil: all.
    package var asker: ApplicationID?
    package var idempotency: IdempotencyKey?
    /// Whether a click ID takes at most one redeem, and gets the same response until it expires.
    package var redeemsOncePerClick = false

    package init(
        target: Target, platform: Platform = .web, redeems: Bool = true, asker: ApplicationID?,
        idempotency: IdempotencyKey? = nil
    ) {
        self.target = target
        self.platform = platform
        self.redeems = redeems
        self.asker = asker
        self.idempotency = idempotency
    }
}

package enum ResolveOutcome: Sendable {
    case answered(ResolvedLink)
    /// No such link, a forged or expired click ID, or a link of an application that the caller has no access to.
    case unknown
    case unavailable(LinkState)
    /// The idempotency key was used with another body before.
    case mismatch
}

/// The result of a resolve.
package struct ResolvedLink: Sendable {
    package var link: Link
    package var application: ServedApplication
    package var deepLink: DeepLink
    /// The JSON object as sent; nil if there is none, or none for this resolve.
    package var metadata: [UInt8]?
    package var redeem: Redeem
    /// Whether the response is repeated, and no redeem was taken.
    package var isReplay: Bool

    init(
        link: Link, application: ServedApplication, deepLink: DeepLink, metadata: [UInt8]?, redeem: Redeem,
        isReplay: Bool
    ) {
        self.link = link
        self.application = application
        self.deepLink = deepLink
        self.metadata = metadata
        self.redeem = redeem
        self.isReplay = isReplay
    }
}

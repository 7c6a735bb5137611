package import WaymarkLinks

/// What an app asks when it was opened by a link.
package struct ResolveInput: Sendable {
    package enum Target: Sendable, Equatable {
        /// - Parameter query: what stood behind `?` in the address as opened.
        case smartlink(HostName, Slug, query: String?)
        /// As the app was given it.
        case clickID(String)
    }

    package var target: Target
    package var platform: Platform
    /// False: everything but the metadata, and nothing is taken.
    package var redeems: Bool
    /// The application of the asker's key; nil: all.
    package var asker: ApplicationID?
    package var idempotency: IdempotencyKey?

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
    /// No such link, a forged or old click id, or one of an application that the asker doesn't reach.
    case unknown
    case unavailable(LinkState)
    /// The idempotency key came with another body before.
    case mismatch
}

/// What a resolve hands out.
package struct ResolvedLink: Sendable {
    package var link: Link
    package var application: ServedApplication
    package var deepLink: DeepLink
    /// The JSON object as sent; nil where there is none, or none for this resolve.
    package var metadata: [UInt8]?
    package var redeem: Redeem
    /// The answer was given before, and nothing was taken now.
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

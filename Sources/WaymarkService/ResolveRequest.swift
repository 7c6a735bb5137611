package import WaymarkLinks

/// What an app asks when it was opened by a link.
package struct ResolveRequest: Sendable {
    package enum Target: Sendable, Equatable {
        case smartlink(HostName, Slug)
        /// As the app was given it.
        case clickID(String)
    }

    package var target: Target
    /// False: everything but the metadata, and nothing is taken.
    package var redeems: Bool
    /// The application of the asker's key; nil: all.
    package var asker: ApplicationID?
    package var idempotency: IdempotencyKey?

    package init(target: Target, redeems: Bool, asker: ApplicationID?, idempotency: IdempotencyKey? = nil) {
        self.target = target
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

/// What a resolve hands out; the deep link is made from it by `Link.deeplink`, which needs nothing else.
package struct ResolvedLink: Sendable {
    package var link: Link
    package var application: ServedApplication
    /// The JSON object as sent; nil where there is none, or none for this resolve.
    package var metadata: [UInt8]?
    package var redeem: Redeem

    package init(link: Link, application: ServedApplication, metadata: [UInt8]?, redeem: Redeem) {
        self.link = link
        self.application = application
        self.metadata = metadata
        self.redeem = redeem
    }
}

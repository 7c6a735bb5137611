/// A link as someone describes it, before anything of it is believed. Shape (names and JSON types) was checked by who
/// read it; `validate(for:)` checks the rest. A patched link is a draft again: the patch is applied to what the link
/// says, and the whole is validated.
package struct LinkDraft: Sendable, Equatable {
    package var app: String?
    package var domain: String?
    package var slug: String?
    package var route: String?
    package var routeParameters: [String: String] = [:]
    package var queryParameters: [String: String] = [:]
    /// Platform's name → entry.
    package var urls: [String: URLEntryDraft] = [:]
    /// A JSON object's text as sent.
    package var metadata: [UInt8]?
    package var redeemLimit: Int?
    /// RFC 3339.
    package var validFrom: String?
    /// RFC 3339.
    package var expiresAt: String?
    package var maxClicks: Int?
    package var social: SocialDraft?
    package var campaign: Campaign?
    package var tags: [String] = []
    package var forwardQuery: Bool?
    package var disabled: Bool?
    package var unique: Bool?
    package var rules: [RuleDraft] = []
    /// `minimumVersion`, by platform.
    package var minimumVersions: VersionsDraft?

    package struct VersionsDraft: Sendable, Equatable {
        package var ios: String?
        package var android: String?

        package init(ios: String? = nil, android: String? = nil) {
            self.ios = ios
            self.android = android
        }
    }

    package struct SocialDraft: Sendable, Equatable {
        package var title: String?
        package var description: String?
        package var imageURL: String?

        package init(title: String? = nil, description: String? = nil, imageURL: String? = nil) {
            self.title = title
            self.description = description
            self.imageURL = imageURL
        }
    }

    package init() {}

    /// What the link says, as it would be sent again. `app`, `domain`, `slug`, `metadata` and `unique` are left out:
    /// no patch reaches them here.
    package init(content: LinkContent) {
        route = content.route?.text
        routeParameters = content.routeParameters
        queryParameters = content.queryParameters
        for (platform, entry) in content.urls {
            let fallback: String? =
                switch entry.fallback {
                case nil: nil
                case .store: "store"
                case .web: "web"
                case .url(let url): url.text
                }
            urls[platform.rawValue] = URLEntryDraft(link: entry.link.text, fallback: fallback)
        }
        redeemLimit = content.redeemLimit
        validFrom = content.validFrom?.rfc3339
        expiresAt = content.expiresAt?.rfc3339
        maxClicks = content.maxClicks
        social = content.social.map {
            SocialDraft(title: $0.title, description: $0.description, imageURL: $0.imageURL?.text)
        }
        campaign = content.campaign
        tags = content.tags
        forwardQuery = content.forwardQuery
        disabled = content.disabled
        rules = content.rules.map(RuleDraft.init)
        minimumVersions = content.minimumVersions.map {
            VersionsDraft(ios: $0.ios?.text, android: $0.android?.text)
        }
    }
}

/// A draft that holds: all that a new link needs but a slug where none was given, and a domain where none was.
package struct ValidLink: Sendable, Equatable {
    /// One of the application's domains; nil where the draft names none.
    package var domain: HostName?
    package var slug: Slug?
    package var content: LinkContent
    package var metadata: [UInt8]?
    package var unique: Bool
}

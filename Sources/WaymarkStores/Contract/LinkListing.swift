package import WaymarkLinks

/// Which links to list.
package struct LinkListing: Sendable {
    package static let examinationLimit = 100_000
    /// nil: of all applications.
    package var application: ApplicationID?
    package var tag: String?
    /// Literal text, case and all, found in slug, title, note, route or destination (the link's own URLs and fallback URLs).
    package var query: String?
    /// 1–200.
    package var limit: Int
    /// Only links with an id below it.
    package var before: LinkID?
    /// How long one page may look at links that need not fit. Default: 50 ms.
    package var budget = ListingBudget.usual
    /// How many links one page may look at, whether they fit or not. Default: `examinationLimit`.
    package var examining: Int

    /// Whether no index answers the listing alone, so that any number of links may be passed over.
    package var isSearch: Bool { query != nil || (tag != nil && application != nil) }

    package init(
        application: ApplicationID? = nil, tag: String? = nil, query: String? = nil, limit: Int = 50,
        before: LinkID? = nil, examining: Int = LinkListing.examinationLimit
    ) {
        self.application = application
        self.tag = tag
        self.query = query
        self.limit = limit
        self.before = before
        self.examining = examining
    }
}

package struct LinkPage: Sendable, Equatable {
    package var links: [Link]
    /// Where the next page starts (its `before`); nil at the end. May be given with fewer links than asked for.
    package var next: LinkID?

    package init(links: [Link], next: LinkID?) {
        self.links = links
        self.next = next
    }
}

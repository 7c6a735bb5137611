package import WaymarkLinks

/// A query for a page of links.
package struct LinkListing: Sendable {
    package static let examinationLimit = 100_000
    /// Nil: all applications.
    package var application: ApplicationID?
    package var tag: String?
    /// Text found literally, including case, in slug, title, note, route or destinations (the link's own URLs and
    /// fallback URLs).
    package var query: String?
    /// 1–200.
    package var limit: Int
    /// Only links with an ID below this one.
    package var before: LinkID?
    /// Time limit for examining links that may not match. Default: 50 ms.
    package var budget = ListingBudget.usual
    /// Maximum number of links to examine, whether they match or not. Default: `examinationLimit`.
    package var examining: Int

    /// Whether no index suffices for the query, so that any number of links may have to be skipped.
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
    /// The start of the next page (its `before`); nil on the last page. May be set even if there are fewer links than
    /// requested.
    package var next: LinkID?

    package init(links: [Link], next: LinkID?) {
        self.links = links
        self.next = next
    }
}

package import WaymarkLinks

/// A query for a page of links.
package struct LinkListing: Sendable {
    package static let examinationLimit = 100_000
    /// The maximum of `LinkPage.count`.
    package static let countLimit = 10_000

    package var filter: LinkFilter
    package var sort: LinkSort
    /// 1–200.
    package var limit: Int
    /// Only links after this position; nil: from the start.
    package var after: LinkPosition?
    /// Whether to count all links that match, up to `countLimit`.
    package var counts = false
    /// The time at which states are determined.
    package var now = Timestamp(rawValue: 0)
    /// Time limit for examining links that may not match, and again for counting them. Default: 50 ms.
    package var budget = ListingBudget.usual
    /// Time limit for counting the links if no index does. Default: 500 ms.
    package var countBudget = ListingBudget.counting
    /// Maximum number of links to examine, whether they match or not. Default: `examinationLimit`.
    package var examining: Int

    /// Whether no index suffices for the filter, so that any number of links may have to be skipped.
    package var isExamination: Bool {
        filter.conditions > (sort.isByCreation ? filter.indexedConditions : 0)
    }

    /// Whether indexes give the page and the count, so that reading the page's links is all the work.
    package var isIndexed: Bool { !isExamination && (!counts || filter.isCountedByIndex) }

    package init(
        _ filter: LinkFilter, sort: LinkSort = .newest, limit: Int = 50, after: LinkPosition? = nil,
        examining: Int = LinkListing.examinationLimit
    ) {
        self.filter = filter
        self.sort = sort
        self.limit = limit
        self.after = after
        self.examining = examining
    }

    package init(
        application: ApplicationID? = nil, tag: String? = nil, query: String? = nil, sort: LinkSort = .newest,
        limit: Int = 50, after: LinkPosition? = nil, examining: Int = LinkListing.examinationLimit
    ) {
        self.init(
            LinkFilter(application: application, tag: tag, query: query), sort: sort, limit: limit, after: after,
            examining: examining)
    }
}

/// The order of a listing. Links with equal values are sorted by ID, in the same direction.
package enum LinkSort: String, Sendable, CaseIterable {
    /// By ID, which is the order of creation in this database.
    case newest = "-createdAt"
    case oldest = "createdAt"
    /// The most clicks first. The order may be some seconds old, see `LinkStore.updateIndexes`.
    case clicks = "-clicks"
    /// The earliest end first; links that never expire come last, the newest of them first.
    case expiry = "expiresAt"

    package var isByCreation: Bool { self == .newest || self == .oldest }
    package var isAscending: Bool { self == .oldest || self == .expiry }
}

/// The place of a link in a listing.
package struct LinkPosition: Sendable, Hashable {
    /// What the listing is sorted by: clicks, or the expiry in milliseconds since 1970; 0 if it is sorted by creation.
    package var key: Int64
    package var id: LinkID

    package init(_ id: LinkID, key: Int64 = 0) {
        self.key = key
        self.id = id
    }

    /// The key of links that never expire.
    package static let neverExpires = Int64.max
    /// The key of links without clicks.
    package static let noClicks = Int64(0)
}

package struct LinkPage: Sendable, Equatable {
    package var links: [Link]
    /// The start of the next page (its `after`); nil on the last page. May be set even if there are fewer links than
    /// requested.
    package var next: LinkPosition?
    /// If the listing counts.
    package var count: LinkCount?
    /// Links that were left out because they can't be read: damaged, or written by a later version.
    package var unreadable: [LinkID] = []

    package init(links: [Link], next: LinkPosition?, count: LinkCount? = nil) {
        self.links = links
        self.next = next
        self.count = count
    }
}

/// How many links match a filter.
package struct LinkCount: Sendable, Equatable {
    package var links: Int
    /// Whether there may be more, because the limit or the end of the time budget was reached.
    package var isLowerBound: Bool

    package init(links: Int, isLowerBound: Bool) {
        self.links = links
        self.isLowerBound = isLowerBound
    }
}

package import WaymarkLinks

/// Collects the links of one page, or counts all that match, from links in the order of the listing.
package struct LinkPageBuilder {
    package enum Step { case goOn, stop }

    package let matcher: LinkMatcher
    package private(set) var page = LinkPage(links: [], next: nil)
    /// How many links have been examined.
    package private(set) var examined = 0
    private let limit: Int
    private let examining: Int
    private let isExamination: Bool
    private let isCounting: Bool
    private let budget: ListingBudget.Running
    private var matched = 0
    private var last: LinkPosition?
    private var isCutShort = false

    /// - Parameter counting: to count from the first link on.
    package init(_ listing: LinkListing, counting: Bool = false) {
        matcher = LinkMatcher(listing.filter, at: listing.now)
        limit = counting ? LinkListing.countLimit : max(1, listing.limit)
        examining = counting ? .max : max(1, listing.examining)
        isExamination = counting || listing.isExamination
        isCounting = counting
        budget = listing.budget.begin()
        last = counting ? nil : listing.after
    }

    package var isFull: Bool { matched == limit }
    /// How many more links may match.
    package var room: Int { limit - matched }
    /// How many more links may be examined.
    package var rest: Int { examining - examined }

    package var isOverTime: Bool { budget.isSpent }
    package var isSpent: Bool { isExamination && examined > 0 && budget.isSpent }

    /// How many of at most `most` further links can be examined in the remaining time.
    package func affords(atMost most: Int) -> Int {
        isExamination ? budget.affords(after: max(1, examined), atMost: most) : most
    }

    /// Called before each link: stops if there is no room or no time for it. The page then goes on after the last one.
    package mutating func begin() -> Step {
        guard isFull || examined >= examining || isSpent else { return .goOn }
        endEarly()
        return .stop
    }

    /// Ends the page before its end, with a cursor after the last link.
    package mutating func endEarly() {
        isCutShort = true
        page.next = last
    }

    /// Records that all links up to this position have been examined.
    package mutating func pass(_ position: LinkPosition, examined count: Int = 1) {
        examined += count
        last = position
    }

    /// Adds a link if it matches.
    package mutating func add(_ link: Link) {
        guard matcher.matches(link) else { return }
        matched += 1
        if !isCounting { page.links.append(link) }
    }

    /// Adds the link that `read` returns, if it matches and can be read. One that can't be read must not hide the others.
    package mutating func add(_ id: LinkID, _ read: () throws -> Link?) throws {
        do {
            if let link = try read() { add(link) }
        } catch StoreError.corrupt {
            page.unreadable.append(id)
        }
    }

    /// Records a link that is known to match, and is only counted.
    package mutating func addMatch() { matched += 1 }

    /// Whether the links themselves are needed, or only their number.
    package var collects: Bool { !isCounting }

    package var total: LinkCount { LinkCount(links: matched, isLowerBound: isCutShort) }
}

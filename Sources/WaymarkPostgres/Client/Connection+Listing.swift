#if PostgreSQL
    internal import WaymarkStores
    internal import WaymarkLinks

    extension Connection {
        /// One page, newest first: an index scan in pieces, bounded by the listing's limits of links and time. The
        /// server skips links that can't match; whether the others do is decided here.
        func list(_ listing: LinkListing, by deadline: Deadline) throws -> LinkPage {
            let limit = max(1, listing.limit)
            let examining = max(1, listing.examining)
            var before = listing.before?.rawValue ?? .max
            var examined = 0
            let search = listing.query.map { LiteralSearch($0) }
            let budget = listing.budget.begin()
            var piece = max(Self.firstPiece, limit + Self.spare)
            var page = LinkPage(links: [], next: nil)
            while page.links.count < limit && examined < examining && piece > 0 {
                // A few more than needed, because some are false positives.
                let wanted = limit - page.links.count + Self.spare
                let most = min(examining - examined, piece)
                let result = try walk(listing, before: before, examining: most, giving: wanted, by: deadline)
                var index = 0
                for row in 0..<result.count where page.links.count < limit {
                    index = try result.count(row, LinkRow.width)
                    let link = try LinkRow.link(result, row)
                    before = link.id.rawValue
                    if listing.fits(link, search) { page.links.append(link) }
                }
                examined += index
                let isAtEnd = result.count < wanted && index < most
                if isAtEnd && page.links.count < limit { return page }
                // At most twice as many, because the next links may be larger.
                piece = listing.isSearch ? budget.affords(after: examined, atMost: piece * 2) : piece * 2
            }
            // If the page is full, or the limit is reached, there is a next page if any link is left.
            let rest = try walk(listing, before: before, examining: 1, giving: 1, by: deadline)
            if rest.count > 0 { page.next = LinkID(rawValue: before) }
            return page
        }

        /// Number of links in the first piece, before their cost is known.
        private static var firstPiece: Int { 64 }
        private static var spare: Int { 8 }

        private func walk(
            _ listing: LinkListing, before: Int64, examining: Int, giving: Int, by deadline: Deadline
        ) throws -> QueryResult {
            let statement: Statement =
                listing.tag != nil ? .listTag : listing.application != nil ? .listApplication : .listAll
            var command = Command(
                statement, .number(before), .number(Int64(examining)), .number(Int64(giving)),
                .bytes(listing.query.map { Array($0.utf8) }), listing.application.map { .text($0.text) } ?? .null)
            if let tag = listing.tag { command.arguments.append(.bytes(Array(tag.utf8))) }
            return try run(command, by: deadline)
        }
    }

    extension LinkListing {
        fileprivate func fits(_ link: Link, _ search: LiteralSearch?) -> Bool {
            if let application, link.application != application { return false }
            if let search, !link.isFound(by: search) { return false }
            return true
        }
    }
#endif

#if PostgreSQL
    internal import WaymarkStores
    internal import WaymarkLinks

    extension Connection {
        /// One page: an index scan in pieces, bounded by the listing's limits of links and time. The server skips links
        /// that can't match; whether the others do is decided here.
        func list(_ listing: LinkListing, by deadline: Deadline) throws -> LinkPage {
            var builder = LinkPageBuilder(listing)
            try collect(listing, after: listing.after, into: &builder, by: deadline)
            var page = builder.page
            if listing.counts { page.count = try count(listing, by: deadline) }
            return page
        }

        private func count(_ listing: LinkListing, by deadline: Deadline) throws -> LinkCount {
            let limit = LinkListing.countLimit
            let filter = listing.filter
            if let index = CountIndex(filter) {
                let result = try run(index.command(atMost: limit + 1), by: deadline)
                let count = try result.count(0, 0)
                return LinkCount(links: min(count, limit), isLowerBound: count > limit)
            }
            var all = listing
            all.sort = .newest
            all.budget = listing.countBudget
            var builder = LinkPageBuilder(all, counting: true)
            try collect(all, after: nil, into: &builder, by: deadline)
            return builder.total
        }

        private func collect(
            _ listing: LinkListing, after: LinkPosition?, into builder: inout LinkPageBuilder, by deadline: Deadline
        ) throws {
            switch listing.sort {
            case .newest, .oldest:
                if listing.filter.verified == nil, let words = listing.filter.search {
                    return try search(words, listing, after: after?.id, into: &builder, by: deadline)
                }
                _ = try examine(.created(listing), listing.filter, after: after, into: &builder, by: deadline)
            case .clicks:
                let hasClicks = after.map { $0.key != LinkPosition.noClicks } ?? true
                if hasClicks {
                    guard try examine(.mostClicked, listing.filter, after: after, into: &builder, by: deadline) else {
                        return
                    }
                }
                _ = try examine(
                    .neverClicked, listing.filter, after: hasClicks ? nil : after, into: &builder, by: deadline)
            case .expiry:
                let expires = after.map { $0.key != LinkPosition.neverExpires } ?? true
                if expires {
                    let isWhole = try examine(
                        .nextToExpire, listing.filter, after: after, into: &builder, by: deadline)
                    guard isWhole else { return }
                }
                _ = try examine(
                    .neverExpiring, listing.filter, after: expires ? nil : after, into: &builder, by: deadline)
            }
        }

        /// Examines links in the order of the listing; false if the page has ended.
        func examine(
            _ walk: LinkWalk, _ filter: LinkFilter, after: LinkPosition?, through last: Int64? = nil,
            into builder: inout LinkPageBuilder, by deadline: Deadline
        ) throws -> Bool {
            var position = after
            var piece = max(Self.firstPiece, builder.room == LinkListing.countLimit ? 0 : builder.room + Self.spare)
            while true {
                if builder.isFull || builder.rest <= 0 || builder.isSpent || piece == 0 {
                    // There is a next page if any link is left.
                    let command = walk.command(filter, after: position, examining: 1, giving: 1)
                    guard try run(command, by: deadline).count > 0 else { return true }
                    builder.endEarly()
                    return false
                }
                // A few more than needed, because some are false positives.
                let wanted = builder.room + Self.spare
                let most = min(builder.rest, piece)
                let command = walk.command(filter, after: position, examining: most, giving: wanted)
                let result = try run(command, by: deadline)
                var index = 0
                let misplaced = try misplaced(result, walk, by: deadline)
                for row in 0..<result.count where !builder.isFull {
                    let id = LinkID(rawValue: try result.number(row, 0))
                    if let last, walk.isAscending ? id.rawValue > last : id.rawValue < last { return true }
                    let place = try result.count(row, LinkRow.width)
                    let next = LinkPosition(id, key: try result.number(row, LinkRow.width + 1))
                    builder.pass(next, examined: place - index)
                    index = place
                    position = next
                    if misplaced.contains(id) { continue }
                    try builder.add(id) { try LinkRow.link(result, row) }
                }
                if result.count < wanted && index < most && !builder.isFull { return true }
                // At most twice as many, because the next links may be larger.
                piece = builder.affords(atMost: piece * 2)
            }
        }

        /// The links of the result that have their place elsewhere in the order by expiry.
        private func misplaced(_ result: QueryResult, _ walk: LinkWalk, by deadline: Deadline) throws -> Set<LinkID> {
            guard walk == .nextToExpire || walk == .neverExpiring else { return [] }
            var found: Set<LinkID> = []
            var ends: [(id: Int64, end: Int64)] = []
            for row in 0..<result.count {
                guard let link = LinkRow.readable(result, row) else { continue }
                let end = link.content.expiresAt?.rawValue
                if walk == .nextToExpire {
                    if try end != result.number(row, LinkRow.width + 1) { found.insert(link.id) }
                } else if let end {
                    ends.append((link.id.rawValue, end))
                }
            }
            guard !ends.isEmpty else { return found }
            let known = try run(
                .init(.knownExpiries, .numbers(ends.map(\.end)), .numbers(ends.map(\.id))), by: deadline)
            for row in 0..<known.count { found.insert(LinkID(rawValue: try known.number(row, 0))) }
            return found
        }

        /// Number of links in the first piece, before their cost is known.
        private static var firstPiece: Int { 64 }
        private static var spare: Int { 8 }
    }

    /// The index by which links are listed.
    enum LinkWalk: Equatable {
        case newest, oldest, newestOfApplication, oldestOfApplication, newestOfTag, oldestOfTag
        case newestVerified, oldestVerified
        case mostClicked, neverClicked, nextToExpire, neverExpiring

        static func created(_ listing: LinkListing) -> LinkWalk {
            let isAscending = listing.sort == .oldest
            if listing.filter.verified != nil { return isAscending ? .oldestVerified : .newestVerified }
            if listing.filter.indexedTag != nil { return isAscending ? .oldestOfTag : .newestOfTag }
            if listing.filter.application != nil { return isAscending ? .oldestOfApplication : .newestOfApplication }
            return isAscending ? .oldest : .newest
        }

        var isAscending: Bool {
            switch self {
            case .oldest, .oldestOfApplication, .oldestOfTag, .oldestVerified, .nextToExpire: true
            default: false
            }
        }

        private var statement: Statement {
            switch self {
            case .newest: .listAll
            case .oldest: .listAllAscending
            case .newestOfApplication: .listApplication
            case .oldestOfApplication: .listApplicationAscending
            case .newestOfTag: .listTag
            case .oldestOfTag: .listTagAscending
            case .newestVerified: .listVerified
            case .oldestVerified: .listVerifiedAscending
            case .mostClicked: .listClicked
            case .neverClicked: .listNotClicked
            case .nextToExpire: .listExpiring
            case .neverExpiring: .listNeverExpiring
            }
        }

        func command(
            _ filter: LinkFilter, after: LinkPosition?, examining: Int, giving: Int
        ) -> Connection.Command {
            .init(
                statement, .number(after?.id.rawValue ?? (isAscending ? .min : .max)), .number(Int64(examining)),
                .number(Int64(giving)), .bytes(filter.query.map { Array($0.utf8) }),
                filter.application.map { .text($0.text) } ?? .null, .bytes(filter.indexedTag.map { Array($0.utf8) }),
                .number(filter.verified?.rawValue ?? after?.key ?? (self == .nextToExpire ? .min : .max)),
                filter.domain.map { .text($0.text) } ?? .null,
                .number(filter.createdFrom?.rawValue ?? .min), .number(filter.createdTo?.rawValue ?? .max),
                .bytes(filter.campaign.map { Array($0.utf8) }))
        }
    }

    /// The index that has exactly the links of a filter.
    private enum CountIndex {
        case all
        case application(ApplicationID)
        case tag(String)

        init?(_ filter: LinkFilter) {
            guard filter.isCountedByIndex else { return nil }
            switch (filter.indexedTag, filter.application) {
            case (let tag?, _): self = .tag(tag)
            case (nil, let application?): self = .application(application)
            case (nil, nil): self = .all
            }
        }

        func command(atMost limit: Int) -> Connection.Command {
            let limit = Argument.number(Int64(limit))
            func sql(_ source: String) -> String {
                "SELECT count(*) FROM (SELECT FROM waymark.\(source) LIMIT $1::int8) AS found"
            }
            switch self {
            case .all: return .init(sql: sql("link WHERE id > 0"), limit)
            case .application(let id):
                let source =
                    "link WHERE application = (SELECT number FROM waymark.application WHERE name = $2::text)"
                return .init(sql: sql(source), limit, .text(id.text))
            case .tag(let tag):
                return .init(sql: sql("link_tag WHERE tag = $2::bytea"), limit, .bytes(Array(tag.utf8)))
            }
        }
    }
#endif

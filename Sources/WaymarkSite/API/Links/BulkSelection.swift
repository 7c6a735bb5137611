import WaymarkAPI
import WaymarkLinks
import WaymarkService
import WaymarkStores

/// The links of a bulk request, read some at a time.
struct BulkSelection: Sendable {
    /// Links in one transaction: far below the limit of 1,000, so that other writers wait for a few hundredths of a
    /// second.
    static let piece = 250

    enum Target: Sendable {
        /// Nil: no slug has this form.
        case address(domain: String, slug: String, Slug?, version: Int?)
        case id(LinkID)
    }

    enum Found: Sendable {
        case link(Link)
        /// It has another version than it must have.
        case changed(Link)
        case unknown(domain: String, slug: String)
    }

    let targets: [Target]

    /// - Throws: `Problem` if the selection is invalid or too large; `StoreError`.
    init(_ selection: BulkRequest<LinkFilter>.Selection, _ call: Call, _ site: Site) async throws {
        switch selection {
        case .links(let texts, let versions):
            var problems: [FieldProblem] = []
            targets = texts.enumerated().map { index, text in
                let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count < 2, problems.count < 200 {
                    problems.append(
                        FieldProblem(field: "select.links[\(index)]", problem: "must have the form domain/slug"))
                }
                let slug = parts.count < 2 ? "" : String(parts[1])
                return .address(
                    domain: String(parts.first ?? ""), slug: slug, Slug(slug), version: versions?[index])
            }
            guard problems.isEmpty else { throw Problem(invalid: problems) }
            site.callers.charge(max(0, targets.count - 1) / Self.piece, .create, call.peer, key: call.key)
        case .filter(let filter): targets = try await Self.ids(of: filter, call, site).map { .id($0) }
        }
    }

    /// All of them before the first change, which may decide which links match.
    private static func ids(of filter: LinkFilter, _ call: Call, _ site: Site) async throws -> [LinkID] {
        var listing = LinkListing(filter, limit: 200)
        if let addressed = try await LinkLookup.addressed(listing, call, site) { return addressed.links.map(\.id) }
        // A deletion that is sent again must not select other links that hold the address of the one that is gone.
        if LinkLookup.isAddress(filter, site) { return [] }
        var ids: [LinkID] = []
        var charged = 0
        while true {
            let page = try await site.service.list(listing, for: call.reach, key: call.key.id)
            ids += page.links.map(\.id)
            // Also of a selection that is refused or only counted; the first token was taken on admission.
            let pieces = max(0, ids.count - 1) / piece
            site.callers.charge(pieces - charged, .create, call.peer, key: call.key)
            charged = pieces
            guard ids.count <= BulkLimits.links else {
                throw Problem(invalid: [
                    FieldProblem(
                        field: "select", problem: "matches more than \(BulkLimits.links) links; add a filter")
                ])
            }
            guard let next = page.next else { return ids }
            listing.after = next
            await Task.yield()
        }
    }

    /// The links of some targets, in their order; without those that were deleted since they matched.
    static func links(_ targets: ArraySlice<Target>, _ call: Call, _ site: Site) async throws -> [Found] {
        // At once, because a store answers many reads together.
        try await withThrowingTaskGroup(of: (Int, Found?).self) { group in
            for (index, target) in targets.enumerated() {
                group.addTask { (index, try await find(target, call, site)) }
            }
            var found = [Found?](repeating: nil, count: targets.count)
            for try await (index, link) in group { found[index] = link }
            return found.compactMap { $0 }
        }
    }

    private static func find(_ target: Target, _ call: Call, _ site: Site) async throws -> Found? {
        switch target {
        case .id(let id): return try await site.service.find(id, for: call.reach).map(Found.link)
        case .address(let domain, let text, let slug, let version):
            if let slug, let link = try await LinkLookup.find(domain: domain, slug: slug, call, site) {
                return version == nil || version == link.version ? .link(link) : .changed(link)
            }
            return .unknown(domain: domain, slug: text)
        }
    }
}

import WaymarkAPI
import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    /// Six links that differ in everything that can be filtered by.
    private static func addLinks(to store: any LinkStore) async throws {
        try await store.addApplication("shop")
        try await store.addApplication("news")
        let changes: [(String, (inout NewLink) throws -> Void)] = [
            ("plain", { _ in }),
            ("tagged", { $0.content.tags = ["red", "sale"] }),
            (
                "mailed",
                {
                    $0.content.campaign = CampaignRequest(
                        source: "autumn", medium: nil, name: "spring", term: nil, content: nil)
                }
            ),
            ("expired", { $0.content.expiresAt = Sample.after(-1) }),
            (
                "scheduled",
                {
                    $0.content.validFrom = Sample.after(60)
                    $0.content.tags = ["red"]
                }
            ),
            ("disabled", { $0.content.disabled = true }),
        ]
        for (index, (slug, change)) in changes.enumerated() {
            var draft = try Sample.draft(
                slug, application: index % 2 == 0 ? "shop" : "news",
                host: index < 3 ? "go.example.com" : "news.example.com", at: Sample.after(Int64(index) * 10))
            try change(&draft)
            _ = try await store.added(draft)
        }
    }

    private static func slugs(_ filter: LinkFilter, in store: any LinkStore) async throws -> [String] {
        var listing = LinkListing(filter, limit: 2)
        listing.now = Sample.now
        listing.counts = true
        listing.countBudget = ListingBudget(.seconds(3_600), uptime: { .zero })
        let (slugs, _) = try await pages(of: store, listing)
        let count = try await store.list(listing).count
        try expect(count, is: LinkCount(links: slugs.count, isLowerBound: false))
        return slugs
    }

    static let filters = [
        LinkStoreContract("lists links of each filter, and counts them") { store in
            try await addLinks(to: store)
            let cases: [(LinkFilter, [String])] = [
                (LinkFilter(), ["disabled", "scheduled", "expired", "mailed", "tagged", "plain"]),
                (LinkFilter(application: try Sample.application("news")), ["disabled", "expired", "tagged"]),
                (LinkFilter(domain: try Sample.host("news.example.com")), ["disabled", "scheduled", "expired"]),
                (LinkFilter(domain: try Sample.host("other.example.com")), []),
                (LinkFilter(tag: "red"), ["scheduled", "tagged"]),
                (LinkFilter(tag: "re"), []),
                (LinkFilter(campaign: "spring"), ["mailed"]),
                (LinkFilter(campaign: "autumn"), []),
                (LinkFilter(state: .active), ["mailed", "tagged", "plain"]),
                (LinkFilter(state: .expired), ["expired"]),
                (LinkFilter(state: .scheduled), ["scheduled"]),
                (LinkFilter(state: .disabled), ["disabled"]),
                (LinkFilter(state: .exhausted), []),
                (LinkFilter(createdFrom: Sample.after(20)), ["disabled", "scheduled", "expired", "mailed"]),
                (LinkFilter(createdTo: Sample.after(20)), ["tagged", "plain"]),
                (LinkFilter(createdFrom: Sample.after(10), createdTo: Sample.after(30)), ["mailed", "tagged"]),
                (LinkFilter(search: SearchWords("exp")), ["expired"]),
            ]
            for (filter, expected) in cases { try expect(try await slugs(filter, in: store), is: expected) }
        },
        LinkStoreContract("lists links that meet all conditions") { store in
            try await addLinks(to: store)
            let news = try Sample.application("news")
            let cases: [(LinkFilter, [String])] = [
                (LinkFilter(application: news, domain: try Sample.host()), ["tagged"]),
                (LinkFilter(application: news, tag: "red"), ["tagged"]),
                (LinkFilter(tag: "red", state: .active), ["tagged"]),
                (LinkFilter(application: news, state: .expired, createdFrom: Sample.after(30)), ["expired"]),
                (LinkFilter(application: news, state: .expired, createdTo: Sample.after(30)), []),
                (LinkFilter(campaign: "spring", query: "shop.example.com/mailed"), ["mailed"]),
                (LinkFilter(campaign: "spring", query: "shop.example.com/plain"), []),
                (LinkFilter(tag: "red", search: SearchWords("sale")), ["tagged"]),
                (LinkFilter(state: .disabled, search: SearchWords("shop dis")), ["disabled"]),
            ]
            for (filter, expected) in cases { try expect(try await slugs(filter, in: store), is: expected) }
        },
        LinkStoreContract("lists links without clicks left as exhausted") { store in
            try await store.addApplication()
            var draft = try Sample.draft("few")
            draft.content.maxClicks = 2
            let link = try await store.added(draft)
            _ = try await store.added(Sample.draft("plain"))
            try expect(try await slugs(LinkFilter(state: .exhausted), in: store), is: [])
            try await store.addClicks([link.id: 2])
            try expect(try await slugs(LinkFilter(state: .exhausted), in: store), is: ["few"])
        },
    ]

    static let sorting = [
        LinkStoreContract("lists the oldest first, page by page") { store in
            try await addLinks(to: store)
            let (slugs, _) = try await pages(of: store, LinkListing(sort: .oldest, limit: 4))
            try expect(slugs, is: ["plain", "tagged", "mailed", "expired", "scheduled", "disabled"])
            let (red, _) = try await pages(of: store, LinkListing(tag: "red", sort: .oldest, limit: 1))
            try expect(red, is: ["tagged", "scheduled"])
            let shop = LinkListing(application: try Sample.application(), sort: .oldest, limit: 2)
            try expect(try await pages(of: store, shop).0, is: ["plain", "mailed", "scheduled"])
        },
        LinkStoreContract("lists the most clicked first, page by page") { store in
            try await store.addApplication()
            var links: [Link] = []
            for number in 0..<7 { links.append(try await store.added(Sample.draft("s\(number)"))) }
            try await store.addClicks([links[1].id: 3, links[3].id: 9, links[4].id: 3, links[6].id: 1])
            _ = try await store.updateIndexes(all: true)
            for limit in [1, 2, 3, 4, 7] {
                let (slugs, _) = try await pages(of: store, LinkListing(sort: .clicks, limit: limit))
                try expect(slugs, is: ["s3", "s4", "s1", "s6", "s5", "s2", "s0"])
            }
            _ = try await store.delete(links[4].id, expecting: nil)
            try await store.addClicks([links[1].id: 7])
            _ = try await store.updateIndexes(all: true)
            let (slugs, _) = try await pages(of: store, LinkListing(sort: .clicks, limit: 2))
            try expect(slugs, is: ["s1", "s3", "s6", "s5", "s2", "s0"])
        },
        LinkStoreContract("lists the next to expire first, page by page") { store in
            try await store.addApplication()
            var links: [Link] = []
            for (number, end) in ([nil, 50, 20, nil, 20, 70] as [Int64?]).enumerated() {
                var draft = try Sample.draft("s\(number)")
                draft.content.expiresAt = end.map { Sample.after($0) }
                links.append(try await store.added(draft))
            }
            func slugs(_ limit: Int) async throws -> [String] {
                try await pages(of: store, LinkListing(sort: .expiry, limit: limit)).0
            }
            for limit in [1, 2, 3, 4, 6] {
                try expect(try await slugs(limit), is: ["s2", "s4", "s1", "s5", "s3", "s0"])
            }
            for (number, end) in [(0, 10), (1, 90), (2, nil)] as [(Int, Int64?)] {
                var content = links[number].content
                content.expiresAt = end.map { Sample.after($0) }
                let change = LinkChange(content: content, metadata: .keep)
                _ = try await store.update(links[number].id, expecting: nil, to: change, at: Sample.now)
            }
            _ = try await store.delete(links[5].id, expecting: nil)
            while try await store.updateIndexes(all: true) {}
            for limit in [1, 2, 5] { try expect(try await slugs(limit), is: ["s0", "s4", "s1", "s3", "s2"]) }
        },
        LinkStoreContract("goes on from its place in each order while links change") { store in
            try await addLinks(to: store)
            for sort in LinkSort.allCases {
                let first = try await store.list(LinkListing(sort: sort, limit: 3))
                let gone = try require(first.links.last)
                _ = try await store.delete(gone.id, expecting: nil)
                var listing = LinkListing(sort: sort, limit: 3)
                listing.after = first.next
                let (rest, _) = try await pages(of: store, listing)
                let slugs = first.links.map(\.slug.text) + rest
                try expect(Set(slugs).count, is: slugs.count)
                var draft = try Sample.draft(gone.slug.text)
                draft.content = gone.content
                _ = try await store.added(draft)
                try expect(slugs.count, is: 6)
            }
        },
    ]
}

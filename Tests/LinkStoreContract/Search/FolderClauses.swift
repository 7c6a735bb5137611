import WaymarkAPI
import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    /// In two applications, some below others, some beside them with a name that begins as theirs.
    private static func addLinks(to store: any LinkStore) async throws -> [String: Link] {
        try await store.addApplication("shop")
        try await store.addApplication("news")
        let links = [
            ("a", "shop", "spring"), ("b", "shop", "spring/mail"), ("c", "shop", "spring/mail/de"),
            ("d", "shop", "springtime"), ("e", "news", "spring/mail"), ("f", "shop", nil),
        ]
        var added: [String: Link] = [:]
        for (slug, application, folder) in links {
            var draft = try Sample.draft(slug, application: application)
            draft.content.labels[.folder] = folder
            added[slug] = try await store.added(draft)
        }
        return added
    }

    private static func slugs(_ filter: LinkFilter, _ sort: LinkSort, in store: any LinkStore) async throws -> [String]
    {
        var listing = LinkListing(filter, sort: sort, limit: 2)
        listing.now = Sample.now
        listing.counts = true
        listing.countBudget = ListingBudget(.seconds(3_600), uptime: { .zero })
        let (slugs, _) = try await pages(of: store, listing)
        try expect(try await store.list(listing).count, is: LinkCount(links: slugs.count, isLowerBound: false))
        return slugs
    }

    private static func check(_ folders: [(String, Int)], of names: [String]?, in store: any LinkStore) async throws {
        let applications = try names?.map { try Sample.application($0) }
        let found = try await store.folders(of: applications, atMost: 100)
        try expect(found, is: folders.map { FolderCount(folder: $0, links: $1) })
    }

    static let folders = [
        LinkStoreContract("lists links of a folder and of those below it") { store in
            _ = try await addLinks(to: store)
            let shop = try Sample.application("shop")
            let cases: [(LinkFilter, [String])] = [
                (LinkFilter(folder: "spring"), ["a", "b", "c", "e"]),
                (LinkFilter(folder: "spring/mail"), ["b", "c", "e"]),
                (LinkFilter(folder: "spring/mail/de"), ["c"]),
                (LinkFilter(folder: "mail"), []),
                (LinkFilter(application: shop, folder: "spring"), ["a", "b", "c"]),
                (LinkFilter(application: shop, folder: "spring", state: .active), ["a", "b", "c"]),
                (LinkFilter(application: shop, folder: "spring/mail", search: SearchWords("de")), ["c"]),
                (LinkFilter(application: try Sample.application("news"), folder: "springtime"), []),
            ]
            for (filter, expected) in cases {
                try expect(try await slugs(filter, .oldest, in: store), is: expected)
                try expect(
                    try await slugs(filter, .newest, in: store), is: Array(expected.reversed()))
                try expect(try await slugs(filter, .clicks, in: store).sorted(), is: expected)
            }
        },
        LinkStoreContract("counts links by folder, as they are made, moved and deleted") { store in
            let links = try await addLinks(to: store)
            try await check(
                [("spring", 1), ("spring/mail", 2), ("spring/mail/de", 1), ("springtime", 1)], of: nil, in: store)
            try await check([("spring/mail", 1)], of: ["news"], in: store)
            try await check([], of: [], in: store)
            try await check([], of: ["none"], in: store)
            try expect(
                try await store.folders(of: nil, atMost: 1), is: [FolderCount(folder: "spring", links: 1)])
            for (slug, folder) in [("b", "autumn/mail"), ("d", nil), ("f", "autumn")] {
                let link = try require(links[slug])
                var content = link.content
                content.labels[.folder] = folder
                _ = try await store.update(link.id, expecting: nil, to: LinkChange(content: content), at: Sample.now)
            }
            _ = try await store.delete(require(links["c"]).id, expecting: nil)
            try await check(
                [("autumn", 1), ("autumn/mail", 1), ("spring", 1)], of: ["shop"], in: store)
            let both = try await store.folders(
                of: [try Sample.application("shop"), try Sample.application("news")], atMost: 100)
            try expect(both.map(\.links), is: [1, 1, 1, 1])
            for (folder, expected) in [("spring", ["a", "e"]), ("autumn", ["b", "f"]), ("springtime", [])] {
                try expect(
                    try await slugs(LinkFilter(folder: folder), .oldest, in: store), is: expected)
            }
            try expect(try await store.use(of: Sample.application("shop")).links, is: 4)
        },
    ]
}

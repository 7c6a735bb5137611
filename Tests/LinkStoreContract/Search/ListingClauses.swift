import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    /// The slugs of all pages, and how many pages there were.
    static func pages(of store: any LinkStore, _ listing: LinkListing) async throws -> ([String], Int) {
        var listing = listing
        var slugs: [String] = []
        for count in 1...1_000 {
            let page = try await store.list(listing)
            try expect(page.links.count <= listing.limit, "a page holds no more than its limit")
            slugs += page.links.map(\.slug.text)
            guard let next = page.next else { return (slugs, count) }
            listing.after = next
        }
        throw ContractViolation(description: "a listing does not end")
    }

    static let listing = [
        LinkStoreContract("lists newest first, page by page, every link once") { store in
            try await store.addApplication()
            for number in 0..<7 { _ = try await store.added(Sample.draft("s\(number)")) }
            let (slugs, pages) = try await pages(of: store, LinkListing(limit: 3))
            try expect(slugs, is: ["s6", "s5", "s4", "s3", "s2", "s1", "s0"])
            try expect(pages, is: 3)
            let page = try await store.list(LinkListing(limit: 7))
            try expect(page.links.count, is: 7)
            try expect(page.next, is: nil)
        },
        LinkStoreContract("lists nothing in an empty store") { store in
            try expect(try await store.list(LinkListing()), is: LinkPage(links: [], next: nil))
        },
        LinkStoreContract("keeps its place while links come and go") { store in
            try await store.addApplication()
            var links: [Link] = []
            for number in 0..<4 { links.append(try await store.added(Sample.draft("s\(number)"))) }
            let first = try await store.list(LinkListing(limit: 2))
            _ = try await store.added(Sample.draft("new"))
            _ = try await store.delete(links[2].id, expecting: nil)
            let second = try await store.list(LinkListing(limit: 2, after: try require(first.next)))
            try expect(second.links.map(\.slug.text), is: ["s1", "s0"])
        },
        LinkStoreContract("lists by application and by tag, also both") { store in
            try await store.addApplication("shop")
            try await store.addApplication("news")
            for (slug, application, tags) in [
                ("a", "shop", ["red", "red"]), ("b", "news", ["red", "blue"]), ("c", "shop", []),
                ("d", "shop", ["blue", "red"]),
            ] {
                var draft = try Sample.draft(slug, application: application)
                draft.content.tags = tags
                _ = try await store.added(draft)
            }
            let shop = try Sample.application("shop")
            for (listing, expected) in [
                (LinkListing(application: shop), ["d", "c", "a"]), (LinkListing(tag: "red"), ["d", "b", "a"]),
                (LinkListing(application: shop, tag: "red"), ["d", "a"]), (LinkListing(tag: "re"), []),
                (LinkListing(application: try Sample.application("none")), []),
            ] {
                for limit in [1, 2, 50] {
                    var listing = listing
                    listing.limit = limit
                    try expect(try await pages(of: store, listing).0, is: expected)
                }
            }
        },
        LinkStoreContract("moves a link between tags when it is patched") { store in
            try await store.addApplication()
            var draft = try Sample.draft("a")
            draft.content.tags = ["old", "both"]
            let link = try await store.added(draft)
            var content = link.content
            content.tags = ["both", "new"]
            _ = try await store.update(link.id, expecting: nil, to: LinkChange(content: content), at: Sample.now)
            for (tag, count) in [("old", 0), ("both", 1), ("new", 1)] {
                try expect(try await store.list(LinkListing(tag: tag)).links.count, is: count)
            }
        },
        LinkStoreContract("finds literal text in slug, title, note, route and destinations") { store in
            try await store.addApplication()
            var rich = try Sample.draft("rich", content: Sample.fullContent())
            rich.content.tags = ["findMe"]
            _ = try await store.added(rich)
            _ = try await store.added(Sample.draft("needle", content: Sample.content(web: "https://a.example.com/")))
            _ = try await store.added(
                Sample.draft("other", content: Sample.content(web: "https://a.example.com/50%25_off")))
            for (query, expected) in [
                ("needle", ["needle"]), ("eedl", ["needle"]), ("NEEDLE", []), ("a.example.com", ["other", "needle"]),
                ("products/:", ["rich"]), ("shop://", ["rich"]), ("example.com/app", ["rich"]), ("50%25_", ["other"]),
                ("%", ["other"]), ("e_d", []), ("Autumn \u{1F342}", ["rich"]), ("October\n(", ["rich"]), ("findMe", []),
                ("Shoes", []), ("ana", []), ("autumn", []),
                ("'", []), ("\u{0}", []),
            ] {
                try expect(try await pages(of: store, LinkListing(query: query)).0, is: expected)
            }
        },
        LinkStoreContract("ends a page after the links that it may examine") { store in
            try await store.addApplication()
            _ = try await store.added(Sample.draft("needle"))
            for number in 0..<9 { _ = try await store.added(Sample.draft("s\(number)")) }
            var listing = LinkListing(query: "needle", examining: 4)
            listing.budget = ListingBudget(.seconds(1), uptime: { .zero })
            let page = try await store.list(listing)
            try expect(page.links, is: [])
            try expect(page.next != nil, "there are more to examine")
            let (slugs, count) = try await pages(of: store, listing)
            try expect(slugs, is: ["needle"])
            try expect(count, is: 3)
        },
        LinkStoreContract("ends a search for text when its time is up, and goes on from there") { store in
            try await expectPages(of: store, LinkListing(query: "needle", limit: 5))
        },
        LinkStoreContract("ends a search for a tag and an application when its time is up") { store in
            try await expectPages(of: store, LinkListing(application: Sample.application("news"), tag: "red", limit: 5))
        },
    ]

    /// Whether a listing that finds only the oldest of 201 links gets to it, with no time for more than one piece a page.
    private static func expectPages(of store: any LinkStore, _ search: LinkListing) async throws {
        var listing = search
        try await store.addApplication("shop")
        try await store.addApplication("news")
        for number in 0...200 {
            var draft = try Sample.draft(
                number == 0 ? "needle" : "s\(number)", application: number == 0 ? "news" : "shop")
            draft.content.tags = ["red"]
            _ = try await store.added(draft)
        }
        listing.budget = ListingBudget(.zero, uptime: { .zero })
        let page = try await store.list(listing)
        try expect(page.links, is: [])
        try expect(page.next != nil, "there are more to examine")
        var slugs: [String] = []
        var next = page.next
        while let index = next {
            listing.after = index
            let page = try await store.list(listing)
            slugs += page.links.map(\.slug.text)
            try expect(page.next.map { $0.id.rawValue < index.id.rawValue } ?? true, "each page gets further")
            next = page.next
        }
        try expect(slugs, is: ["needle"])
    }
}

import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    private static func found(
        _ text: String, in store: any LinkStore, sort: LinkSort = .newest, limit: Int = 2
    ) async throws -> [String] {
        let filter = LinkFilter(search: try require(SearchWords(text)))
        return try await pages(of: store, LinkListing(filter, sort: sort, limit: limit)).0
    }

    /// Runs the check before anything is indexed, and after everything is.
    private static func withAndWithoutIndex(
        _ store: any LinkStore, _ check: () async throws -> Void
    ) async throws {
        try await check()
        while try await store.updateIndexes(all: true) {}
        try await check()
    }

    static let search = [
        LinkStoreContract("finds links by the beginnings of their words") { store in
            try await store.addApplication()
            var shoes = try Sample.draft("Spring-Shoes")
            shoes.content = try Sample.content(
                web: "https://shop.example.com/p/4711?color=Blue", route: "products/hats")
            shoes.content.title = "Größe: Ökoschuhe für den Frühling"
            shoes.content.note = "Für Ана\n№ 7, \u{65E5}\u{672C}"
            shoes.content.tags = ["SALE_2026", "vip"]
            _ = try await store.added(shoes)
            var fallback = try Sample.draft("other")
            fallback.content = try Sample.content(web: "https://shop.example.com/x")
            fallback.content.urls[.ios] = URLEntry(
                link: try require(URLPattern("shop://inside")),
                fallback: .url(try require(WebURL("https://apps.example.com/get"))))
            _ = try await store.added(fallback)
            let cases: [(String, [String])] = [
                ("spring", ["Spring-Shoes"]), ("SHO spr", ["Spring-Shoes"]), ("shoes-spring", ["Spring-Shoes"]),
                ("hoes", []), ("springs", []), ("größe", ["Spring-Shoes"]), ("ÖKOSCHUHE", ["Spring-Shoes"]),
                ("FRÜH für", ["Spring-Shoes"]), ("ана", ["Spring-Shoes"]), ("АНА", ["Spring-Shoes"]),
                ("7", ["Spring-Shoes"]),
                ("\u{65E5}", ["Spring-Shoes"]), ("2026", ["Spring-Shoes"]), ("vip sale", ["Spring-Shoes"]),
                ("4711 blue", ["Spring-Shoes"]), ("hats", ["Spring-Shoes"]), ("inside", ["other"]),
                ("apps", ["other"]), ("example", ["other", "Spring-Shoes"]), ("example inside spring", []),
            ]
            try await withAndWithoutIndex(store) {
                for (text, expected) in cases {
                    try expect(try await found(text, in: store) == expected, "finds \(text): \(expected)")
                }
            }
        },
        LinkStoreContract("searches an application whatever links others have") { store in
            try await store.addApplication()
            try await store.addApplication("news", domains: ["news.example.com"])
            for number in 0..<20 { _ = try await store.added(Sample.draft("word-\(number)")) }
            try await withAndWithoutIndex(store) {
                let filter = LinkFilter(
                    application: try Sample.application("news"), search: try require(SearchWords("word")))
                var listing = LinkListing(filter)
                listing.counts = true
                listing.budget = ListingBudget(.zero, uptime: { .zero })
                listing.countBudget = listing.budget
                try expect(
                    try await store.list(listing),
                    is: LinkPage(links: [], next: nil, count: LinkCount(links: 0, isLowerBound: false)))
            }
        },
        LinkStoreContract("finds links in both orders, page by page") { store in
            try await store.addApplication()
            for number in 0..<40 {
                var draft = try Sample.draft("s\(number)")
                if number % 3 == 0 { draft.content.title = "Third" }
                _ = try await store.added(draft)
            }
            let expected = (0..<40).filter { $0 % 3 == 0 }.map { "s\($0)" }
            try await withAndWithoutIndex(store) {
                for limit in [1, 5, 14, 50] {
                    try expect(try await found("third", in: store, limit: limit), is: expected.reversed())
                    try expect(try await found("third", in: store, sort: .oldest, limit: limit), is: expected)
                }
            }
        },
        LinkStoreContract("finds links by what was changed, and no longer by what it was") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let gone = try await store.added(Sample.draft("b"))
            while try await store.updateIndexes(all: true) {}
            for title in ["Winter", "Summer"] {
                var content = link.content
                content.title = title
                content.tags = [title + "-tag"]
                let change = LinkChange(content: content, metadata: .keep)
                _ = try await store.update(link.id, expecting: nil, to: change, at: Sample.now)
                try await withAndWithoutIndex(store) {
                    try expect(try await found("winter", in: store), is: title == "Winter" ? ["a"] : [])
                    try expect(try await found("summer tag", in: store), is: title == "Summer" ? ["a"] : [])
                }
            }
            _ = try await store.delete(gone.id, expecting: nil)
            try await withAndWithoutIndex(store) {
                try expect(try await found("shop", in: store), is: ["a"])
            }
        },
        LinkStoreContract("finds links of all parts of its index") { store in
            try await store.addApplication()
            var ids: [LinkID] = []
            for number in 0..<30 {
                ids.append(try await store.added(Sample.draft("s\(number)")).id)
                while try await store.updateIndexes(all: true) {}
            }
            for number in stride(from: 0, to: 30, by: 2) {
                var content = try Sample.content(web: "https://shop.example.com/even")
                content.title = "number \(number)"
                let change = LinkChange(content: content, metadata: .keep)
                _ = try await store.update(ids[number], expecting: nil, to: change, at: Sample.now)
                if number % 4 == 0 { while try await store.updateIndexes(all: true) {} }
            }
            try expect(try await found("s1", in: store, limit: 50), is: (10..<20).reversed().map { "s\($0)" } + ["s1"])
            try expect(try await found("even", in: store).count, is: 15)
            try expect(try await found("number 28", in: store), is: ["s28"])
            while try await store.updateIndexes(all: true) {}
            try expect(try await found("even", in: store).count, is: 15)
            try expect(try await found("shop", in: store).count, is: 30)
        },
        LinkStoreContract("ends a page of a search when its time is up, and goes on") { store in
            try await store.addApplication()
            for number in 0..<20 { _ = try await store.added(Sample.draft("s\(number)")) }
            let listing = {
                var listing = LinkListing(LinkFilter(search: SearchWords("shop")), limit: 5)
                listing.budget = ListingBudget(.zero, uptime: { .zero })
                return listing
            }()
            try await withAndWithoutIndex(store) {
                try expect(try await pages(of: store, listing).0.count, is: 20)
            }
        },
        LinkStoreContract("sorts what it finds by clicks and by expiry") { store in
            try await store.addApplication()
            var links: [Link] = []
            for number in 0..<4 {
                var draft = try Sample.draft("s\(number)")
                if number > 0 { draft.content.title = "Found" }
                draft.content.expiresAt = Sample.after(Int64(100 - number))
                links.append(try await store.added(draft))
            }
            try await store.addClicks([links[0].id: 5, links[1].id: 2])
            while try await store.updateIndexes(all: true) {}
            try expect(try await found("found", in: store, sort: .clicks), is: ["s1", "s3", "s2"])
            try expect(try await found("found", in: store, sort: .expiry), is: ["s3", "s2", "s1"])
        },
    ]
}

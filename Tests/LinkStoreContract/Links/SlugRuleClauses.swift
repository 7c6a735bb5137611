import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let slugRules = [
        LinkStoreContract("ignores case for applications that ask for it, and for no other") { store in
            try await store.addApplication("shop", rules: .ignoreCase)
            try await store.addApplication("news", domains: ["news.example.com"])
            let sale = try await store.added(Sample.draft("Spring/Sale"))
            let street = try await store.added(Sample.draft("Straße"))
            let other = try await store.added(
                Sample.draft("Sale", application: "news", host: "news.example.com"))
            for text in ["Spring/Sale", "spring/sale", "SPRING/SALE"] {
                try expect(try await store.link(Sample.host(), Sample.slug(text))?.id, is: sale.id)
                try expect(try await store.links(slug: Sample.slug(text), limit: 5).map(\.id), is: [sale.id])
                if text == sale.slug.text { continue }
                try expect(try await store.create(Sample.draft(text)), is: .slugTaken)
                try expect(
                    try await store.rename(street.id, expecting: nil, to: Sample.slug(text), by: nil, at: Sample.now),
                    is: .slugTaken)
            }
            try expect(try await store.link(Sample.host(), Sample.slug("STRASSE"))?.id, is: street.id)
            try expect(try await store.link(Sample.host("news.example.com"), Sample.slug("sale")), is: nil)
            try expect(try await store.links(slug: Sample.slug("sale"), limit: 5), is: [])
            _ = try await store.added(Sample.draft("sale", application: "news", host: "news.example.com"))
            try expect(try await store.link(Sample.host("news.example.com"), Sample.slug("Sale"))?.id, is: other.id)
            try expect(try await store.applications().map(\.slugRules), is: [[], .ignoreCase])
        },
        LinkStoreContract("ignores the case of aliases, and frees them with their link") { store in
            try await store.addApplication("shop", rules: .ignoreCase)
            let link = try await store.added(Sample.draft("One"))
            for text in ["Two", "two", "ONE"] {
                guard
                    case .renamed = try await store.rename(
                        link.id, expecting: nil, to: Sample.slug(text), by: nil, at: Sample.now)
                else { throw ContractViolation(description: "the link was not renamed to \(text)") }
            }
            for text in ["one", "tWo", "ONE"] {
                try expect(try await store.link(Sample.host(), Sample.slug(text))?.id, is: link.id)
            }
            try expect(try await store.create(Sample.draft("oNE")), is: .slugTaken)
            try expect(try await store.delete(link.id, expecting: nil, at: Sample.now), is: .deleted)
            for text in ["one", "tWo", "ONE"] {
                try expect(try await store.link(Sample.host(), Sample.slug(text)), is: nil)
            }
            _ = try await store.added(Sample.draft("onE"))
        },
        LinkStoreContract("refuses to ignore case while two links differ in it alone") { store in
            try await store.addApplication()
            _ = try await store.added(Sample.draft("Sale"))
            let small = try await store.added(Sample.draft("sale"))
            for number in 0..<20 { _ = try await store.added(Sample.draft("Link\(number)")) }
            guard
                case .slugsClash(.sameButForCase(let host, let one, let other)) = try await store.put(
                    "shop", .ignoreCase)
            else { throw ContractViolation(description: "links that differ in case alone were accepted") }
            try expect(host, is: Sample.host())
            try expect([one.text, other.text].sorted(), is: ["Sale", "sale"])
            try expect(try await store.applications().map(\.slugRules), is: [[]])
            try expect(try await store.link(Sample.host(), Sample.slug("SALE")), is: nil)

            _ = try await store.delete(small.id, expecting: nil, at: Sample.now)
            guard case .replaced(let changed) = try await store.put("shop", .ignoreCase) else {
                throw ContractViolation(description: "the rule was refused")
            }
            try expect(changed.slugRules, is: .ignoreCase)
            for text in ["SALE", "link19", "LINK0"] {
                try expect(try await store.link(Sample.host(), Sample.slug(text)) != nil, "\(text) is not found")
            }
            // And back.
            guard case .replaced = try await store.put("shop", []) else {
                throw ContractViolation(description: "the rule could not be removed")
            }
            try expect(try await store.link(Sample.host(), Sample.slug("SALE")), is: nil)
            _ = try await store.added(Sample.draft("sale"))
        },
        LinkStoreContract("never creates two links that differ in case alone under contention") { store in
            try await store.addApplication("shop", rules: .ignoreCase)
            let texts = (0..<32).map { bits in
                String("sales".enumerated().map { bits >> $0 & 1 == 1 ? Character($1.uppercased()) : $1 })
            }
            let created = try await withThrowingTaskGroup(of: Int.self) { group in
                for text in texts {
                    group.addTask {
                        if case .created = try await store.create(Sample.draft(text)) { 1 } else { 0 }
                    }
                }
                return try await group.reduce(0, +)
            }
            try expect(created, is: 1)
            try expect(try await store.use(of: Sample.application()).links, is: 1)
        },
        LinkStoreContract("keeps paths of compatible calls free where applications serve them") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("v1/spring"))
            let other = try await store.added(Sample.draft("v10"))
            try expect(
                try await store.put("shop", .reserveCompatibility),
                is: .slugsClash(.reserved(Sample.host(), Sample.slug("v1/spring"))))
            _ = try await store.rename(link.id, expecting: nil, to: Sample.slug("spring"), by: nil, at: Sample.now)
            // Its alias has the path.
            try expect(
                try await store.put("shop", .reserveCompatibility),
                is: .slugsClash(.reserved(Sample.host(), Sample.slug("v1/spring"))))
            _ = try await store.delete(link.id, expecting: nil, at: Sample.now)
            guard case .replaced = try await store.put("shop", .reserveCompatibility) else {
                throw ContractViolation(description: "the rule was refused")
            }
            try expect(try await store.create(Sample.draft("lazy")), is: .slugTaken)
            try expect(
                try await store.rename(other.id, expecting: nil, to: Sample.slug("v2/x"), by: nil, at: Sample.now),
                is: .slugReserved)
        },
        LinkStoreContract("takes slug rules later, however the links are") { store in
            try await store.addApplication()
            let ids = [try await store.added(Sample.draft("Sale")), try await store.added(Sample.draft("sale"))].map(
                \.id)
            var stored = try Sample.stored()
            stored.slugRules = [.ignoreCase, .reserveCompatibility]
            try await store.setDerivedParts(of: stored)
            let found = try await store.link(Sample.host(), Sample.slug("SALE"))
            try expect(found.map { ids.contains($0.id) }, is: true)
            try expect(try await store.link(Sample.host(), Sample.slug("sale"))?.id, is: ids[1])
            try expect(try await store.applications(), is: [stored])
        },
    ]
}

extension LinkStore {
    fileprivate func addApplication(_ id: String, rules: SlugRules) async throws { _ = try await put(id, rules) }

    fileprivate func put(_ id: String, _ rules: SlugRules) async throws -> PutOutcome {
        var application = try Sample.stored(id)
        application.slugRules = rules
        return try await put(application, expecting: nil) { _ in true }
    }
}

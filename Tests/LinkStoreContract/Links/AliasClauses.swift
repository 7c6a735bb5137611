import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let aliases = [
        LinkStoreContract("creates a link with aliases, also on other domains") { store in
            try await store.addApplication()
            let draft = try Sample.draft("a", aliases: ["b", "c/d", "other.example.com/a"])
            let link = try await store.added(draft)
            try expect(link, is: draft.link(id: link.id))
            let other = try Sample.host("other.example.com")
            for slug in ["a", "b", "c/d"] { try expect(try await store.link(link.domain, Sample.slug(slug)), is: link) }
            try expect(try await store.link(other, Sample.slug("a")), is: link)
            try expect(try await store.link(other, Sample.slug("b")), is: nil)
            try expect(try await store.links(slug: Sample.slug("a"), limit: 5), is: [link])
            try expect(try await store.history(of: link.id), is: [])
            let use = try await store.use(of: link.application)
            try expect(use.links, is: 1)
            try expect(use.domains, is: [link.domain: 1])
            try expect(use.aliases.filter { $0.value > 0 }, is: [other: 1])
        },
        LinkStoreContract("frees the aliases of a created link with it") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a", aliases: ["b", "other.example.com/a"]))
            try expect(try await store.delete(link.id, expecting: nil), is: .deleted)
            try expect(try await store.use(of: link.application).aliases.filter { $0.value > 0 }, is: [:])
            try expect(try await store.links(slug: Sample.slug("a"), limit: 5), is: [])
            _ = try await store.added(Sample.draft("b"))
            _ = try await store.added(Sample.draft("a", host: "other.example.com"))
        },
        LinkStoreContract("creates nothing where an alias is taken or none") { store in
            try await store.addApplication(domains: ["go.example.com", "other.example.com"])
            _ = try await store.added(Sample.draft("slug", aliases: ["alias", "other.example.com/far"]))
            let taken = [
                ["slug"], ["alias"], ["free", "other.example.com/far"], ["twice", "twice"], ["new"],
                ["go.example.com/new"],
            ]
            for aliases in taken {
                try expect(try await store.create(Sample.draft("new", aliases: aliases)), is: .slugTaken)
                try expect(try await store.links(slug: Sample.slug("new"), limit: 5), is: [])
                try expect(try await store.links(slug: Sample.slug("free"), limit: 5), is: [])
            }
            let foreign = try Sample.draft("new", aliases: ["foreign.example.com/new"])
            try expect(try await store.create(foreign), is: .applicationUnknown)
            _ = try await store.added(Sample.draft("new", aliases: ["far", "other.example.com/slug"]))
        },
        LinkStoreContract("lets the first of several drafts have an alias") { store in
            try await store.addApplication()
            let drafts = [
                try Sample.draft("a", aliases: ["x"]), try Sample.draft("b", aliases: ["x"]), try Sample.draft("x"),
                try Sample.draft("c", aliases: ["a"]), try Sample.draft("d", aliases: ["y"]),
            ]
            guard case .done(let outcomes) = try await store.create(drafts, idempotency: nil) else {
                return try expect(false, "nothing can be replayed")
            }
            try expect(
                outcomes.map { if case .created = $0 { true } else { false } }, is: [true, false, false, false, true])
            try expect(try await store.link(Sample.host(), Sample.slug("b")), is: nil)
        },
        LinkStoreContract("creates no alias that differs in case alone") { store in
            var application = try Sample.stored()
            application.slugRules = [.ignoreCase, .reserveCompatibility]
            _ = try await store.put(application, expecting: nil) { _ in true }
            let link = try await store.added(
                Sample.draft("Sale", aliases: ["SALE", "Spring", "other.example.com/Sale"]))
            for text in ["sale", "SALE", "sPRING"] {
                try expect(try await store.link(Sample.host(), Sample.slug(text))?.id, is: link.id)
            }
            try expect(try await store.link(Sample.host("other.example.com"), Sample.slug("sale"))?.id, is: link.id)
            for alias in ["spring", "SALe", "v1/x", "other.example.com/sALE"] {
                try expect(try await store.create(Sample.draft("new", aliases: [alias])), is: .slugTaken)
            }
            try expect(try await store.create(Sample.draft("sPring")), is: .slugTaken)
            _ = try await store.added(Sample.draft("spring", host: "other.example.com"))
        },
        LinkStoreContract("renames a link and keeps its aliases elsewhere") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a", aliases: ["b", "other.example.com/b"]))
            let renamed = try await store.renamed(link.id, to: "b")
            try expect(
                renamed.content.aliases,
                is: [try Sample.alias("other.example.com/b"), LinkAlias(try Sample.slug("a"))])
            for host in ["go.example.com", "other.example.com"] {
                try expect(try await store.link(Sample.host(host), Sample.slug("b")), is: renamed)
            }
        },
        LinkStoreContract("lets one of two creations through that want one address") { store in
            try await store.addApplication()
            for round in 0..<10 {
                let (one, other) = ("one\(round)", "other\(round)")
                async let first = store.create(Sample.draft(one, aliases: [other]))
                async let second = store.create(Sample.draft(other, aliases: [one]))
                let created = try await [first, second].filter { if case .created = $0 { true } else { false } }
                try expect(created.count, is: 1)
                try expect(try await store.links(slug: Sample.slug(one), limit: 10).count, is: 1)
            }
        },
    ]
}

import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let applications = [
        LinkStoreContract("keeps applications with their domains, in order, and counts versions") { store in
            let first = try Sample.stored("shop", domains: ["b.example.com", "a.example.com"], document: #"{"a": 1}"#)
            try expect(try await store.put(first, expecting: nil) { _ in true }, is: .created(first))
            var second = try Sample.stored("shop", domains: ["a.example.com"], document: "{}")
            second.version = 40
            let outcome = try await store.put(second, expecting: 1) { _ in true }
            second.version = 2
            try expect(outcome, is: .replaced(second))
            try await store.addApplication("news")
            try expect(try await store.applications(), is: [try Sample.stored("news"), second])
        },
        LinkStoreContract("refuses a put for another version") { store in
            let application = try Sample.stored()
            try expect(
                try await store.put(application, expecting: 1) { _ in true }, is: .versionMismatch(current: nil))
            try await store.addApplication()
            try expect(
                try await store.put(application, expecting: 2) { _ in true }, is: .versionMismatch(current: 1))
            try expect(try await store.applications().map(\.version), is: [1])
        },
        LinkStoreContract("creates an application only where there is none, if asked to") { store in
            let application = try Sample.stored()
            try expect(try await store.put(application, expecting: 0) { _ in true }, is: .created(application))
            try expect(
                try await store.put(application, expecting: 0) { _ in true }, is: .versionMismatch(current: 1))
            try expect(try await store.applications().map(\.version), is: [1])
        },
        LinkStoreContract("lets one application have a domain") { store in
            try await store.addApplication("shop", domains: ["go.example.com"])
            let thief = try Sample.stored("news", domains: ["free.example.com", "go.example.com"])
            try expect(
                try await store.put(thief, expecting: nil) { _ in true },
                is: .hostTaken(try Sample.host(), by: try Sample.application()))
            try expect(try await store.applications().count, is: 1)
            try await store.addApplication("shop", domains: [])
            try await store.addApplication("news", domains: ["go.example.com"])
            try await store.addApplication("third", domains: [])
        },
        LinkStoreContract("lets one application have a host, as domain or otherwise") { store in
            let shop = try Sample.stored(
                "shop", domains: ["go.example.com"], otherHosts: ["a.example.com", "b.example.com"])
            try expect(try await store.put(shop, expecting: nil) { _ in true }, is: .created(shop))
            try expect(try await store.applications(), is: [shop])
            for thief in [
                try Sample.stored("news", domains: ["free.example.com", "b.example.com"]),
                try Sample.stored("news", otherHosts: ["b.example.com"]),
            ] {
                try expect(
                    try await store.put(thief, expecting: nil) { _ in true },
                    is: .hostTaken(try Sample.host("b.example.com"), by: try Sample.application()))
            }
            try expect(
                try await store.put(Sample.stored("news", otherHosts: ["go.example.com"]), expecting: nil) { _ in true
                },
                is: .hostTaken(try Sample.host(), by: try Sample.application()))
            try expect(try await store.applications(), is: [shop])
            var smaller = try Sample.stored("shop", domains: ["a.example.com"])
            smaller.version = 2
            try expect(try await store.put(smaller, expecting: nil) { _ in true }, is: .replaced(smaller))
            let news = try Sample.stored("news", domains: ["go.example.com"], otherHosts: ["b.example.com"])
            try expect(try await store.put(news, expecting: nil) { _ in true }, is: .created(news))
            try expect(try await store.deleteApplication(news.id, expecting: nil), is: .deleted)
            try expect(try await store.put(shop, expecting: nil) { _ in true }, is: .replaced(with(shop, version: 3)))
        },
        LinkStoreContract("learns other hosts later, of the version that has them, whoever has them too") { store in
            try await store.addApplication("shop", domains: ["go.example.com"])
            try await store.addApplication("news")
            for id in ["shop", "news"] {
                try await store.setDerivedParts(of: Sample.stored(id, otherHosts: ["b.example.com"]))
            }
            var later = try Sample.stored("shop")
            later.version = 2
            try await store.setDerivedParts(of: later)
            try await store.setDerivedParts(of: Sample.stored("none"))
            try expect(
                try await store.applications(),
                is: [
                    try Sample.stored("news", otherHosts: ["b.example.com"]),
                    try Sample.stored("shop", domains: ["go.example.com"], otherHosts: ["b.example.com"]),
                ])
            let third = try Sample.stored("third", domains: ["b.example.com"])
            guard case .hostTaken = try await store.put(third, expecting: nil, check: { _ in true }) else {
                return try expect(false, "a host that two have is free")
            }
        },
        LinkStoreContract("tells what links use, as they are made, patched and deleted") { store in
            try await store.addApplication()
            let shop = try Sample.application()
            let none = ApplicationUse(links: 0, domains: [:], templateRoutes: [:])
            try expect(try await store.use(of: shop), is: none)
            let one = try await store.added(Sample.draft("a", content: Sample.content(route: "p/:id")))
            let two = try await store.added(
                Sample.draft("b", content: Sample.content(route: "p/:id"), host: "b.example.com"))
            let three = try await store.added(
                Sample.draft("c", content: Sample.content(web: "https://a.example.com/", route: "own/:id")))
            try expect(
                try await store.use(of: shop),
                is: ApplicationUse(
                    links: 3, domains: [try Sample.host(): 2, try Sample.host("b.example.com"): 1],
                    templateRoutes: ["p/:id": 2]))
            _ = try await store.update(
                two.id, expecting: nil, to: LinkChange(content: Sample.content(route: "q")), at: Sample.now)
            _ = try await store.update(
                three.id, expecting: nil, to: LinkChange(content: Sample.content(route: "q")), at: Sample.now)
            _ = try await store.delete(one.id, expecting: nil)
            try expect(
                try await store.use(of: shop),
                is: ApplicationUse(
                    links: 2, domains: [try Sample.host(): 1, try Sample.host("b.example.com"): 1],
                    templateRoutes: ["q": 2]))
            for id in [two.id, three.id] { _ = try await store.delete(id, expecting: nil) }
            try expect(try await store.use(of: shop), is: none)
            try expect(try await store.use(of: Sample.application("none")), is: none)
        },
        LinkStoreContract("asks with the use before it replaces, and leaves a refused one as it was") { store in
            try await store.addApplication()
            _ = try await store.added(Sample.draft("a", content: Sample.content(route: "p/:id")))
            let use = ApplicationUse(links: 1, domains: [try Sample.host(): 1], templateRoutes: ["p/:id": 1])
            let changed = try Sample.stored(document: "changed")
            try expect(try await store.put(changed, expecting: nil) { $0 != use }, is: .inUse(use))
            try expect(try await store.applications(), is: [try Sample.stored()])
        },
        LinkStoreContract("deletes only applications without links") { store in
            let shop = try Sample.application()
            try expect(try await store.deleteApplication(shop, expecting: nil), is: .unknown)
            try await store.addApplication(domains: ["go.example.com"])
            let link = try await store.added(Sample.draft("a"))
            try expect(try await store.deleteApplication(shop, expecting: 2), is: .versionMismatch(current: 1))
            try expect(try await store.deleteApplication(shop, expecting: 1), is: .inUse(links: 1))
            _ = try await store.delete(link.id, expecting: nil)
            try expect(try await store.deleteApplication(shop, expecting: 1), is: .deleted)
            try expect(try await store.applications(), is: [])
            try expect(try await store.create(Sample.draft("a")), is: .applicationUnknown)
            try await store.addApplication("news", domains: ["go.example.com"])
        },
        LinkStoreContract("never leaves a link without its application, whoever wins the race") { store in
            let shop = try Sample.application()
            for round in 0..<20 {
                try await store.addApplication()
                async let creating = store.create(Sample.draft("r\(round)"))
                async let deleting = store.deleteApplication(shop, expecting: nil)
                switch (try await creating, try await deleting) {
                case (.created(let link), .inUse(links: 1)): _ = try await store.delete(link.id, expecting: nil)
                case (.applicationUnknown, .deleted): break
                case let (created, deleted): try expect(false, "\(created) beside \(deleted)")
                }
            }
        },
    ]
}

private func with(_ application: StoredApplication, version: Int) -> StoredApplication {
    var application = application
    application.version = version
    return application
}

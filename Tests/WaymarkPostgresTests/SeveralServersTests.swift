#if PostgreSQL
    import LinkStoreContract
    import WaymarkTestSupport
    import Testing
    import WaymarkStores
    import WaymarkLinks
    import WaymarkPostgres

    /// Two stores on one database, as two servers have them.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"), .serialized)
    struct SeveralServersTests {
        private let url: String
        private let stores: [PostgresLinkStore]

        init() throws {
            let url = try PostgresServer.shared.get().database()
            self.url = url
            stores = try (0..<2).map { _ in try PostgresLinkStore(url: url) }
        }

        private func close() async {
            for store in stores { await store.close() }
        }

        /// Calls of both stores at once, so many of each.
        private func race<Value: Sendable>(
            _ count: Int, _ call: @escaping @Sendable (PostgresLinkStore, Int) async throws -> Value
        ) async throws -> [Value] {
            var calls: [@Sendable () async throws -> Value] = []
            for number in 0..<count {
                for store in stores { calls.append { try await call(store, number) } }
            }
            return try await SampleLinks.all(calls)
        }

        @Test func neverHandsOutMoreThanTheLimit() async throws {
            try await stores[0].addShop()
            let link = try await stores[0].added(SampleLinks.draft("gift", metadata: "{}", redeemLimit: 100))
            let redeems = try await race(150) { store, _ in try await store.redeem(link.id) }
            let taken = redeems.compactMap { $0?.status == .redeemed ? $0?.used : nil }
            #expect(taken.sorted() == Array(1...100))
            #expect(redeems.count { $0?.status == .exhausted } == 200)
            #expect(try await stores[1].link(link.id)?.redeemed == 100)
            await close()
        }

        /// A block that was on its way when its link was deleted must not outlast it: nobody would ever find it.
        @Test func leavesNoClicksOfLinksThatAnotherServerDeletes() async throws {
            try await stores[0].addShop()
            var links: [Link] = []
            for number in 0..<30 { links.append(try await stores[0].added(SampleLinks.draft("s\(number)"))) }
            let all = links
            let (one, other) = (stores[0], stores[1])
            var calls: [@Sendable () async throws -> Void] = []
            for (number, link) in all.enumerated() {
                calls.append {
                    try await one.append(
                        all.map {
                            ClickBlock(
                                key: ClickBlock.Key(link: $0.id, day: 20_000 + number % 3, number: Int64(number)),
                                bytes: [1])
                        })
                }
                guard number % 3 > 0 else { continue }
                calls.append { _ = try await other.delete(link.id, expecting: nil) }
            }
            _ = try await SampleLinks.all(calls)
            let archive = try PostgresArchive(url: url, migrates: false)
            #expect(try archive.faults() == [])
            let kept = try archive.clickBlocks(after: nil, limit: 10_000)
            #expect(kept.count == 10 * 30)
            archive.close()
            // Whichever server drops them, each is dropped once.
            let dropped = try await race(20) { store, _ in try await store.dropClicks(before: 30_000, limit: 9) }
            #expect(dropped.reduce(0, +) == 300)
            await close()
        }

        @Test func makesOneLinkOfAnIdentity() async throws {
            try await stores[0].addShop()
            let outcomes = try await race(40) { store, number in
                try await store.create(SampleLinks.draft("s\(number)", identity: [7]))
            }
            let ids = Set(
                outcomes.map { outcome -> LinkID? in
                    switch outcome {
                    case .created(let link), .existing(let link): link.id
                    case .slugTaken, .applicationUnknown: nil
                    }
                })
            #expect(ids.count == 1 && !ids.contains(nil))
            #expect(try await stores[1].list(LinkListing()).links.count == 1)
            await close()
        }

        @Test func createsOnceForOneIdempotencyKey() async throws {
            try await stores[0].addShop()
            let outcomes = try await race(30) { store, number in
                try await store.create(
                    [SampleLinks.draft("s\(number)")],
                    idempotency: Idempotency(
                        scope: [1], fingerprint: [2], now: SampleLinks.now,
                        expiresAt: Timestamp(rawValue: SampleLinks.now.rawValue + 1), answer: { _ in [9] }))
            }
            #expect(outcomes.count { $0 == .replay([9]) } == 59)
            #expect(try await stores[1].list(LinkListing()).links.count == 1)
            await close()
        }

        @Test func findsLinksOfAllServersWhileBothIndex() async throws {
            try await stores[0].addShop()
            let outcomes = try await race(40) { store, number in
                let outcome = try await store.create(SampleLinks.draft("s\(number)"))
                while try await store.updateIndexes(all: true) {}
                return outcome
            }
            let links = outcomes.compactMap { if case .created(let link) = $0 { link.id } else { nil } }
            for store in stores {
                var listing = LinkListing(LinkFilter(search: SearchWords("s")), limit: 200)
                listing.budget = ListingBudget(.seconds(1), uptime: { .zero })
                #expect(Set(try await store.list(listing).links.map(\.id)) == Set(links))
                while try await store.updateIndexes(all: true) {}
                #expect(Set(try await store.list(listing).links.map(\.id)) == Set(links))
            }
            await close()
        }

        @Test func takesOneRedeemForOneIdempotencyKey() async throws {
            try await stores[0].addShop()
            let link = try await stores[0].added(SampleLinks.draft("gift", metadata: "{}", redeemLimit: 50))
            let redeems = try await race(40) { store, _ in try await store.redeem(link.id, key: "same") }
            #expect(Set(redeems.map { $0?.used }) == [1])
            #expect(try await stores[1].link(link.id)?.redeemed == 1)
            await close()
        }

        @Test func neverReservesAboveTheLimit() async throws {
            try await stores[0].addShop()
            let link = try await stores[0].added(SampleLinks.draft("few", maxClicks: 100))
            let granted = try await race(40) { store, _ in try await store.reserveClicks(link.id, upTo: 7) }
            #expect(granted.reduce(0, +) == 100)
            #expect(try await stores[1].link(link.id)?.reservedClicks == 100)
            await close()
        }

        // Each waits for the other's slugs, in opposite orders:
        //
        //     server A           server B
        //     insert s0 … s49
        //                        insert s49 … s0
        @Test func givesEachSlugToOneOfThem() async throws {
            try await stores[0].addShop()
            for round in 0..<10 {
                let slugs = (0..<50).map { "r\(round)-\($0)" }
                let outcomes = try await SampleLinks.all(
                    [(stores[0], slugs), (stores[1], slugs.reversed())].map { store, slugs in
                        { try await store.create(slugs.map { try SampleLinks.draft($0) }, idempotency: nil) }
                    })
                let created = outcomes.flatMap { outcome -> [String] in
                    guard case .done(let each) = outcome else { return [] }
                    return each.compactMap { if case .created(let link) = $0 { link.slug.text } else { nil } }
                }
                #expect(created.sorted() == slugs.sorted())
            }
            #expect(try await stores[1].use(of: SampleLinks.shop()).links == 500)
            await close()
        }

        @Test func neverLeavesALinkWithoutItsApplication() async throws {
            for round in 0..<20 {
                try await stores[0].addShop()
                async let creating = stores[0].create(SampleLinks.draft("r\(round)"))
                async let deleting = stores[1].deleteApplication(SampleLinks.shop(), expecting: nil)
                switch (try await creating, try await deleting) {
                case (.created(let link), .inUse(links: 1)):
                    #expect(try await stores[1].delete(link.id, expecting: nil) == .deleted)
                case (.applicationUnknown, .deleted): break
                case let (created, deleted): Issue.record("\(created) beside \(deleted)")
                }
            }
            await close()
        }

        @Test func neverDropsADomainOnWhichALinkIsMade() async throws {
            for round in 0..<20 {
                try await stores[0].addShop(domains: ["go.example.com"])
                async let creating = stores[0].create(SampleLinks.draft("r\(round)"))
                async let putting = stores[1].put(
                    SampleLinks.application(domains: ["other.example.com"]), expecting: nil
                ) { $0.links == 0 }
                switch (try await creating, try await putting) {
                case (.created(let link), .inUse):
                    #expect(try await stores[1].delete(link.id, expecting: nil) == .deleted)
                case (.applicationUnknown, .replaced): break
                case let (created, put): Issue.record("\(created) beside \(put)")
                }
            }
            await close()
        }

        @Test func givesASlugToOneOfManyRenamingsAndCreations() async throws {
            try await stores[0].addShop()
            for round in 0..<5 {
                var links: [Link] = []
                for number in 0..<8 {
                    links.append(try await stores[0].added(SampleLinks.draft("r\(round)-\(number)")))
                }
                let all = links
                let slug = try #require(Slug("wanted\(round)"))
                let outcomes = try await race(8) { store, number -> Bool in
                    guard number % 2 == 0 else {
                        if case .done(let made) = try await store.create(
                            [SampleLinks.draft(slug.text)], idempotency: nil), case .created = made.first
                        {
                            return true
                        }
                        return false
                    }
                    let link = all[number + (store === stores[0] ? 0 : 1)]
                    let outcome = try await store.rename(
                        link.id, expecting: nil, to: slug, by: nil, at: SampleLinks.now)
                    if case .renamed = outcome { return true }
                    return false
                }
                #expect(outcomes.count { $0 } == 1)
                #expect(try await stores[1].links(slug: slug, limit: 10).count == 1)
            }
            let archive = try PostgresArchive(url: url, migrates: false)
            #expect(try archive.faults() == [])
            archive.close()
            await close()
        }

        @Test func announcesARenamedLinkUnderAllSlugs() async throws {
            var changes = stores[1].changes.makeAsyncIterator()
            #expect(await changes.next() == .everything)
            try await stores[0].addShop()
            #expect(await changes.next() == .applications)
            let link = try await stores[0].added(SampleLinks.draft("one"))
            let slugs = try ["one", "two", "three"].map { try #require(Slug($0)) }
            for slug in slugs.dropFirst() {
                _ = try await stores[0].rename(link.id, expecting: nil, to: slug, by: nil, at: SampleLinks.now)
            }
            _ = try await stores[0].delete(link.id, expecting: nil)
            var announced: [StoreChange] = []
            // The creation, two renamings, the deletion.
            while announced.count < 1 + 2 + 3 + 3, let change = await changes.next() { announced.append(change) }
            func change(_ slug: Int) -> StoreChange { .link(link.id, link.domain, slugs[slug]) }
            #expect(Set(announced.suffix(3)) == [change(0), change(1), change(2)])
            #expect(Set(announced[1...2]) == [change(0), change(1)])
            await close()
        }

        @Test func passesMessagesOnToOtherServersOnly() async throws {
            var others = stores[1].changes.makeAsyncIterator()
            #expect(await others.next() == .everything)
            var own = stores[0].changes.makeAsyncIterator()
            #expect(await own.next() == .everything)
            let long = String(repeating: "x", count: StoreChange.longestMessage)
            try await stores[0].send("one\ntwo")
            try await stores[0].send(long)
            #expect(await others.next() == .message("one\ntwo"))
            #expect(await others.next() == .message(long))
            try await stores[1].send("three")
            #expect(await own.next() == .message("three"))
            await close()
        }

        @Test func keepsItsCountsUnderEverythingAtOnce() async throws {
            try await stores[0].addShop()
            var links: [Link] = []
            for number in 0..<20 {
                links.append(
                    try await stores[0].added(SampleLinks.draft("s\(number)", metadata: "{}", redeemLimit: 1_000)))
            }
            let kept = links
            let redeems = try await race(400) { store, number -> Int in
                let link = kept[(number * 7) % 15]
                switch number % 8 {
                case 0: try await store.addClicks(ClickCounts(rising: kept.map { ($0.id, 1) }[...]))
                case 1:
                    _ = try await store.update(
                        link.id, expecting: nil, to: LinkChange(content: link.content), at: SampleLinks.now)
                case 2: _ = try await store.delete(kept[15 + number % 5].id, expecting: nil)
                case 3: _ = try await store.create(SampleLinks.draft("n\(number)"))
                default: return try await store.redeem(link.id)?.status == .redeemed ? 1 : 0
                }
                return 0
            }
            let page = try await stores[1].list(LinkListing(limit: 200))
            #expect(page.links.map(\.redeemed).reduce(0, +) == redeems.reduce(0, +))
            #expect(redeems.reduce(0, +) == 400)
            #expect(kept[..<15].allSatisfy { link in page.links.first { $0.id == link.id }?.clicks == 100 })
            #expect(try await stores[0].use(of: SampleLinks.shop()).links == page.links.count)
            #expect(page.links.count == 15 + 50)
            await close()
        }

        @Test func tellsTheOthersWhatHasChanged() async throws {
            var changes = stores[1].changes.makeAsyncIterator()
            #expect(await changes.next() == .everything)
            // Its own come back to nobody: the next that it hears is the other's.
            try await stores[1].addShop()
            let link = try await stores[0].added(SampleLinks.draft("a"))
            let change = StoreChange.link(link.id, link.domain, link.slug)
            #expect(await changes.next() == change)
            _ = try await stores[0].update(
                link.id, expecting: nil, to: LinkChange(content: link.content), at: SampleLinks.now)
            #expect(await changes.next() == change)
            // Counts are no change that anybody caches.
            try await stores[0].addClicks([link.id: 1])
            #expect(try await stores[0].delete(link.id, expecting: nil) == .deleted)
            #expect(await changes.next() == change)
            try await stores[0].addShop(domains: ["go.example.com"])
            #expect(await changes.next() == .applications)
            try await stores[0].insert(
                StoredKey(id: "k", name: "\u{0}", digest: [1], application: nil, scopes: [], createdAt: SampleLinks.now)
            )
            #expect(await changes.next() == .keys)
            #expect(try await stores[0].keys().map(\.name) == ["\u{0}"])
            #expect(try await stores[0].deleteKey("k"))
            #expect(await changes.next() == .keys)
            await close()
            #expect(await changes.next() == nil)
        }

        @Test func tellsOfMoreChangesThanOneNoticeHolds() async throws {
            var changes = stores[1].changes.makeAsyncIterator()
            #expect(await changes.next() == .everything)
            try await stores[0].addShop()
            #expect(await changes.next() == .applications)
            let drafts = try (0..<1_000).map { try SampleLinks.draft("many-\($0)") }
            _ = try await stores[0].create(drafts, idempotency: nil)
            var slugs: Set<Slug> = []
            while slugs.count < drafts.count {
                guard case .link(_, _, let slug) = await changes.next() else { break }
                slugs.insert(slug)
            }
            #expect(slugs == Set(drafts.map(\.storedSlug)))
            await close()
        }
    }
#endif

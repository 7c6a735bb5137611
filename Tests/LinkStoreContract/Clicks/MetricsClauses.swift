import WaymarkLinks
import WaymarkMetrics
import WaymarkStores

extension LinkStoreContract {
    static let metrics = [
        LinkStoreContract("measures each operation once, by its name") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            for (operation, call) in try calls(of: store, link) + totalCalls(of: store, link) {
                let before = store.counts
                try await call()
                let changed = store.counts.filter { $0.value != before[$0.key] ?? 0 }.keys
                guard Array(changed) == [operation], store.counts[operation] == (before[operation] ?? 0) + 1 else {
                    throw ContractViolation(description: "\(operation) was measured as \(Array(changed))")
                }
            }
            try expect(store.metrics.failuresByOperation.allSatisfy { $0.count == 0 }, "no operation failed")
        }
    ]

    private typealias Call = (operation: StoreOperation, run: () async throws -> Void)

    private static func calls(of store: any LinkStore, _ link: Link) throws -> [Call] {
        let (shop, other) = (try Sample.application(), try Sample.stored("other"))
        let key = StoredKey(
            id: "k", name: "", digest: [1], application: nil, scopes: [.links], createdAt: Sample.now, expiresAt: nil)
        let route = RegisteredRoute(path: try require(Route("a")), registeredAt: Sample.now)
        let day = DailyActivity(link: link.id, day: 20_000, counts: LinkActivity(opens: 1))
        let change = LinkChange(content: link.content)
        let name = try Sample.slug("b")
        return [
            (.link, { _ = try await store.link(link.domain, link.slug) }),
            (.link, { _ = try await store.link(link.id) }),
            (.links, { _ = try await store.links(slug: link.slug, limit: 1) }),
            (.list, { _ = try await store.list(LinkListing()) }),
            (.list, { _ = try await store.list(LinkListing(query: "a")) }),
            (.metadata, { _ = try await store.metadata(of: link.id) }),
            (.create, { _ = try await store.create(Sample.draft("c")) }),
            (.update, { _ = try await store.update(link.id, expecting: 1, to: change, at: Sample.now) }),
            (.rename, { _ = try await store.rename(link.id, expecting: nil, to: name, by: nil, at: Sample.now) }),
            (.history, { _ = try await store.history(of: link.id) }),
            (.redeem, { _ = try await store.redeem(link.id) }),
            (.addClicks, { try await store.addClicks([link.id: 1]) }),
            (.reserveClicks, { _ = try await store.reserveClicks(link.id, upTo: 1) }),
            (.releaseClicks, { try await store.releaseClicks(link.id, count: 1) }),
            (.claim, { _ = try await store.claim([], at: Sample.now, idempotency: nil) }),
            (.recordEvents, { _ = try await store.record([Sample.event("e", .open, link.id)], at: Sample.now) }),
            (.eventCounts, { _ = try await store.eventCounts(of: link.id) }),
            (.addActivity, { try await store.addActivity([day]) }),
            (.activity, { _ = try await store.activity(of: link.id, days: 0..<1) }),
            (.updateIndexes, { _ = try await store.updateIndexes(all: true) }),
            (.applications, { _ = try await store.applications() }),
            (.putApplication, { _ = try await store.put(other, expecting: nil) { _ in true } }),
            (.setDerivedParts, { try await store.setDerivedParts(of: other) }),
            (.setDerivedParts, { _ = try await store.clickRecords.longLinkNumbers(of: shop, on: [link.domain]) }),
            (.applicationUse, { _ = try await store.use(of: shop) }),
            (.folders, { _ = try await store.folders(of: [shop], atMost: 1) }),
            (.registerRoute, { _ = try await store.register(route, of: shop, limit: 1) }),
            (.registeredRoutes, { _ = try await store.registeredRoutes(of: shop) }),
            (.deleteApplication, { _ = try await store.deleteApplication(other.id, expecting: nil) }),
            (.insertKey, { try await store.insert(key) }),
            (.noteKeyUses, { try await store.noteKeyUses(["k": Sample.now]) }),
            (.keys, { _ = try await store.keys() }),
            (.keys, { _ = try await store.key(digest: [1]) }),
            (.deleteKey, { _ = try await store.deleteKey("k") }),
            (.secret, { _ = try await store.secret("s") { [1] } }),
            (.forgetSecrets, { try await store.forgetSecrets("s"..<"t") }),
            (.purge, { _ = try await store.purge(at: Sample.now, limit: 1) }),
            (.ping, { try await store.ping() }),
        ]
    }

    private static func totalCalls(of store: any LinkStore, _ link: Link) throws -> [Call] {
        let (records, totals, shop) = (store.clickRecords, store.clickTotals, try Sample.application())
        let block = Sample.block(link, day: 20_000, number: 1)
        let summary = ClickSummaryKey(span: 1, day: 20_000)
        var visits = UnknownVisits()
        visits.add(ClickCount(people: 1, bots: 1), of: "go.example.com/none")
        let unknown = UnknownVisitsOfDay(application: shop, day: 20_000, visits: visits)
        return [
            (.appendClicks, { try await records.append([block]) }),
            (.clickBlocks, { _ = try await records.blocks(of: link.id, days: 0...20_000, after: nil, limit: 1) }),
            (.dropClicks, { _ = try await records.dropClicks(before: 1, limit: 1) }),
            (.clickTotals, { _ = try await totals.totals(of: [shop], quarters: 0..<1) }),
            (.clickBlocks, { _ = try await totals.recordedBlocks(days: 0...20_000, after: nil, limit: 1) }),
            (.list, { _ = try await totals.linkIDs(of: shop, after: nil, limit: 1) }),
            (.clickTotals, { _ = try await totals.linkTotals(days: 0..<1, after: nil, limit: 1) }),
            (.clickTotals, { _ = try await totals.linkTotals(pages: [0], days: 0..<1) }),
            (.addUnknownVisits, { try await totals.addUnknownVisits([unknown]) }),
            (.clickTotals, { _ = try await totals.unknownVisits(of: [shop], days: 0..<1) }),
            (.clickTotals, { _ = try await totals.totalsStart() }),
            (.dropTotals, { _ = try await totals.dropTotals(before: 1, limit: 1) }),
            (.clickTotals, { _ = try await totals.summaries(within: 0..<1) }),
            (.addSummary, { try await totals.beginSummary(summary, token: [1]) }),
            (.addSummary, { _ = try await totals.addSummary(summary, parts: [], token: [1], directory: []) }),
            (.clickTotals, { _ = try await totals.summaryParts(of: [summary], parts: [0]) }),
            (.addSummary, { try await totals.narrowTotals(of: shop, quarters: [0]) }),
            (.clickTotals, { _ = try await totals.firstDayOfTotals() }),
            (.list, { _ = try await totals.applications(ofLinks: 0..<1) }),
            (.clickTotals, { _ = try await totals.hasDeletedLinks(of: [shop], days: 0..<1) }),
            (.delete, { _ = try await store.delete(link.id, expecting: nil) }),
        ]
    }
}

extension LinkStore {
    fileprivate var counts: [StoreOperation: Int] {
        Dictionary(
            uniqueKeysWithValues: metrics.durationsByOperation.map { ($0.operation, $0.metrics.count) })
    }
}

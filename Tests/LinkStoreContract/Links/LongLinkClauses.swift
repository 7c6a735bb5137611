import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let longLinks = [
        LinkStoreContract("gives the long links of each domain of an application one number") { store in
            try await store.addApplication()
            try await store.addApplication("app2")
            let (shop, other) = (try Sample.application("shop"), try Sample.application("app2"))
            let domains = [try Sample.host(), try Sample.host("two.example.com")]
            let clicks = store.clickRecords
            let first = try await clicks.longLinkNumbers(of: shop, on: [domains[0]])
            let both = try await clicks.longLinkNumbers(of: shop, on: [domains[1], domains[1]])
            try expect(Set(both.keys), is: Set(domains))
            try expect(both[domains[0]], is: first[domains[0]])
            try expect(try await clicks.longLinkNumbers(of: shop, on: domains), is: both)
            let others = try await clicks.longLinkNumbers(of: other, on: domains)
            let all = Set(both.values).union(others.values)
            try expect(all.count, is: 4)
            try expect(all.allSatisfy(\.isOfLongLinks), is: true)
            try expect(try await clicks.longLinkNumbers(of: Sample.application("none"), on: domains), is: [:])
            // A change of the application keeps them, whatever its domains.
            try await store.addApplication("shop", domains: ["three.example.com"])
            try expect(try await store.applications().map(\.longLinks), is: [others, both])
        },
        LinkStoreContract("counts clicks on long links as those of a link of the domain") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let (one, two) = (try await store.longLink(), try await store.longLink(on: "two.example.com"))
            var history = ClickHistory(seed: 11)
            let second: Int64 = 20_000 * 86_400
            let blocks = [link, one, two].enumerated().map { index, link in
                history.block(link, second: second, clicks: 10 * (index + 1), within: 900)
            }
            let reported = try await store.clickTotals.recordedBlocks(days: 0...30_000, after: nil, limit: 9)
            try expect(reported, is: [])
            try await store.clickRecords.append(blocks)
            try await store.clickRecords.append([blocks[2], blocks[1]])
            let total = try require(try await store.allTotals(of: "shop")[20_000 * 96])
            try expect(total.count.sum, is: 60)
            try expect(total[.domain].counts.mapValues(\.sum), is: ["go.example.com": 30, "two.example.com": 30])
            var byLink: [LinkID: Int] = [:]
            for row in try await store.clickTotals.linkTotals(days: 20_000..<20_001, after: nil, limit: 9) {
                for (link, count) in try LinkTotals(encoded: row.bytes).links(of: row.key.page) {
                    byLink[link] = count.sum
                }
            }
            try expect(byLink, is: [link.id: 10, one.id: 20, two.id: 30])
            let recorded = zip(blocks, [link, one, two]).map {
                RecordedBlock(block: $0, application: $1.application, domain: $1.domain)
            }
            try expect(
                try await store.clickTotals.recordedBlocks(days: 20_000...20_000, after: nil, limit: 9),
                is: recorded.sorted { $0.block.key.order < $1.block.key.order })
            let ids = try await store.clickTotals.linkIDs(of: Sample.application(), after: nil, limit: 9)
            try expect(ids, is: [link.id])
            try expect(try await store.clickRecords.dropClicks(before: 20_001, limit: 9), is: 3)
        },
        LinkStoreContract("counts nothing for an application made again under numbers of a deleted one") { store in
            try await store.addApplication()
            let old = try await store.longLink()
            var history = ClickHistory(seed: 12)
            let second: Int64 = 20_000 * 86_400
            try await store.clickRecords.append([history.block(old, second: second, clicks: 10, within: 900)])
            try expect(try await store.allTotals(of: "shop").count, is: 1)
            try expect(try await store.deleteApplication(Sample.application(), expecting: nil), is: .deleted)
            try await store.addApplication()
            let new = try await store.longLink()
            try expect(new.id != old.id, is: true)
            try await store.clickRecords.append([history.block(old, second: second, clicks: 10, within: 900)])
            let totals = store.clickTotals
            try expect(try await store.allTotals(of: "shop").count, is: 0)
            try expect(try await totals.recordedBlocks(days: 0...30_000, after: nil, limit: 9), is: [])
            let block = history.block(new, second: second, clicks: 5, within: 900)
            try await store.clickRecords.append([block])
            try expect(try await store.allTotals(of: "shop")[20_000 * 96]?.count.sum, is: 5)
            // What is left of the old one goes with the leftovers of deleted links.
            _ = try await store.clickRecords.dropClicks(before: 0, limit: 9)
            try expect(
                try await totals.recordedBlocks(days: 0...30_000, after: nil, limit: 9).map(\.block), is: [block])
        },
    ]
}

extension LinkStore {
    /// What blocks of clicks on the long links of an application and a domain are of.
    fileprivate func longLink(
        of application: String = "shop", on domain: String = "go.example.com"
    ) async throws -> Link {
        let (application, domain) = (try Sample.application(application), try Sample.host(domain))
        let numbers = try await clickRecords.longLinkNumbers(of: application, on: [domain])
        return Link(
            id: try require(numbers[domain]), application: application, domain: domain, slug: try Sample.slug("x"),
            content: LinkContent(), createdAt: Sample.now, updatedAt: Sample.now)
    }
}

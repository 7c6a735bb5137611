import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

extension LinkStoreContract {
    static let clickTotals = [
        LinkStoreContract("counts clicks by application, quarter of an hour, value, link and day") { store in
            try await store.addApplication()
            try await store.addApplication("app2")
            let one = try await store.added(Sample.draft("a"))
            let two = try await store.added(Sample.draft("b", application: "app2", host: "two.example.com"))
            var history = ClickHistory(seed: 1)
            let blocks = [
                history.block(one, second: 20_000 * 86_400, clicks: 40),
                history.block(one, second: 20_001 * 86_400 - 30, clicks: 40),
                history.block(two, second: 20_001 * 86_400, clicks: 5),
            ]
            try await store.clickRecords.append(blocks)
            try await store.clickRecords.append([blocks[0]])
            try await store.expectTotalsEqualRecords(of: [one, two], applications: ["shop", "app2"])
        },
        LinkStoreContract("counts the same with and without the packer's tally") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            var history = ClickHistory(seed: 2)
            var blocks = (0..<20).map { history.block(link, second: 20_000 * 86_400 + Int64($0) * 450, clicks: 60) }
            for index in blocks.indices where index % 2 == 0 { blocks[index].tally = nil }
            try await store.clickRecords.append(blocks)
            try await store.expectTotalsEqualRecords(of: [link], applications: ["shop"])
        },
        LinkStoreContract("adds nothing for blocks that can't be read, of unknown links, or given twice") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            var history = ClickHistory(seed: 3)
            let block = history.block(link, second: 20_000 * 86_400, clicks: 10)
            var unknown = block
            unknown.key.link = LinkID(rawValue: 999)
            try await store.clickRecords.append([
                block, block, unknown, Sample.block(link, day: 20_000, number: 1, bytes: [9, 9]),
            ])
            try await store.clickRecords.append([block])
            try await store.expectTotalsEqualRecords(of: [link], applications: ["shop"])
        },
        LinkStoreContract("keeps the most frequent values of a quarter of an hour, whoever adds them") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let second: Int64 = 20_000 * 86_400
            for writer in 0..<3 {
                let hosts = (0..<150).flatMap { ["often.example", "w\(writer)-\($0).example"] }
                try await store.clickRecords.append([Sample.block(link, second: second, number: writer, from: hosts)])
            }
            let total = try require(try await store.allTotals(of: "shop")[20_000 * 96])
            let values = total[.field(.referrerHost)]
            try expect(total.count.people, is: 900)
            try expect(values.counts.count, is: 100)
            try expect(values.counts["often.example"]?.people, is: 450)
            try expect(values.counts.values.reduce(values.rest.people) { $0 + $1.people }, is: 900)
            // Nothing to do where rows are as they are kept now.
            let before = try await store.allTotals(of: "shop")
            try await store.clickTotals.narrowTotals(
                of: Sample.application("shop"), quarters: [20_000 * 96, 20_000 * 96 + 1])
            try expect(try await store.allTotals(of: "shop"), is: before)
        },
        LinkStoreContract("keeps an application's totals when its links are deleted") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            var history = ClickHistory(seed: 4)
            try await store.clickRecords.append([history.block(link, second: 20_000 * 86_400, clicks: 30)])
            let before = try await store.allTotals(of: "shop")
            try expect(try await store.delete(link.id, expecting: nil), is: .deleted)
            try await store.clickRecords.append([history.block(link, second: 20_000 * 86_400, clicks: 30)])
            try expect(try await store.allTotals(of: "shop"), is: before)
            try expect(try await store.deleteApplication(Sample.application("shop"), expecting: nil), is: .deleted)
            try await store.addApplication()
            try expect(try await store.allTotals(of: "shop").count, is: 0)
        },
        LinkStoreContract("gives totals page by page, and drops those of earlier days") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            var history = ClickHistory(seed: 5)
            for day in 20_000..<20_004 {
                try await store.clickRecords.append([
                    history.block(link, second: Int64(day) * 86_400, clicks: 3, within: 900)
                ])
            }
            let totals = store.clickTotals
            let application = try Sample.application("shop")
            func rows(_ quarters: Range<Int>) async throws -> [ApplicationTotal] {
                try await totals.totals(of: [application], quarters: quarters).sorted { $0.quarter < $1.quarter }
            }
            let all = try await rows(0..<3_000_000)
            try expect(all.map(\.quarter), is: (20_000..<20_004).map { $0 * 96 })
            try expect(try await rows(20_001 * 96..<20_003 * 96), is: Array(all[1...2]))
            try expect(try await totals.totals(of: [Sample.application("x")], quarters: 0..<3_000_000), is: [])
            let links = try await totals.linkTotals(days: 20_000..<20_004, after: nil, limit: 100)
            try expect(links.map(\.key.day), is: Array(20_000..<20_004))
            try expect(
                try await totals.linkTotals(days: 20_000..<20_004, after: links[1].key, limit: 1), is: [links[2]])
            try expect(
                try await totals.linkTotals(days: 20_002..<20_003, after: links[0].key, limit: 9), is: [links[2]])
            let page = LinkTotals.page(of: link.id)
            try expect(
                try await totals.linkTotals(pages: [page, 77], days: 20_001..<20_003).sorted { $0.key < $1.key },
                is: Array(links[1...2]))
            try expect(try await totals.totalsStart(), is: nil)
            try expect(try await totals.dropTotals(before: 20_002, limit: 3), is: 3)
            try expect(try await totals.dropTotals(before: 20_002, limit: 3), is: 1)
            try expect(try await totals.dropTotals(before: 20_002, limit: 3), is: 0)
            try expect(try await rows(0..<3_000_000), is: Array(all[2...]))
            try expect(try await totals.linkTotals(days: 0..<30_000, after: nil, limit: 100), is: Array(links[2...]))
        },
        LinkStoreContract("reads and changes totals that were packed as if they were not") { store in
            try await store.addApplication()
            try await store.addApplication("app2")
            let links = [
                try await store.added(Sample.draft("a")),
                try await store.added(Sample.draft("b", application: "app2", host: "two.example.com")),
            ]
            let totals = store.clickTotals
            var history = ClickHistory(seed: 21)
            let days = [20_000, 20_001, 20_002, 20_003, 20_001].map { day in
                links.map { history.block($0, second: Int64(day) * 86_400 + 40_000, clicks: 30) }
            }
            func pack(before day: Int) async throws {
                var last: PackedTotals.Key?
                while let next = try await totals.packTotals(after: last, before: day) {
                    try expect(next.day < day && next != last, is: true)
                    last = next
                }
            }
            for blocks in days[..<4] { try await store.clickRecords.append(blocks) }
            for day in [20_000, 20_003, 20_003] {
                try await pack(before: day)
                try await store.expectTotalsEqualRecords(of: links, applications: ["shop", "app2"])
            }
            // Late clicks.
            try await store.clickRecords.append(days[4])
            try await store.expectTotalsEqualRecords(of: links, applications: ["shop", "app2"])
            try await pack(before: 20_004)
            try await totals.narrowTotals(of: Sample.application(), quarters: [20_002 * 96 + 44])
            try await store.expectTotalsEqualRecords(of: links, applications: ["shop", "app2"])
            while try await totals.dropTotals(before: 20_002, limit: 1) > 0 {}
            let left = Set(try await store.allTotals(of: "shop").keys.map { $0 / 96 })
            try expect(left, is: [20_002, 20_003])
        },
        LinkStoreContract("keeps summaries until clicks are added to one of their days") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let totals = store.clickTotals
            var history = ClickHistory(seed: 9)
            // 20,032 is a multiple of 64.
            try await store.clickRecords.append([history.block(link, second: 20_035 * 86_400, clicks: 3)])
            try expect(try await totals.firstDayOfTotals(), is: 20_035)
            let keys = ClickSummaryKey.all(of: 20_035)
            try expect(keys.map(\.day), is: [20_035, 20_035, 20_032, 20_032, 20_032])
            func make(_ key: ClickSummaryKey) async throws {
                try await totals.beginSummary(key, token: [7])
                try expect(
                    try await totals.addSummary(key, parts: [(3, [1, 2])], token: [7], directory: nil), is: true)
                try expect(
                    try await totals.addSummary(key, parts: [(4, [3])], token: [7], directory: [9]), is: true)
                try expect(try await totals.addSummary(key, parts: [], token: [7], directory: [9]), is: false)
            }
            func complete(_ days: Range<Int>) async throws -> Set<Int> {
                let found = try await totals.summaries(within: days)
                try expect(found.values.allSatisfy { $0 == [9] }, is: true)
                return Set(found.keys.map(\.span))
            }
            for key in keys { try await make(key) }
            try expect(try await complete(20_032..<20_096), is: [0, 1, 4, 16, 64])
            try expect(try await complete(20_032..<20_095), is: [0, 1, 4, 16])
            try expect(try await complete(20_035..<20_036), is: [0, 1])
            let parts = try require(try await totals.summaryParts(of: [keys[1], keys[2]], parts: [2, 3, 4]))
            try expect(
                parts.map { "\($0.key.span) \($0.part) \($0.bytes)" }.sorted(),
                is: ["1 3 [1, 2]", "1 4 [3]", "4 3 [1, 2]", "4 4 [3]"])
            // Another day of one of them, and the same day again.
            try await store.clickRecords.append([history.block(link, second: 20_040 * 86_400, clicks: 3)])
            try expect(try await complete(20_032..<20_096), is: [0, 1, 4])
            let late = history.block(link, second: 20_035 * 86_400, clicks: 3)
            try await totals.beginSummary(keys[4], token: [8])
            try await store.clickRecords.append([late])
            try expect(try await complete(20_032..<20_096), is: [])
            try expect(try await totals.summaryParts(of: [keys[1]], parts: [3]) == nil, is: true)
            try expect(
                try await totals.addSummary(keys[4], parts: [(1, [1])], token: [8], directory: []), is: false)
            // A repeated write adds nothing.
            try await make(keys[1])
            try await store.clickRecords.append([late])
            try expect(try await complete(20_032..<20_096), is: [1])
        },
        LinkStoreContract("remembers when links with clicks were deleted") { store in
            try await store.addApplication()
            try await store.addApplication("app2")
            let totals = store.clickTotals
            let (shop, other) = (try Sample.application("shop"), try Sample.application("app2"))
            let links = [try await store.added(Sample.draft("a")), try await store.added(Sample.draft("b"))]
            try expect(
                try await totals.applications(ofLinks: links[0].id.rawValue..<links[1].id.rawValue + 1)
                    .map { "\($0.id.rawValue - links[0].id.rawValue) \($0.application.text)" }.sorted(),
                is: ["0 shop", "1 shop"])
            let all = 0..<1_000_000
            try expect(try await store.delete(links[0].id, expecting: nil), is: .deleted)
            try expect(try await totals.hasDeletedLinks(of: [shop, other], days: all), is: false)
            try await store.addClicks([links[1].id: 1])
            try expect(try await store.delete(links[1].id, expecting: nil), is: .deleted)
            try expect(try await totals.hasDeletedLinks(of: [shop], days: all), is: true)
            try expect(try await totals.hasDeletedLinks(of: [other], days: all), is: false)
            let created = links[1].createdAt.day
            try expect(try await totals.hasDeletedLinks(of: [shop], days: 0..<created), is: false)
            try expect(try await totals.hasDeletedLinks(of: [shop], days: created..<created + 1), is: true)
        },
        LinkStoreContract("adds up visits of unknown addresses by application and day, and drops early ones") { store in
            try await store.addApplication()
            try await store.addApplication("app2")
            let totals = store.clickTotals
            let (shop, other) = (try Sample.application("shop"), try Sample.application("app2"))
            func add(_ application: ApplicationID, _ day: Int, _ address: String, people: Int = 1) async throws {
                var visits = UnknownVisits()
                visits.add(ClickCount(people: people, bots: 1), of: address)
                try await totals.addUnknownVisits([
                    UnknownVisitsOfDay(application: application, day: day, visits: visits)
                ])
            }
            try await add(shop, 20_000, "go.example.com/a")
            try await add(shop, 20_000, "go.example.com/a", people: 2)
            try await add(shop, 20_000, "go.example.com/b")
            try await add(shop, 20_001, "go.example.com/a")
            try await add(other, 20_000, "two.example.com/a")
            try await add(Sample.application("none"), 20_000, "x.example.com/a")
            func counts(_ applications: [ApplicationID], _ days: Range<Int>) async throws -> [String] {
                try await totals.unknownVisits(of: applications, days: days).flatMap(\.counts)
                    .map { "\($0.address) \($0.count.people) \($0.count.bots)" }.sorted()
            }
            try expect(
                try await counts([shop], 20_000..<20_001), is: ["go.example.com/a 3 2", "go.example.com/b 1 1"])
            try expect(try await counts([shop, other], 20_000..<20_002).count, is: 4)
            try expect(try await totals.dropTotals(before: 20_001, limit: 1), is: 1)
            try expect(try await totals.dropTotals(before: 20_001, limit: 2), is: 1)
            try expect(try await counts([shop, other], 0..<30_000), is: ["go.example.com/a 1 1"])
            try expect(try await store.deleteApplication(shop, expecting: nil), is: .deleted)
            try expect(try await counts([shop, other], 0..<30_000), is: [])
        },
        LinkStoreContract("gives blocks of all links page by page, and the links of an application") { store in
            try await store.addApplication()
            try await store.addApplication("app2")
            let one = try await store.added(Sample.draft("a"))
            let two = try await store.added(Sample.draft("b", application: "app2", host: "two.example.com"))
            let gone = try await store.added(Sample.draft("c"))
            let blocks = [
                Sample.block(one, day: 20_000, number: 5), Sample.block(two, day: 20_000, number: 1),
                Sample.block(one, day: 20_001, number: 1), Sample.block(one, day: 20_003, number: 1),
            ]
            try await store.clickRecords.append(blocks + [Sample.block(gone, day: 20_000, number: 2)])
            try expect(try await store.delete(gone.id, expecting: nil), is: .deleted)
            let recorded = blocks.map { block in
                let link = block.key.link == two.id ? two : one
                return RecordedBlock(block: block, application: link.application, domain: link.domain)
            }
            let totals = store.clickTotals
            try expect(
                try await totals.recordedBlocks(days: 20_000...20_002, after: nil, limit: 9), is: Array(recorded[..<3]))
            try expect(
                try await totals.recordedBlocks(days: 20_000...20_002, after: blocks[0].key, limit: 1),
                is: [recorded[1]])
            try expect(try await totals.recordedBlocks(days: 20_002...20_003, after: nil, limit: 9), is: [recorded[3]])
            try expect(try await totals.linkIDs(of: Sample.application("shop"), after: nil, limit: 9), is: [one.id])
            try expect(try await totals.linkIDs(of: Sample.application("shop"), after: one.id, limit: 9), is: [])
        },
        LinkStoreContract("totals equal the records after crashes, repeats, two writers and clock steps") { store in
            for application in ["shop", "app2"] { try await store.addApplication(application) }
            var links: [Link] = []
            for number in 0..<150 {
                let isOther = number % 3 == 0
                links.append(
                    try await store.added(
                        Sample.draft(
                            "s\(number)", application: isOther ? "app2" : "shop",
                            host: number % 2 == 0 ? "go.example.com" : "two.example.com")))
            }
            let given = links
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<2 {
                    group.addTask {
                        var history = ClickHistory(seed: UInt64(100 + writer))
                        var second: Int64 = 20_000 * 86_400
                        for _ in 0..<25 {
                            // The clock goes on, or steps back by up to two days.
                            second +=
                                history.random(4) == 0 ? -Int64(history.random(172_800)) : Int64(history.random(7_200))
                            let blocks = (0..<history.random(60)).map { _ in
                                history.block(
                                    given[history.random(given.count)], second: second, clicks: 1 + history.random(30))
                            }
                            // A crash: what was packed is lost.
                            if history.random(5) == 0 { continue }
                            try await store.clickRecords.append(blocks)
                            // The answer to a COMMIT was lost: the same again, perhaps among others.
                            guard history.random(3) == 0 else { continue }
                            let more = history.block(given[0], second: second, clicks: 2)
                            try await store.clickRecords.append(Array(blocks.shuffled()) + [more])
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await store.expectTotalsEqualRecords(of: links, applications: ["shop", "app2"])
            while try await store.clickTotals.mergeTotals(before: 20_000 * 96 + 30, limit: 3) > 0 {}
            try await store.expectTotalsEqualRecords(of: links, applications: ["shop", "app2"])
        },
    ]
}

/// Blocks of clicks at random, always the same ones for the same seed.
package struct ClickHistory {
    private var state: UInt64
    private var number: Int64 = 0
    private let writer: Int64

    package init(seed: UInt64) {
        state = seed
        writer = Int64(seed) << 32
    }

    /// Below `end`.
    package mutating func random(_ end: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % max(1, end)
    }

    package mutating func block(_ link: Link, second: Int64, clicks: Int, within seconds: Int = 1_200) -> ClickBlock {
        let agents = [
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                + "Version/18.0 Mobile/15E148 Safari/604.1",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
            "Googlebot/2.1 (+http://www.google.com/bot.html)",
        ]
        let referrers = [nil, Click.Name("news.example.com"), Click.Name("b\u{FC}cher.example")]
        var profiles: [ClickProfile] = []
        let rules = [ClickRule.none, ClickRule("1", isVariant: false), ClickRule("German", isVariant: true)]
        for agent in agents {
            for referrer in referrers {
                profiles.append(
                    Click(
                        link: link.id, time: Timestamp(seconds: second), kind: UserAgent.classify(agent),
                        destination: .web, isProfiled: profiles.count != 4,
                        country: CountryCode(UInt8(ascii: "D"), UInt8(ascii: "E")),
                        referrerHost: referrer, rule: rules[profiles.count % rules.count]
                    ).profile)
            }
        }
        let day = Timestamp(seconds: second).day
        var writer = ClickBlockWriter(profiles)
        writer.begin(day: day, salt: SipHash(key: (0..<16).map { UInt8(truncatingIfNeeded: day &+ $0) }))
        for _ in 0..<clicks {
            let last = Int64(day + 1) * 86_400 - 1
            writer.add(
                second: min(last, second + Int64(random(seconds))), subscriber: UInt64(random(40)),
                profile: random(profiles.count))
        }
        number += 1
        return ClickBlock(
            key: ClickBlock.Key(link: link.id, day: day, number: self.writer + number), bytes: writer.finish(),
            tally: writer.takeTally())
    }
}

extension Sample {
    /// A block of one click from each of these hosts.
    static func block(_ link: Link, second: Int64, number: Int, from hosts: [String]) -> ClickBlock {
        let profiles = hosts.map { host in
            Click(
                link: link.id, time: Timestamp(seconds: second),
                kind: UserAgent.classify("Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0"),
                destination: .web, referrerHost: Click.Name(host, isVisitors: true)
            ).profile
        }
        let day = Timestamp(seconds: second).day
        var writer = ClickBlockWriter(profiles)
        writer.begin(day: day, salt: nil)
        for profile in profiles.indices { writer.add(second: second, subscriber: 1, profile: profile) }
        return ClickBlock(
            key: ClickBlock.Key(link: link.id, day: day, number: Int64(number)), bytes: writer.finish(),
            tally: writer.takeTally())
    }
}

/// A count of records, made in the plainest way.
private struct Recount: Equatable {
    var count = ClickCount()
    var values: [ClickTotal.Dimension: [String?: ClickCount]] = [:]
    var visitors: Set<UInt64> = []
}

extension LinkStore {
    func allTotals(of application: String) async throws -> [Int: ClickTotal] {
        let rows = try await clickTotals.totals(
            of: [Sample.application(application)], quarters: -1_000_000..<10_000_000)
        return try Dictionary(uniqueKeysWithValues: rows.map { ($0.quarter, try ClickTotal(encoded: $0.bytes)) })
    }

    package func expectTotalsEqualRecords(of links: [Link], applications: [String]) async throws {
        var byQuarter: [String: [Int: Recount]] = [:]
        var byDay: [LinkID: [Int: ClickCount]] = [:]
        for link in links {
            for block in try await allBlocks(of: link) {
                for record in block.contents?.records ?? [] {
                    let one = record.isPersons ? ClickCount(people: 1) : ClickCount(bots: 1)
                    let quarter = Int(record.time.seconds / 900)
                    var recount = byQuarter[link.application.text]?[quarter] ?? Recount()
                    recount.count += one
                    for field in ClickField.allCases {
                        recount.values[.field(field), default: [:]][record.profile[field], default: ClickCount()] += one
                    }
                    recount.values[.domain, default: [:]][link.domain.text, default: ClickCount()] += one
                    if let visitor = record.visitor, record.isPersons { recount.visitors.insert(visitor) }
                    byQuarter[link.application.text, default: [:]][quarter] = recount
                    byDay[link.id, default: [:]][block.key.day, default: ClickCount()] += one
                }
            }
        }
        for application in applications {
            let totals = try await allTotals(of: application)
            let recounts = byQuarter[application] ?? [:]
            try expect(Set(totals.keys), is: Set(recounts.keys))
            for (quarter, total) in totals {
                let recount = try require(recounts[quarter])
                try expect(total.count, is: recount.count)
                var sketch = VisitorSketch()
                sketch.add(recount.visitors.map { VisitorSketch.Item(visitor: $0) })
                try expect(total.visitors, is: sketch)
                for dimension in ClickTotal.Dimension.all {
                    try expect(total[dimension].counts, is: recount.values[dimension] ?? [:])
                    try expect(total[dimension].rest, is: ClickCount())
                }
            }
        }
        var stored: [LinkID: [Int: ClickCount]] = [:]
        for row in try await clickTotals.linkTotals(days: -10_000..<100_000, after: nil, limit: 100_000) {
            for (link, count) in try LinkTotals(encoded: row.bytes).links(of: row.key.page) where count.sum > 0 {
                stored[link, default: [:]][row.key.day, default: ClickCount()] += count
            }
        }
        try expect(stored, is: byDay)
    }
}

import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let shipments = [
        LinkStoreContract("ships each block that a transaction added, once, with what its link is") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            var clicks = ClickHistory(seed: 71)
            let blocks = (0..<4).map { clicks.block(link, second: second(in: $0 / 2), clicks: 10 + $0) }
            let shipments = store.clickShipments
            try await store.clickRecords.append([blocks[0]])
            try await expectNothing(in: shipments)
            try await shipments.setShipsClicks(true)
            try await expectNothing(in: shipments)
            try expect(try await shipments.holdsShipping(), is: true)
            let unknown = ClickBlock(
                key: ClickBlock.Key(link: LinkID(rawValue: 4_711), day: 1, number: 1), bytes: blocks[0].bytes)
            try await store.clickRecords.append([blocks[2], unknown, blocks[1], blocks[0]])
            // Without its tally, as it comes from the spool.
            try await store.clickRecords.append([blocks[1], ClickBlock(key: blocks[3].key, bytes: blocks[3].bytes)])
            try await store.clickRecords.append([blocks[0], blocks[1]])
            let waiting = try await shipments.waitingShipments()
            try expect(waiting.clicks, is: 11 + 12 + 13)
            try expect(waiting.oldest != nil, is: true)
            try expect(try await shipments.waitingNotes() != nil, is: true)
            let shipment = try require(try await shipments.shipment(limit: 1_000))
            try expect(shipment.isRepeated, is: false)
            try expect(shipment.token.utf8.count, is: 32)
            try expect(shipment.blocks, is: blocks.dropFirst().map { ShippedBlock($0, of: link) })
            try expect(shipment.deletedLinks, is: [])
            // The same again, whatever was added since.
            let later = clicks.block(link, second: second(in: 3), clicks: 7)
            try expect(try await shipments.waitingNotes() == nil, is: true)
            try await store.clickRecords.append([later])
            try expect(try await shipments.waitingNotes() != nil, is: true)
            var repeated = shipment
            repeated.isRepeated = true
            try expect(try await shipments.shipment(limit: 1), is: repeated)
            try expect(try await shipments.waitingShipments().clicks, is: 36 + 7)
            try await shipments.finishShipment(shipment.number + 1)
            try expect(try await shipments.shipment(limit: 1), is: repeated)
            try await shipments.finishShipment(shipment.number)
            try expect(try await shipments.waitingShipments().clicks, is: 7)
            let next = try require(try await shipments.shipment(limit: 1_000))
            try expect(next.blocks.map(\.block), is: [later])
            try expect(next.number > shipment.number && next.token != shipment.token && !next.isRepeated, is: true)
            try await shipments.finishShipment(next.number)
            try await shipments.finishShipment(next.number)
            try await expectNothing(in: shipments)
        },
        LinkStoreContract("splits what many blocks hold into shipments of the size that is asked for") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            try await store.clickShipments.setShipsClicks(true)
            var clicks = ClickHistory(seed: 72)
            let blocks = (0..<9).map { clicks.block(link, second: second(in: $0), clicks: 10) }
            try await store.clickRecords.append(Array(blocks[..<6]))
            for block in blocks[6...] { try await store.clickRecords.append([block]) }
            var sizes: [Int] = []
            var shipped: [ClickBlock] = []
            for limit in [25, 5, 10, 0, 29, 1_000] {
                let shipment = try require(try await store.clickShipments.shipment(limit: limit))
                sizes.append(shipment.blocks.count)
                shipped += shipment.blocks.map(\.block)
                try await store.clickShipments.finishShipment(shipment.number)
                try expect(try await store.clickShipments.waitingShipments().clicks, is: 90 - 10 * shipped.count)
            }
            try expect(sizes, is: [2, 1, 1, 1, 2, 2])
            try expect(shipped, is: blocks)
            try await expectNothing(in: store.clickShipments)
        },
        LinkStoreContract("ships deletions of links, and none of their clicks with or after them") { store in
            try await store.addApplication()
            let (gone, kept) = (try await store.added(Sample.draft("a")), try await store.added(Sample.draft("b")))
            try await store.clickShipments.setShipsClicks(true)
            var clicks = ClickHistory(seed: 73)
            let blocks = (0..<3).map { clicks.block($0 == 1 ? gone : kept, second: second(in: $0), clicks: 5) }
            try await store.clickRecords.append(blocks)
            try expect(try await store.delete(gone.id, expecting: 7), is: .versionMismatch(current: 1))
            try expect(try await store.delete(gone.id, expecting: nil), is: .deleted)
            try await store.clickRecords.append([clicks.block(gone, second: second(in: 1), clicks: 5)])
            let both = try require(try await store.clickShipments.shipment(limit: 1_000))
            try expect(both.blocks.map(\.block), is: [blocks[0], blocks[2]])
            try expect(both.deletedLinks, is: [gone.id])
            try await store.clickShipments.finishShipment(both.number)
            // Of clicks that have arrived.
            try expect(try await store.delete(kept.id, expecting: nil), is: .deleted)
            let deletion = try require(try await store.clickShipments.shipment(limit: 1_000))
            try expect(deletion.blocks, is: [])
            try expect(deletion.deletedLinks, is: [kept.id])
            try await store.clickShipments.finishShipment(deletion.number)
            try await expectNothing(in: store.clickShipments)
        },
        LinkStoreContract("ships clicks on long links without a slug, and deletes them with their application") {
            store in
            try await store.addApplication()
            let (shop, domain) = (try Sample.application(), try Sample.host())
            let number = try require(
                try await store.clickRecords.longLinkNumbers(of: shop, on: [domain])[domain])
            let longLink = Link(
                id: number, application: shop, domain: domain, slug: try Sample.slug("x"), content: LinkContent(),
                createdAt: Sample.now, updatedAt: Sample.now)
            try await store.clickShipments.setShipsClicks(true)
            var clicks = ClickHistory(seed: 74)
            let block = clicks.block(longLink, second: second(in: 0), clicks: 5)
            try await store.clickRecords.append([block])
            let shipment = try require(try await store.clickShipments.shipment(limit: 1))
            try expect(
                shipment.blocks, is: [ShippedBlock(block: block, application: shop, domain: domain, slug: nil)])
            try await store.clickShipments.finishShipment(shipment.number)
            try await store.clickRecords.append([clicks.block(longLink, second: second(in: 1), clicks: 5)])
            try expect(try await store.deleteApplication(shop, expecting: nil), is: .deleted)
            let deletion = try require(try await store.clickShipments.shipment(limit: 1_000))
            try expect(deletion.blocks, is: [])
            try expect(deletion.deletedLinks, is: [number])
        },
        LinkStoreContract("ships a renamed link under the slug that it has now") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            try await store.clickShipments.setShipsClicks(true)
            var clicks = ClickHistory(seed: 75)
            try await store.clickRecords.append([clicks.block(link, second: second(in: 0), clicks: 5)])
            _ = try await store.rename(link.id, expecting: nil, to: Sample.slug("new"), by: nil, at: Sample.now)
            try expect(try await store.clickShipments.shipment(limit: 9)?.blocks.map(\.slug), is: ["new"])
        },
        LinkStoreContract("leaves out blocks that are gone, under the token that they had") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            try await store.clickShipments.setShipsClicks(true)
            var clicks = ClickHistory(seed: 76)
            let blocks = (0..<3).map { clicks.block(link, second: second(in: $0), clicks: 5) }
            try await store.clickRecords.append(Array(blocks[..<2]))
            func waiting(_ days: Int) async throws -> [Int] {
                let waiting = try await store.clickShipments.waitingClicks(before: day(days))
                return [waiting.blocks, waiting.clicks]
            }
            try expect([try await waiting(0), try await waiting(1)], is: [[0, 0], [1, 5]])
            try expect(try await waiting(9), is: [2, 10])
            var shipment = try require(try await store.clickShipments.shipment(limit: 1_000))
            try expect(try await waiting(9), is: [2, 10])
            try expect(try await store.clickRecords.dropClicks(before: day(1), limit: 9), is: 1)
            try expect(try await waiting(9), is: [1, 5])
            shipment.isRepeated = true
            shipment.blocks.removeFirst()
            try expect(try await store.clickShipments.shipment(limit: 1_000), is: shipment)
            try await store.clickShipments.finishShipment(shipment.number)
            try await store.clickRecords.append([blocks[2]])
            try expect(try await store.clickRecords.dropClicks(before: day(9), limit: 9), is: 2)
            let empty = try require(try await store.clickShipments.shipment(limit: 1_000))
            try expect(empty.blocks.isEmpty && empty.deletedLinks.isEmpty, is: true)
            try await store.clickShipments.finishShipment(empty.number)
            try await expectNothing(in: store.clickShipments)
        },
        LinkStoreContract("lists counters by day, page by page, in the order of their keys") { store in
            try await store.addApplication()
            let links = [try await store.added(Sample.draft("a")), try await store.added(Sample.draft("b"))]
            let gone = try await store.added(Sample.draft("gone"))
            let activity = (links + [gone]).flatMap { link in
                [3, 4].map { DailyActivity(link: link.id, day: $0, counts: LinkActivity(opens: $0, claims: 1)) }
            }
            try await store.addActivity(activity, as: Sample.write())
            _ = try await store.delete(gone.id, expecting: nil, at: Sample.now)
            var found: [ShippedActivity] = []
            while true {
                let last = found.last?.activity
                let page = try await store.clickShipments.dailyActivity(
                    after: last.map { .init(link: $0.link, day: $0.day) }, limit: 3)
                found += page
                guard page.count == 3 else { break }
            }
            try expect(found.map(\.activity), is: Array(activity.prefix(4)))
            try expect(found.map(\.slug), is: ["a", "a", "b", "b"])
            try expect(found.map(\.application.text), is: Array(repeating: "shop", count: 4))
            try expect(found.map(\.domain), is: Array(repeating: links[0].domain, count: 4))
            _ = try await store.conversions.record(
                [
                    Sample.conversion("1", links[0], "1.5"), Sample.conversion("2", links[1], "-0.25"),
                    Sample.conversion("3", links[0], nil, name: "e\u{301}"),
                    Sample.conversion("4", links[0], nil, name: "\u{E9}", isFromApp: true),
                ], at: Sample.now)
            try expect(try await store.clickShipments.countedApplications().map(\.text), is: ["shop"])
            var conversions: [ArchivedConversions] = []
            var key = ConversionKey(
                application: links[0].application, day: Sample.now.day, link: LinkID(rawValue: .min), campaign: "",
                name: "", currency: "")
            while let next = try await store.clickShipments.dailyConversions(after: key, limit: 1).first {
                conversions.append(next)
                key = next.key
            }
            try expect(
                conversions.map(\.key.name), is: [ConversionKey.appMark + "\u{E9}", "e\u{301}", "purchase", "purchase"])
            try expect(conversions.map(\.total.sum.text), is: ["0", "0", "1.5", "-0.25"])
            try expect(conversions.map(\.key.link), is: [links[0].id, links[0].id, links[0].id, links[1].id])
        },
        LinkStoreContract("forgets what waits when clicks are no longer shipped") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let shipments = store.clickShipments
            var clicks = ClickHistory(seed: 77)
            let blocks = (0..<4).map { clicks.block(link, second: second(in: $0), clicks: 5) }
            for isOn in [true, true] { try await shipments.setShipsClicks(isOn) }
            try await store.clickRecords.append([blocks[0]])
            let first = try require(try await shipments.shipment(limit: 1))
            try await store.clickRecords.append([blocks[1]])
            for isOn in [false, false] { try await shipments.setShipsClicks(isOn) }
            try await expectNothing(in: shipments)
            try await store.clickRecords.append([blocks[2]])
            try await shipments.noteBlocks([blocks[2].key])
            try await shipments.finishShipment(first.number)
            try await shipments.setShipsClicks(true)
            try await expectNothing(in: shipments)
            try await store.clickRecords.append([blocks[3]])
            let next = try require(try await shipments.shipment(limit: 1_000))
            try expect(next.blocks.map(\.block), is: [blocks[3]])
            try expect(next.number > first.number, is: true)
        },
        LinkStoreContract("notes stored blocks again, unless they are gone or wait already") { store in
            try await store.addApplication()
            let (link, other) = (try await store.added(Sample.draft("a")), try await store.added(Sample.draft("b")))
            var clicks = ClickHistory(seed: 78)
            let blocks = (0..<6).map { clicks.block($0 == 5 ? other : link, second: second(in: $0), clicks: 5) }
            try await store.clickRecords.append(Array(blocks[..<3]) + [blocks[5]])
            _ = try await store.delete(other.id, expecting: nil)
            let shipments = store.clickShipments
            try await shipments.setShipsClicks(true)
            try await store.clickRecords.append([blocks[3]])
            let underWay = try require(try await shipments.shipment(limit: 1))
            try await store.clickRecords.append([blocks[4]])
            let keys = blocks.map(\.key)
            try await shipments.noteBlocks([])
            try await shipments.noteBlocks([keys[1]])
            try await shipments.noteBlocks(keys + keys.reversed())
            try expect(try await shipments.waitingShipments().clicks, is: 25)
            try await shipments.finishShipment(underWay.number)
            let rest = try require(try await shipments.shipment(limit: 1_000))
            try expect(rest.blocks.map(\.block), is: Array(blocks[..<3]) + [blocks[4]])
            try await shipments.finishShipment(rest.number)
            // Somebody lost them there.
            try await shipments.noteBlocks([keys[3]])
            let again = try require(try await shipments.shipment(limit: 1))
            try expect(again.blocks, is: underWay.blocks)
            try expect(again.token != underWay.token, is: true)
        },
        LinkStoreContract("gives the blocks of all links on a day, page by page, shipped or not") { store in
            try await store.addApplication()
            let links = [try await store.added(Sample.draft("a")), try await store.added(Sample.draft("b"))]
            let gone = try await store.added(Sample.draft("c"))
            var clicks = ClickHistory(seed: 79)
            var blocks: [ShippedBlock] = []
            for index in 0..<12 {
                let link = links[index % 2]
                blocks.append(ShippedBlock(clicks.block(link, second: second(in: index / 4), clicks: 3), of: link))
            }
            try await store.clickRecords.append(
                blocks.map(\.block) + [clicks.block(gone, second: second(in: 1), clicks: 3)])
            _ = try await store.delete(gone.id, expecting: nil)
            let expected = blocks[4..<8].sorted { $0.block.key.order < $1.block.key.order }
            for limit in [1, 2, 3, 4, 5] {
                var found: [ShippedBlock] = []
                while true {
                    let page = try await store.clickShipments.shippedBlocks(
                        of: day(1), after: found.last?.block.key, limit: limit)
                    found += page
                    if page.count < limit { break }
                }
                try expect(found, is: expected)
            }
            let shipments = store.clickShipments
            try expect(try await shipments.shippedBlocks(of: day(7), after: nil, limit: 9), is: [])
            try expect(
                try await shipments.shippedBlocks(of: day(1), after: blocks[0].block.key, limit: 9), is: expected)
            try expect(try await shipments.shippedBlocks(of: day(1), after: blocks[11].block.key, limit: 9), is: [])
        },
        LinkStoreContract("ships each block once while many write at once") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            try await store.clickShipments.setShipsClicks(true)
            var clicks = ClickHistory(seed: 80)
            let blocks = (0..<60).map { clicks.block(link, second: second(in: $0 % 3), clicks: 2) }
            var shipped: [ClickBlock] = []
            func ship() async throws -> Bool {
                guard let shipment = try await store.clickShipments.shipment(limit: 7) else { return false }
                shipped += shipment.blocks.map(\.block)
                try await store.clickShipments.finishShipment(shipment.number)
                return true
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for start in 0..<20 {
                    // Each shares blocks with its neighbours.
                    group.addTask {
                        try await store.clickRecords.append(Array(blocks[start * 3..<min(60, start * 3 + 5)]))
                    }
                }
                for _ in 0..<10 { _ = try await ship() }
                try await group.waitForAll()
            }
            while try await ship() {}
            try expect(shipped.map(\.key).sorted(), is: blocks.map(\.key).sorted())
            try await expectNothing(in: store.clickShipments)
        },
    ]

    private static func day(_ number: Int) -> Int { 20_000 + number }
    private static func second(in number: Int) -> Int64 { Int64(day(number)) * 86_400 }

    private static func expectNothing(in shipments: any ClickShipmentStore) async throws {
        try expect(try await shipments.shipment(limit: 1_000), is: nil)
        let waiting = try await shipments.waitingShipments()
        try expect(waiting.clicks, is: 0)
        try expect(waiting.oldest, is: nil)
    }
}

extension ShippedBlock {
    init(_ block: ClickBlock, of link: Link) {
        self.init(block: block, application: link.application, domain: link.domain, slug: link.slug.text)
    }
}

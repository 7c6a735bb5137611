import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let clickRecords = [
        LinkStoreContract("gives a link's blocks in the order of their keys, and nobody else's") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let other = try await store.added(Sample.draft("b"))
            let blocks = [
                Sample.block(link, day: 20_002, number: -7), Sample.block(link, day: 20_001, number: 9),
                Sample.block(link, day: 20_001, number: .max), Sample.block(link, day: 20_001, number: 2, bytes: []),
                Sample.block(link, day: 0, number: 1), Sample.block(link, day: -1, number: .min + 1),
            ]
            try await store.clickRecords.append(blocks + [Sample.block(other, day: 20_001, number: 5)])
            try await store.clickRecords.append([])
            let ordered = blocks.sorted { $0.key < $1.key }
            try expect(try await store.allBlocks(of: link), is: ordered)
            try expect(try await store.allBlocks(of: link, days: 20_001...20_001), is: Array(ordered[2...4]))
            try expect(try await store.allBlocks(of: link, days: 20_003...30_000), is: [])
            try expect(
                try await store.allBlocks(of: other), is: [Sample.block(other, day: 20_001, number: 5)])
            // Nothing that a patch has to know of.
            try expect(try await store.link(link.id), is: link)
        },
        LinkStoreContract("gives a link's blocks page by page, over days with and without any") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let other = try await store.added(Sample.draft("b"))
            var blocks: [ClickBlock] = []
            for day in [20_000, 20_001, 20_007] {
                for number in 0..<(day == 20_001 ? 9 : 4) {
                    blocks.append(Sample.block(link, day: day, number: Int64(number) * 3))
                }
            }
            let others = (20_000...20_009).map { Sample.block(other, day: $0, number: 4) }
            try await store.clickRecords.append((blocks + others).shuffled())
            for limit in [1, 2, 3, 4, 5, 13, 17, 18, 500] {
                var found: [ClickBlock] = []
                while true {
                    let page = try await store.clickRecords.blocks(
                        of: link.id, days: 20_000...20_400, after: found.last?.key, limit: limit)
                    try expect(page.count <= limit, "a page holds no more than was asked for")
                    found += page
                    if page.count < limit { break }
                }
                try expect(found, is: blocks)
            }
            let records = store.clickRecords
            try expect(try await records.blocks(of: link.id, days: 0...30_000, after: nil, limit: 0), is: [])
            // A key from before the days, one of their last day, and one of a later day.
            let key = ClickBlock.Key(link: link.id, day: 19_000, number: 99)
            try expect(
                try await records.blocks(of: link.id, days: 20_000...20_000, after: key, limit: 9),
                is: Array(blocks[..<4]))
            try expect(
                try await records.blocks(of: link.id, days: 20_000...20_001, after: blocks[12].key, limit: 9), is: [])
            try expect(
                try await records.blocks(of: link.id, days: 20_000...20_001, after: blocks[13].key, limit: 9), is: [])
        },
        LinkStoreContract("keeps a block once, whatever comes under its key again") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let block = Sample.block(link, day: 20_000, number: 1, bytes: [1, 2, 3])
            var different = block
            different.bytes = [9]
            try await store.clickRecords.append([block])
            let next = Sample.block(link, day: 20_000, number: 2)
            try await store.clickRecords.append([different, next, block, next])
            try expect(try await store.allBlocks(of: link), is: [block, next])
        },
        LinkStoreContract("passes over blocks of links that are gone") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let gone = try await store.added(Sample.draft("b"))
            try await store.clickRecords.append([Sample.block(gone, day: 20_000, number: 1)])
            try expect(try await store.delete(gone.id, expecting: 7), is: .versionMismatch(current: 1))
            try expect(try await store.allBlocks(of: gone).count, is: 1)
            try expect(try await store.delete(gone.id, expecting: 1), is: .deleted)
            try expect(try await store.allBlocks(of: gone), is: [])
            let block = Sample.block(link, day: 20_000, number: 1)
            try await store.clickRecords.append([Sample.block(gone, day: 20_000, number: 2), block])
            try expect(try await store.allBlocks(of: gone), is: [])
            try expect(try await store.allBlocks(of: link), is: [block])
            try expect(try await store.clickRecords.dropClicks(before: 30_000, limit: 10), is: 1)
        },
        LinkStoreContract("deletes the many blocks of a link little by little, and gives none of them meanwhile") {
            store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let other = try await store.added(Sample.draft("b"))
            let count = ClickBlock.deletedAtOnce * 2 + 5
            try await store.clickRecords.append(
                (0..<count).map { Sample.block(link, day: 20_000 + $0 % 7, number: Int64($0)) })
            let kept = Sample.block(other, day: 20_003, number: 1)
            try await store.clickRecords.append([kept])
            try expect(try await store.delete(link.id, expecting: nil), is: .deleted)
            try expect(try await store.allBlocks(of: link), is: [])
            while true {
                let dropped = try await store.clickRecords.dropClicks(before: 0, limit: 300)
                try expect(dropped <= 300, "no more is dropped than was asked for")
                if dropped < 300 { break }
            }
            try expect(try await store.clickRecords.dropClicks(before: 0, limit: 300), is: 0)
            try expect(try await store.allBlocks(of: other), is: [kept])
            // Of all days, so that anything left of the link would show.
            try expect(try await store.clickRecords.dropClicks(before: 30_000, limit: 300), is: 1)
        },
        LinkStoreContract("drops blocks of earlier days, at most as many as asked") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let other = try await store.added(Sample.draft("b"))
            var blocks: [ClickBlock] = []
            for day in 20_000..<20_005 {
                for number in 0..<4 { blocks.append(Sample.block(link, day: day, number: Int64(number))) }
            }
            try await store.clickRecords.append(blocks + [Sample.block(other, day: 20_000, number: 1)])
            try expect(try await store.clickRecords.dropClicks(before: 20_000, limit: 100), is: 0)
            try expect(try await store.clickRecords.dropClicks(before: 20_003, limit: 0), is: 0)
            try expect(try await store.clickRecords.dropClicks(before: 20_003, limit: 6), is: 6)
            try expect(try await store.clickRecords.dropClicks(before: 20_003, limit: 7), is: 7)
            try expect(try await store.clickRecords.dropClicks(before: 20_003, limit: 7), is: 0)
            try expect(try await store.allBlocks(of: link), is: Array(blocks[12...]))
            try expect(try await store.allBlocks(of: other), is: [])
            // What is gone may be added again: nothing remembers its key.
            try await store.clickRecords.append([blocks[0]])
            try expect(try await store.allBlocks(of: link).first, is: blocks[0])
        },
        LinkStoreContract("keeps each of the blocks that many write at once, while others are dropped") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let old = (0..<40).map { Sample.block(link, day: 10_000, number: Int64($0)) }
            try await store.clickRecords.append(old)
            let dropped = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        // Each pair of neighbours shares ten of its blocks.
                        try await store.clickRecords.append(
                            (0..<20).map { Sample.block(link, day: 20_000, number: Int64(number * 10 + $0)) })
                        return 0
                    }
                    group.addTask { try await store.clickRecords.dropClicks(before: 15_000, limit: 3) }
                }
                return try await group.reduce(0, +)
            }
            try expect(dropped, is: 40)
            try expect(
                try await store.allBlocks(of: link),
                is: (0..<410).map { Sample.block(link, day: 20_000, number: Int64($0)) })
        },
        LinkStoreContract("leaves no block behind of links that are deleted while their clicks are written") { store in
            try await store.addApplication()
            var links: [Link] = []
            for number in 0..<20 { links.append(try await store.added(Sample.draft("s\(number)"))) }
            let given = links
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, link) in given.enumerated() {
                    group.addTask {
                        try await store.clickRecords.append(
                            given.map { Sample.block($0, day: 20_000, number: Int64(index)) })
                    }
                    guard index % 2 == 0 else { continue }
                    group.addTask { _ = try await store.delete(link.id, expecting: nil) }
                }
                try await group.waitForAll()
            }
            for (index, link) in links.enumerated() {
                try expect(try await store.allBlocks(of: link).count, is: index % 2 == 0 ? 0 : 20)
            }
            try expect(try await store.clickRecords.dropClicks(before: 30_000, limit: 1_000), is: 200)
        },
        LinkStoreContract("takes a block of many bytes, and many blocks in one call") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let large = Sample.block(
                link, day: 1, number: 1, bytes: (0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
            let many = (0..<5_000).map { Sample.block(link, day: 2, number: Int64($0)) }
            try await store.clickRecords.append([large] + many)
            try expect(try await store.allBlocks(of: link) == [large] + many, "all blocks are there, as they were")
        },
    ]
}

extension Sample {
    static func block(_ link: Link, day: Int, number: Int64, bytes: [UInt8]? = nil) -> ClickBlock {
        let key = ClickBlock.Key(link: link.id, day: day, number: number)
        return ClickBlock(
            key: key, bytes: bytes ?? [0, UInt8(truncatingIfNeeded: day), UInt8(truncatingIfNeeded: number)])
    }
}

extension LinkStore {
    func allBlocks(of link: Link, days: ClosedRange<Int> = -1_000_000...1_000_000) async throws -> [ClickBlock] {
        try await clickRecords.blocks(of: link.id, days: days, after: nil, limit: 100_000)
    }
}

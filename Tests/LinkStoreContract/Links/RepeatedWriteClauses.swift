import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    /// A writer that lost the answer to a write sends it again.
    static let repeatedWrites = [
        LinkStoreContract("adds a batch of clicks once however often it is sent") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let writer: [UInt8] = Array(repeating: 7, count: 16)
            for _ in 0..<3 { try await store.addClicks([link.id: 2], as: Sample.write(by: writer)) }
            try expect(try await store.link(link.id)?.clicks, is: 2)
            // The next batch of the writer, and one of another writer.
            for _ in 0..<2 { try await store.addClicks([link.id: 3], as: Sample.write(by: writer, batch: 2)) }
            try await store.addClicks([link.id: 4], as: Sample.write())
            try expect(try await store.link(link.id)?.clicks, is: 9)
            // One that arrives late, behind the batch after it.
            try await store.addClicks([link.id: 2], as: Sample.write(by: writer))
            try expect(try await store.link(link.id)?.clicks, is: 9)
        },
        LinkStoreContract("adds a batch of activity once however often it is sent") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let writer: [UInt8] = Array(repeating: 7, count: 16)
            let batch = [DailyActivity(link: link.id, day: 20_000, counts: LinkActivity(opens: 1, resolves: 2))]
            for _ in 0..<3 { try await store.addActivity(batch, as: Sample.write(by: writer)) }
            try expect(try await store.activity(of: link.id, days: 20_000..<20_001), is: batch)
            for _ in 0..<2 { try await store.addActivity(batch, as: Sample.write(by: writer, batch: 2)) }
            try await store.addActivity(batch, as: Sample.write(by: writer))
            let sum = try await store.activity(of: link.id, days: 20_000..<20_001).first?.counts
            try expect(sum, is: LinkActivity(opens: 2, resolves: 4))
        },
        LinkStoreContract("reserves once and returns the same number, however often it is asked") { store in
            try await store.addApplication()
            var draft = try Sample.draft("a")
            draft.content.maxClicks = 10
            let link = try await store.added(draft)
            let write = Sample.write()
            for _ in 0..<3 { try expect(try await store.reserveClicks(link.id, upTo: 7, as: write), is: 7) }
            try expect(try await store.link(link.id)?.reservedClicks, is: 7)
            let next = Sample.write(by: write.writer, batch: 2)
            for _ in 0..<2 { try expect(try await store.reserveClicks(link.id, upTo: 7, as: next), is: 3) }
            try expect(try await store.link(link.id)?.reservedClicks, is: 10)
        },
        LinkStoreContract("takes unused clicks back once however often they are given back") { store in
            try await store.addApplication()
            var draft = try Sample.draft("a")
            draft.content.maxClicks = 10
            let link = try await store.added(draft)
            _ = try await store.reserveClicks(link.id, upTo: 10)
            let write = Sample.write()
            for _ in 0..<3 { try await store.releaseClicks(link.id, count: 2, as: write) }
            try expect(try await store.link(link.id)?.reservedClicks, is: 8)
        },
        // The first attempt may still be running on a connection that its sender gave up:
        //
        //     attempt 1          attempt 2
        //     not written
        //                        not written
        //     add 2, commit
        //                        add 2, commit     <- counted twice
        LinkStoreContract("performs one of many attempts at once at the same write") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            var draft = try Sample.draft("b")
            draft.content.maxClicks = 1_000
            let limited = try await store.added(draft)
            let (clicks, activity, reservation) = (Sample.write(), Sample.write(), Sample.write())
            let day = DailyActivity(link: link.id, day: 20_000, counts: LinkActivity(opens: 1))
            let granted = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<40 {
                    group.addTask {
                        try await store.addClicks([link.id: 2], as: clicks)
                        try await store.addActivity([day], as: activity)
                        return try await store.reserveClicks(limited.id, upTo: 7, as: reservation)
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            try expect(granted, is: [7])
            try expect(try await store.link(link.id)?.clicks, is: 2)
            try expect(try await store.link(limited.id)?.reservedClicks, is: 7)
            try expect(try await store.activity(of: link.id, days: 20_000..<20_001), is: [day])
        },
        LinkStoreContract("remembers one batch for each writer, and forgets those that ran out") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            for writer in 0..<3 as Range<UInt8> {
                for batch in 1...5 as ClosedRange<Int64> {
                    let write = Sample.write(by: [writer], batch: batch, until: Sample.after(10 * Int64(writer + 1)))
                    try await store.addClicks([link.id: 1], as: write)
                }
            }
            try expect(try await store.purge(at: Sample.after(9), limit: 10), is: 0)
            try expect(try await store.purge(at: Sample.after(20), limit: 1), is: 1)
            try expect(try await store.purge(at: Sample.after(20), limit: 10), is: 1)
            try await store.addClicks([link.id: 1], as: Sample.write(by: [2], batch: 5))
            try expect(try await store.link(link.id)?.clicks, is: 15)
        },
    ]
}

import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let clicks = [
        LinkStoreContract("adds clicks, and passes over links that are gone") { store in
            try await store.addApplication()
            let one = try await store.added(Sample.draft("a"))
            let two = try await store.added(Sample.draft("b"))
            try await store.addClicks([one.id: 3, two.id: 1, LinkID(rawValue: 999): 4])
            try await store.addClicks([one.id: 2, two.id: 0])
            try await store.addClicks([:])
            try expect(try await store.link(one.id)?.clicks, is: 5)
            try expect(try await store.link(two.id)?.clicks, is: 1)
            try expect(try await store.link(one.id)?.version, is: 1)
            try await store.addClicks([two.id: .max])
            try expect(try await store.link(two.id)?.clicks, is: .max)
        },
        LinkStoreContract("reserves clicks up to the limit, and takes unused ones back") { store in
            try await store.addApplication()
            var draft = try Sample.draft("a")
            draft.content.maxClicks = 10
            let link = try await store.added(draft)
            try expect(try await store.reserveClicks(link.id, upTo: 8), is: 8)
            try expect(try await store.reserveClicks(link.id, upTo: 8), is: 2)
            try expect(try await store.reserveClicks(link.id, upTo: 8), is: 0)
            try await store.releaseClicks(link.id, count: 3)
            try expect(try await store.link(link.id)?.reservedClicks, is: 7)
            try expect(try await store.reserveClicks(link.id, upTo: 8), is: 3)
            try await store.releaseClicks(link.id, count: 100)
            try expect(try await store.link(link.id)?.reservedClicks, is: 0)
            try expect(try await store.reserveClicks(link.id, upTo: 0), is: 0)
            try expect(try await store.reserveClicks(LinkID(rawValue: 999), upTo: 5), is: 0)
        },
        LinkStoreContract("counts clicks from before there was a limit against it") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            try expect(try await store.reserveClicks(link.id, upTo: 5), is: 5)
            try expect(try await store.link(link.id)?.reservedClicks, is: 0)
            try await store.addClicks([link.id: 7])
            var content = link.content
            content.maxClicks = 10
            _ = try await store.update(link.id, expecting: nil, to: LinkChange(content: content), at: Sample.now)
            try expect(try await store.reserveClicks(link.id, upTo: 5), is: 3)
        },
        LinkStoreContract("lets free clicks use up nothing of the limit, whenever it is set") { store in
            try await store.addApplication()
            var draft = try Sample.draft("a")
            draft.content.maxClicks = 2
            let link = try await store.added(draft)
            let write = Sample.write()
            for _ in 0..<2 {
                try await store.addClicks(ClickCounts(rising: [(link.id, 5)], free: [link.id: 4]), as: write)
            }
            try expect(try await store.link(link.id)?.state(at: Sample.now), is: .active)
            try expect(try await store.link(link.id)?.freeClicks, is: 4)
            for most in [nil, 2] as [Int?] {
                draft.content.maxClicks = most
                let change = LinkChange(content: draft.content)
                _ = try await store.update(link.id, expecting: nil, to: change, at: Sample.now)
            }
            try expect(try await store.reserveClicks(link.id, upTo: 5), is: 1)
            try await store.addClicks([link.id: 1])
            try expect(try await store.link(link.id)?.state(at: Sample.now), is: .exhausted)
            try expect(try await store.link(link.id)?.clicks, is: 6)
        },
        LinkStoreContract("never reserves above the limit under contention") { store in
            try await store.addApplication()
            var draft = try Sample.draft("a")
            draft.content.maxClicks = 100
            let link = try await store.added(draft)
            let granted = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<60 { group.addTask { try await store.reserveClicks(link.id, upTo: 7) } }
                return try await group.reduce(0, +)
            }
            try expect(granted, is: 100)
            try expect(try await store.link(link.id)?.reservedClicks, is: 100)
        },
        LinkStoreContract("adds clicks of many servers at once") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 { group.addTask { try await store.addClicks([link.id: 2]) } }
                try await group.waitForAll()
            }
            try expect(try await store.link(link.id)?.clicks, is: 100)
        },
    ]
}

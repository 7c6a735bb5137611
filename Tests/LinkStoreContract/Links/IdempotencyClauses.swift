import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    private static func key(
        _ body: String = "body", now: Timestamp = Sample.now, until: Timestamp = Sample.after(60),
        answer: @escaping @Sendable ([CreationOutcome]) -> [UInt8]? = { [UInt8(clamping: $0.count)] }
    ) -> Idempotency<[CreationOutcome]> {
        Idempotency(scope: Array("key".utf8), fingerprint: Array(body.utf8), now: now, expiresAt: until, answer: answer)
    }

    static let idempotency = [
        LinkStoreContract("replays a creation, and refuses the key for another body") { store in
            try await store.addApplication()
            guard case .done = try await store.create([Sample.draft("a")], idempotency: key()) else {
                return try expect(false, "the first is done")
            }
            try expect(try await store.create([Sample.draft("b")], idempotency: key()), is: .replay([1]))
            try expect(try await store.create([Sample.draft("c")], idempotency: key("other")), is: .mismatch)
            try expect(try await store.list(LinkListing()).links.map(\.slug.text), is: ["a"])
        },
        LinkStoreContract("forgets an idempotency key when its time is over") { store in
            try await store.addApplication()
            _ = try await store.create([Sample.draft("a")], idempotency: key())
            let later = key("other", now: Sample.after(60), until: Sample.after(120))
            guard case .done = try await store.create([Sample.draft("b")], idempotency: later) else {
                return try expect(false, "the record ran out")
            }
            try expect(
                try await store.create([Sample.draft("c")], idempotency: key("other", now: Sample.after(61))),
                is: .replay([1]))
        },
        LinkStoreContract("keeps no answer that is no success") { store in
            try await store.addApplication()
            for slug in ["a", "b"] {
                guard case .done = try await store.create([Sample.draft(slug)], idempotency: key { _ in nil }) else {
                    return try expect(false, "there is no record")
                }
            }
        },
        LinkStoreContract("creates once for many racing requests with one key") { store in
            try await store.addApplication()
            let outcomes = try await withThrowingTaskGroup(of: Replayable<[CreationOutcome]>.self) { group in
                for number in 0..<40 {
                    group.addTask { try await store.create([Sample.draft("s\(number)")], idempotency: key()) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try expect(outcomes.filter { $0 == .replay([1]) }.count, is: 39)
            try expect(try await store.list(LinkListing()).links.count, is: 1)
        },
        LinkStoreContract("replays a redeem with its number, and takes nothing") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 2))
            let first = try await store.redeem(link.id, key: Sample.redeemKey("x"))
            _ = try await store.redeem(link.id, key: Sample.redeemKey("y"))
            let replay = try await store.redeem(link.id, key: Sample.redeemKey("x"))
            try expect(first.answer?.isReplay, is: false)
            try expect(replay.answer?.isReplay, is: true)
            try expect(replay.answer?.redeem, is: first.answer?.redeem)
            try expect(replay.answer?.redeem, is: Redeem(status: .redeemed, limit: 2, used: 1))
            try expect(replay.answer?.metadata, is: Array(#"{"coupon":"20"}"#.utf8))
            let exhausted = try await store.redeem(link.id, key: Sample.redeemKey("z"))
            try expect(exhausted.answer?.redeem.status, is: .exhausted)
            try expect(exhausted.answer?.isReplay, is: false)
            let refusedAgain = try await store.redeem(link.id, key: Sample.redeemKey("z"))
            try expect(refusedAgain.answer?.redeem, is: exhausted.answer?.redeem)
            try expect(refusedAgain.answer?.isReplay, is: true)
            try expect(try await store.redeem(link.id, key: Sample.redeemKey("x", body: "other")), is: .mismatch)
            try expect(try await store.link(link.id)?.redeemed, is: 2)
        },
        LinkStoreContract("redeems once the limit is raised, unless refusals are stored") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 1))
            _ = try await store.redeem(link.id, key: Sample.redeemKey("x"))
            var key = Sample.redeemKey("y")
            key.storesExhausted = false
            for _ in 0..<2 {
                let refused = try await store.redeem(link.id, key: key)
                try expect(refused.answer?.redeem.status, is: .exhausted)
                try expect(refused.answer?.isReplay, is: false)
            }
            var content = link.content
            content.redeemLimit = 3
            _ = try await store.update(link.id, expecting: nil, to: LinkChange(content: content), at: Sample.now)
            for isReplay in [false, true] {
                let redeemed = try await store.redeem(link.id, key: key)
                try expect(redeemed.answer?.redeem, is: Redeem(status: .redeemed, limit: 3, used: 2))
                try expect(redeemed.answer?.isReplay, is: isReplay)
            }
        },
        LinkStoreContract("replays a redeem with the metadata of now, whatever became of the link") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 1))
            _ = try await store.redeem(link.id, key: Sample.redeemKey("x"))
            var content = link.content
            content.expiresAt = Sample.now
            for (change, metadata) in [
                (LinkChange.MetadataChange.set([7]), [7] as [UInt8]?), (.remove, nil),
            ] {
                _ = try await store.update(
                    link.id, expecting: nil, to: LinkChange(content: content, metadata: change), at: Sample.now)
                let answer = try require(try await store.redeem(link.id, key: Sample.redeemKey("x")).answer)
                try expect(answer.redeem, is: Redeem(status: .redeemed, limit: 1, used: 1))
                try expect(answer.metadata, is: metadata)
            }
            _ = try await store.delete(link.id, expecting: nil)
            try expect(try await store.redeem(link.id, key: Sample.redeemKey("x")), is: .unknown)
        },
        LinkStoreContract("keeps no record of a resolve that was not answered") { store in
            try await store.addApplication()
            var draft = try Sample.redeemable("a", limit: 1)
            draft.content.validFrom = Sample.after(10)
            let link = try await store.added(draft)
            _ = try await store.redeem(link.id, key: Sample.redeemKey("x"))
            let later = try await store.redeem(link.id, at: Sample.after(10), key: Sample.redeemKey("x"))
            try expect(later.answer?.redeem.status, is: .redeemed)
        },
        LinkStoreContract("takes one redeem for many racing resolves with one key") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 50))
            let numbers = try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 0..<100 {
                    group.addTask { try await store.redeem(link.id, key: Sample.redeemKey("x")).answer?.redeem.used }
                }
                return try await group.reduce(into: Set<Int?>()) { $0.insert($1) }
            }
            try expect(numbers, is: [1])
            try expect(try await store.link(link.id)?.redeemed, is: 1)
        },
        LinkStoreContract("purges only records that ran out, and no more than asked for") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 50))
            for number in 0..<5 {
                _ = try await store.redeem(
                    link.id, key: Sample.redeemKey("k\(number)", until: Sample.after(Int64(number) * 10 + 10)))
            }
            try expect(try await store.purge(at: Sample.after(9), limit: 10), is: 0)
            try expect(try await store.purge(at: Sample.after(40), limit: 3), is: 3)
            try expect(try await store.purge(at: Sample.after(40), limit: 3), is: 1)
            try expect(try await store.redeem(link.id, key: Sample.redeemKey("k4")).answer?.redeem.used, is: 5)
        },
    ]
}

import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let redeem = [
        LinkStoreContract("hands metadata out as often as the limit says") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 2))
            for number in 1...2 {
                guard case .answered(let after, let metadata, let redeem, _) = try await store.redeem(link.id) else {
                    return try expect(false, "the link is active")
                }
                try expect(metadata, is: Array(#"{"coupon":"20"}"#.utf8))
                try expect(redeem, is: Redeem(status: .redeemed, limit: 2, used: number))
                try expect(after.redeemed, is: number)
            }
            let last = try require(try await store.redeem(link.id).answer)
            try expect(last.metadata, is: nil)
            try expect(last.redeem, is: Redeem(status: .exhausted, limit: 2, used: 2))
            try expect(try await store.link(link.id)?.redeemed, is: 2)
            try expect(try await store.link(link.id)?.version, is: 1)
        },
        LinkStoreContract("counts nothing without metadata or without a limit") { store in
            try await store.addApplication()
            let bare = try await store.added(Sample.redeemable("a", limit: 3, metadata: nil))
            let bareAnswer = try require(try await store.redeem(bare.id).answer)
            try expect(bareAnswer.redeem, is: Redeem(status: .none, limit: nil, used: 0))
            let free = try await store.added(Sample.redeemable("b", limit: 0))
            let freeAnswer = try require(try await store.redeem(free.id).answer)
            try expect(freeAnswer.redeem, is: Redeem(status: .unlimited, limit: nil, used: 0))
            try expect(freeAnswer.metadata, is: Array(#"{"coupon":"20"}"#.utf8))
            try expect(try await store.link(free.id)?.redeemed, is: 0)
        },
        LinkStoreContract("takes nothing where nothing is to be taken") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 1))
            let answer = try require(try await store.redeem(link.id, taking: false).answer)
            try expect(answer.metadata, is: nil)
            try expect(answer.redeem, is: Redeem(status: .skipped, limit: 1, used: 0))
            try expect(try await store.redeem(link.id).answer?.redeem.used, is: 1)
        },
        LinkStoreContract("answers only active links") { store in
            try await store.addApplication()
            var drafts = try (0..<4).map { try Sample.redeemable("s\($0)", limit: 1) }
            drafts[0].content.disabled = true
            drafts[1].content.expiresAt = Sample.now
            drafts[2].content.validFrom = Sample.after(1)
            drafts[3].content.maxClicks = 1
            for (draft, state) in zip(drafts, [LinkState.disabled, .expired, .scheduled, .exhausted]) {
                let link = try await store.added(draft)
                try await store.addClicks([link.id: 1])
                guard case .unavailable(let found, state) = try await store.redeem(link.id) else {
                    return try expect(false, "a link that is \(state) is not answered")
                }
                try expect(found.redeemed, is: 0)
            }
            try expect(try await store.redeem(LinkID(rawValue: 999)), is: .unknown)
        },
        LinkStoreContract("answers a counted click past the click limit, and no other state") { store in
            try await store.addApplication()
            var draft = try Sample.redeemable("a", limit: 1)
            draft.content.maxClicks = 1
            draft.content.expiresAt = Sample.after(10)
            let link = try await store.added(draft)
            try await store.addClicks([link.id: 1])
            let answer = try require(try await store.redeem(link.id, ignoringMaxClicks: true).answer)
            try expect(answer.redeem.status, is: .redeemed)
            guard
                case .unavailable(_, .expired) = try await store.redeem(
                    link.id, at: Sample.after(10), ignoringMaxClicks: true)
            else { return try expect(false, "an expired link is not answered") }
        },
        LinkStoreContract("follows a limit that is patched, below what was used too") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 3))
            for _ in 0..<2 { _ = try await store.redeem(link.id) }
            for (limit, expected) in [
                (1, Redeem(status: .exhausted, limit: 1, used: 2)), (3, Redeem(status: .redeemed, limit: 3, used: 3)),
            ] {
                var content = link.content
                content.redeemLimit = limit
                _ = try await store.update(link.id, expecting: nil, to: LinkChange(content: content), at: Sample.now)
                try expect(try await store.redeem(link.id).answer?.redeem, is: expected)
            }
        },
        // Every store's temptation is read, compare, write:
        //
        //     task A           task B
        //     read 99
        //                      read 99
        //     write 100
        //                      write 100     <- the 101st metadata is out
        LinkStoreContract("hands out exactly the limit to 300 resolves at once") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 100))
            let answers = try await withThrowingTaskGroup(of: RedeemOutcome.self) { group in
                for _ in 0..<300 { group.addTask { try await store.redeem(link.id) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }.compactMap(\.answer)
            try expect(answers.count, is: 300)
            let taken = answers.filter { $0.metadata != nil }
            try expect(Set(taken.map(\.redeem.used)), is: Set(1...100))
            try expect(taken.count, is: 100)
            try expect(answers.filter { $0.redeem.status == .exhausted }.count, is: 200)
        },
    ]
}

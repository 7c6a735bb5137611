import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    /// A server's clock is set by hand, by NTP, or by a host that was asleep: times go back and forth. What is counted does
    /// not.
    static let clock = [
        LinkStoreContract("takes no more redeems than the limit however the clock steps") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 3))
            var given = 0
            for seconds: Int64 in [0, 86_400, -86_400, 31_536_000, 5, -31_536_000, 0] {
                let answer = try require(try await store.redeem(link.id, at: Sample.after(seconds)).answer)
                if answer.metadata != nil { given += 1 }
                _ = try await store.purge(at: Sample.after(seconds), limit: 100)
            }
            try expect(given, is: 3)
            try expect(try await store.link(link.id)?.redeemed, is: 3)
        },
        LinkStoreContract("answers a retry after the clock went back, and takes nothing") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 3))
            let key = Sample.redeemKey("k")
            let first = try await store.redeem(link.id, key: key)
            for seconds: Int64 in [-3_600, -86_400 * 400, 3_600] {
                let again = try await store.redeem(link.id, at: Sample.after(seconds), key: key)
                try expect(again.answer?.redeem, is: first.answer?.redeem)
                try expect(again.answer?.isReplay, is: true)
            }
            try expect(try await store.link(link.id)?.redeemed, is: 1)
        },
        LinkStoreContract("lists the newest first by how links were made, not by what the clock said") { store in
            try await store.addApplication()
            for (slug, seconds): (String, Int64) in [("a", 0), ("b", -86_400), ("c", 86_400), ("d", -1)] {
                _ = try await store.added(Sample.draft(slug, at: Sample.after(seconds)))
            }
            try expect(try await store.list(LinkListing()).links.map(\.slug.text), is: ["d", "c", "b", "a"])
        },
        LinkStoreContract("raises the version of a link that is patched by an earlier clock") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let change = LinkChange(content: link.content)
            guard
                case .updated(let patched) = try await store.update(
                    link.id, expecting: 1, to: change, at: Sample.after(-86_400))
            else { return try expect(false, "the version is the expected one") }
            try expect(patched.version, is: 2)
            try expect(patched.createdAt, is: Sample.now)
        },
        LinkStoreContract("gives a click to one installation however the clock steps") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 9))
            func claim(_ installation: UInt8, _ seconds: Int64) async throws -> Bool {
                let candidate = ClaimCandidate(
                    scope: [1], installation: [installation], application: link.application, link: link.id,
                    isCounted: true, method: .referrer, platform: .android, opened: nil,
                    answersUntil: Sample.after(86_400), expiresAt: Sample.after(30 * 86_400))
                let outcome = try await store.claim([candidate], at: Sample.after(seconds), idempotency: nil)
                if case .answered = outcome { return true }
                return false
            }
            try expect(try await claim(1, 0), is: true)
            try expect(try await claim(2, -86_400 * 365), is: false)
            try expect(try await claim(1, -86_400), is: true)
            try expect(try await claim(2, 86_400), is: false)
            try expect(try await store.link(link.id)?.redeemed, is: 1)
        },
    ]
}

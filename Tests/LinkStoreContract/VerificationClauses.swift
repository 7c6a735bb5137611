import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    private static let second: Int64 = 1_000

    private static func walk(
        _ link: Link, _ codes: [VerificationFinding.Code] = [], at seconds: Int64
    ) -> LinkWalk {
        LinkWalk(
            link.id, version: link.version, at: Sample.after(seconds),
            findings: codes.map { VerificationFinding($0, as: .all, "it is \($0.rawValue)", url: "https://a.example/") }
        )
    }

    /// - Parameter seconds: when the walk is stored; by default when it begins.
    private static func add(
        _ walk: LinkWalk, of link: Link, to store: any LinkStore, at seconds: Int64? = nil
    ) async throws -> LinkVerification? {
        let now = seconds.map { Sample.after($0) } ?? walk.at
        return try await store.verification.add(walk, of: link, at: now, secondLook: 60 * second)
    }

    static let verification = [
        LinkStoreContract("breaks a link by two walks, with one event, and mends it by one") { store in
            try await store.addApplication()
            try await store.subscribe("link.broken", "link.mended")
            let link = try await store.added(Sample.draft("a"))
            let verification = store.verification
            try expect(try await verification.verifications(of: [link.id]), is: [:])
            let seen = try require(try await add(walk(link, [.httpStatus], at: 0), of: link, to: store))
            try expect(seen.state, is: .unknown)
            try expect(try await verification.verifications(of: [link.id]), is: [link.id: seen])
            try expect(try await verification.dueLooks(at: Sample.after(59), limit: 10), is: [])
            try expect(try await verification.dueLooks(at: Sample.after(60), limit: 10), is: [link.id])
            for (seconds, codes, state) in [
                (30, [.httpStatus], .unknown), (60, [.httpStatus], .broken), (90, [.httpStatus], .broken),
                // What can't be known does not mend it.
                (120, [.unreachable], .broken), (150, [], .good), (180, [], .good),
            ] as [(Int64, [VerificationFinding.Code], VerificationState)] {
                let next = try require(try await add(walk(link, codes, at: seconds), of: link, to: store))
                try expect(next.state, is: state)
                try expect(try await verification.verifications(of: [link.id]), is: [link.id: next])
            }
            try expect(try await verification.dueLooks(at: Sample.after(1_000), limit: 10), is: [])
            let events = try await store.webhooks.outbox(limit: 10).map(\.event)
            try expect(events.map(\.type), is: [.linkBroken, .linkMended])
            try expect(events.map(\.at), is: [Sample.after(60), Sample.after(150)])
            try expect(events.map { $0.link?.slug.text }, is: ["a", "a"])
        },
        LinkStoreContract("keeps faults while their URL gives no answer") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            /// Nil: there was no answer.
            let walks: [(seconds: Int64, codes: [VerificationFinding.Code]?, state: VerificationState, look: Int64?)] =
                [
                    // Silence confirms nothing: before the look is due, and then, it waits.
                    (0, [.cdnDiffers], .unknown, 60), (30, nil, .unknown, 60), (60, nil, .unknown, 120),
                    (70, nil, .unknown, 120), (120, [.cdnDiffers], .broken, nil),
                    // And mends nothing.
                    (130, nil, .broken, nil), (210, nil, .broken, nil), (220, [], .good, nil), (230, nil, .good, nil),
                ]
            for (seconds, codes, state, look) in walks {
                var walk = walk(link, codes ?? [], at: seconds)
                if codes == nil { walk.silent = ["https://a.example/"] }
                let next = try require(try await add(walk, of: link, to: store))
                try expect(next.state, is: state)
                try expect(next.lookAt, is: look.map { Sample.after($0) })
                try expect(next.findings.count, is: state == .good ? 0 : 1)
            }
            // An answer for one visitor is enough.
            var walk = walk(link, [.cdnDiffers], at: 300)
            walk.silent = ["https://a.example/"]
            for seconds in [300, 310] as [Int64] {
                walk.at = Sample.after(seconds)
                try expect(try await add(walk, of: link, to: store)?.findings.count, is: 1)
            }
        },
        LinkStoreContract("counts the time to a second look from the end of the first") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            for (begin, end, state) in [
                (0, 50, .unknown), (70, 150, .unknown), (109, 160, .unknown), (110, 170, .broken),
            ] as [(Int64, Int64, VerificationState)] {
                let walk = walk(link, [.httpStatus], at: begin)
                let next = try require(try await add(walk, of: link, to: store, at: end))
                try expect(next.state, is: state)
                try expect(next.lookAt, is: state == .broken ? nil : Sample.after(110))
            }
        },
        LinkStoreContract("replaces no walk by one that began earlier") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let verification = store.verification
            let newer = try require(try await add(walk(link, at: 100), of: link, to: store, at: 101))
            let older = walk(link, [.httpStatus], at: 40)
            try expect(try await add(older, of: link, to: store, at: 300), is: newer)
            try expect(try await verification.verifications(of: [link.id]), is: [link.id: newer])
            try expect(try await verification.dueLooks(at: Sample.after(1_000), limit: 10), is: [])
            // After the clock was set back, the stored walk is in the future.
            let next = try require(try await add(older, of: link, to: store, at: 50))
            try expect(next.at, is: older.at)
            try expect(try await verification.verifications(of: [link.id]), is: [link.id: next])
            // One that had no time to ask knows less than an earlier one.
            _ = try await add(walk(link, [.rateLimited], at: 400), of: link, to: store, at: 401)
            let slow = try require(try await add(walk(link, [.httpStatus], at: 350), of: link, to: store, at: 402))
            try expect(slow.at, is: Sample.after(350))
        },
        LinkStoreContract("stores no walk of an earlier version of a link") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            _ = try await add(walk(link, [.httpStatus], at: 0), of: link, to: store)
            var content = link.content
            content.note = "new"
            _ = try await store.update(
                link.id, expecting: nil, to: LinkChange(content: content, metadata: .keep), at: Sample.after(1))
            try expect(try await store.verification.verifications(of: [link.id]), is: [:])
            try expect(try await add(walk(link, at: 2), of: link, to: store), is: nil)
            // The changed link starts from the beginning.
            let changed = try require(try await store.link(link.id))
            let seen = try require(try await add(walk(changed, [.httpStatus], at: 90), of: changed, to: store))
            try expect(seen.state, is: .unknown)
            _ = try await store.delete([LinkRemoval(id: link.id, expecting: nil, at: Sample.after(100))])
            try expect(try await add(walk(changed, at: 101), of: changed, to: store), is: nil)
            try expect(try await store.verification.verificationCounts(at: Sample.after(200)), is: VerificationCounts())
        },
        LinkStoreContract("counts verified links by state and by kind of finding") { store in
            try await store.addApplication()
            let found: [[VerificationFinding.Code]] = [
                [], [], [.robots], [.httpStatus, .ruleNeverApplies], [.httpStatus, .httpStatus],
            ]
            for (number, codes) in found.enumerated() {
                let link = try await store.added(Sample.draft("s\(number)"))
                _ = try await add(walk(link, codes, at: 0), of: link, to: store)
                if number == 4 { _ = try await add(walk(link, codes, at: 60), of: link, to: store) }
            }
            let counts = try await store.verification.verificationCounts(at: Sample.after(200))
            try expect(counts.links, is: [.good: 2, .unknown: 2, .broken: 1])
            try expect(counts.findings, is: [.robots: 1, .httpStatus: 2, .ruleNeverApplies: 1])
        },
        LinkStoreContract("lists and counts what was found of active links only") { store in
            try await store.addApplication()
            let states: [(slug: String, change: (inout LinkContent) -> Void, isActive: Bool)] = [
                ("plain", { _ in }, true), ("ends-later", { $0.expiresAt = Sample.after(101) }, true),
                ("ended", { $0.expiresAt = Sample.after(100) }, false), ("has-clicks-left", { $0.maxClicks = 3 }, true),
                ("exhausted", { $0.maxClicks = 2 }, false), ("free", { $0.maxClicks = 1 }, true),
                ("ended-and-exhausted", { ($0.expiresAt, $0.maxClicks) = (Sample.after(90), 1) }, false),
            ]
            var clicks: [ClickCounts.Entry] = []
            var free: [LinkID: Int] = [:]
            for state in states {
                var draft = try Sample.draft(state.slug)
                state.change(&draft.content)
                let link = try await store.added(draft)
                for seconds in [0, 60] as [Int64] {
                    _ = try await add(walk(link, [.httpStatus], at: seconds), of: link, to: store)
                }
                clicks.append((link.id, 2))
                if state.slug == "free" { free[link.id] = 2 }
            }
            try await store.addClicks(ClickCounts(rising: clicks[...], free: free), as: Sample.write())
            while try await store.updateIndexes(all: true) {}
            for (time, expected) in [
                (Sample.after(80), states.filter { $0.isActive || $0.slug == "ended" }),
                (Sample.after(100), states.filter(\.isActive)),
            ] {
                var listing = LinkListing(LinkFilter(verified: .broken), sort: .oldest)
                listing.now = time
                // A busy machine answers pages before they are full.
                try expect(try await pages(of: store, listing).0, is: expected.map(\.slug))
                let counts = try await store.verification.verificationCounts(at: time)
                try expect(counts.links, is: [.broken: expected.count])
                try expect(counts.findings, is: [.httpStatus: expected.count])
            }
        },
        LinkStoreContract("looks again at the longest due links first, until they are forgotten") { store in
            try await store.addApplication()
            var links: [Link] = []
            for (number, seconds) in [20, 0, 10].enumerated() {
                let link = try await store.added(Sample.draft("s\(number)"))
                _ = try await add(walk(link, [.httpStatus], at: Int64(seconds)), of: link, to: store)
                links.append(link)
            }
            let verification = store.verification
            let due = [links[1].id, links[2].id, links[0].id]
            try expect(try await verification.dueLooks(at: Sample.after(80), limit: 10), is: due)
            try expect(try await verification.dueLooks(at: Sample.after(80), limit: 2), is: Array(due.prefix(2)))
            // Looks that are not due yet stay.
            try await verification.putOffLooks(of: due, dueAt: Sample.after(59), until: Sample.after(500))
            try await verification.forgetLooks(of: due, dueAt: Sample.after(59))
            try expect(try await verification.dueLooks(at: Sample.after(80), limit: 10), is: due)
            try await verification.putOffLooks(
                of: [links[1].id], dueAt: Sample.after(80), until: Sample.after(90))
            try expect(try await verification.dueLooks(at: Sample.after(80), limit: 10), is: Array(due.dropFirst()))
            try expect(try await verification.dueLooks(at: Sample.after(90), limit: 10).last, is: links[1].id)
            try await verification.forgetLooks(of: [links[1].id], dueAt: Sample.after(90))
            try await verification.putOffLooks(of: [links[1].id], dueAt: Sample.after(90), until: Sample.after(70))
            try expect(try await verification.dueLooks(at: Sample.after(90), limit: 10), is: Array(due.dropFirst()))
        },
        LinkStoreContract("stores how far a round has come") { store in
            let verification = store.verification
            try expect(try await verification.verificationRound(), is: nil)
            var round = VerificationRound(startedAt: Sample.after(1), lastLink: LinkID(rawValue: 7))
            try await verification.store(round)
            try expect(try await verification.verificationRound(), is: round)
            round.endedAt = Sample.after(9)
            try await verification.store(round)
            try expect(try await verification.verificationRound(), is: round)
            try expect(try await verification.holdsVerification(), is: true)
        },
    ]
}

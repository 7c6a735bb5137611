import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let claims = [
        LinkStoreContract("gives a claimed click's link, takes a redeem, and the same again to the same installation") {
            store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 2))
            let claim = try Sample.claim("click", by: "phone", of: link.id, opened: "from=page")
            let first = try await store.claim([claim], at: Sample.now, idempotency: nil)
            guard case .answered(let after, let metadata, let match, false) = first else {
                return try expect(false, "the click is claimed")
            }
            try expect(after.redeemed, is: 1)
            try expect(metadata, is: Array(#"{"coupon":"20"}"#.utf8))
            try expect(
                match.redeem, is: RedeemRecord(link: link.id, redeem: Redeem(status: .redeemed, limit: 2, used: 1)))
            try expect(match.method, is: .clipboard)
            try expect(match.opened, is: "from=page")
            // The first answer counts, however it is asked for again.
            var again = claim
            again.method = .referrer
            again.opened = nil
            again.platform = .android
            try expect(
                try await store.claim([again], at: Sample.after(86_399), idempotency: nil),
                is: .answered(after, metadata: metadata, match, isReplay: true))
            try expect(try await store.link(link.id)?.redeemed, is: 1)
        },
        LinkStoreContract("gives no answer to a claim once its time is over, and nothing to another installation") {
            store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 5))
            let claim = try Sample.claim("click", by: "phone", of: link.id)
            _ = try await store.claim([claim], at: Sample.now, idempotency: nil)
            let other = try Sample.claim("click", by: "other", of: link.id)
            for time in [Sample.now, Sample.after(86_399), Sample.after(86_400), Sample.after(2_000_000)] {
                try expect(try await store.claim([other], at: time, idempotency: nil), is: .none)
            }
            try expect(
                try await store.claim([claim], at: Sample.after(86_400), idempotency: nil), is: .none)
            try expect(try await store.link(link.id)?.redeemed, is: 1)
            // Another click on the same link is another claim.
            let second = try Sample.claim("click 2", by: "other", of: link.id)
            guard
                case .answered(let after, _, _, false) = try await store.claim(
                    [second], at: Sample.now, idempotency: nil)
            else { return try expect(false, "the second click is claimed") }
            try expect(after.redeemed, is: 2)
        },
        LinkStoreContract("forgets an installation with all of its claims, and gives its clicks to nobody") { store in
            try await store.addApplication()
            try await store.subscribe("*")
            let link = try await store.added(Sample.redeemable("a", limit: 5))
            var claims = [try Sample.claim("click", by: "phone", of: link.id)]
            claims.append(try Sample.claim("click 2", by: "phone", of: link.id))
            for claim in claims { _ = try await store.claim([claim], at: Sample.now, idempotency: nil) }
            let other = try Sample.claim("click 3", by: "other", of: link.id)
            _ = try await store.claim([other], at: Sample.now, idempotency: nil)
            for _ in 1...2 { try await store.forget(installation: claims[0].installation, of: link.application) }
            for claim in claims {
                try expect(try await store.claim([claim], at: Sample.now, idempotency: nil), is: .none)
                var theirs = claim
                theirs.installation = other.installation
                try expect(try await store.claim([theirs], at: Sample.now, idempotency: nil), is: .none)
            }
            guard case .answered(_, _, _, true) = try await store.claim([other], at: Sample.now, idempotency: nil)
            else {
                return try expect(false, "another installation's claim is untouched")
            }
            try expect(try await store.link(link.id)?.redeemed, is: 3)
            // Messages that wait stay: they name no installation.
            let events = try await store.webhooks.outbox(limit: 100).map(\.event)
            let messages = events.filter { $0.type == .deferredClaimed }
            try expect(messages.count, is: 3)
            for message in messages {
                try expect(message.attributes.map(\.name).sorted(), is: ["method", "platform", "rule", "variant"])
            }
        },
        LinkStoreContract("forgets an installation's claims that outlast its latest one") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 5))
            let claim = try Sample.claim("click", by: "phone", of: link.id)
            var older = try Sample.claim("older click", by: "phone", of: link.id)
            older.expiresAt = Sample.after(600)
            for candidate in [claim, older] {
                _ = try await store.claim([candidate], at: Sample.now, idempotency: nil)
            }
            try expect(try await store.purge(at: Sample.after(601), limit: 10), is: 1)
            try await store.forget(installation: claim.installation, of: link.application)
            try expect(try await store.claim([claim], at: Sample.after(602), idempotency: nil), is: .none)
        },
        LinkStoreContract("forgets an installation's claims that are made meanwhile, at the latest when asked again") {
            store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 100))
            let claims = try (0..<40).map { try Sample.claim("click \($0)", by: "phone", of: link.id) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for claim in claims {
                    group.addTask { _ = try await store.claim([claim], at: Sample.now, idempotency: nil) }
                    group.addTask { try await store.forget(installation: claim.installation, of: link.application) }
                }
                try await group.waitForAll()
            }
            try await store.forget(installation: claims[0].installation, of: link.application)
            for claim in claims {
                try expect(try await store.claim([claim], at: Sample.now, idempotency: nil), is: .none)
            }
        },
        LinkStoreContract("gives a long link, which it does not have, to one installation") { store in
            try await store.addApplication()
            let link = try Sample.redeemable("a", limit: 1).link(id: .unstored)
            var claim = try Sample.claim("click", by: "phone", of: .unstored)
            claim.longLink = link
            let first = try await store.claim([claim], at: Sample.now, idempotency: nil)
            guard case .answered(link, nil, let match, false) = first else {
                return try expect(false, "the click is claimed")
            }
            try expect(match.redeem.redeem, is: Redeem(status: .none, limit: nil, used: 0))
            try expect(
                try await store.claim([claim], at: Sample.after(86_399), idempotency: nil),
                is: .answered(link, metadata: nil, match, isReplay: true))
            var other = try Sample.claim("click", by: "other", of: .unstored)
            other.longLink = link
            try expect(try await store.claim([other], at: Sample.now, idempotency: nil), is: .none)
            var foreign = try Sample.claim("click 2", by: "phone", of: .unstored)
            foreign.longLink = link
            foreign.application = try Sample.application("other")
            try expect(try await store.claim([foreign], at: Sample.now, idempotency: nil), is: .none)
        },
        LinkStoreContract("claims only what is active and of the application, and keeps no claim of the rest") {
            store in
            try await store.addApplication()
            try await store.addApplication("other")
            var draft = try Sample.redeemable("a", limit: 1)
            draft.content.disabled = true
            let link = try await store.added(draft)
            let claim = try Sample.claim("click", by: "phone", of: link.id)
            try expect(try await store.claim([claim], at: Sample.now, idempotency: nil), is: .none)
            var content = draft.content
            content.disabled = false
            _ = try await store.update(link.id, expecting: nil, to: LinkChange(content: content), at: Sample.now)
            var foreign = claim
            foreign.application = try Sample.application("other")
            try expect(try await store.claim([foreign], at: Sample.now, idempotency: nil), is: .none)
            let unknown = try Sample.claim("click", by: "phone", of: LinkID(rawValue: 999))
            // The second is looked at where the first gives nothing.
            let outcome = try await store.claim([unknown, foreign, claim], at: Sample.now, idempotency: nil)
            guard case .answered(_, .some, let match, false) = outcome else {
                return try expect(false, "the link can be claimed now")
            }
            try expect(match.redeem.redeem.used, is: 1)
            // From now on nothing but its deletion matters.
            _ = try await store.update(link.id, expecting: nil, to: LinkChange(content: draft.content), at: Sample.now)
            guard
                case .answered(_, .some, match, true) = try await store.claim([claim], at: Sample.now, idempotency: nil)
            else {
                return try expect(false, "the same answer is given again")
            }
            _ = try await store.delete(link.id, expecting: nil)
            try expect(try await store.claim([claim], at: Sample.now, idempotency: nil), is: .none)
        },
        LinkStoreContract("resolves a claimed link past its redeem limit, without the metadata") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 1))
            _ = try await store.redeem(link.id)
            let claim = try Sample.claim("click", by: "phone", of: link.id)
            guard
                case .answered(_, let metadata, let match, _) = try await store.claim(
                    [claim], at: Sample.now, idempotency: nil)
            else { return try expect(false, "the link still resolves") }
            try expect(metadata, is: nil)
            try expect(match.redeem.redeem, is: Redeem(status: .exhausted, limit: 1, used: 1))
        },
        LinkStoreContract("claims a counted click past the click limit, and no other") { store in
            try await store.addApplication()
            var draft = try Sample.redeemable("a", limit: 1)
            draft.content.maxClicks = 1
            let link = try await store.added(draft)
            try await store.addClicks([link.id: 1])
            var claim = try Sample.claim("click", by: "phone", of: link.id)
            claim.isCounted = false
            try expect(try await store.claim([claim], at: Sample.now, idempotency: nil), is: .none)
            claim.isCounted = true
            guard case .answered = try await store.claim([claim], at: Sample.now, idempotency: nil) else {
                return try expect(false, "a counted click is claimed")
            }
        },
        LinkStoreContract("repeats a claim's answer for its idempotency key, no match included") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 3))
            let claim = try Sample.claim("click", by: "phone", of: link.id)
            let empty = Sample.redeemKey("empty")
            try expect(try await store.claim([], at: Sample.now, idempotency: empty), is: .none)
            try expect(
                try await store.claim([claim], at: Sample.now, idempotency: empty), is: .repeatedNone)
            try expect(
                try await store.claim([claim], at: Sample.now, idempotency: Sample.redeemKey("empty", body: "other")),
                is: .mismatch)
            try expect(try await store.link(link.id)?.redeemed, is: 0)
            let key = Sample.redeemKey("key")
            let first = try await store.claim([claim], at: Sample.now, idempotency: key)
            guard case .answered(let after, let metadata, let match, false) = first else {
                return try expect(false, "the click is claimed")
            }
            try expect(
                try await store.claim([], at: Sample.after(60), idempotency: key),
                is: .answered(after, metadata: metadata, match, isReplay: true))
            try expect(try await store.link(link.id)?.redeemed, is: 1)
            // A key that a resolve has used is another body's.
            let used = Sample.redeemKey("resolve")
            _ = try await store.redeem(link.id, key: used)
            try expect(try await store.claim([claim], at: Sample.now, idempotency: used), is: .mismatch)
            try expect(try await store.redeem(link.id, key: key), is: .mismatch)
            // Without its link the answer is another one.
            _ = try await store.delete(link.id, expecting: nil)
            try expect(try await store.claim([], at: Sample.after(60), idempotency: key), is: .none)
        },
        // Every store's temptation is read, decide, write:
        //
        //     phone A            phone B
        //     nobody has it
        //                        nobody has it
        //     A has it
        //                        B has it      <- two installations with one click
        LinkStoreContract("lets one of many installations have a click") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 100))
            let outcomes = try await withThrowingTaskGroup(of: ClaimOutcome.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        let claim = try Sample.claim("click", by: "phone \(number / 3)", of: link.id)
                        return try await store.claim([claim], at: Sample.now, idempotency: nil)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // Each installation asks three times.
            try expect(outcomes.filter { $0 == .none }.count, is: 57)
            try expect(try await store.link(link.id)?.redeemed, is: 1)
        },
        LinkStoreContract("forgets a claim with its click, when it is purged") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.redeemable("a", limit: 5))
            let claim = try Sample.claim("click", by: "phone", of: link.id)
            _ = try await store.claim([claim], at: Sample.now, idempotency: nil)
            try expect(try await store.purge(at: Sample.after(2_591_999), limit: 10), is: 0)
            // With the record of its installation.
            try expect(try await store.purge(at: Sample.after(2_592_000), limit: 10), is: 2)
        },
    ]
}

extension Sample {
    static func claim(
        _ click: String, by installation: String, of link: LinkID, opened: String? = nil
    ) throws -> ClaimCandidate {
        ClaimCandidate(
            scope: Array(click.utf8), installation: Array(installation.utf8), application: try application(),
            link: link, isCounted: true, method: .clipboard, platform: .iphone, opened: opened,
            answersUntil: after(86_400), expiresAt: after(2_592_000))
    }
}

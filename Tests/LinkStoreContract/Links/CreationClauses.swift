import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let creation = [
        LinkStoreContract("gives back everything that a link was created with") { store in
            try await store.addApplication()
            let draft = try Sample.draft("Ab3dE9x", content: Sample.fullContent(), metadata: #"{"a": 1.0}"#)
            let link = try await store.added(draft)
            try expect(link, is: draft.link(id: link.id))
            try expect(try await store.link(draft.domain, draft.storedSlug), is: link)
            try expect(try await store.link(link.id), is: link)
            try expect(try await store.metadata(of: link.id), is: Array(#"{"a": 1.0}"#.utf8))
        },
        LinkStoreContract("keeps a title and a note, and removes them by a change") { store in
            try await store.addApplication()
            var draft = try Sample.draft("Ab3dE9x")
            draft.content.title = "Autumn"
            draft.content.note = ""
            let link = try await store.added(draft)
            let stored = try require(try await store.link(link.id))
            try expect(stored.content.title, is: "Autumn")
            try expect(stored.content.note, is: "")
            var content = stored.content
            content.title = nil
            content.note = nil
            _ = try await store.update(link.id, expecting: 1, to: LinkChange(content: content), at: Sample.after(1))
            try expect(try require(try await store.link(link.id)).content, is: content)
        },
        LinkStoreContract("answers nothing for what there is not") { store in
            try expect(try await store.link(Sample.host(), Sample.slug("nothing")), is: nil)
            try expect(try await store.link(LinkID(rawValue: 1)), is: nil)
            try expect(try await store.metadata(of: LinkID(rawValue: 1)), is: nil)
            try expect(try await store.links(slug: Sample.slug("nothing"), limit: 5), is: [])
            try expect(try await store.delete(LinkID(rawValue: 1), expecting: nil), is: .unknown)
        },
        LinkStoreContract("tells links apart by slug, case and domain") { store in
            try await store.addApplication()
            let one = try await store.added(Sample.draft("same"))
            let other = try await store.added(Sample.draft("same", host: "b.example.com"))
            let upper = try await store.added(Sample.draft("Same"))
            try expect(Set([one.id, other.id, upper.id]).count, is: 3)
            try expect(try await store.links(slug: Sample.slug("same"), limit: 5).map(\.id), is: [one.id, other.id])
            try expect(try await store.links(slug: Sample.slug("same"), limit: 1).count, is: 1)
            try expect(try await store.link(Sample.host("b.example.com"), Sample.slug("same")), is: other)
        },
        LinkStoreContract("gives every draft its own outcome, in order") { store in
            try await store.addApplication()
            let drafts = [
                try Sample.draft("one"), try Sample.draft("one"), try Sample.draft("two", application: "other"),
                try Sample.draft("three"),
            ]
            guard case .done(let outcomes) = try await store.create(drafts, idempotency: nil) else {
                return try expect(false, "nothing can be replayed")
            }
            try expect(outcomes.count, is: 4)
            guard case .created(let one) = outcomes[0], case .created(let three) = outcomes[3] else {
                return try expect(false, "the first and the last are created")
            }
            try expect(outcomes[1], is: .slugTaken)
            try expect(outcomes[2], is: .applicationUnknown)
            try expect(one.id.rawValue < three.id.rawValue, "ids rise in the order of the drafts")
        },
        LinkStoreContract("creates nothing for an application that is gone or has not the domain") { store in
            try expect(try await store.create(Sample.draft("a")), is: .applicationUnknown)
            try await store.addApplication("shop", domains: ["go.example.com"])
            try expect(try await store.create(Sample.draft("a", host: "b.example.com")), is: .applicationUnknown)
            _ = try await store.added(Sample.draft("a"))
        },
        LinkStoreContract("lets one of many racing creations have a slug") { store in
            try await store.addApplication()
            let outcomes = try await withThrowingTaskGroup(of: CreationOutcome.self) { group in
                for _ in 0..<40 { group.addTask { try await store.create(Sample.draft("wanted")) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try expect(outcomes.filter { $0 == .slugTaken }.count, is: 39)
        },
        LinkStoreContract("never gives an id twice") { store in
            try await store.addApplication()
            let first = try await store.added(Sample.draft("a"))
            try expect(try await store.delete(first.id, expecting: nil), is: .deleted)
            let second = try await store.added(Sample.draft("a"))
            try expect(second.id.rawValue > first.id.rawValue, "the id of a deleted link is not given again")
        },
    ]

    static let identity = [
        LinkStoreContract("gives an unpatched link again for its identity") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a", identity: "x"))
            try expect(try await store.create(Sample.draft("b", identity: "x")), is: .existing(link))
            try expect(try await store.link(Sample.host(), Sample.slug("b")), is: nil)
            _ = try await store.added(Sample.draft("c", identity: "y"))
        },
        LinkStoreContract("keeps identities of applications apart") { store in
            try await store.addApplication("shop")
            try await store.addApplication("news")
            _ = try await store.added(Sample.draft("a", identity: "x"))
            _ = try await store.added(Sample.draft("b", identity: "x", application: "news"))
        },
        LinkStoreContract("gives a scheduled link again, and an expired one not") { store in
            try await store.addApplication()
            var draft = try Sample.draft("a", identity: "x")
            draft.content.validFrom = Sample.after(60)
            draft.content.expiresAt = Sample.after(120)
            let link = try await store.added(draft)
            try expect(try await store.create(Sample.draft("b", identity: "x")), is: .existing(link))
            let later = try await store.added(Sample.draft("c", identity: "x", at: Sample.after(121)))
            try expect(
                try await store.create(Sample.draft("d", identity: "x", at: Sample.after(122))), is: .existing(later))
        },
        LinkStoreContract("passes an identity on within one creation") { store in
            try await store.addApplication()
            var first = try Sample.draft("a", identity: "x")
            first.content.disabled = true
            let drafts = [first, try Sample.draft("b", identity: "x"), try Sample.draft("c", identity: "x")]
            guard case .done(let outcomes) = try await store.create(drafts, idempotency: nil),
                case .created = outcomes[0], case .created(let second) = outcomes[1]
            else { return try expect(false, "a disabled link is not given again") }
            try expect(outcomes[2], is: .existing(second))
        },
        LinkStoreContract("never gives a patched link again") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a", identity: "x"))
            _ = try await store.update(
                link.id, expecting: nil, to: LinkChange(content: link.content), at: Sample.now)
            let second = try await store.added(Sample.draft("b", identity: "x"))
            _ = try await store.delete(second.id, expecting: nil)
            _ = try await store.added(Sample.draft("c", identity: "x"))
        },
        LinkStoreContract("makes one link of many racing creations of one identity") { store in
            try await store.addApplication()
            let ids = try await withThrowingTaskGroup(of: LinkID?.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        switch try await store.create(Sample.draft("s\(number)", identity: "x")) {
                        case .created(let link), .existing(let link): link.id
                        case .slugTaken, .applicationUnknown: nil
                        }
                    }
                }
                return try await group.reduce(into: Set<LinkID?>()) { $0.insert($1) }
            }
            try expect(ids.count, is: 1)
            try expect(try await store.list(LinkListing()).links.count, is: 1)
        },
    ]
}

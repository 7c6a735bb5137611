import WaymarkAPI
import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let renaming = [
        LinkStoreContract("finds a renamed link by its slug and its aliases") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a", content: Sample.fullContent(), metadata: "{}"))
            let once = try await store.renamed(link.id, to: "b", at: Sample.after(5))
            try expect(once.slug, is: try Sample.slug("b"))
            try expect(once.content.aliases, is: [try Sample.alias("a")])
            try expect(once.version, is: 2)
            try expect(once.updatedAt, is: Sample.after(5))
            let twice = try await store.renamed(link.id, to: "c/d")
            try expect(twice.content.aliases, is: [try Sample.alias("a"), try Sample.alias("b")])
            for slug in ["a", "b", "c/d"] {
                try expect(try await store.link(link.domain, Sample.slug(slug)), is: twice)
                try expect(try await store.links(slug: Sample.slug(slug), limit: 10), is: [twice])
            }
            try expect(try await store.link(link.id), is: twice)
            try expect(try await store.metadata(of: link.id), is: Array("{}".utf8))
        },
        LinkStoreContract("renames a link back to one of its aliases") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            _ = try await store.renamed(link.id, to: "b")
            let back = try await store.renamed(link.id, to: "a")
            try expect(back.slug, is: link.slug)
            try expect(back.content.aliases, is: [try Sample.alias("b")])
            try expect(back.version, is: 3)
            for slug in ["a", "b"] { try expect(try await store.link(link.domain, Sample.slug(slug)), is: back) }
            // The slug that it has already changes nothing.
            try expect(try await store.renamed(link.id, to: "a"), is: back)
        },
        LinkStoreContract("gives slugs and aliases to one link of a domain only") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            _ = try await store.renamed(link.id, to: "b")
            for slug in ["a", "b"] { try expect(try await store.create(Sample.draft(slug)), is: .slugTaken) }
            let other = try await store.added(Sample.draft("c"))
            for slug in ["a", "b"] {
                let outcome = try await store.rename(
                    other.id, expecting: nil, to: Sample.slug(slug), by: nil, at: Sample.now)
                try expect(outcome, is: .slugTaken)
            }
            try expect(try await store.link(other.id), is: other)
            // Other domains have slugs of their own.
            let elsewhere = try await store.added(Sample.draft("a", host: "other.example.com"))
            try expect(try await store.links(slug: Sample.slug("a"), limit: 10).map(\.id), is: [link.id, elsewhere.id])
            try expect(try await store.renamed(elsewhere.id, to: "b").slug, is: try Sample.slug("b"))
        },
        LinkStoreContract("refuses to rename another version, and nothing") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let slug = try Sample.slug("b")
            try expect(
                try await store.rename(link.id, expecting: 2, to: slug, by: nil, at: Sample.now),
                is: .versionMismatch(current: 1))
            try expect(
                try await store.rename(LinkID(rawValue: 999), expecting: nil, to: slug, by: nil, at: Sample.now),
                is: .unknown)
            try expect(try await store.link(link.id), is: link)
            try expect(try await store.link(link.domain, slug), is: nil)
        },
        LinkStoreContract("keeps as many aliases as a link may have") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("s0"))
            for number in 1...LinkLimits.aliases { _ = try await store.renamed(link.id, to: "s\(number)") }
            try expect(
                try await store.rename(link.id, expecting: nil, to: Sample.slug("more"), by: nil, at: Sample.now),
                is: .tooManyAliases)
            try expect(try await store.renamed(link.id, to: "s3").content.aliases.count, is: LinkLimits.aliases)
        },
        LinkStoreContract("keeps aliases when the content is replaced") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            _ = try await store.renamed(link.id, to: "b")
            let content = try Sample.fullContent()
            guard
                case .updated(let patched) = try await store.update(
                    link.id, expecting: nil, to: LinkChange(content: content), at: Sample.now)
            else { return try expect(false, "whatever the version is") }
            try expect(patched.content.aliases, is: [LinkAlias(link.slug)])
            try expect(try await store.link(link.domain, link.slug), is: patched)
        },
        LinkStoreContract("frees the aliases of a deleted link") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            _ = try await store.renamed(link.id, to: "b")
            try expect(try await store.delete(link.id, expecting: nil), is: .deleted)
            for slug in ["a", "b"] {
                try expect(try await store.link(link.domain, Sample.slug(slug)), is: nil)
                try expect(try await store.links(slug: Sample.slug(slug), limit: 10), is: [])
                _ = try await store.added(Sample.draft(slug))
            }
        },
        LinkStoreContract("does not give a renamed link for its identity") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a", identity: "same"))
            _ = try await store.renamed(link.id, to: "b")
            try expect(try await store.added(Sample.draft("c", identity: "same")).id != link.id, "a new link")
        },
        LinkStoreContract("lets one of a creation and a renaming to a slug through") { store in
            try await store.addApplication()
            for round in 0..<10 {
                let link = try await store.added(Sample.draft("from\(round)"))
                let slug = try Sample.slug("to\(round)")
                async let renamed = store.rename(link.id, expecting: nil, to: slug, by: nil, at: Sample.now)
                async let created = store.create(Sample.draft(slug.text))
                let isRenamed = if case .renamed = try await renamed { true } else { false }
                let isCreated = if case .created = try await created { true } else { false }
                try expect(isRenamed != isCreated, "one of the two has the slug")
                try expect(try await store.links(slug: slug, limit: 10).count, is: 1)
            }
        },
    ]

    static let history = [
        LinkStoreContract("keeps who changed which fields, newest first") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a", content: Sample.fullContent()))
            try expect(try await store.history(of: link.id), is: [])
            let author = ChangeAuthor(id: "k1", name: "back end \u{1F342}")
            var content = link.content
            content.title = "Other"
            content.tags = []
            content.expiresAt = nil
            let change = LinkChange(content: content, metadata: .set(Array("{}".utf8)), author: author)
            _ = try await store.update(link.id, expecting: nil, to: change, at: Sample.after(1))
            _ = try await store.renamed(link.id, to: "b", by: author, at: Sample.after(2))
            content.disabled = true
            _ = try await store.update(
                link.id, expecting: nil, to: LinkChange(content: content), at: Sample.after(3))
            try expect(
                try await store.history(of: link.id),
                is: [
                    LinkHistoryEntry(version: 4, at: Sample.after(3), author: nil, fields: ["disabled"]),
                    LinkHistoryEntry(version: 3, at: Sample.after(2), author: author, fields: ["slug"]),
                    LinkHistoryEntry(
                        version: 2, at: Sample.after(1), author: author,
                        fields: ["metadata", "expiresAt", "tags", "title"]),
                ])
        },
        LinkStoreContract("keeps no change that changes nothing, or fails") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            _ = try await store.update(link.id, expecting: 1, to: LinkChange(content: link.content), at: Sample.now)
            var content = link.content
            content.note = "late"
            _ = try await store.update(link.id, expecting: 1, to: LinkChange(content: content), at: Sample.now)
            try expect(try await store.history(of: link.id), is: [])
            try expect(try await store.history(of: LinkID(rawValue: 999)), is: [])
        },
        LinkStoreContract("keeps what each of all versions was") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a", content: Sample.fullContent()))
            var former = [LinkHistoryEntry.Former(link)]
            for number in 1...300 {
                var content = link.content
                content.title = "\(number)"
                let update = try await store.update(
                    link.id, expecting: nil, to: LinkChange(content: content), at: Sample.after(Int64(number * 2)))
                guard case .updated(let updated) = update else { throw ContractViolation(description: "not updated") }
                former.append(.init(updated))
            }
            let changes = try await store.changes(of: link.id, through: .max, limit: 1_000)
            try expect(changes.map(\.version), is: (2...301).reversed())
            try expect(changes.map(\.former), is: Array(former.dropLast().reversed()))
            let page = try await store.changes(of: link.id, through: 100, limit: 2)
            try expect(page.map(\.version), is: [100, 99])
            for (after, versions) in [
                (Int64(0), [2, 3]), (2, [2, 3]), (5, [3, 4]), (599, [300, 301]), (600, [301]),
            ] {
                let around = try await store.changes(of: link.id, around: Sample.after(after))
                try expect(around.map(\.version), is: versions)
            }
        },
        LinkStoreContract("keeps no values of changes of nothing") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            var content = link.content
            // Versions 2 and 5 change something; 3, 4, 6 and 7 nothing.
            for (index, title) in ["A", "A", "A", "B", "B", "B"].enumerated() {
                content.title = title
                _ = try await store.update(
                    link.id, expecting: nil, to: LinkChange(content: content), at: Sample.after(Int64(index)))
            }
            let listed = try await store.changes(of: link.id, through: .max, limit: 2)
            try expect(listed.map(\.version), is: [5, 2])
            try expect(listed.map { $0.former?.content.title }, is: ["A", link.content.title])
            for (version, versions) in [(2, [2, 5]), (3, [3, 5]), (4, [4, 5]), (5, [5]), (6, [6]), (8, [])] {
                let changes = try await store.changes(of: link.id, from: version)
                try expect(changes.map(\.version), is: versions)
                try expect(changes.map { $0.former == nil }, is: versions.map { ![2, 5].contains($0) })
            }
        },
        LinkStoreContract("keeps who created a link, if it is known") { store in
            try await store.addApplication()
            let nobodys = try await store.added(Sample.draft("a"))
            try expect(try await store.changes(of: nobodys.id, through: .max, limit: 2), is: [])
            let key = AuditActor.Party(id: "k1", name: "back end")
            let call = AuditCall(AuditActor(.key, key: key), from: nil, at: Sample.now)
            let link = try await AuditCall.$current.withValue(call) { try await store.added(Sample.draft("b")) }
            let creation = LinkHistoryEntry(
                version: 1, at: link.createdAt, author: ChangeAuthor(id: "k1", name: "back end"), fields: [])
            try expect(try await store.changes(of: link.id, through: .max, limit: 2), is: [creation])
            try expect(try await store.changes(of: link.id, around: Sample.now), is: [creation])
        },
        LinkStoreContract("restores content and slug in one version") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a", content: Sample.fullContent()))
            var content = link.content
            content.title = "Other"
            content.tags = ["other"]
            content.labels[.folder] = "elsewhere"
            content.expiresAt = nil
            _ = try await store.update(link.id, expecting: nil, to: LinkChange(content: content), at: Sample.after(1))
            _ = try await store.renamed(link.id, to: "b", at: Sample.after(2))
            let outcome = try await store.rename(
                link.id, expecting: 3, to: Sample.slug("a"), by: nil, restoring: link.content, at: Sample.after(3))
            guard case .renamed(let restored) = outcome else { throw ContractViolation(description: "\(outcome)") }
            try expect(restored.version, is: 4)
            try expect(restored.slug.text, is: "a")
            try expect(restored.content.title, is: link.content.title)
            try expect(restored.content.aliases.map(\.slug.text), is: ["b"])
            try expect(try await store.link(link.id), is: restored)
            for slug in ["a", "b"] {
                try expect(try await store.link(link.domain, Sample.slug(slug))?.id, is: link.id)
            }
            let entry = try await store.history(of: link.id)[0]
            try expect(entry.fields, is: ["slug", "expiresAt", "tags", "title", "folder"])
        },
        LinkStoreContract("keeps what each change of an application replaced") { store in
            var application = try Sample.stored("shop")
            let second = Array(#"{"id":"second","firebase":{"apiKeys":["secret"],"enabled":true}}"#.utf8)
            for (index, document) in [application.document, second, Array("{}".utf8)].enumerated() {
                application.document = document
                application.changedAt = Sample.after(Int64(index * 2))
                _ = try await store.put(application, expecting: nil, check: { _ in true })
            }
            let changes = try await store.changes(of: application.id, around: Sample.after(2))
            try expect(changes.map(\.version), is: [2, 3])
            let last = String(decoding: changes.last?.former ?? [], as: UTF8.self)
            try expect(last, is: #"{"id":"second","firebase":{"enabled":true}}"#)
        },
        LinkStoreContract("deletes the history with its link") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            _ = try await store.renamed(link.id, to: "b")
            _ = try await store.delete(link.id, expecting: nil)
            try expect(try await store.history(of: link.id), is: [])
        },
        LinkStoreContract("changes and deletes several links in one transaction") { store in
            try await store.addApplication()
            var links: [Link] = []
            for slug in ["a", "b", "c"] { links.append(try await store.added(Sample.draft(slug))) }
            var content = links[0].content
            content.note = "all"
            let updates = links.map { LinkUpdate(id: $0.id, expecting: 1, change: LinkChange(content: content)) }
            var stale = updates
            stale[1].expecting = 7
            let outcomes = try await store.update(
                stale + [LinkUpdate(id: LinkID(rawValue: 999), expecting: nil, change: updates[0].change)],
                at: Sample.now)
            try expect(outcomes.count, is: 4)
            try expect(Array(outcomes[1...]).filter { if case .updated = $0 { true } else { false } }.count, is: 1)
            try expect(outcomes[1], is: .versionMismatch(current: 1))
            try expect(outcomes[3], is: .unknown)
            try expect(try await store.link(links[2].id)?.content.note, is: "all")
            let removals = [
                LinkRemoval(id: links[0].id, expecting: 1, at: Sample.now),
                LinkRemoval(id: links[1].id, expecting: 1, at: Sample.now),
                LinkRemoval(id: LinkID(rawValue: 999), expecting: nil, at: Sample.now),
                LinkRemoval(id: links[2].id, expecting: nil, at: Sample.now),
            ]
            try expect(
                try await store.delete(removals),
                is: [.versionMismatch(current: 2), .deleted, .unknown, .deleted])
            try expect(try await store.link(links[0].id)?.version, is: 2)
            try expect(try await store.update([], at: Sample.now), is: [])
        },
    ]
}

extension LinkStore {
    /// Renames a link whose new slug must be free.
    func renamed(
        _ id: LinkID, to slug: String, by author: ChangeAuthor? = nil, at now: Timestamp = Sample.now,
        line: UInt = #line
    ) async throws -> Link {
        guard
            case .renamed(let link) = try await rename(
                id, expecting: nil, to: Sample.slug(slug), by: author, at: now)
        else { throw ContractViolation(description: "line \(line): the link was not renamed") }
        return link
    }
}

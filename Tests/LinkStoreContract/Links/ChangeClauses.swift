import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let change = [
        LinkStoreContract("replaces content and raises the version") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a", metadata: "{}"))
            let content = try Sample.fullContent()
            guard
                case .updated(let patched) = try await store.update(
                    link.id, expecting: 1, to: LinkChange(content: content), at: Sample.after(5))
            else { return try expect(false, "the version stood") }
            try expect(patched.content, is: content)
            try expect(patched.version, is: 2)
            try expect(patched.updatedAt, is: Sample.after(5))
            try expect(patched.createdAt, is: Sample.now)
            try expect(patched.hasMetadata, is: true)
            try expect(try await store.link(link.id), is: patched)
        },
        LinkStoreContract("refuses a change of another version, and of nothing") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let change = LinkChange(content: try Sample.content(web: "https://example.com/"))
            try expect(
                try await store.update(link.id, expecting: 2, to: change, at: Sample.now),
                is: .versionMismatch(current: 1))
            try expect(try await store.link(link.id), is: link)
            try expect(
                try await store.update(LinkID(rawValue: 999), expecting: nil, to: change, at: Sample.now), is: .unknown)
        },
        LinkStoreContract("lets one of many racing changes of a version through") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let outcomes = try await withThrowingTaskGroup(of: UpdateOutcome.self) { group in
                for _ in 0..<30 {
                    group.addTask {
                        try await store.update(
                            link.id, expecting: 1, to: LinkChange(content: link.content), at: Sample.now)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try expect(outcomes.filter { $0 == .versionMismatch(current: 2) }.count, is: 29)
            try expect(try await store.link(link.id)?.version, is: 2)
        },
        LinkStoreContract("sets, keeps and removes metadata") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            try expect(link.hasMetadata, is: false)
            let one = Array("{}".utf8)
            let other = Array(" {\"a\": 1.0}".utf8)
            for (change, metadata) in [
                (LinkChange.MetadataChange.set(one), one as [UInt8]?), (.set(other), other), (.keep, other),
                (.remove, nil), (.keep, nil),
            ] {
                guard
                    case .updated(let patched) = try await store.update(
                        link.id, expecting: nil, to: LinkChange(content: link.content, metadata: change), at: Sample.now
                    )
                else { return try expect(false, "whatever the version is") }
                try expect(patched.hasMetadata, is: metadata != nil)
                try expect(try await store.link(link.id)?.hasMetadata, is: metadata != nil)
                try expect(try await store.metadata(of: link.id), is: metadata)
            }
        },
        LinkStoreContract("deletes only the version that is expected") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            try expect(try await store.delete(link.id, expecting: 2), is: .versionMismatch(current: 1))
            try expect(try await store.link(link.id)?.id, is: link.id)
            try expect(try await store.delete(link.id, expecting: 1), is: .deleted)
            try expect(try await store.delete(link.id, expecting: 1), is: .unknown)
        },
        LinkStoreContract("deletes a link with all that hangs on it") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a", content: Sample.fullContent(), metadata: "{}"))
            try expect(try await store.delete(link.id, expecting: nil), is: .deleted)
            try expect(try await store.delete(link.id, expecting: nil), is: .unknown)
            try expect(try await store.link(link.domain, link.slug), is: nil)
            try expect(try await store.metadata(of: link.id), is: nil)
            try expect(try await store.list(LinkListing(tag: "autumn")).links, is: [])
            try expect(try await store.redeem(link.id), is: .unknown)
            let second = try await store.added(Sample.draft("a"))
            try expect(second.redeemed, is: 0)
        },
    ]
}

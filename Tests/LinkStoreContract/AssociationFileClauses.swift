import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let associationFiles = [
        LinkStoreContract("stores since when a version of an association file is served") { store in
            try await store.addApplication("shop", domains: ["go.example.com"])
            let files = store.associationFiles
            let apple = AssociationFileKey(try Sample.host(), .apple)
            func record(_ tag: String, since: Int64) async throws {
                try await files.record([AssociationVersion(apple, tag: tag, since: Sample.after(since))], [])
            }
            func stored(_ tag: String, since: Timestamp?) async throws {
                let version = AssociationVersion(apple, tag: tag, since: since)
                try expect(try await files.associationVersions(), is: [version])
            }
            try expect(try await files.associationVersions(), is: [])
            try await record("a", since: 1)
            try await stored("a", since: nil)
            try await record("b", since: 2)
            try await stored("b", since: Sample.after(2))
            // Another server notices the same change later.
            try await record("b", since: 3)
            try await stored("b", since: Sample.after(2))
            try await record("", since: 4)
            try await stored("", since: Sample.after(4))
        },
        LinkStoreContract("merges fetches of association files by the last one") { store in
            try await store.addApplication("shop", domains: ["go.example.com"])
            let files = store.associationFiles
            let apple = AssociationFileKey(try Sample.host(), .apple)
            func fetch(_ at: Int64, _ tag: String, since first: Int64? = nil) -> AssociationFetch {
                AssociationFetch(
                    apple, by: .apple, at: Sample.after(at), status: tag.isEmpty ? 404 : 200, tag: tag,
                    firstAt: first.map { Sample.after($0) })
            }
            func recorded(_ new: AssociationFetch, gives: AssociationFetch) async throws {
                try await files.record([], [new])
                try expect(try await files.associationFetches(), is: [gives])
            }
            try await recorded(fetch(20, "a"), gives: fetch(20, "a"))
            try await recorded(fetch(30, "a"), gives: fetch(30, "a", since: 20))
            // An earlier fetch, which another server writes later.
            try await recorded(fetch(10, "a"), gives: fetch(30, "a", since: 10))
            try await recorded(fetch(40, "b"), gives: fetch(40, "b"))
            try await recorded(fetch(35, "a", since: 5), gives: fetch(40, "b"))
            try await recorded(fetch(50, ""), gives: fetch(50, ""))
            let google = AssociationFetch(
                AssociationFileKey(try Sample.host(), .assetLinks), by: .google, at: Sample.after(1), status: 200,
                tag: "c")
            try await files.record([], [google, fetch(60, "a")])
            let all = try await files.associationFetches()
            try expect(all.count, is: 2)
            try expect(all.contains(google) && all.contains(fetch(60, "a")), is: true)
        },
        LinkStoreContract("deletes what is known of files of hosts that no application has") { store in
            try await store.addApplication("shop", domains: ["go.example.com"])
            let files = store.associationFiles
            let kept = AssociationFileKey(try Sample.host(), .apple)
            let gone = AssociationFileKey(try Sample.host("gone.example.com"), .apple)
            let fetches = [kept, gone].map {
                AssociationFetch($0, by: .apple, at: Sample.now, status: 200, tag: "a")
            }
            try await files.record([], fetches)
            try await files.record([kept, gone].map { AssociationVersion($0, tag: "a", since: nil) }, [])
            try expect(try await files.associationVersions().map(\.file), is: [kept])
            try expect(try await files.associationFetches().map(\.file), is: [kept])
        },
    ]
}

import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let keysAndSecrets = [
        LinkStoreContract("keeps API keys until they are deleted") { store in
            let one = StoredKey(
                id: "k1", name: "Back end", digest: [1, 0, 255], application: try Sample.application(),
                scopes: [.links, .resolve], createdAt: Sample.now, expiresAt: Sample.after(60))
            let two = StoredKey(
                id: "k0", name: "", digest: [2], application: nil, scopes: Set(KeyScope.allCases),
                createdAt: Sample.after(1), platform: .ipad)
            try await store.insert(two)
            try await store.insert(one)
            try expect(try await store.keys(), is: [one, two])
            var renamed = two
            renamed.name = "Operator"
            try await store.insert(renamed)
            try expect(try await store.keys(), is: [one, renamed])
            try expect(try await store.deleteKey("k1"), is: true)
            try expect(try await store.deleteKey("k1"), is: false)
            try expect(try await store.keys(), is: [renamed])
        },
        LinkStoreContract("keeps one key of a digest, and finds it by that") { store in
            let one = StoredKey(
                id: "k1", name: "a", digest: [1, 2], application: nil, scopes: [.read], createdAt: Sample.now)
            var other = one
            other.id = "k2"
            try expect(try await store.insert(one), is: true)
            try expect(try await store.insert(other), is: false)
            try expect(try await store.insert(one), is: true)
            try expect(try await store.keys(), is: [one])
            try expect(try await store.key(digest: [1, 2]), is: one)
            try expect(try await store.key(digest: [1]), is: nil)
            other.digest = [3]
            try expect(try await store.insert(other), is: true)
            _ = try await store.deleteKey("k1")
            try expect(try await store.key(digest: [1, 2]), is: nil)
        },
        LinkStoreContract("gives a credential to one key or application") { store in
            func claim(_ text: String) -> CredentialClaim {
                CredentialClaim(digests: [Array(text.utf8)]) { $0.document == Array(text.utf8) }
            }
            func key(_ text: String) -> StoredKey {
                StoredKey(
                    id: "id-\(text)", name: text, digest: Array(text.utf8), application: nil, scopes: [.read],
                    createdAt: Sample.now)
            }
            let shop = try Sample.stored("shop", document: "one")
            try expect(
                try await store.put(shop, expecting: nil, claiming: claim("one")) { _ in true }, is: .created(shop))
            try expect(
                try await store.insert(key("one"), claiming: claim("one"), reporting: nil), is: false)
            try expect(
                try await store.insert(key("two"), claiming: claim("two"), reporting: nil), is: true)
            for text in ["one", "two"] {
                let news = try Sample.stored("news", document: text)
                try expect(
                    try await store.put(news, expecting: nil, claiming: claim(text)) { _ in true },
                    is: .credentialTaken)
            }
            // An application may keep its own.
            guard case .replaced = try await store.put(shop, expecting: 1, claiming: claim("one"), check: { _ in true })
            else { throw ContractViolation(description: "an application could not keep its own credential") }
            try expect(try await store.keys().map(\.id), is: ["id-two"])
            try expect(try await store.applications().map(\.id.text), is: ["shop"])
        },
        LinkStoreContract("notes when keys were last used, and never goes back") { store in
            let key = StoredKey(
                id: "k1", name: "a", digest: [1], application: nil, scopes: [.read], createdAt: Sample.now)
            _ = try await store.insert(key)
            for (time, expected) in [(20, 20), (10, 20), (30, 30)] as [(Int64, Int64)] {
                try await store.noteKeyUses(["k1": Sample.after(time), "gone": Sample.now])
                try expect(try await store.keys().map(\.lastUsedAt), is: [Sample.after(expected)])
            }
        },
        LinkStoreContract("gives all who race for a secret the same one") { store in
            let values = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for number in 0..<40 {
                    group.addTask { try await store.secret("clicks") { [UInt8(number)] } }
                }
                return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }
            try expect(values.count, is: 1)
            try expect(try await store.secret("clicks") { [99] }, is: try require(values.first))
            try expect(try await store.secret("other") { [99] }, is: [99])
            for day in 1...4 { _ = try await store.secret("day-\(day)") { [UInt8(day)] } }
            try await store.forgetSecrets("day-"..<"day-3")
            try await store.forgetSecrets("never"..<"nothing")
            for (day, value) in [(1, 100), (2, 100), (3, 3), (4, 4)] as [(Int, UInt8)] {
                try expect(try await store.secret("day-\(day)") { [100] }, is: [value])
            }
            try expect(try await store.secret("other") { [100] }, is: [99])
        },
        LinkStoreContract("answers nothing any more once it is closed") { store in
            try await store.ping()
            await store.close()
            await store.close()
            do {
                try await store.ping()
                try expect(false, "a closed store can't be reached")
            } catch StoreError.unavailable {}
            do {
                _ = try await store.create([], idempotency: nil)
                try expect(false, "a closed store can't be written")
            } catch StoreError.unavailable {}
        },
    ]
}

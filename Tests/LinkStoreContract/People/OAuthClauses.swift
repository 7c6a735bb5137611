import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let oauth = [
        LinkStoreContract("keeps clients and grants of OAuth as they are") { store in
            try await store.addPeople("p1")
            try expect(try await store.oauth.insert(client("c1"), bounds(10)), is: true)
            try expect(try await store.oauth.client("c1")?.redirectURIs, is: ["https://a.example/", "app://b"])
            try expect(try await store.oauth.client("c2") == nil, is: true)
            let first = grant("g1")
            try expect(try await store.oauth.insert(first, limit: 9), is: true)
            try expect(try await store.oauth.grants(), is: [first])
            try expect(try await store.oauth.client("c1")?.usedAt, is: first.createdAt)
            var changed = first
            changed.code = nil
            changed.access = [UInt8](repeating: 2, count: 32)
            changed.accessExpiresAt = Sample.after(9)
            changed.refresh = [UInt8](repeating: 3, count: 32)
            changed.expiresAt = Sample.after(99)
            let stored = changed
            let before = try await store.oauth.changeGrant("g1") { (.replace(stored), $0) }
            try expect(before, is: first)
            try expect(try await store.oauth.grant("g1"), is: stored)
            _ = try await store.oauth.changeGrant("g1") { _ in (.keep, 0) }
            try expect(try await store.oauth.grant("g1"), is: stored)
            _ = try await store.oauth.changeGrant("g1") { _ in (.end, 0) }
            try expect(try await store.oauth.grants(), is: [])
            try expect(try await store.oauth.changeGrant("g1") { _ in (.end, 0) } == nil, is: true)
        },
        LinkStoreContract("grants nothing without a client and an owner") { store in
            try await store.addPeople("p1", "p2")
            _ = try await store.people.changePerson("p2") { person in
                var person = person
                person.isDisabled = true
                return person
            }
            try expect(try await store.oauth.insert(grant("g1"), limit: 9), is: false)
            _ = try await store.oauth.insert(client("c1"), bounds(10))
            for (owner, isTaken) in [("p1", true), ("p2", false), ("p3", false), ("environment.0123", true)] {
                try expect(try await store.oauth.insert(grant("g-" + owner, of: owner), limit: 9), is: isTaken)
            }
        },
        LinkStoreContract("ends grants with their person or key") { store in
            try await store.addPeople("p1", "p2", "p3")
            for (id, person) in [("k1", nil), ("k2", "p2")] as [(String, String?)] {
                try await store.insert(
                    StoredKey(
                        id: id, name: id, digest: Array(id.utf8), application: nil, scopes: [.read],
                        createdAt: Sample.now, person: person), claiming: nil, reporting: nil)
            }
            _ = try await store.oauth.insert(client("c1"), bounds(10))
            for owner in ["p1", "p2", "p3", "k1", "k2"] {
                try expect(try await store.oauth.insert(grant("g-" + owner, of: owner), limit: 9), is: true)
            }
            _ = try await store.people.changePerson("p2") { person in
                var person = person
                person.isDisabled = true
                return person
            }
            try expect(try await store.oauth.grants().map(\.owner), is: ["k1", "p1", "p3"])
            _ = try await store.people.deletePerson("p3")
            _ = try await store.deleteKey("k1", reporting: nil)
            try expect(try await store.oauth.grants().map(\.owner), is: ["p1"])
            var identified = try await store.people.people()[0]
            identified.identities = [PersonIdentity(issuer: PersonIdentity.proxyIssuer, subject: "a")]
            let with = identified
            _ = try await store.people.changePerson("p1") { _ in with }
            try expect(try await store.oauth.grants().count, is: 1)
            identified.identities = []
            let without = identified
            _ = try await store.people.changePerson("p1") { _ in without }
            try expect(try await store.oauth.grants().count, is: 0)
        },
        LinkStoreContract("names the programs of an owner and ends one of them") { store in
            try await store.addPeople("p1", "p2")
            _ = try await store.oauth.insert(client("c1"), bounds(10))
            for (id, owner, second) in [("g1", "p1", 1), ("g2", "p1", 2), ("g3", "p2", 3)] as [(String, String, Int64)]
            {
                let new = grant(id, of: owner, at: Sample.after(second))
                try expect(try await store.oauth.insert(new, limit: 9), is: true)
            }
            let programs = try await store.oauth.programs(of: "p1")
            try expect(programs.map(\.grant.id), is: ["g2", "g1"])
            try expect(programs[1], is: GrantedProgram(grant: programs[1].grant, name: client("c1").name))
            try expect(programs[1].grant, is: try await store.oauth.grant("g1"))
            try expect(try await store.oauth.programs(of: "p3"), is: [])
            try expect(try await store.oauth.endGrant("g1", of: "p2"), is: false)
            try expect(try await store.oauth.endGrant("g1", of: "p1"), is: true)
            try expect(try await store.oauth.endGrant("g1", of: "p1"), is: false)
            try expect(try await store.oauth.grants().map(\.id), is: ["g2", "g3"])
        },
        LinkStoreContract("bounds clients and grants of OAuth") { store in
            try await store.addPeople("p1")
            for number in 0..<3 {
                let new = client("c\(number)", at: Sample.after(Int64(number)))
                try expect(try await store.oauth.insert(new, bounds(3)), is: true)
            }
            try expect(try await store.oauth.insert(grant("g0", client: "c0"), limit: 2), is: true)
            // None is old enough to give way.
            try expect(try await store.oauth.insert(client("c3"), bounds(3)), is: false)
            let replacing = bounds(3, replaceable: Sample.after(2))
            try expect(try await store.oauth.insert(client("c3"), replacing), is: true)
            try expect(try await store.oauth.client("c1") == nil, is: true)
            // One that was never used is forgotten; one with a grant is not.
            try expect(
                try await store.oauth.insert(client("c4"), bounds(3, unused: Sample.after(3))), is: true)
            try expect(try await store.oauth.client("c2") == nil, is: true)
            try expect(try await store.oauth.client("c0") != nil, is: true)
            for number in 1..<4 {
                let new = grant("g\(number)", client: "c0", at: Sample.after(Int64(number)))
                try expect(try await store.oauth.insert(new, limit: 2), is: true)
            }
            try expect(try await store.oauth.grants().map(\.id), is: ["g2", "g3"])
            // Those that have expired go with the next one.
            let late = grant("g9", client: "c0", at: Sample.after(1_000_000))
            try expect(try await store.oauth.insert(late, limit: 2), is: true)
            try expect(try await store.oauth.grants().map(\.id), is: ["g9"])
        },
    ]
}

private func client(_ id: String, at time: Timestamp = Sample.after(5)) -> OAuthClient {
    OAuthClient(
        id: id, name: "Bot \u{1F600}", redirectURIs: ["https://a.example/", "app://b"], createdAt: time)
}

private func bounds(
    _ limit: Int, unused: Timestamp = Sample.now, replaceable: Timestamp = Sample.now
) -> OAuthClientBounds {
    OAuthClientBounds(limit: limit, unusedSince: unused, usedBefore: Sample.now, replaceableSince: replaceable)
}

private func grant(
    _ id: String, of owner: String = "p1", client: String = "c1", at time: Timestamp = Sample.now
) -> OAuthGrant {
    OAuthGrant(
        id: id, client: client, owner: owner, scopes: [.read, .links], resource: "https://a.example/_/mcp",
        redirectURI: "app://b", challenge: "c", code: [UInt8](repeating: 1, count: 32), createdAt: time,
        expiresAt: time.advanced(byMilliseconds: 60_000))
}

extension LinkStore {
    fileprivate func addPeople(_ ids: String...) async throws {
        for id in ids {
            _ = try await people.insert(Person(id: id, name: id, createdAt: Sample.now), inviting: nil)
        }
    }
}

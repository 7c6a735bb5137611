import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let people = [
        LinkStoreContract("keeps people with all that they have, oldest first") { store in
            try await store.addApplication()
            var ana = try person("p1", identity: "ana", passkey: 1)
            ana.email = "ana@example.com"
            ana.signedInAt = Sample.after(5)
            ana.memberships = [
                Membership(application: nil, role: .viewer),
                Membership(application: try Sample.application(), role: .editor),
            ]
            let bo = Person(id: "p0", name: "Bo \u{1F600}", isDisabled: true, createdAt: Sample.after(1))
            try expect(try await store.people.insert(bo, inviting: nil), is: true)
            try expect(try await store.people.insert(ana, inviting: nil), is: true)
            try expect(try await store.people.people(), is: [ana, bo])
            var changed = ana
            changed.name = "Ana B."
            changed.email = nil
            changed.identities.append(PersonIdentity(issuer: PersonIdentity.proxyIssuer, subject: "ana"))
            changed.identities.sort { $0.issuer < $1.issuer }
            changed.passkeys[0].signCount = .max
            changed.passkeys[0].usedAt = Sample.after(9)
            changed.memberships = [Membership(application: nil, role: .admin)]
            let stored = changed
            try expect(try await store.people.changePerson("p1") { _ in stored }, is: .changed(stored))
            try expect(try await store.people.people(), is: [stored, bo])
            try expect(try await store.people.changePerson("p1") { _ in nil }, is: .unchanged(stored))
            try expect(try await store.people.changePerson("p9") { $0 }, is: .unknown)
            try expect(try await store.people.deletePerson("p1"), is: true)
            try expect(try await store.people.deletePerson("p1"), is: false)
            try expect(try await store.people.people(), is: [bo])
        },
        LinkStoreContract("gives a passkey and an identity to one person") { store in
            let people = store.people
            try expect(try await people.insert(try person("p1", identity: "a", passkey: 1), inviting: nil), is: true)
            try expect(try await people.insert(try person("p2", identity: "b", passkey: 2), inviting: nil), is: true)
            try expect(try await people.insert(try person("p3", identity: "a", passkey: 3), inviting: nil), is: false)
            try expect(try await people.insert(try person("p4", identity: "d", passkey: 1), inviting: nil), is: false)
            let before = try await people.people()
            for taken in [try person("p2", identity: "a", passkey: 2), try person("p2", identity: "b", passkey: 1)] {
                try expect(try await people.changePerson("p2") { _ in taken }, is: .taken)
            }
            try expect(try await people.people(), is: before)
            // The same subject of another issuer is somebody else.
            var other = try person("p5", identity: "a", passkey: 5)
            other.identities[0].issuer = "https://other.example.com"
            try expect(try await people.insert(other, inviting: nil), is: true)
            _ = try await people.deletePerson("p1")
            try expect(try await people.insert(try person("p3", identity: "a", passkey: 1), inviting: nil), is: true)
        },
        LinkStoreContract("gives a passkey to one of all who race for it") { store in
            for number in 0..<20 {
                _ = try await store.people.insert(
                    Person(id: "p\(number)", name: "a", createdAt: Sample.now), inviting: nil)
            }
            let won = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let change = try await store.people.changePerson("p\(number)") { person in
                            var person = person
                            person.passkeys = [passkey(1)]
                            return person
                        }
                        return change != .taken
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            try expect(won, is: 1)
            try expect(try await store.people.people().count { !$0.passkeys.isEmpty }, is: 1)
        },
        LinkStoreContract("loses no change of one person") { store in
            _ = try await store.people.insert(Person(id: "p1", name: "a", createdAt: Sample.now), inviting: nil)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        _ = try await store.people.changePerson("p1") { person in
                            var person = person
                            person.passkeys.append(passkey(UInt8(number)))
                            return person
                        }
                    }
                }
                try await group.waitForAll()
            }
            try expect(try await store.people.people().first?.passkeys.count, is: 20)
        },
        LinkStoreContract("ends invitations where a person may do more") { store in
            let invitation = key("session-p1-abc.invitation", 1)
            let (viewer, admin) = (
                Membership(application: nil, role: .viewer), Membership(application: nil, role: .admin)
            )
            let ana = Person(id: "p1", name: "a", memberships: [admin], createdAt: Sample.now)
            try expect(try await store.people.insert(ana, inviting: invitation), is: true)
            for (memberships, remains) in [([admin], true), ([viewer], false), ([], true), ([admin], false)] {
                try await store.insert(invitation)
                try await store.insert(key("session-p1-abc", 2))
                _ = try await store.people.changePerson("p1") { person in
                    var changed = person
                    changed.memberships = memberships
                    return changed
                }
                try expect(try await store.key(digest: [1]) != nil, is: remains)
                try expect(try await store.key(digest: [2]) != nil, is: true)
            }
        },
        LinkStoreContract("lets an invitation work once") { store in
            let invitation = key("session-p1-abc.invitation", 1)
            try expect(
                try await store.people.insert(
                    Person(id: "p1", name: "a", createdAt: Sample.now), inviting: invitation), is: true)
            try expect(try await store.key(digest: [1]), is: invitation)
            try await store.insert(key("session-p2-abc.invitation", 3))
            // Another person's, and none.
            for id in ["session-p2-abc.invitation", "session-p1-x.invitation", "k"] {
                try expect(try await store.people.changePerson("p1", using: id) { $0 }, is: .unknown)
            }
            // A change that is not made uses nothing up.
            guard case .unchanged = try await store.people.changePerson("p1", using: invitation.id, { _ in nil }) else {
                throw ContractViolation(description: "an invitation was used for no change")
            }
            let used = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<10 {
                    group.addTask {
                        let session = key("session-p1-\(number)", UInt8(10 + number))
                        let change = try await store.people.changePerson(
                            "p1", using: invitation.id, adding: session
                        ) { person in
                            var person = person
                            person.passkeys.append(passkey(UInt8(number)))
                            return person
                        }
                        return change != .unknown
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            try expect(used, is: 1)
            try expect(try await store.people.people().first?.passkeys.count, is: 1)
            // The session of the one that used it.
            try expect(try await store.keys().count { $0.id.hasPrefix("session-p1-") }, is: 1)
            try expect(try await store.key(digest: [1]), is: nil)
        },
        LinkStoreContract("ends the access of somebody who is disabled or deleted") { store in
            for end in ["disable", "delete"] {
                _ = try await store.people.insert(Person(id: "p1", name: "a", createdAt: Sample.now), inviting: nil)
                _ = try await store.people.insert(Person(id: "p10", name: "b", createdAt: Sample.now), inviting: nil)
                let ended = [
                    key("k1", 1, person: "p1"), key("session-p1-a", 2), key("session-p1-a.link", 3),
                    key("session-p1-b.invitation", 4),
                ]
                let kept = [key("k2", 5), key("k3", 6, person: "p10"), key("session-p10-a", 7), key("session-k2-a", 8)]
                for key in ended + kept { try expect(try await store.insert(key), is: true) }
                if end == "disable" {
                    let session = key("session-p1-d", 10)
                    guard case .changed = try await store.people.changePerson("p1", adding: session, { $0.disabled })
                    else {
                        throw ContractViolation(description: "somebody was not disabled")
                    }
                } else {
                    try expect(try await store.people.deletePerson("p1"), is: true)
                }
                try expect(Set(try await store.keys().map(\.id)), is: Set(kept.map(\.id)))
                // What was begun before ends too.
                try expect(try await store.insert(key("k4", 9, person: "p1")), is: false)
                if end == "disable" { try expect(try await store.insert(key("session-p1-c", 9)), is: false) }
                for key in kept { _ = try await store.deleteKey(key.id) }
                for id in ["p1", "p10"] { _ = try await store.people.deletePerson(id) }
            }
        },
        LinkStoreContract("keeps memberships of applications that exist") { store in
            try await store.addApplication()
            try await store.addApplication("news")
            var ana = Person(id: "p1", name: "Ana", createdAt: Sample.now)
            ana.memberships = try ["gone", "news", "shop"].map {
                Membership(application: try Sample.application($0), role: .admin)
            }
            try expect(try await store.people.insert(ana, inviting: nil), is: true)
            ana.memberships.removeFirst()
            try expect(try await store.people.people(), is: [ana])
            try expect(
                try await store.deleteApplication(try Sample.application("news"), expecting: nil), is: .deleted)
            // Another application of that name has other people.
            try await store.addApplication("news")
            ana.memberships.removeFirst()
            try expect(try await store.people.people(), is: [ana])
        },
        LinkStoreContract("keeps a person on whom the caller decided otherwise") { store in
            let ana = Person(id: "p1", name: "Ana", createdAt: Sample.now)
            try expect(try await store.people.insert(ana, inviting: nil), is: true)
            try await store.insert(key("k1", 1, person: "p1"))
            let deletion = try await store.people.deletePerson("p1", reporting: nil, unless: nil) { _ in false }
            try expect(deletion, is: .kept(ana))
            try expect(try await store.people.people(), is: [ana])
            try expect(try await store.keys().map(\.person), is: ["p1"])
        },
        LinkStoreContract("reports the keys that end with their person") { store in
            try await store.subscribe("key.revoked")
            _ = try await store.people.insert(Person(id: "p1", name: "a", createdAt: Sample.now), inviting: nil)
            for key in [key("k1", 1, person: "p1"), key("session-p1-a", 2)] { try await store.insert(key) }
            _ = try await store.people.changePerson(
                "p1", using: nil, adding: nil,
                reporting: { OutboxEvent(.keyRevoked, of: nil, at: Sample.now, [.init("id", $0.id)]) }, unless: nil
            ) { $0.disabled }
            let events = try await store.webhooks.outbox(limit: 9).map(\.event)
            try expect(events.map(\.attributes), is: [[.init("id", "k1")]])
        },
        LinkStoreContract("keeps the last administrator's means of signing in") { store in
            let person = Person(
                id: "p1", name: "a", memberships: [Membership(application: nil, role: .admin)],
                identities: [PersonIdentity(issuer: PersonIdentity.proxyIssuer, subject: "p1")], createdAt: Sample.now)
            _ = try await store.people.insert(person, inviting: nil)
            let change = try await store.people.changePerson(
                "p1", using: nil, adding: nil, reporting: nil, unless: { others, _ in others.isEmpty }
            ) { person in
                var changed = person
                changed.identities = []
                return changed
            }
            try expect(change == .lastAdministrator, is: true)
            try expect(try await store.people.people().map(\.identities.count), is: [1])
        },
        LinkStoreContract("keeps one of two administrators who remove each other") { store in
            func administrator(_ id: String) -> Person {
                Person(
                    id: id, name: "a", memberships: [Membership(application: nil, role: .admin)],
                    identities: [PersonIdentity(issuer: PersonIdentity.proxyIssuer, subject: id)], createdAt: Sample.now
                )
            }
            let isLast: LastAdministratorCheck = { others, keys in
                keys.isEmpty && !others.contains(where: \.isAdministrator)
            }
            for deletes in [false, true] {
                for id in ["p1", "p2"] {
                    try expect(try await store.people.insert(administrator(id), inviting: nil), is: true)
                }
                // Each disables or deletes the other one.
                let refusals = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for id in ["p1", "p2"] {
                        group.addTask {
                            if deletes {
                                return try await store.people.deletePerson(id, reporting: nil, unless: isLast) { _ in
                                    true
                                } == .lastAdministrator
                            }
                            return try await store.people.changePerson(
                                id, using: nil, adding: nil, reporting: nil, unless: isLast
                            ) { $0.disabled } == .lastAdministrator
                        }
                    }
                    var refusals: [Bool] = []
                    for try await isRefused in group { refusals.append(isRefused) }
                    return refusals
                }
                try expect(refusals.filter { $0 }.count, is: 1)
                let left = try await store.people.people().filter(\.isAdministrator)
                try expect(left.count, is: 1)
                // Other changes of the last one, and its removal where a key is left.
                let changed = try await store.people.changePerson(
                    left[0].id, using: nil, adding: nil, reporting: nil, unless: isLast
                ) { $0 }
                try expect(changed, is: .changed(left[0]))
                try await store.insert(key("k1", 1))
                let deleted = try await store.people.deletePerson(left[0].id, reporting: nil, unless: isLast) { _ in
                    true
                }
                try expect(deleted, is: .deleted)
                _ = try await store.deleteKey("k1")
                for id in ["p1", "p2"] { _ = try await store.people.deletePerson(id) }
            }
        },
        LinkStoreContract("has a limit of people") { store in
            for (id, isAdded) in [("p1", true), ("p2", true), ("p3", false)] {
                let person = Person(id: id, name: "a", createdAt: Sample.now)
                try expect(try await store.people.insert(person, inviting: nil, limit: 2), is: isAdded)
            }
            try expect(try await store.people.people().map(\.id), is: ["p1", "p2"])
        },
    ]

    private static func person(_ id: String, identity: String, passkey number: UInt8) throws -> Person {
        Person(
            id: id, name: "Ana", identities: [PersonIdentity(issuer: "https://id.example.com", subject: identity)],
            passkeys: [passkey(number)], createdAt: Sample.now)
    }

    private static func passkey(_ number: UInt8) -> Passkey {
        Passkey(id: [0, number], publicKey: [1, 2, 3], signCount: 7, createdAt: Sample.now)
    }

    private static func key(_ id: String, _ digest: UInt8, person: String? = nil) -> StoredKey {
        StoredKey(
            id: id, name: "a", digest: [digest], application: nil, scopes: [], createdAt: Sample.now, person: person)
    }
}

extension Person {
    fileprivate var disabled: Person {
        var disabled = self
        disabled.isDisabled = true
        return disabled
    }
}

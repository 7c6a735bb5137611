import Synchronization
package import WaymarkLinks
package import WaymarkStores

extension KeyRing {
    /// The person who has a passkey, and the passkey; nil if nobody has it.
    ///
    /// - Parameter id: the credential's ID.
    package func holder(ofPasskey id: [UInt8]) -> (person: Person, passkey: Passkey)? {
        guard let person = table.current.holder(ofPasskey: id),
            let passkey = person.passkeys.first(where: { $0.id == id })
        else { return nil }
        return (person, passkey)
    }

    /// Like `holder`, but for a passkey that another server may have registered a moment ago.
    package func lookUpHolder(ofPasskey id: [UInt8]) async throws(StoreError) -> (person: Person, passkey: Passkey)? {
        if let known = holder(ofPasskey: id) { return known }
        // Anybody may send IDs: only for one that exists are all people read, and of others few are looked up.
        guard store.isShared, strangers.withLock({ $0.admit(dependencies.sha256(id)) }),
            try await store.people.hasPasskey(id)
        else { return nil }
        try await refresh()
        return holder(ofPasskey: id)
    }

    /// Signs a passkey's holder in, and stores the passkey's new counter with the session.
    ///
    /// - Parameters:
    ///   - passkey: as it was verified. If the stored one has been used since, with this answer or a later one, the sign-in is
    ///     refused.
    ///   - challenged: when the challenge was made that the passkey answered.
    package func signIn(
        _ person: Person, with passkey: Passkey, signCount: UInt32, challenged: Timestamp
    ) async throws(StoreError) -> PersonSignIn {
        let used = max(dependencies.now(), challenged)
        return try await signIn(person.id) { person in
            guard
                let index = person.passkeys.firstIndex(where: {
                    $0.id == passkey.id && $0.publicKey == passkey.publicKey
                })
            else { return nil }
            let stored = person.passkeys[index]
            guard stored.usedAt.map({ challenged > $0 }) ?? true,
                signCount > stored.signCount || signCount == 0 && stored.signCount == 0
            else { return nil }
            var updated = person
            updated.passkeys[index].signCount = signCount
            updated.passkeys[index].usedAt = used
            return updated
        }
    }

    /// Adds a passkey to a person, who is signed in with it.
    ///
    /// - Parameters:
    ///   - used: the ID of the invitation that is used up, or of the person's session, which the new one replaces.
    ///   - credential: the ID, the public key, and the counter.
    package func signIn(
        _ person: Person, using used: String?,
        registering credential: (id: [UInt8], publicKey: [UInt8], signCount: UInt32)
    ) async throws(StoreError) -> PersonSignIn {
        let passkey = Passkey(
            id: credential.id, publicKey: credential.publicKey, signCount: credential.signCount,
            createdAt: dependencies.now())
        return try await signIn(person.id, using: used) { person in
            guard person.passkeys.count < Person.passkeyLimit, !person.passkeys.contains(where: { $0.id == passkey.id })
            else { return nil }
            var updated = person
            updated.passkeys.append(passkey)
            return updated
        }
    }
}

extension LinkService {
    /// What the servers of a database share to know their challenges again: 32 bytes.
    package func passkeySecret() async throws(StoreError) -> [UInt8] {
        if let known = passkeySecretBytes.withLock({ $0 }) { return known }
        let randomBytes = dependencies.randomBytes
        let secret = try await store.secret("passkey-challenges", make: { randomBytes(32) })
        passkeySecretBytes.withLock { $0 = secret }
        return secret
    }
}

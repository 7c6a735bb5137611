import Synchronization
package import WaymarkStores

extension KeyRing {
    /// The person who has a passkey, and the passkey; nil if nobody has it.
    ///
    /// - Parameter id: the credential's ID.
    package func holder(ofPasskey id: [UInt8]) -> (person: Person, passkey: Passkey)? {
        for person in table.current.people {
            if let passkey = person.passkeys.first(where: { $0.id == id }) { return (person, passkey) }
        }
        return nil
    }

    /// Like `holder`, but for a passkey that another server may have registered a moment ago.
    package func lookUpHolder(ofPasskey id: [UInt8]) async throws(StoreError) -> (person: Person, passkey: Passkey)? {
        if let known = holder(ofPasskey: id) { return known }
        guard store.isShared else { return nil }
        try await refresh()
        return holder(ofPasskey: id)
    }

    /// Signs a passkey's holder in, and stores the passkey's new counter with the session.
    ///
    /// - Parameter passkey: as it was verified; if the stored one has changed since, because the same answer was sent twice, the
    ///   sign-in is refused.
    package func signIn(
        _ person: Person, with passkey: Passkey, signCount: UInt32
    ) async throws(StoreError) -> PersonSignIn {
        let now = dependencies.now()
        return try await signIn(person.id) { person in
            guard let index = person.passkeys.firstIndex(of: passkey) else { return nil }
            var updated = person
            updated.passkeys[index].signCount = signCount
            updated.passkeys[index].usedAt = now
            return updated
        }
    }

    /// Adds a passkey to a person, who is signed in with it.
    ///
    /// - Parameters:
    ///   - invitation: the ID of the invitation that is used up; nil if the person is signed in already.
    ///   - credential: the ID, the public key, and the counter.
    package func signIn(
        _ person: Person, using invitation: String?,
        registering credential: (id: [UInt8], publicKey: [UInt8], signCount: UInt32)
    ) async throws(StoreError) -> PersonSignIn {
        let passkey = Passkey(
            id: credential.id, publicKey: credential.publicKey, signCount: credential.signCount,
            createdAt: dependencies.now())
        return try await signIn(person.id, using: invitation) { person in
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

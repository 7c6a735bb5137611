package import WaymarkLinks
package import WaymarkStores

extension KeyRing {
    /// A caller, as the audit names it.
    package func actor(_ caller: KeyIdentity) -> AuditActor {
        let person = caller.person.map { id in
            AuditActor.Party(id: id, name: id == caller.id ? caller.name : table.current.person(id: id)?.name ?? "")
        }
        let key = caller.id == caller.person ? nil : AuditActor.Party(id: caller.id, name: caller.name)
        // Grants of programs act as sessions do, under IDs of their own.
        let way: AuditActor.Way? = caller.sessionID.map { id in
            id.hasPrefix(StoredKey.sessionPrefix) ? .session : .program
        }
        return AuditActor(way ?? .key, person: person, key: key)
    }
}

extension AuditCall {
    /// A sign-in with this key, or of this person.
    func by(_ known: KeyIdentity) -> AuditCall {
        known.id == known.person ? by(person: known.id, name: known.name) : by(key: known.id, name: known.name)
    }
}

extension LinkService {
    package var audit: any AuditStore { store.audit }

    /// Adds an entry of the present call about what no transaction of the store changes.
    package func audit(
        _ action: AuditAction, _ object: AuditObject, of application: ApplicationID?, after: AuditValues
    ) async throws(StoreError) {
        guard let call = AuditCall.current else { return }
        try await store.audit.record(AuditEntry(action, object, of: application, by: call, after: after.json))
    }
}

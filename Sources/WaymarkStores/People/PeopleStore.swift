/// The people of a database. What ends their access is deleted in the transaction of the change that ends it. Memberships of
/// applications that don't exist are left out.
package protocol PeopleStore: Sendable {
    /// All people, oldest first.
    func people() async throws(StoreError) -> [Person]

    /// Whether somebody has this passkey.
    func hasPasskey(_ id: [UInt8]) async throws(StoreError) -> Bool

    /// Adds a person, with an invitation where the person is invited.
    ///
    /// - Returns: false if one of the person's passkeys or identities is another person's, or there are `limit` people.
    func insert(_ person: Person, inviting invitation: StoredKey?, limit: Int) async throws(StoreError) -> Bool

    /// Changes a person as stored, in one transaction. Where the person is disabled afterwards, the transaction also deletes the
    /// person's sessions, invitations and keys. Where the person has further memberships or ways in, it deletes the invitations;
    /// where a passkey or an identity is removed, the sessions.
    ///
    /// - Parameters:
    ///   - using: the ID of an invitation or session of the person, which must exist and is deleted, so that it works once.
    ///   - adding: a session of the person, stored with the change; or an invitation, which replaces an earlier one.
    ///   - reporting: the event of a key that is deleted, written in the same transaction.
    ///   - unless: asked where an administrator of all applications would be none any more, or could not sign in any more. True:
    ///     nothing changes.
    ///   - decide: returns the person to store, and nil to change nothing. Runs again if the store repeats the transaction.
    func changePerson(
        _ id: String, using: String?, adding: StoredKey?, reporting: KeyReport?, unless: LastAdministratorCheck?,
        _ decide: @escaping @Sendable (Person) -> Person?
    ) async throws(StoreError) -> PersonChange

    /// Deletes a person with all sessions, invitations and keys.
    ///
    /// - Parameters:
    ///   - reporting: and `unless`: as for `changePerson`.
    ///   - decide: whether to delete the person as stored.
    func deletePerson(
        _ id: String, reporting: KeyReport?, unless: LastAdministratorCheck?,
        _ decide: @escaping @Sendable (Person) -> Bool
    ) async throws(StoreError) -> PersonDeletion
}

/// The event to write when a key is deleted with its person.
package typealias KeyReport = @Sendable (StoredKey) -> OutboxEvent

/// Whether nobody could administer the service without a person: by the other people and all keys, as of the transaction.
package typealias LastAdministratorCheck = @Sendable (_ others: [Person], _ keys: [StoredKey]) -> Bool

extension PeopleStore {
    /// `insert` with the limit of a database.
    package func insert(_ person: Person, inviting invitation: StoredKey?) async throws(StoreError) -> Bool {
        try await insert(person, inviting: invitation, limit: Person.limit)
    }

    /// `changePerson` of what ends no access.
    package func changePerson(
        _ id: String, using: String? = nil, adding: StoredKey? = nil, _ decide: @escaping @Sendable (Person) -> Person?
    ) async throws(StoreError) -> PersonChange {
        try await changePerson(id, using: using, adding: adding, reporting: nil, unless: nil, decide)
    }

    /// - Returns: false if there is none.
    package func deletePerson(_ id: String) async throws(StoreError) -> Bool {
        try await deletePerson(id, reporting: nil, unless: nil) { _ in true } == .deleted
    }
}

package enum PersonChange: Sendable, Equatable {
    case changed(Person)
    /// `decide` returned nil.
    case unchanged(Person)
    /// Nobody else could administer the service.
    case lastAdministrator
    /// A passkey or an identity is another person's.
    case taken
    /// No such person, invitation or session.
    case unknown
}

package enum PersonDeletion: Sendable, Equatable {
    case deleted, lastAdministrator, unknown
    /// `decide` returned false.
    case kept(Person)
}

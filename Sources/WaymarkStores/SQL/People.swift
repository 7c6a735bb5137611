import WaymarkLinks

/// `PeopleStore`. Each change locks the registry: so no two people get one passkey, and no key or session is made for somebody
/// who is being disabled.
extension SQLStore {
    package var people: any PeopleStore { self }

    package func people() async throws(StoreError) -> [Person] {
        [Person](try await read(Person.all) { try PersonRow($0) })
    }

    package func hasPasskey(_ id: [UInt8]) async throws(StoreError) -> Bool {
        try await !read(SQLStatement("SELECT 1 FROM passkey WHERE id = $1", .bytes(id))) { try $0.number(0) }.isEmpty
    }

    package func insert(
        _ person: Person, inviting invitation: StoredKey?, limit: Int
    ) async throws(StoreError) -> Bool {
        // A server that knows nobody would end the sessions, and let keys do more than their person.
        try await admit { FormatNeed(.v0_3, "people") }
        return try await transact { transaction in
            try transaction.lockRegistry()
            guard try transaction.count(SQLStatement("SELECT count(*) FROM person")) < limit,
                try !transaction.isTaken(person, unlikeAs: nil)
            else { return false }
            try transaction.run(person.insertion)
            if let invitation { try transaction.run(invitation.replacement) }
            transaction.note(.keys)
            try transaction.audit(
                .personCreated, AuditObject(.person, person.id), of: person.auditedApplication(),
                by: transaction.auditCall?.by(person: person.id, name: person.name), after: person.auditValues)
            return true
        }
    }

    package func changePerson(
        _ id: String, using used: String?, adding session: StoredKey?, reporting report: KeyReport?,
        unless isLast: LastAdministratorCheck?, _ decide: @escaping @Sendable (Person) -> Person?
    ) async throws(StoreError) -> PersonChange {
        try await transact { transaction in
            try transaction.lockRegistry()
            guard let person = try transaction.person(id) else { return .unknown }
            if let used {
                // Locked, because a deletion of a key doesn't lock the registry.
                let found = SQLStatement("SELECT id FROM api_key WHERE id = $1", .unicode(used)).lockingRows
                guard used.hasPrefix(StoredKey.sessionPrefix(of: id)),
                    try !transaction.rows(found, { try $0.unicode(0) }).isEmpty
                else { return .unknown }
            }
            guard var changed = decide(person) else { return .unchanged(person) }
            changed.id = id
            let loses = !changed.isAdministrator || person.canSignIn && !changed.canSignIn
            if person.isAdministrator, loses, let isLast,
                try transaction.isLastAdministrator(id, isLast)
            {
                return .lastAdministrator
            }
            guard try !transaction.isTaken(changed, unlikeAs: person) else { return .taken }
            if let used { try transaction.run(SQLStatement("DELETE FROM api_key WHERE id = $1", .unicode(used))) }
            try transaction.run(changed.changes(from: person))
            if changed.isDisabled {
                try transaction.deleteKeys(ofPerson: id, reporting: report)
                try transaction.run(OAuthGrant.removal(ofOwner: id))
            } else {
                if changed.endsInvitations(of: person) || session?.isInvitation ?? false {
                    try transaction.deleteKeys(ofPerson: id, \.isInvitation, reporting: nil)
                }
                if changed.endsSessions(of: person) {
                    try transaction.deleteKeys(ofPerson: id, { $0.isSession && !$0.isInvitation }, reporting: nil)
                    try transaction.run(OAuthGrant.removal(ofOwner: id))
                }
                if let session { try transaction.run(session.replacement) }
            }
            transaction.note(.keys)
            // Without the memberships of unknown applications.
            guard let stored = try transaction.person(id) else { return .unknown }
            try transaction.audit(changed: person, to: stored, adding: session)
            return .changed(stored)
        }
    }

    package func deletePerson(
        _ id: String, reporting report: KeyReport?, unless isLast: LastAdministratorCheck?,
        _ decide: @escaping @Sendable (Person) -> Bool
    ) async throws(StoreError) -> PersonDeletion {
        try await transact { transaction in
            try transaction.lockRegistry()
            guard let person = try transaction.person(id) else { return .unknown }
            guard decide(person) else { return .kept(person) }
            if person.isAdministrator, let isLast, try transaction.isLastAdministrator(id, isLast) {
                return .lastAdministrator
            }
            try transaction.deleteKeys(ofPerson: id, reporting: report)
            try transaction.run(OAuthGrant.removal(ofOwner: id))
            try transaction.run(SQLStatement("DELETE FROM person WHERE id = $1", .text(id)))
            transaction.note(.keys)
            try transaction.audit(
                .personDeleted, AuditObject(.person, id), of: person.auditedApplication(), before: person.auditValues)
            return .deleted
        }
    }
}

extension SQLTransaction {
    fileprivate func person(_ id: String) throws -> Person? {
        [Person](try rows(Person.one(id)) { try PersonRow($0) }).first
    }

    /// The registry is locked, so that two people who remove each other at once don't both succeed.
    fileprivate func isLastAdministrator(_ id: String, _ check: LastAdministratorCheck) throws -> Bool {
        let people = [Person](try rows(Person.all) { try PersonRow($0) })
        return check(people.filter { $0.id != id }, try keys())
    }

    /// One entry, whatever a sign-in changes as well.
    fileprivate func audit(changed old: Person, to new: Person, adding session: StoredKey?) throws {
        guard let call = auditCall else { return }
        let action: AuditAction =
            switch session {
            case nil: .personChanged
            case let session? where session.isInvitation: .personInvited
            default: new.passkeys.count > old.passkeys.count ? .passkeyAdded : .sessionStarted
            }
        try audit(
            action, action == .sessionStarted ? AuditObject(.session, session?.id) : AuditObject(.person, new.id),
            of: new.auditedApplication(and: old), by: call.by(person: new.id, name: new.name), from: old.auditValues,
            to: new.auditValues)
    }

    /// Whether another person has one of the identities or passkeys that the person did not have before.
    fileprivate func isTaken(_ person: Person, unlikeAs before: Person?) throws -> Bool {
        let new = person.identities.filter { !(before?.identities.contains($0) ?? false) }
        let identities = new.map {
            SQLStatement(
                "SELECT count(*) FROM person_identity WHERE issuer = $1 AND subject = $2 AND person <> $3",
                .unicode($0.issuer), .unicode($0.subject), .text(person.id))
        }
        let passkeys = person.passkeys.filter { !(before?.hasPasskey($0.id) ?? false) }.map {
            SQLStatement(
                "SELECT count(*) FROM passkey WHERE id = $1 AND person <> $2", .bytes($0.id), .text(person.id))
        }
        return try (identities + passkeys).contains { try count($0) > 0 }
    }
}

extension SQLArchive {
    package func people() throws(StoreError) -> [Person] { [Person](try rows(Person.all) { try PersonRow($0) }) }
}

extension Person {
    fileprivate func hasPasskey(_ id: [UInt8]) -> Bool { passkeys.contains { $0.id == id } }

    /// Whoever made an invitation may hold it too. So it must not lead to what the person gets later, nor add another way in once
    /// the person has one.
    fileprivate func endsInvitations(of before: Person) -> Bool {
        !Set(memberships).isSubset(of: before.memberships) || !Set(identities).isSubset(of: before.identities)
            || !passkeys.allSatisfy { before.hasPasskey($0.id) }
    }

    /// Where a way in is removed, somebody else may have used it.
    fileprivate func endsSessions(of before: Person) -> Bool {
        !Set(before.identities).isSubset(of: identities) || !before.passkeys.allSatisfy { hasPasskey($0.id) }
    }

    /// In place of one with the same ID.
    package var replacement: [SQLStatement] {
        [SQLStatement("DELETE FROM person WHERE id = $1", .text(id))] + insertion
    }

    fileprivate var insertion: [SQLStatement] {
        [
            SQLStatement(
                """
                INSERT INTO person (id, name, email, disabled, created_at, signed_in_at) VALUES ($1, $2, $3, $4, $5, $6)
                """, .text(id), .unicode(name), .unicode(email), .flag(isDisabled), .time(createdAt),
                .time(signedInAt))
        ] + membershipInsertions + identityInsertions + passkeyInsertions
    }

    fileprivate func changes(from person: Person) -> [SQLStatement] {
        var changes = [
            SQLStatement(
                "UPDATE person SET name = $1, email = $2, disabled = $3, signed_in_at = $4 WHERE id = $5",
                .unicode(name), .unicode(email), .flag(isDisabled), .time(signedInAt), .text(id))
        ]
        if memberships != person.memberships {
            changes.append(SQLStatement("DELETE FROM membership WHERE person = $1", .text(id)))
            changes += membershipInsertions
        }
        if identities != person.identities {
            changes.append(SQLStatement("DELETE FROM person_identity WHERE person = $1", .text(id)))
            changes += identityInsertions
        }
        if passkeys != person.passkeys {
            changes.append(SQLStatement("DELETE FROM passkey WHERE person = $1", .text(id)))
            changes += passkeyInsertions
        }
        return changes
    }

    /// None for an application that doesn't exist, as if it had been deleted later.
    private var membershipInsertions: [SQLStatement] {
        memberships.map { membership in
            guard let application = membership.application else {
                return SQLStatement(
                    "INSERT INTO membership (person, role) VALUES ($1, $2) ON CONFLICT DO NOTHING", .text(id),
                    .text(membership.role.rawValue))
            }
            return SQLStatement(
                """
                INSERT INTO membership (person, application, role)
                SELECT $1, number, $2 FROM application WHERE name = $3 ON CONFLICT DO NOTHING
                """, .text(id), .text(membership.role.rawValue), .text(application.text))
        }
    }

    private var identityInsertions: [SQLStatement] {
        identities.map {
            SQLStatement(
                "INSERT INTO person_identity (issuer, subject, person) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                .unicode($0.issuer), .unicode($0.subject), .text(id))
        }
    }

    private var passkeyInsertions: [SQLStatement] {
        passkeys.map {
            SQLStatement(
                """
                INSERT INTO passkey (id, person, public_key, sign_count, created_at, used_at)
                VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
                """, .bytes($0.id), .text(id), .bytes($0.publicKey), .number(Int($0.signCount)), .time($0.createdAt),
                .time($0.usedAt))
        }
    }

    // One statement each, so that a person is read as of one moment. The columns of a membership are the person, the application
    // and the role; those of an identity and of a passkey begin with the person too.
    private static let people: SQLText = """
        SELECT 0, person.id, NULL, NULL, name, email, disabled, person.created_at, signed_in_at FROM person\u{20}
        """
    private static let memberships: SQLText = """
        UNION ALL SELECT 1, person, application.name, role, NULL, NULL, NULL, NULL, NULL
        FROM membership LEFT JOIN application ON application.number = membership.application\u{20}
        """
    private static let identities: SQLText = """
        UNION ALL SELECT 2, person, NULL, NULL, issuer, subject, NULL, NULL, NULL FROM person_identity\u{20}
        """
    private static let passkeys: SQLText = """
        UNION ALL SELECT 3, person, NULL, NULL, id, public_key, sign_count, created_at, used_at FROM passkey\u{20}
        """

    fileprivate static let all = SQLStatement(people + memberships + identities + passkeys)

    fileprivate static func one(_ id: String) -> SQLStatement {
        let ofPerson: SQLText = "WHERE person = $1 "
        return SQLStatement(
            people + "WHERE person.id = $1 " + memberships + ofPerson + identities + ofPerson + passkeys + ofPerson,
            .text(id))
    }
}

/// A row of a person, or of a part of one.
private enum PersonRow: Sendable {
    case person(Person)
    case membership(Membership?, person: String)
    case identity(PersonIdentity, person: String)
    case passkey(Passkey, person: String)

    init(_ row: any SQLRow) throws {
        let person = try row.text(1)
        switch try row.number(0) {
        case 0:
            self = .person(
                Person(
                    id: person, name: try row.unicode(4), email: try row.optionalUnicode(5),
                    isDisabled: try row.number(6) != 0, createdAt: try row.timestamp(7),
                    signedInAt: try row.optionalTimestamp(8)))
        case 1:
            let application = try row.optionalText(2).map { try row.present(ApplicationID($0)) }
            // A role of a later version permits nothing here, and must not keep other people from being read.
            let role = PersonRole(rawValue: try row.text(3))
            self = .membership(role.map { Membership(application: application, role: $0) }, person: person)
        case 2:
            self = .identity(
                PersonIdentity(issuer: try row.unicode(4), subject: try row.unicode(5)), person: person)
        default:
            self = .passkey(
                Passkey(
                    id: try row.bytes(4), publicKey: try row.bytes(5),
                    signCount: try row.present(UInt32(exactly: row.number(6))), createdAt: try row.timestamp(7),
                    usedAt: try row.optionalTimestamp(8)),
                person: person)
        }
    }
}

extension [Person] {
    /// In an order that is the same in each store.
    fileprivate init(_ rows: [PersonRow]) {
        var people: [String: Person] = [:]
        for case .person(let person) in rows { people[person.id] = person }
        for row in rows {
            switch row {
            case .person: break
            case .membership(let membership, let id):
                if let membership { people[id]?.memberships.append(membership) }
            case .identity(let identity, let id): people[id]?.identities.append(identity)
            case .passkey(let passkey, let id): people[id]?.passkeys.append(passkey)
            }
        }
        self = people.values.map(\.ordered).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }
}

extension Person {
    fileprivate var ordered: Person {
        var ordered = self
        ordered.memberships.sort { ($0.application?.text ?? "") < ($1.application?.text ?? "") }
        ordered.identities.sort { ($0.issuer, $0.subject) < ($1.issuer, $1.subject) }
        ordered.passkeys.sort { one, other in
            one.createdAt == other.createdAt
                ? one.id.lexicographicallyPrecedes(other.id) : one.createdAt < other.createdAt
        }
        return ordered
    }
}

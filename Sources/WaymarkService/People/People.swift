import WaymarkBytes
import WaymarkLinks
package import WaymarkStores

/// The people of a service and their invitations, as an administrator sees and changes them.
///
/// An administrator of some applications sees the people who have a membership of one of these, without their other
/// memberships. Whoever works elsewhere too can't be renamed, disabled, invited again or deleted by such an administrator: that
/// reaches further than the administrator does.
package struct People: Sendable {
    /// Three days, in milliseconds.
    package static let invitationDuration: Int64 = 3 * 24 * 60 * 60 * 1_000

    private let keys: KeyRing
    private var store: any PeopleStore { keys.store.people }
    private var dependencies: ServiceDependencies { keys.dependencies }

    init(keys: KeyRing) { self.keys = keys }

    /// Oldest first.
    package func list(for reach: ApplicationReach) async throws(StoreError) -> [Person] {
        try await store.people().compactMap { $0.seen(in: reach) }
    }

    package func find(_ id: String, for reach: ApplicationReach) async throws(StoreError) -> Person? {
        try await list(for: reach).first { $0.id == id }
    }

    /// Adds a person, who signs in with the identities; without any, an invitation is needed.
    package func make(_ new: NewPerson, for reach: ApplicationReach) async throws(StoreError) -> PersonOutcome {
        let person = person(new)
        if let refusal = refusal(of: person.memberships, for: reach) { return refusal }
        guard reach.isAll || person.identities.isEmpty else { return .needsAll }
        guard try await store.insert(person, inviting: nil) else { return try await obstacle(to: person) }
        try await keys.refresh()
        return .done(person)
    }

    /// Adds a person with an invitation.
    package func invite(
        _ new: NewPerson, for reach: ApplicationReach
    ) async throws(StoreError) -> (outcome: PersonOutcome, invitation: Invitation?) {
        let person = person(new)
        if let refusal = refusal(of: person.memberships, for: reach) { return (refusal, nil) }
        let (invitation, stored) = invitation(for: person.id)
        guard try await store.insert(person, inviting: stored) else { return (try await obstacle(to: person), nil) }
        try await keys.refresh()
        return (.done(person), invitation)
    }

    /// Makes an invitation for an existing person to add a passkey. It replaces an earlier one.
    package func invite(
        _ id: String, for reach: ApplicationReach
    ) async throws(StoreError) -> (outcome: PersonOutcome, invitation: Invitation?) {
        // Whoever holds an invitation can sign in as the person.
        let refusal: @Sendable (Person) -> PersonOutcome? = { person in
            guard let seen = person.seen(in: reach) else { return .unknown }
            if seen != person { return .worksElsewhere }
            if !reach.isAll, person.canSignIn { return .needsAll }
            return person.isDisabled ? .disabled : nil
        }
        let (invitation, stored) = invitation(for: id)
        switch try await store.changePerson(id, adding: stored, { refusal($0) == nil ? $0 : nil }) {
        case .changed(let person):
            try await keys.refresh()
            return (.done(person), invitation)
        case .unchanged(let person): return (refusal(person) ?? .unknown, nil)
        case .lastAdministrator, .taken, .unknown: return (.unknown, nil)
        }
    }

    package func change(
        _ id: String, _ patch: PersonPatch, for reach: ApplicationReach
    ) async throws(StoreError) -> PersonOutcome {
        if let refusal = refusal(of: patch.memberships ?? [], for: reach) { return refusal }
        guard reach.isAll || patch.identities == nil && patch.passkeys == nil else { return .needsAll }
        let change = try await store.changePerson(
            id, using: nil, adding: nil, reporting: revocation, unless: isLastAdministrator
        ) { person in
            guard patch.refusal(of: person, for: reach) == nil else { return nil }
            return patch.applied(to: person, within: reach)
        }
        switch change {
        case .changed(let person):
            try await keys.refresh()
            var seen = person
            seen.memberships = person.memberships.filter { reach.contains($0.application) }
            return .done(seen)
        case .unchanged(let person): return patch.refusal(of: person, for: reach) ?? .unknown
        case .lastAdministrator: return .lastAdministrator
        case .taken: return .taken
        case .unknown: return .unknown
        }
    }

    /// On return, the person's sessions and keys are rejected.
    package func delete(_ id: String, for reach: ApplicationReach) async throws(StoreError) -> PersonOutcome {
        let refusal: @Sendable (Person) -> PersonOutcome? = { person in
            guard let seen = person.seen(in: reach) else { return .unknown }
            return seen == person ? nil : .worksElsewhere
        }
        switch try await store.deletePerson(
            id, reporting: revocation, unless: isLastAdministrator, { refusal($0) == nil })
        {
        case .deleted:
            try await keys.refresh()
            return .deleted
        case .kept(let person): return refusal(person) ?? .unknown
        case .lastAdministrator: return .lastAdministrator
        case .unknown: return .unknown
        }
    }

    private var revocation: KeyReport {
        let now = dependencies.now()
        return { OutboxEvent(.keyRevoked, of: $0.application, at: now, $0.attributes) }
    }

    /// The programs that a person lets act.
    ///
    /// - Returns: the outcome of looking the person up, and the programs if it is `done`.
    package func programs(
        of id: String, for reach: ApplicationReach
    ) async throws(StoreError) -> (outcome: PersonOutcome, programs: [AllowedProgram]) {
        let outcome = try await whole(id, for: reach)
        guard case .done = outcome else { return (outcome, []) }
        return (outcome, try await Assistants(keys: keys).programs(of: id))
    }

    /// Ends what a person let a program do.
    ///
    /// - Returns: the outcome of looking the person up, and whether there was such a program if it is `done`.
    package func endProgram(
        _ program: String, of id: String, for reach: ApplicationReach
    ) async throws(StoreError) -> (outcome: PersonOutcome, hasEnded: Bool) {
        let outcome = try await whole(id, for: reach)
        guard case .done = outcome else { return (outcome, false) }
        return (outcome, try await Assistants(keys: keys).end(program, of: id))
    }

    /// A person whom the caller sees with everything: programs act in all of the person's applications.
    private func whole(_ id: String, for reach: ApplicationReach) async throws(StoreError) -> PersonOutcome {
        guard let person = try await store.people().first(where: { $0.id == id }), let seen = person.seen(in: reach)
        else { return .unknown }
        return seen == person ? .done(person) : .worksElsewhere
    }

    private func person(_ new: NewPerson) -> Person {
        Person(
            id: Base62.random(length: 12, bytes: dependencies.randomBytes), name: new.name, email: new.email,
            memberships: new.memberships, identities: new.identities, createdAt: dependencies.now())
    }

    private func invitation(for person: String) -> (Invitation, StoredKey) {
        let (token, now) = (KeyText(randomBytes: dependencies.randomBytes), dependencies.now())
        let end = now.advanced(byMilliseconds: Self.invitationDuration)
        let stored = keys.storedSession(
            of: person, name: "", application: nil, .invitation, token, at: now, until: end)
        return (Invitation(token: token, expiresAt: end), stored)
    }

    private func refusal(of memberships: [Membership], for reach: ApplicationReach) -> PersonOutcome? {
        memberships.allSatisfy { reach.contains($0.application) } ? nil : .beyondReach
    }

    private func obstacle(to person: Person) async throws(StoreError) -> PersonOutcome {
        try await store.people().count >= Person.limit ? .full : .taken
    }

    /// Whether the service could not be administered without a person: by no key, and by nobody else who can sign in. Nil: it
    /// always could, by the environment's key.
    private var isLastAdministrator: LastAdministratorCheck? {
        guard keys.environmentID == nil else { return nil }
        let now = dependencies.now()
        return { people, keys in
            let others = people.filter(\.isAdministrator)
            return !others.contains(where: \.canSignIn)
                && !keys.contains { key in
                    !key.isSession && key.application == nil && key.scopes.contains(.admin) && !key.hasExpired(at: now)
                        && (key.person == nil || others.contains { $0.id == key.person })
                }
        }
    }
}

extension PersonPatch {
    /// Why the patch may not be applied to the person as stored.
    fileprivate func refusal(of person: Person, for reach: ApplicationReach) -> PersonOutcome? {
        guard let seen = person.seen(in: reach) else { return .unknown }
        if seen != person, changesMore { return .worksElsewhere }
        let changed = applied(to: person, within: reach)
        return changed.memberships.count > Person.membershipLimit ? .tooManyMemberships : nil
    }

    /// Whether the patch has more than memberships, each of which is of one application.
    private var changesMore: Bool {
        name != nil || email != nil || isDisabled != nil || identities != nil || passkeys != nil
    }

    fileprivate func applied(to person: Person, within reach: ApplicationReach) -> Person {
        var changed = person
        if let name { changed.name = name }
        if let email { changed.email = email }
        if let isDisabled { changed.isDisabled = isDisabled }
        if let memberships {
            changed.memberships = person.memberships.filter { !reach.contains($0.application) } + memberships
        }
        if let identities { changed.identities = identities }
        if let passkeys { changed.passkeys = person.passkeys.filter { passkeys.contains($0.id) } }
        return changed
    }
}

extension Person {
    /// As an administrator of these applications sees the person; nil if that is not at all.
    fileprivate func seen(in reach: ApplicationReach) -> Person? {
        if reach.isAll { return self }
        var seen = self
        seen.memberships = memberships.filter { reach.contains($0.application) }
        return seen.memberships.isEmpty ? nil : seen
    }
}

package import WaymarkLinks
package import WaymarkStores

/// A person to add.
package struct NewPerson: Sendable {
    package var name: String
    package var email: String?
    package var memberships: [Membership]
    package var identities: [PersonIdentity]

    package init(
        name: String, email: String? = nil, memberships: [Membership] = [], identities: [PersonIdentity] = []
    ) {
        self.name = name
        self.email = email
        self.memberships = memberships
        self.identities = identities
    }
}

/// What to change of a person; nil leaves it.
package struct PersonPatch: Sendable {
    package var name: String?
    /// `.some(nil)` removes it.
    package var email: String??
    package var isDisabled: Bool?
    /// All those that the caller may see; the others stay.
    package var memberships: [Membership]?
    package var identities: [PersonIdentity]?
    /// The IDs of those to keep.
    package var passkeys: [[UInt8]]?

    package init() {}
}

/// The only copy of an invitation's token.
package struct Invitation: Sendable {
    package let token: KeyText
    package let expiresAt: Timestamp
}

package enum PersonOutcome: Sendable, Equatable {
    case done(Person)
    case deleted
    /// There is none with this ID whom the caller may see.
    case unknown
    /// A membership is of an application that the caller does not administer.
    case beyondReach
    /// Only an administrator of all applications may do it.
    case needsAll
    /// The person has memberships that the caller does not administer.
    case worksElsewhere
    /// Nobody could administer the service any more.
    case lastAdministrator
    case disabled
    /// An identity is another person's.
    case taken
    /// There are as many people as may be.
    case full
    case tooManyMemberships
}

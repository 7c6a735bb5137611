import WaymarkLinks
package import WaymarkSignIn
package import WaymarkStores

/// A provider of OpenID Connect that signs people in.
package struct SignInProvider: Sendable {
    package var provider: OpenIDProvider
    /// Which claim of its tokens decides about roles; nil: none does.
    package var roles: ProviderRoles?
    /// Whether somebody unknown becomes a person, if a claim gives a role.
    package var createsPeople: Bool

    package init(_ provider: OpenIDProvider, roles: ProviderRoles? = nil, createsPeople: Bool = false) {
        self.provider = provider
        self.roles = roles
        self.createsPeople = createsPeople
    }
}

/// Roles by a claim, such as the groups of a company's directory.
package struct ProviderRoles: Sendable {
    /// As `OpenIDIdentity.values(at:)` takes it.
    package var claim: String
    /// What a value of the claim is worth.
    package var map: [String: [Membership]]

    package init(claim: String, map: [String: [Membership]]) {
        self.claim = claim
        self.map = map
    }

    /// The memberships after a sign-in. About each application that the map names, and about all of them if it names those, the
    /// claim decides alone; other memberships stay.
    func memberships(_ present: [Membership], by identity: OpenIDIdentity) -> [Membership] {
        let governed = Set(map.values.joined().map(\.application))
        var roles: [ApplicationID?: PersonRole] = [:]
        for membership in identity.values(at: claim).compactMap({ map[$0] }).joined() {
            let known = roles[membership.application]
            let isHigher = known.map { Self.rank(membership.role) > Self.rank($0) } ?? true
            if isHigher { roles[membership.application] = membership.role }
        }
        let given = roles.map { Membership(application: $0.key, role: $0.value) }
            .sorted { ($0.application?.text ?? "") < ($1.application?.text ?? "") }
        return present.filter { !governed.contains($0.application) } + given
    }

    private static func rank(_ role: PersonRole) -> Int { PersonRole.allCases.firstIndex(of: role) ?? 0 }
}

package import WaymarkLinks
package import WaymarkStores

/// The caller identified by a valid key.
package struct KeyIdentity: Sendable, Equatable {
    /// The ID of the environment's admin key, which no stored key has.
    package static let environmentID = "environment"

    static let environment = KeyIdentity(id: environmentID, name: environmentID, application: nil, scopes: [.admin])

    /// Placeholder while a key is being looked up; has no permissions.
    package static let nobody = KeyIdentity(id: "", name: "", application: nil, scopes: [])

    package let id: String
    package let name: String
    /// Nil: all applications.
    package let application: ApplicationID?
    package let scopes: Set<KeyScope>
    /// The platform of the app that the key is shipped in; nil if it was not created for a platform.
    package let platform: Platform?

    package init(
        id: String, name: String, application: ApplicationID?, scopes: Set<KeyScope>, platform: Platform? = nil
    ) {
        self.id = id
        self.name = name
        self.application = application
        self.scopes = scopes
        self.platform = platform
    }

    /// Whether one of the key's scopes includes `scope`.
    package func may(_ scope: KeyScope) -> Bool {
        // Called on every request, so it avoids creating the set of `reach`.
        if scopes.contains(scope) || scopes.contains(.admin) { return true }
        return scopes.contains(.links) && (scope == .resolve || scope == .create || scope == .read)
    }

    /// Whether the key may act on links of this application.
    package func reaches(_ other: ApplicationID) -> Bool {
        application == nil || application == other
    }

    /// The scopes, with the lesser ones that they include.
    package static func reach(of scopes: Set<KeyScope>) -> Set<KeyScope> {
        if scopes.contains(.admin) { return Set(KeyScope.allCases) }
        if scopes.contains(.links) { return scopes.union([.resolve, .create, .read]) }
        return scopes
    }
}
